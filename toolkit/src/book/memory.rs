//! What a player remembers of the openings that he has played, so that no game comes twice while another is left.
//!
//! A stop is a game up to a position in which he had the choice. From the moves that he tried there and the stops that
//! they led to, it follows which moves can bring nothing new: those after which every game has left the book already.

use chuhe_engine::board::Position;
use chuhe_engine::types::{Key, Move};
use std::collections::{HashMap, HashSet};

/// More stops than anybody plays in one sitting.
const MOST: usize = 100_000;

/// A game up to one of its positions, as one number.
type Line = u64;

/// A position in which there was a choice.
#[derive(Default)]
struct Stop {
    options: Vec<Move>,
    /// Where each move that was tried led to.
    tried: HashMap<Move, HashSet<Line>>,
    /// The book ends here.
    is_end: bool,
}

/// The openings played so far.
#[derive(Default)]
pub struct Memory {
    stops: HashMap<Line, Stop>,
}

impl Memory {
    /// Those of the moves that may still bring something new; all of them if none does.
    pub fn fresh(&mut self, position: &Position, options: &[Move]) -> Vec<Move> {
        let (line, _) = self.arrive(position);
        let stop = self.stops.entry(line).or_default();
        stop.options = options.to_vec();
        stop.is_end = options.is_empty();
        let stop = &self.stops[&line];
        let fresh: Vec<Move> = options.iter().copied().filter(|mv| !self.is_used_up(stop, *mv)).collect();
        if fresh.is_empty() { options.to_vec() } else { fresh }
    }

    /// The book knows nothing here: the game has left it, if it was in it until now.
    pub fn left(&mut self, position: &Position) {
        let (line, was_in_book) = self.arrive(position);
        if was_in_book {
            self.stops.entry(line).or_default().is_end = true;
        }
    }

    /// Notes that the game has come here from its last stop, one or two plies ago; false if there was none.
    fn arrive(&mut self, position: &Position) -> (Line, bool) {
        if self.stops.len() > MOST {
            self.stops.clear();
        }
        let plies = position.history_len();
        let mut lines = Vec::with_capacity(plies + 1);
        let mut line: Line = 0;
        for back in (0..=plies).rev() {
            line = mixed(line, position.key_before(back).unwrap_or_default());
            lines.push(line);
        }
        for back in 1..=plies.min(2) {
            if let Some(stop) = self.stops.get_mut(&lines[plies - back])
                && let Some((mv, _)) = position.move_before(back - 1)
            {
                stop.tried.entry(mv).or_default().insert(line);
                return (line, true);
            }
        }
        (line, false)
    }

    fn is_used_up(&self, stop: &Stop, mv: Move) -> bool {
        let ends = |line: &Line| {
            self.stops.get(line).is_some_and(|next| {
                next.is_end
                    || !next.options.is_empty() && next.options.iter().all(|&mv| self.is_used_up(next, mv))
            })
        };
        stop.tried.get(&mv).is_some_and(|lines| lines.iter().all(ends))
    }
}

/// Stirs a key into a number.
fn mixed(line: Line, key: Key) -> Line {
    let word = (line.rotate_left(23) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word ^ word >> 29
}
