//! Static evaluation: what a position is worth without looking ahead.
//!
//! A small network that the engine taught itself (`docs/network.md`) looks at the pieces from both sides: `layout` says
//! what it sees, `network` holds its numbers, `accumulator` keeps its first layer up to date along a line of moves, and
//! `wide` runs its loops on whatever the processor has. `endings` makes a draw of what cannot be won, `explain`
//! shows to people what the network thinks of each piece; `win_rate` knows what a score is worth in games. Less knowing evaluations are there for those who ask for them: `squares`.

mod accumulator;
mod endings;
mod explain;
pub mod layout;
pub mod network;
mod numbers;
mod squares;
mod structure;
pub mod wide;
pub mod win_rate;

pub use accumulator::fresh_sums;
pub use endings::can_win;
pub use explain::{Explanation, explain};
pub use network::{Network, NetworkError};
pub use numbers::Numbers;
pub use squares::{square_gain, square_value};
pub use structure::{STRUCTURE_KEYS, Structure};
pub use win_rate::{WIN_RATE, WinRate};

use crate::board::{BoardObserver, Position, piece_value};
use crate::types::{
    Color, Key, Piece, PieceKind, Score, Square,
    score::{self, EVAL_LIMIT},
};
use accumulator::Accumulators;
use std::sync::{Arc, LazyLock};

/// What is known about positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Knowledge {
    /// The worth of the pieces.
    Material,
    /// And where they stand.
    Squares,
    /// What a network makes of it.
    Network(Arc<Network>),
}

static LARGE: LazyLock<Arc<Network>> = LazyLock::new(|| embedded(include_bytes!("nets/large.net")));
static MEDIUM: LazyLock<Arc<Network>> = LazyLock::new(|| embedded(include_bytes!("nets/medium.net")));

fn embedded(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::from_bytes(bytes).expect("a test reads the embedded networks"))
}

/// The network that the engine plays with.
pub fn large_network() -> Arc<Network> {
    Arc::clone(&LARGE)
}

/// A small network, for those who want a weaker engine.
pub fn medium_network() -> Arc<Network> {
    Arc::clone(&MEDIUM)
}

/// An evaluation that follows the moves of a search.
pub struct Evaluator {
    knowledge: Followed,
    structures: Vec<Structure>,
}

enum Followed {
    Material,
    /// Sums of red's piece squares less black's, one a move.
    Squares(Vec<Score>),
    Network(Box<Accumulators>),
}

impl Evaluator {
    /// For a position and the moves that will be made from there.
    pub fn new(knowledge: &Knowledge, position: &Position) -> Evaluator {
        let mut structures = Vec::with_capacity(256);
        structures.push(Structure::of(position));
        let knowledge = match knowledge {
            Knowledge::Material => Followed::Material,
            Knowledge::Squares => Followed::Squares(vec![squares_of(position)]),
            Knowledge::Network(network) => Followed::Network(Box::new(Accumulators::new(network, position))),
        };
        Evaluator { knowledge, structures }
    }

    /// A move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.structures.pop();
        match &mut self.knowledge {
            Followed::Material => {}
            Followed::Squares(sums) => {
                sums.pop();
            }
            Followed::Network(accumulators) => accumulators.pop(),
        }
    }

    /// Keys of the position's structure: pawns, guards, red attackers, black attackers.
    #[inline]
    pub fn keys(&self) -> &[Key; STRUCTURE_KEYS] {
        &self.structures[self.structures.len() - 1].0
    }

    /// The static evaluation from the side to move. The position must be the one that the moves have led to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let from_red = |score: Score| score::from_red(score, position.side());
        let score = match &mut self.knowledge {
            Followed::Material => return from_red(material(position)),
            Followed::Squares(sums) => from_red(sums[sums.len() - 1]),
            Followed::Network(accumulators) => accumulators.evaluate(position),
        };
        let winner = if score > 0 { position.side() } else { !position.side() };
        if can_win(position, winner) { score.clamp(-EVAL_LIMIT, EVAL_LIMIT) } else { 0 }
    }

    #[inline]
    fn change(&mut self, piece: Piece, square: Square, sign: Score) {
        let last = self.structures.len() - 1;
        self.structures[last].toggle(piece, square);
        if let Followed::Squares(sums) = &mut self.knowledge {
            let color = piece.color_unchecked();
            let last = sums.len() - 1;
            sums[last] += sign * signed(color, square_value(piece.kind_unchecked(), color, square));
        }
    }
}

impl BoardObserver for Evaluator {
    #[inline]
    fn begin(&mut self) {
        self.structures.push(self.structures[self.structures.len() - 1]);
        match &mut self.knowledge {
            Followed::Material => {}
            Followed::Squares(sums) => sums.push(sums[sums.len() - 1]),
            Followed::Network(accumulators) => accumulators.push(),
        }
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, -1);
        if let Followed::Network(accumulators) = &mut self.knowledge {
            accumulators.removed(piece, square);
        }
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, 1);
        if let Followed::Network(accumulators) = &mut self.knowledge {
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
pub fn evaluate(knowledge: &Knowledge, position: &Position) -> Score {
    Evaluator::new(knowledge, position).evaluate(position)
}

fn signed(color: Color, value: Score) -> Score {
    if color == Color::Red { value } else { -value }
}

fn squares_of(position: &Position) -> Score {
    let of =
        |color| position.pieces(color).map(|(kind, square)| square_value(kind, color, square)).sum::<Score>();
    of(Color::Red) - of(Color::Black)
}

/// Plain material from red's side.
fn material(position: &Position) -> Score {
    let difference = |kind: PieceKind| {
        position.count(Color::Red, kind) as Score - position.count(Color::Black, kind) as Score
    };
    PieceKind::ALL.into_iter().map(|kind| piece_value(kind) * difference(kind)).sum()
}
