//! Static evaluation: what a position is worth without looking ahead.
//!
//! Every term is a function that *counts features*; what a feature is worth stands in one table of weights
//! (`weights`), a value for the middlegame and one for the endgame, blended by the material left. Who counts
//! decides what becomes of it: the search sums weights, the explanation keeps a row per term, the tuner
//! records the counts. Piece-square values are kept up to date by the board observer (`Accumulators`).

mod accumulator;
mod explain;
pub mod features;
mod pair;
mod terms;
mod weights;

pub use accumulator::{Accumulator, Accumulators, STRUCTURE_KEYS};
pub use explain::{Explanation, TermRow, explain};
pub use pair::{FULL_PHASE, Pair};
pub use terms::winning_chances;
pub use weights::WEIGHTS;

use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Score, Square, score::EVAL_LIMIT};

/// How much the evaluation is to know and whose attack it favours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taste {
    /// 0: material only; 1: and piece squares; 2: and mobility and threats; 3: everything.
    pub knowledge: u8,
    /// Weight of each side's attack on the other king, in percent.
    pub attack: [i32; 2],
}

impl Default for Taste {
    fn default() -> Taste {
        Taste { knowledge: 3, attack: [100, 100] }
    }
}

/// If material and squares are this far outside the window, the costly terms cannot bring the score back.
pub const LAZY_MARGIN: Score = 450;

/// Receives the features of a position.
pub trait Tally {
    /// `count` more of a feature for this side.
    fn add(&mut self, feature: usize, color: Color, count: i32);
}

/// Sums the weights of features, from red's side.
struct Sum(Pair);

impl Tally for Sum {
    #[inline]
    fn add(&mut self, feature: usize, color: Color, count: i32) {
        let worth = WEIGHTS[feature] * count;
        match color {
            Color::Red => self.0 += worth,
            Color::Black => self.0 -= worth,
        }
    }
}

/// A window that wants every term.
pub const OPEN_WINDOW: (Score, Score) = (-1_000_000, 1_000_000);

/// An evaluation, and whether every term is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// From the side to move.
    pub score: Score,
    /// False if the window needed the cheap terms only.
    pub complete: bool,
}

/// The full static evaluation from the side to move.
pub fn evaluate_fully(position: &Position) -> Score {
    evaluate(position, &Accumulator::of(position), &Taste::default(), OPEN_WINDOW).score
}

/// The static evaluation from the side to move.
///
/// `window` is what the caller can use: when the cheap terms already lie far outside it, the costly ones are
/// not computed.
#[inline]
pub fn evaluate(
    position: &Position,
    accumulator: &Accumulator,
    taste: &Taste,
    window: (Score, Score),
) -> Evaluated {
    let side = position.side();
    let from_side = |score: Score| if side == Color::Red { score } else { -score };
    if taste.knowledge == 0 {
        return Evaluated { score: from_side(material(position)), complete: true };
    }
    let phase = accumulator.phase();
    let cheap = from_side(accumulator.squares().blend(phase));
    let is_cheap_enough = cheap > window.1 + LAZY_MARGIN || cheap < window.0 - LAZY_MARGIN;
    if taste.knowledge == 1 || is_cheap_enough {
        return Evaluated { score: finish(position, cheap), complete: taste.knowledge == 1 };
    }
    let mut sum = Sum(accumulator.squares());
    let pressure = Color::ALL.map(|color| terms::activity(position, color, &mut sum));
    terms::tempo(position, &mut sum);
    if taste.knowledge > 2 {
        terms::material_balance(position, &mut sum);
        terms::rooks(position, &mut sum);
        terms::pawns(position, &mut sum);
        for color in Color::ALL {
            let mut attack = Sum(Pair::ZERO);
            terms::king_attack(pressure[color], color, &mut attack);
            terms::king_lines(position, color, &mut attack);
            sum.0 += match taste.attack[color] {
                100 => attack.0,
                percent => attack.0.percent(percent),
            };
        }
    }
    Evaluated { score: finish(position, from_side(sum.0.blend(phase))), complete: true }
}

/// What a piece gains in the middlegame by standing on another square, other things being equal.
#[inline]
pub fn square_gain(piece: Piece, from: Square, to: Square) -> Score {
    let color = if piece.is(Color::Red) { Color::Red } else { Color::Black };
    let worth =
        |square| WEIGHTS[features::square_feature(piece.kind_unchecked(), square, color)].middlegame();
    worth(to) - worth(from)
}

/// Counts every feature of a position, piece squares included; answers the share of the middlegame, 0 to 1.
/// What a tuner needs: the evaluation is linear in these counts.
pub fn tally_all<T: Tally>(position: &Position, tally: &mut T) -> f32 {
    for color in Color::ALL {
        for (kind, square) in position.pieces(color) {
            tally.add(features::square_feature(kind, square, color), color, 1);
        }
        let pressure = terms::activity(position, color, tally);
        terms::king_attack(pressure, color, tally);
        terms::king_lines(position, color, tally);
    }
    terms::tempo(position, tally);
    terms::material_balance(position, tally);
    terms::rooks(position, tally);
    terms::pawns(position, tally);
    Accumulator::of(position).phase().min(FULL_PHASE) as f32 / FULL_PHASE as f32
}

/// What cannot be won is scaled towards a draw, and nothing leaves the band of evaluations.
#[inline]
fn finish(position: &Position, score: Score) -> Score {
    let winner = if score > 0 { position.side() } else { !position.side() };
    (score * terms::winning_chances(position, winner) / 64).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// Plain material from red's side, for `knowledge none`.
fn material(position: &Position) -> Score {
    const VALUES: [Score; 7] = [0, 120, 120, 400, 850, 420, 100];
    let value = |kind: PieceKind| {
        let difference =
            position.count(Color::Red, kind) as Score - position.count(Color::Black, kind) as Score;
        VALUES[kind] * difference
    };
    PieceKind::ALL.into_iter().map(value).sum()
}
