//! Static evaluation: the score of a position without search.
//!
//! A small network looks at the pieces from both sides. `architecture` defines its features and buckets, `network`
//! holds its weights, `accumulator` updates the first layer incrementally along a line of moves, and `simd` runs the
//! loops on the vector unit of the processor. `explain` shows the contribution of each piece, and [`win_rate`] maps
//! scores to chances in games. Weaker evaluations are material and `piece_square_tables`.
//!
//! # Evaluate one position
//!
//! ```
//! use chuhe_engine::nnue::{EvalMode, WinRate, evaluate, large_network};
//! use xiangqi::Position;
//!
//! let score = evaluate(&EvalMode::Network(large_network()), &Position::start());
//! let [win, draw, loss] = WinRate::default().wdl_per_mille(score); // for the side to move
//! assert!(win > loss && win + draw + loss == 1000);
//! assert_eq!(evaluate(&EvalMode::Material, &Position::start()), 0);
//! ```
//!
//! # Evaluate along a line
//!
//! An [`Evaluator`] observes the moves and updates only the features that changed.
//!
//! ```
//! use chuhe_engine::nnue::{EvalMode, Evaluator, evaluate, large_network};
//! use xiangqi::Position;
//!
//! let (mut position, mode) = (Position::start(), EvalMode::Network(large_network()));
//! let mut evaluator = Evaluator::new(&mode, &position);
//! position.play_unchecked_observed("h2e2".parse()?, &mut evaluator);
//! assert_eq!(evaluator.evaluate(&position), evaluate(&mode, &position));
//! position.undo();
//! evaluator.pop();
//! # Ok::<(), xiangqi::ParseMoveError>(())
//! ```
//!
//! # A network file
//!
//! ```
//! use chuhe_engine::nnue::{Network, NetworkError, medium_network};
//! use chuhe_engine::search::Options;
//! use std::sync::Arc;
//!
//! let path = std::env::temp_dir().join(format!("chuhe-doc-{}.net", std::process::id()));
//! std::fs::write(&path, medium_network().to_bytes())?;
//! let network = Network::open(&path)?;
//! std::fs::remove_file(&path)?;
//! assert_eq!(network, *medium_network());
//! // A searcher with these options evaluates by it.
//! let options = Options { network: Arc::new(network), ..Options::default() };
//! # assert_eq!(options.network, medium_network());
//! assert_eq!(Network::from_bytes(b"no network").err(), Some(NetworkError::BadMagic));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulator;
mod aligned_vec;
mod explain;
mod piece_square_tables;
pub mod win_rate;

// For training: indices of features, quantization constants and the dispatch of vector loops.
#[doc(hidden)]
pub mod architecture;
#[doc(hidden)]
pub mod network;
#[doc(hidden)]
pub mod simd;

pub use aligned_vec::AlignedVec;
pub use architecture::{Architecture, KingBucket, KingBuckets, OutputBuckets, ParseBucketsError};
pub use explain::{Explanation, explain};
pub use network::{Network, NetworkError, NetworkFileError, NetworkParts};
pub use win_rate::{WIN_RATE, WinRate, WinRateModel};

pub(crate) use piece_square_tables::{piece_square_value, piece_square_values};

use crate::score::{self, MAX_EVAL, Score};
use accumulator::AccumulatorStack;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};
use xiangqi::{Color, Piece, PieceKind, Position, Square, engine::BoardObserver, engine::piece_value};

/// The kind of evaluation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EvalMode {
    /// Material only.
    Material,
    /// Piece-square tables.
    Squares,
    /// A network.
    Network(Arc<Network>),
}

static LARGE_NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| load_embedded(include_bytes!(concat!(env!("OUT_DIR"), "/large.net"))));
static MEDIUM_NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| load_embedded(include_bytes!(concat!(env!("OUT_DIR"), "/medium.net"))));

/// Reads a network as the build script has written it.
fn load_embedded(written: &[u8]) -> Arc<Network> {
    const BROKEN: &str = "a test reads the embedded networks";
    let bytes = if cfg!(target_family = "wasm") {
        Cow::Borrowed(written)
    } else {
        Cow::Owned(miniz_oxide::inflate::decompress_to_vec(written).expect(BROKEN))
    };
    Arc::new(Network::from_bytes(&bytes).expect(BROKEN))
}

