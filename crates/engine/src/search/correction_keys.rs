//! Keys of parts of a position, which index the correction history, and the observer that updates them and the
//! evaluation along the moves of a search.

use crate::nnue::{EvalMode, Evaluator};
use crate::score::Score;
use xiangqi::{Color, Piece, PieceKind, Position, Square, engine::BoardObserver, zobrist::Key, zobrist::piece_key};

/// The number of correction keys.
pub const CORRECTION_KEYS: usize = 4;

/// The keys of the pawns, of the guards (king, advisors, bishops), and of each side's attackers. One key of all
/// attackers would be too specific to generalise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CorrectionKeys([Key; CORRECTION_KEYS]);

impl CorrectionKeys {
    /// Computes the keys of a position.
    fn of(position: &Position) -> CorrectionKeys {
        let mut keys = CorrectionKeys::default();
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                keys.toggle(Piece::new(color, kind), square);
            }
        }
        keys
    }

    /// Adds or removes a piece on a square.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.0[correction_key_of(piece)] ^= piece_key(piece, square);
    }
}

/// The index of the key that a piece belongs to.
#[inline]
fn correction_key_of(piece: Piece) -> usize {
    match piece.kind() {
        PieceKind::Pawn => 0,
        PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => 1,
        PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => 2 + usize::from(piece.color() == Color::Black),
    }
}

/// What a search thread updates with each move: the evaluation and the correction keys.
pub(super) struct SearchObserver {
    evaluator: Evaluator,
    /// The keys of the root, and of the position after each move.
    correction_keys: Vec<CorrectionKeys>,
}

impl SearchObserver {
    pub fn new(mode: &EvalMode, position: &Position) -> SearchObserver {
        let mut correction_keys = Vec::with_capacity(256);
        correction_keys.push(CorrectionKeys::of(position));
        SearchObserver { evaluator: Evaluator::new(mode, position), correction_keys }
    }

    /// Takes back the last move.
    #[inline]
    pub fn pop(&mut self) {
        self.correction_keys.pop();
        self.evaluator.pop();
    }

    /// The static evaluation for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.evaluator.evaluate(position)
    }

    /// The keys of the current position.
    #[inline]
    pub fn correction_keys(&self) -> &[Key; CORRECTION_KEYS] {
        &self.correction_keys[self.correction_keys.len() - 1].0
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let last = self.correction_keys.len() - 1;
        self.correction_keys[last].toggle(piece, square);
    }
}

impl BoardObserver for SearchObserver {
    #[inline]
    fn begin(&mut self) {
        self.correction_keys.push(self.correction_keys[self.correction_keys.len() - 1]);
        self.evaluator.begin();
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.evaluator.removed(piece, square);
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.evaluator.added(piece, square);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        let last = self.correction_keys.len() - 1;
        self.correction_keys[last].0[correction_key_of(piece)] ^= piece_key(piece, from) ^ piece_key(piece, to);
        self.evaluator.moved(piece, from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{random_element, rng};

    #[test]
    fn correction_keys_follow_the_moves() {
        let mut rng = rng(5);
        let mut position = Position::start();
        let mut observer = SearchObserver::new(&EvalMode::Material, &position);
        for _ in 0..200 {
            let moves: Vec<_> = position.legal_moves().to_vec();
            let Some(mv) = random_element(&mut rng, &moves) else { break };
            position.play_unchecked_observed(mv, &mut observer);
            assert_eq!(*observer.correction_keys(), CorrectionKeys::of(&position).0, "{}", position.fen());
        }
        while position.history_len() > 0 {
            position.undo();
            observer.pop();
        }
        assert_eq!(*observer.correction_keys(), CorrectionKeys::of(&position).0);
    }
}
