//! Twins: positions that are the same up to the mirror, to the colours, and to a piece or two.

use super::tactic::Tactic;
use std::collections::HashMap;
use xiangqi::{Color, Position, Square};

/// Boards that differ at no more points are twins: a piece that stands elsewhere makes two.
const MOST_DIFFERENT: usize = 4;

/// A board as the side to move sees it: what stands on each point.
pub(super) type Board = [u8; 90];

/// The points of a board in so many parts. Boards that differ at four points have two parts in common at least, so that
/// few boards need be compared.
const PARTS: usize = MOST_DIFFERENT + 2;
const PART_SIZE: usize = 90 / PARTS;

/// Two parts of a board, by their numbers and what stands there.
type PairOfParts = (usize, usize, [[u8; PART_SIZE]; 2]);

/// The positions that are there.
#[derive(Clone, Default)]
pub struct Twins {
    boards: Vec<Board>,
    /// The boards with these parts, by their places in the list.
    with: HashMap<PairOfParts, Vec<u32>>,
}

impl Twins {
    /// Adds a tactic, unless it is a twin of one that is there.
    pub fn add(&mut self, tactic: &Tactic) -> bool {
        let Some(position) = tactic.position() else { return false };
        let board = board(&position, false);
        let is_new = !self.has_alike(&board) && !self.has_alike(&self::board(&position, true));
        if is_new {
            let place = self.boards.len() as u32;
            pairs_of_parts(&board).for_each(|pair| self.with.entry(pair).or_default().push(place));
            self.boards.push(board);
        }
        is_new
    }

    fn has_alike(&self, board: &Board) -> bool {
        let is_there = |&place: &u32| is_alike(&self.boards[place as usize], board);
        pairs_of_parts(board).any(|pair| self.with.get(&pair).is_some_and(|places| places.iter().any(is_there)))
    }
}

fn pairs_of_parts(board: &Board) -> impl Iterator<Item = PairOfParts> {
    // Neighbours are in different parts, so that none is empty for long.
    let part = |number: usize| std::array::from_fn(|index| board[index * PARTS + number]);
    (0..PARTS).flat_map(move |one| (one + 1..PARTS).map(move |other| (one, other, [part(one), part(other)])))
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