/// The embedded network that the engine plays with by default.
pub fn large_network() -> Arc<Network> {
    Arc::clone(&LARGE_NETWORK)
}

/// The embedded small network, for a weaker engine.
pub fn medium_network() -> Arc<Network> {
    Arc::clone(&MEDIUM_NETWORK)
}

/// An evaluation that is updated along the moves of a search.
pub struct Evaluator(EvalState);

enum EvalState {
    Material,
    /// Red's piece-square sum less black's, one per move.
    Squares(Vec<Score>),
    Network(Box<AccumulatorStack>),
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Evaluator").finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Creates the evaluator for a position and the moves made from there.
    pub fn new(mode: &EvalMode, position: &Position) -> Evaluator {
        Evaluator(match mode {
            EvalMode::Material => EvalState::Material,
            EvalMode::Squares => EvalState::Squares(vec![piece_square_sum(position)]),
            EvalMode::Network(network) => EvalState::Network(Box::new(AccumulatorStack::new(network, position))),
        })
    }

    /// Unmakes the last move.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.0 {
            EvalState::Material => {}
            EvalState::Squares(sums) => {
                sums.pop();
            }
            EvalState::Network(accumulators) => accumulators.pop(),
        }
    }

    /// The static evaluation for the side to move; the position must be the one that the observed moves led to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let from_red = |score: Score| score::from_red(score, position.side());
        let score = match &mut self.0 {
            EvalState::Material => return from_red(material(position)),
            EvalState::Squares(sums) => from_red(sums[sums.len() - 1]),
            EvalState::Network(accumulators) => accumulators.evaluate(position),
        };
        let winner = if score > 0 { position.side() } else { !position.side() };
        if has_winning_material(position, winner) { score.clamp(-MAX_EVAL, MAX_EVAL) } else { 0 }
    }

    #[inline]
    fn add_piece_square_value(sums: &mut [Score], piece: Piece, square: Square, sign: Score) {
        let color = piece.color();
        let value = score::from_red(piece_square_value(piece.kind(), color, square), color);
        let last = sums.len() - 1;
        sums[last] += sign * value;
    }
}

impl BoardObserver for Evaluator {
    #[inline]
    fn begin(&mut self) {
        match &mut self.0 {
            EvalState::Material => {}
            EvalState::Squares(sums) => sums.push(sums[sums.len() - 1]),
            EvalState::Network(accumulators) => accumulators.push(),
        }
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        match &mut self.0 {
            EvalState::Material => {}
            EvalState::Squares(sums) => Evaluator::add_piece_square_value(sums, piece, square, -1),
            EvalState::Network(accumulators) => accumulators.removed(piece, square),
        }
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        match &mut self.0 {
            EvalState::Material => {}
            EvalState::Squares(sums) => Evaluator::add_piece_square_value(sums, piece, square, 1),
            EvalState::Network(accumulators) => accumulators.added(piece, square),
        }
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        match &mut self.0 {
            EvalState::Network(accumulators) => accumulators.moved(piece, from, to),
            EvalState::Material | EvalState::Squares(_) => {
                self.removed(piece, from);
                self.added(piece, to);
            }
        }
    }
}

/// The static evaluation of a single position for the side to move.
pub fn evaluate(mode: &EvalMode, position: &Position) -> Score {
    Evaluator::new(mode, position).evaluate(position)
}

fn piece_square_sum(position: &Position) -> Score {
    let of =
        |color| position.pieces(color).map(|(kind, square)| piece_square_value(kind, color, square)).sum::<Score>();
    of(Color::Red) - of(Color::Black)
}

/// The material balance from red's side.
fn material(position: &Position) -> Score {
    let difference =
        |kind: PieceKind| position.count(Color::Red, kind) as Score - position.count(Color::Black, kind) as Score;
    PieceKind::ALL.into_iter().map(|kind| piece_value(kind) * difference(kind)).sum()
}

/// True if a side has material left to win with.
#[inline]
pub fn has_winning_material(position: &Position, side: Color) -> bool {
    let count = |kind| position.count(side, kind);
    let has_others = count(PieceKind::Rook) + count(PieceKind::Horse) + count(PieceKind::Pawn) > 0;
    // A lone cannon needs an own advisor as a screen, even against a bare king.
    let cannons = count(PieceKind::Cannon);
    has_others || cannons > 1 || cannons == 1 && count(PieceKind::Advisor) > 0
}
