//! Checks and pins of one king, computed once per position.

use super::attack_tables::{between, horse_leg};
use super::mailbox::Mailbox;
use crate::types::{Color, Piece, PieceKind, Square, SquareSet};

/// Checks and pins of one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckInfo {
    /// Pieces of either side whose leaving may expose the king.
    pub(super) pinned: SquareSet,
    /// Empty squares between the king and a cannon without a screen: columns of the king's rank, rows of its file.
    hollow_cols: u16,
    hollow_rows: u16,
    /// The number of checkers.
    pub(super) checkers: u8,
    /// One of the checkers.
    pub(super) checker: Option<Square>,
}

impl CheckInfo {
    /// Whether any cannon has no screen before the king.
    #[inline]
    pub(super) fn has_hollow(&self) -> bool {
        self.hollow_cols | self.hollow_rows != 0
    }

    /// Whether a piece on this square would be the screen of such a cannon before the king.
    #[inline]
    pub(super) fn is_hollow(&self, square: Square, king: Square) -> bool {
        square.row() == king.row() && self.hollow_cols >> square.col() & 1 != 0
            || square.col() == king.col() && self.hollow_rows >> square.row() & 1 != 0
    }

    #[inline]
    fn add_checker(&mut self, square: Square) {
        self.checkers += 1;
        self.checker = Some(square);
    }

    /// Adds a rook, or the other king, on the king's line.
    #[inline]
    fn rook_line(&mut self, slider: Square, blockers: u16, square_of: impl Fn(u32) -> Square) {
        if blockers == 0 {
            self.add_checker(slider);
        } else if blockers & (blockers - 1) == 0 {
            self.pinned.insert(square_of(blockers.trailing_zeros()));
        }
    }

    /// Adds a cannon on the king's line that has screens.
    #[inline]
    fn cannon_line(&mut self, slider: Square, blockers: u16, square_of: impl Fn(u32) -> Square) {
        let rest = blockers & (blockers - 1);
        if rest == 0 {
            self.add_checker(slider);
        } else if rest & (rest - 1) == 0 {
            self.pinned.insert(square_of(blockers.trailing_zeros()));
            self.pinned.insert(square_of(rest.trailing_zeros()));
        }
    }
}

/// The square of the same rank in this column.
#[inline]
fn square_on_rank(square: Square, col: u32) -> Square {
    Square((square.0 & 0xF0) | col as u8)
}

/// The square of the same file in this row.
#[inline]
fn square_on_file(square: Square, row: u32) -> Square {
    Square((row as u8) << 4 | (square.0 & 0x0F))
}

impl Mailbox {
    /// Computes checks and pins of a side's king.
    pub(super) fn check_info(&self, us: Color) -> CheckInfo {
        let them = !us;
        let king = self.king(us);
        let mut info = CheckInfo::default();
        let rank_word = self.rank_occupancy(king.row());
        let file_word = self.file_occupancy(king.col());

        for &rook in self.squares(them, PieceKind::Rook) {
            if rook.row() == king.row() {
                let blockers = rank_word & between(rook.col(), king.col());
                info.rook_line(rook, blockers, |col| square_on_rank(king, col));
            } else if rook.col() == king.col() {
                let blockers = file_word & between(rook.row(), king.row());
                info.rook_line(rook, blockers, |row| square_on_file(king, row));
            }
        }
        for &cannon in self.squares(them, PieceKind::Cannon) {
            if cannon.row() == king.row() {
                let gap = between(cannon.col(), king.col());
                match rank_word & gap {
                    0 => info.hollow_cols |= gap,
                    blockers => info.cannon_line(cannon, blockers, |col| square_on_rank(king, col)),
                }
            } else if cannon.col() == king.col() {
                let gap = between(cannon.row(), king.row());
                match file_word & gap {
                    0 => info.hollow_rows |= gap,
                    blockers => info.cannon_line(cannon, blockers, |row| square_on_file(king, row)),
                }
            }
        }
        let enemy_king = self.king(them);
        if enemy_king.col() == king.col() {
            let blockers = file_word & between(enemy_king.row(), king.row());
            info.rook_line(enemy_king, blockers, |row| square_on_file(king, row));
        }
        for &horse in self.squares(them, PieceKind::Horse) {
            if let Some(leg) = horse_leg(horse, king) {
                if self[leg].is_empty() {
                    info.add_checker(horse);
                } else {
                    info.pinned.insert(leg);
                }
            }
        }
        let pawn = Piece::new(them, PieceKind::Pawn);
        for square in pawn_origins(king, them) {
            if self[square] == pawn {
                info.add_checker(square);
            }
        }
        info
    }
}

/// The squares from which a pawn of this side would attack a square of the enemy half.
#[inline]
pub(super) fn pawn_origins(target: Square, pawn_color: Color) -> [Square; 3] {
    [target.step(-pawn_color.forward()), target.step(-1), target.step(1)]
}
