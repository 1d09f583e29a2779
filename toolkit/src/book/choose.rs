//! Which of a book's moves is played.

use super::answer::BookMove;
use super::memory::Memory;
use chuhe_engine::board::Position;
use chuhe_engine::types::Move;
use rand::RngExt;

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
    fn chance(self, weight: u32) -> f64 {
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
pub fn playable(position: &Position, moves: &[BookMove], allowed: &[Move]) -> Vec<BookMove> {
    let mut next = position.clone();
    let may = |entry: &&BookMove| {
        if entry.weight == 0 || !allowed.is_empty() && !allowed.contains(&entry.mv) {
            return false;
        }
        next.make(entry.mv);
        let repeats = next.repetition_distance().is_some();
        next.unmake();
        !repeats
    };
    moves.iter().filter(may).copied().collect()
}

/// Chooses one of the playable moves. With any variety, a move that can only lead to a game that was played before is
/// chosen only if all do.
pub fn choose(
    position: &Position,
    playable: &[BookMove],
    variety: Variety,
    memory: &mut Memory,
    random: &mut impl RngExt,
) -> Option<BookMove> {
    if variety == Variety::None {
        return playable.first().copied();
    }
    let options: Vec<Move> = playable.iter().map(|entry| entry.mv).collect();
    let fresh = memory.fresh(position, &options);
    let choice: Vec<&BookMove> = playable.iter().filter(|entry| fresh.contains(&entry.mv)).collect();
    let sum: f64 = choice.iter().map(|entry| variety.chance(entry.weight)).sum();
    let mut point = random.random::<f64>() * sum;
    for entry in &choice {
        point -= variety.chance(entry.weight);
        if point < 0.0 {
            return Some(**entry);
        }
    }
    choice.last().map(|entry| **entry)
}
