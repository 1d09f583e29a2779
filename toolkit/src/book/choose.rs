//! Which of a book's moves is played.
//!
//! What a player remembers of the openings that he has played, so that no game comes twice while another is left.
//!
//! A stop is a game up to a position in which he had the choice. From the moves that he tried there and the stops that
//! they led to, it follows which moves can bring nothing new: those after which every game has left the book already.

use super::BookMove;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Key, Move};
use rand::RngExt;
use std::collections::{HashMap, HashSet};

/// How much a player's openings vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variety {
    /// As often as the book's weights say.
    #[default]
    Medium,
    /// Always the heaviest move.
    None,
    /// Mostly the heavier moves.
    Small,
    /// The lighter moves nearly as often as the heavier ones.
    Large,
}

impl Variety {
    /// What a weight counts.
    fn scaled_weight(self, weight: u32) -> f64 {
        let weight = f64::from(weight);
        match self {
            Variety::Small => weight * weight,
            Variety::Large => weight.sqrt(),
            Variety::Medium | Variety::None => weight,
        }
    }
}

/// The moves that may be played: those with a weight, of those allowed (empty = all) the ones that do not bring an
/// earlier position back.
pub fn playable_moves(position: &Position, moves: &[BookMove], allowed: &[Move]) -> Vec<BookMove> {
    let mut next = position.clone();
    let may = |entry: &&BookMove| {
        if entry.weight == 0 || !allowed.is_empty() && !allowed.contains(&entry.mv) {
            return false;
        }
        next.make_unchecked(entry.mv);
        let repeats = next.repetition_distance().is_some();
        next.unmake();
        !repeats
    };
    moves.iter().filter(may).copied().collect()
}

/// Chooses one of the playable moves. With any variety, a move that can only lead to a game that was played before is
/// chosen only if all do.
pub fn choose_move(
    position: &Position,
    playable: &[BookMove],
    variety: Variety,
    memory: &mut OpeningHistory,
    random: &mut impl RngExt,
) -> Option<BookMove> {
    if variety == Variety::None {
        return playable.first().copied();
    }
    let options: Vec<Move> = playable.iter().map(|entry| entry.mv).collect();
    let fresh = memory.unplayed_moves(position, &options);
    let choice: Vec<&BookMove> = playable.iter().filter(|entry| fresh.contains(&entry.mv)).collect();
    let sum: f64 = choice.iter().map(|entry| variety.scaled_weight(entry.weight)).sum();
    let mut point = random.random::<f64>() * sum;
    for entry in &choice {
        point -= variety.scaled_weight(entry.weight);
        if point < 0.0 {
            return Some(**entry);
        }
    }
    choice.last().map(|entry| **entry)
}

/// More stops than anybody plays in one sitting.
const MAX_CHOICE_POINTS: usize = 100_000;

/// A game up to one of its positions, as one number.
type LineHash = u64;

/// A position in which there was a choice.
#[derive(Default)]
struct ChoicePoint {
    options: Vec<Move>,
    /// Where each move that was tried led to.
    tried: HashMap<Move, HashSet<LineHash>>,
    /// The book ends here.
    is_end: bool,
}

/// The openings played so far.
#[derive(Default)]
pub struct OpeningHistory {
    choice_points: HashMap<LineHash, ChoicePoint>,
}

impl OpeningHistory {
    /// Those of the moves that may still bring something new; all of them if none does.
    pub fn unplayed_moves(&mut self, position: &Position, options: &[Move]) -> Vec<Move> {
        let (line, _) = self.visit(position);
        let stop = self.choice_points.entry(line).or_default();
        stop.options = options.to_vec();
        stop.is_end = options.is_empty();
        let stop = &self.choice_points[&line];
        let fresh: Vec<Move> = options.iter().copied().filter(|mv| !self.is_exhausted(stop, *mv)).collect();
        if fresh.is_empty() { options.to_vec() } else { fresh }
    }

    /// The book knows nothing here: the game has left it, if it was in it until now.
    pub fn leave_book(&mut self, position: &Position) {
        let (line, was_in_book) = self.visit(position);
        if was_in_book {
            self.choice_points.entry(line).or_default().is_end = true;
        }
    }

    /// Notes that the game has come here from its last stop, one or two plies ago; false if there was none.
    fn visit(&mut self, position: &Position) -> (LineHash, bool) {
        if self.choice_points.len() > MAX_CHOICE_POINTS {
            self.choice_points.clear();
        }
        let plies = position.history_len();
        let mut lines = Vec::with_capacity(plies + 1);
        let mut line: LineHash = 0;
        for back in (0..=plies).rev() {
            line = mix_hash(line, position.key_before(back).unwrap_or_default());
            lines.push(line);
        }
        for back in 1..=plies.min(2) {
            if let Some(stop) = self.choice_points.get_mut(&lines[plies - back])
                && let Some((mv, _)) = position.move_before(back - 1)
            {
                stop.tried.entry(mv).or_default().insert(line);
                return (line, true);
            }
        }
        (line, false)
    }

    fn is_exhausted(&self, stop: &ChoicePoint, mv: Move) -> bool {
        let ends = |line: &LineHash| {
            self.choice_points.get(line).is_some_and(|next| {
                next.is_end || !next.options.is_empty() && next.options.iter().all(|&mv| self.is_exhausted(next, mv))
            })
        };
        stop.tried.get(&mv).is_some_and(|lines| lines.iter().all(ends))
    }
}

/// Stirs a key into a number.
fn mix_hash(line: LineHash, key: Key) -> LineHash {
    let word = (line.rotate_left(23) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word ^ word >> 29
}
