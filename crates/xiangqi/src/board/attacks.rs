//! Attackers of a square, for checks, exchanges, the chase rules and the evaluation.

use super::attack_tables::{self, between, bishop_eye, horse_leg};
use super::check_info::pawn_origins;
use super::position::Position;
use crate::types::{Color, Piece, PieceKind, Square, SquareSet};

impl Position {
    /// The pieces of one side that attack a square, pins ignored.
    ///
    /// The king attacks the adjacent points of its palace, but not along the open file.
    pub fn attackers_to(&self, target: Square, by: Color) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        self.find_attacker(target, by, |square| {
            set.insert(square);
            false
        });
        set
    }

    /// True if some piece of this side attacks the square, pins ignored.
    pub fn is_attacked(&self, target: Square, by: Color) -> bool {
        self.find_attacker(target, by, |_| true)
    }

    /// Calls `stop` for each attacker, cheap ones first; returns true as soon as `stop` does.
    #[inline]
    fn find_attacker(&self, target: Square, by: Color, mut stop: impl FnMut(Square) -> bool) -> bool {
        let pawn = Piece::new(by, PieceKind::Pawn);
        for square in pawn_origins(target, by) {
            // Sideways only beyond the river, where the pawn and the target are in the same half.
            let sideways = square.row() == target.row();
            if self.board[square] == pawn && !(sideways && target.is_home(by)) && stop(square) {
                return true;
            }
        }
        for &horse in self.squares(by, PieceKind::Horse) {
            if let Some(leg) = horse_leg(horse, target)
                && self.board[leg].is_empty()
                && stop(horse)
            {
                return true;
            }
        }
        let rank_word = self.rank_occupancy(target.row());
        let file_word = self.file_occupancy(target.col());
        let blockers = |slider: Square| {
            if slider == target {
                None
            } else if slider.row() == target.row() {
                Some(rank_word & between(slider.col(), target.col()))
            } else if slider.col() == target.col() {
                Some(file_word & between(slider.row(), target.row()))
            } else {
                None
            }
        };
        for &rook in self.squares(by, PieceKind::Rook) {
            if blockers(rook) == Some(0) && stop(rook) {
                return true;
            }
        }
        for &cannon in self.squares(by, PieceKind::Cannon) {
            if let Some(word) = blockers(cannon)
                && word != 0
                && word & (word - 1) == 0
                && stop(cannon)
            {
                return true;
            }
        }
        target.is_home(by) && self.find_home_attacker(target, by, stop)
    }

    /// The same for advisors, bishops and kings, which stay at home.
    #[inline]
    fn find_home_attacker(&self, target: Square, by: Color, mut stop: impl FnMut(Square) -> bool) -> bool {
        let steps = [
            (PieceKind::Advisor, attack_tables::ADVISOR_STEPS[target].squares()),
            (PieceKind::Bishop, attack_tables::BISHOP_STEPS[target].squares()),
            (PieceKind::King, attack_tables::KING_STEPS[target].squares()),
        ];
        steps.into_iter().any(|(kind, squares)| {
            let piece = Piece::new(by, kind);
            let reaches = |square| kind != PieceKind::Bishop || self.board[bishop_eye(square, target)].is_empty();
            squares.iter().any(|&square| self.board[square] == piece && reaches(square) && stop(square))
        })
    }
}
