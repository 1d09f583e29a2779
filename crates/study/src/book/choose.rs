//! Chooses among the moves of a book, and remembers the openings played, so that no game repeats while an unplayed one
//! is left.
//!
//! A choice point is a game up to a position with a choice. The moves tried there and the choice points they led to
//! show which moves are exhausted: those after which every line has already been played to the end of the book.

use super::moves::BookMove;
use rand::RngExt;
use std::collections::{HashMap, HashSet};
use xiangqi::zobrist::Key;
use xiangqi::{Move, Position};

/// How much the choice of book moves varies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variety {
    /// In proportion to the weights.
    #[default]
    Medium,
    /// Always the move with the highest weight.
    None,
    /// In proportion to the squared weights.
    Small,
    /// In proportion to the square roots of the weights.
    Large,
}

impl Variety {
    /// The weight of a move at this variety.
    fn scaled_weight(self, weight: u32) -> f64 {
        let weight = f64::from(weight);
        match self {
            Variety::Small => weight * weight,
            Variety::Large => weight.sqrt(),
            Variety::Medium | Variety::None => weight,
        }
    }
}

/// The moves that may be played: those with a weight, among the allowed ones (empty = all), that do not repeat an
/// earlier position.
pub fn playable_moves(position: &Position, moves: &[BookMove], allowed: &[Move]) -> Vec<BookMove> {
    let mut next = position.clone();
    let may = |entry: &&BookMove| {
        if entry.weight == 0 || !allowed.is_empty() && !allowed.contains(&entry.mv) {
            return false;
        }
        next.play_unchecked(entry.mv);
        let repeats = next.repetition_distance().is_some();
        next.undo();
        !repeats
    };
    moves.iter().filter(may).copied().collect()
}

/// Chooses a playable move. With any variety, an exhausted move is chosen only if all are exhausted.
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

/// The history is cleared beyond this number of choice points.
const MAX_CHOICE_POINTS: usize = 100_000;

/// The hash of a game up to a position.
type LineHash = u64;

/// A position with a choice.
#[derive(Default)]
struct ChoicePoint {
    options: Vec<Move>,
    /// For each move tried, the choice points it led to.
    tried: HashMap<Move, HashSet<LineHash>>,
    /// The book ends here.
    is_end: bool,
}

#[derive(Default)]
pub struct OpeningHistory {
    choice_points: HashMap<LineHash, ChoicePoint>,
}

impl OpeningHistory {
    /// The moves that are not exhausted; all moves if all are.
    pub fn unplayed_moves(&mut self, position: &Position, options: &[Move]) -> Vec<Move> {
        let (line, _) = self.visit(position);
        let choice_point = self.choice_points.entry(line).or_default();
        choice_point.options = options.to_vec();
        choice_point.is_end = options.is_empty();
        let choice_point = &self.choice_points[&line];
        let fresh: Vec<Move> = options.iter().copied().filter(|mv| !self.is_exhausted(choice_point, *mv)).collect();
        if fresh.is_empty() { options.to_vec() } else { fresh }
    }

    /// Records that the game left the book here, if it was in the book until now.
    pub fn leave_book(&mut self, position: &Position) {
        let (line, was_in_book) = self.visit(position);
        if was_in_book {
            self.choice_points.entry(line).or_default().is_end = true;
        }
    }

    /// Records the path from the last choice point, one or two plies ago, to this position. Returns the hash and
    /// whether there was such a point.
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
            if let Some(choice_point) = self.choice_points.get_mut(&lines[plies - back])
                && let Some((mv, _)) = position.move_before(back - 1)
            {
                choice_point.tried.entry(mv).or_default().insert(line);
                return (line, true);
            }
        }
        (line, false)
    }

    fn is_exhausted(&self, choice_point: &ChoicePoint, mv: Move) -> bool {
        let ends = |line: &LineHash| {
            self.choice_points.get(line).is_some_and(|next| {
                next.is_end || !next.options.is_empty() && next.options.iter().all(|&mv| self.is_exhausted(next, mv))
            })
        };
        choice_point.tried.get(&mv).is_some_and(|lines| lines.iter().all(ends))
    }
}

/// Mixes a key into a hash.
fn mix_hash(line: LineHash, key: Key) -> LineHash {
    let word = (line.rotate_left(23) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word ^ word >> 29
}
