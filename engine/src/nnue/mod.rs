//! Static evaluation: what a position is worth without looking ahead.
//!
//! A small network that the engine taught itself (`docs/network.md`) looks at the pieces from both sides: `architecture` says
//! what it sees, `network` holds its numbers, `accumulator` keeps its first layer up to date along a line of moves, and
//! `simd` runs its loops on whatever the processor has. `endings` makes a draw of what cannot be won, `explain`
//! shows to people what the network thinks of each piece; `win_rate` knows what a score is worth in games. Less knowing evaluations are there for those who ask for them: `piece_square_tables`.

mod accumulator;
mod aligned_vec;
pub mod architecture;
mod correction_keys;
mod explain;
pub mod network;
mod piece_square_tables;
pub mod simd;
pub mod win_rate;

pub use accumulator::full_refresh;
pub use aligned_vec::AlignedVec;
pub use correction_keys::{CORRECTION_KEYS, CorrectionKeys};
pub use explain::{Explanation, explain};
pub use network::{Network, NetworkError};
pub use piece_square_tables::{piece_square_gain, piece_square_value};
pub use win_rate::{WIN_RATE, WinRate};

use crate::board::{BoardObserver, Position, piece_value};
use crate::types::score::{self, MAX_EVAL};
use crate::types::{Color, Key, Piece, PieceKind, Score, Square};
use accumulator::AccumulatorStack;
use std::sync::{Arc, LazyLock};

/// What is known about positions.
#[derive(Clone, Debug, PartialEq)]
pub enum EvalMode {
    /// The worth of the pieces.
    Material,
    /// And where they stand.
    Squares,
    /// What a network makes of it.
    Network(Arc<Network>),
}

static LARGE_NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| load_embedded(include_bytes!("nets/large.net")));
static MEDIUM_NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| load_embedded(include_bytes!("nets/medium.net")));

fn load_embedded(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::from_bytes(bytes).expect("a test reads the embedded networks"))
}

/// The network that the engine plays with.
pub fn large_network() -> Arc<Network> {
    Arc::clone(&LARGE_NETWORK)
}

/// A small network, for those who want a weaker engine.
pub fn medium_network() -> Arc<Network> {
    Arc::clone(&MEDIUM_NETWORK)
}

/// An evaluation that follows the moves of a search.
pub struct Evaluator {
    state: EvalState,
    correction_keys: Vec<CorrectionKeys>,
}

enum EvalState {
    Material,
    /// Sums of red's piece squares less black's, one a move.
    Squares(Vec<Score>),
    Network(Box<AccumulatorStack>),
}

impl Evaluator {
    /// For a position and the moves that will be made from there.
    pub fn new(knowledge: &EvalMode, position: &Position) -> Evaluator {
        let mut structures = Vec::with_capacity(256);
        structures.push(CorrectionKeys::of(position));
        let knowledge = match knowledge {
            EvalMode::Material => EvalState::Material,
            EvalMode::Squares => EvalState::Squares(vec![piece_square_sum(position)]),
            EvalMode::Network(network) => EvalState::Network(Box::new(AccumulatorStack::new(network, position))),
        };
        Evaluator { state: knowledge, correction_keys: structures }
    }

    /// A move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.correction_keys.pop();
        match &mut self.state {
            EvalState::Material => {}
            EvalState::Squares(sums) => {
                sums.pop();
            }
            EvalState::Network(accumulators) => accumulators.pop(),
        }
    }

    /// Keys of the position's structure: pawns, guards, red attackers, black attackers.
    #[inline]
    pub fn correction_keys(&self) -> &[Key; CORRECTION_KEYS] {
        &self.correction_keys[self.correction_keys.len() - 1].0
    }

    /// The static evaluation from the side to move. The position must be the one that the moves have led to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let from_red = |score: Score| score::from_red(score, position.side());
        let score = match &mut self.state {
            EvalState::Material => return from_red(material(position)),
            EvalState::Squares(sums) => from_red(sums[sums.len() - 1]),
            EvalState::Network(accumulators) => accumulators.evaluate(position),
        };
        let winner = if score > 0 { position.side() } else { !position.side() };
        if has_winning_material(position, winner) { score.clamp(-MAX_EVAL, MAX_EVAL) } else { 0 }
    }

    #[inline]
    fn update_piece(&mut self, piece: Piece, square: Square, sign: Score) {
        let last = self.correction_keys.len() - 1;
        self.correction_keys[last].toggle(piece, square);
        if let EvalState::Squares(sums) = &mut self.state {
            let color = piece.color_unchecked();
            let last = sums.len() - 1;
            sums[last] += sign * signed_for(color, piece_square_value(piece.kind_unchecked(), color, square));
        }
    }
}

impl BoardObserver for Evaluator {
    #[inline]
    fn begin(&mut self) {
        self.correction_keys.push(self.correction_keys[self.correction_keys.len() - 1]);
        match &mut self.state {
            EvalState::Material => {}
            EvalState::Squares(sums) => sums.push(sums[sums.len() - 1]),
            EvalState::Network(accumulators) => accumulators.push(),
        }
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.update_piece(piece, square, -1);
        if let EvalState::Network(accumulators) = &mut self.state {
            accumulators.removed(piece, square);
        }
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.update_piece(piece, square, 1);
        if let EvalState::Network(accumulators) = &mut self.state {
            accumulators.added(piece, square);
        }
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.removed(piece, from);
        self.added(piece, to);
    }
}

/// The full static evaluation from the side to move, for a single position.
pub fn evaluate(knowledge: &EvalMode, position: &Position) -> Score {
    Evaluator::new(knowledge, position).evaluate(position)
}

fn signed_for(color: Color, value: Score) -> Score {
    if color == Color::Red { value } else { -value }
}

fn piece_square_sum(position: &Position) -> Score {
    let of =
        |color| position.pieces(color).map(|(kind, square)| piece_square_value(kind, color, square)).sum::<Score>();
    of(Color::Red) - of(Color::Black)
}

/// Plain material from red's side.
fn material(position: &Position) -> Score {
    let difference =
        |kind: PieceKind| position.count(Color::Red, kind) as Score - position.count(Color::Black, kind) as Score;
    PieceKind::ALL.into_iter().map(|kind| piece_value(kind) * difference(kind)).sum()
}

/// Whether a side has anything left to win with. How hard that is the network has learned from its games.
#[inline]
pub fn has_winning_material(position: &Position, side: Color) -> bool {
    let count = |kind| position.count(side, kind);
    let has_others = count(PieceKind::Rook) + count(PieceKind::Horse) + count(PieceKind::Pawn) > 0;
    // A lone cannon needs an advisor of its own as a screen, even against a bare king.
    let cannons = count(PieceKind::Cannon);
    has_others || cannons > 1 || cannons == 1 && count(PieceKind::Advisor) > 0
}
