//! Twins: positions that are the same up to the mirror, to the colours, and to a piece or two.

use super::tactic::Tactic;
use xiangqi::{Color, Position, Square};

/// Boards that differ at no more points are twins: a piece that stands elsewhere makes two.
const MOST_DIFFERENT: usize = 4;

/// A board as the side to move sees it: what stands on each point.
pub(super) type Board = [u8; 90];

/// The positions that are there.
#[derive(Default)]
pub struct Twins {
    boards: Vec<Board>,
}

impl Twins {
    /// Adds a tactic, unless it is a twin of one that is there.
    pub fn add(&mut self, tactic: &Tactic) -> bool {
        let Some(position) = tactic.position() else { return false };
        let board = board(&position, false);
        let mirrored = self::board(&position, true);
        let is_twin = |other: &Board| is_alike(other, &board) || is_alike(other, &mirrored);
        let is_new = !self.boards.iter().any(is_twin);
        if is_new {
            self.boards.push(board);
        }
        is_new
    }
}

fn is_alike(one: &Board, other: &Board) -> bool {
    one.iter().zip(other).filter(|(one, other)| one != other).count() <= MOST_DIFFERENT
}

pub(super) fn board(position: &Position, is_mirrored: bool) -> Board {
    let mut board = [0; 90];
    let us = position.side();
    for color in Color::ALL {
        for (kind, square) in position.pieces(color) {
            let seen = if us == Color::Red { square } else { square.flip() };
            let seen: Square = if is_mirrored { seen.mirror() } else { seen };
            board[seen.dense()] = 1 + kind.index() as u8 + if color == us { 0 } else { 7 };
        }
    }
    board
}
