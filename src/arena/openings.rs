//! Where games begin: random openings that the engine itself finds balanced. Those from files are read next door.

use super::engine::constants;
use chuhe_engine::board::{Position, piece_value};
use chuhe_engine::rules::Rules;
use chuhe_engine::search::{Control, Limits, Options, Searcher, Silent, TableSizeError};
use chuhe_engine::types::score::hundredths;
use chuhe_engine::types::{Color, Move, PieceKind};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;

/// Nodes that the engine spends on judging a random opening.
const JUDGING_NODES: u64 = 500;
/// Material difference that is none: a horse for a cannon.
const SIMILAR: i32 = 20;
/// Random openings tried before the most balanced of them is taken.
const MOST_TRIES: u32 = 500;

/// The beginning of a game: a position and the moves already made in it.
#[derive(Clone)]
pub struct Opening {
    /// Where the record begins.
    pub start: Position,
    /// Moves from there, legal ones.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position after the moves.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.make(mv);
        }
        position
    }
}

/// How random openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpenings {
    /// How many different ones; they are used in turn.
    pub count: usize,
    /// Somebody wanted so many; otherwise there are as many as needed.
    pub limited: bool,
    /// Random moves in each.
    pub plies: u32,
    /// The same seed makes the same openings.
    pub seed: u64,
    /// The largest score, for either side, of a balanced one.
    pub balance: i32,
}

/// Makes random openings one by one, each from its own number, so that they need not be kept nor made in order.
pub struct RandomMaker {
    how: RandomOpenings,
    searcher: Searcher,
    /// The last one, which both games of a pair ask for.
    last: Option<(usize, Opening)>,
}

impl RandomMaker {
    /// A maker with a small searcher of its own.
    pub fn new(how: RandomOpenings, rules: Rules) -> Result<RandomMaker, TableSizeError> {
        let searcher = Searcher::new(Options { rules, ..Options::default() }, 1)?;
        Ok(RandomMaker { how, searcher, last: None })
    }

    /// The opening of this number.
    pub fn make(&mut self, index: usize) -> Opening {
        if let Some((_, opening)) = self.last.as_ref().filter(|(last, _)| *last == index) {
            return opening.clone();
        }
        let opening = self.made(index);
        self.last = Some((index, opening.clone()));
        opening
    }

    fn made(&mut self, index: usize) -> Opening {
        let number = (index % self.how.count.max(1)) as u64;
        let mut random = StdRng::seed_from_u64(self.how.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // What the searcher remembers of other openings must not change this one.
        self.searcher.clear();
        let mut best: Option<(i32, Opening)> = None;
        for _ in 0..MOST_TRIES {
            let Some(opening) = random_opening(self.how.plies, &mut random) else { continue };
            let imbalance = self.imbalance(&opening.position());
            if imbalance <= self.how.balance {
                return opening;
            }
            if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
                best = Some((imbalance, opening));
            }
        }
        best.map_or_else(|| Opening { start: Position::start(), moves: Vec::new() }, |(_, opening)| opening)
    }

    /// How far from equal a position is: by material and the static evaluation first, which cost nothing beside the
    /// short search that those must pass who look balanced.
    fn imbalance(&mut self, position: &Position) -> i32 {
        let bound = self.how.balance;
        if bound == i32::MAX {
            return 0;
        }
        let difference = (material(position, Color::Red) - material(position, Color::Black)).abs();
        if difference > SIMILAR {
            return difference.max(bound + 1);
        }
        let _held = constants::hold(&BTreeMap::new());
        let glance = hundredths(self.searcher.evaluate(position)).abs();
        if glance > bound {
            return glance;
        }
        let limits = Limits::nodes(JUDGING_NODES);
        let outcome = self.searcher.search(position, &limits, &Control::new(false), &mut Silent);
        hundredths(outcome.score).abs()
    }
}

fn material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL.into_iter().map(|kind| position.count(color, kind) as i32 * piece_value(kind)).sum()
}

/// Random legal moves from the start position; `None` if the game ended on the way.
pub fn random_opening(plies: u32, random: &mut StdRng) -> Option<Opening> {
    let start = Position::start();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let list = position.legal_moves();
        if list.is_empty() {
            return None;
        }
        let mv = list[random.random_range(0..list.len())].mv;
        position.make(mv);
        moves.push(mv);
    }
    position.has_legal_move().then_some(Opening { start, moves })
}
