//! The history of a position: earlier keys and moves, and repetitions.

use super::position::Position;
use crate::board::zobrist::Key;
use crate::types::Move;

impl Position {
    /// The key of the position `plies` ago (0 is now); `None` beyond the history.
    #[inline]
    pub fn key_before(&self, plies: usize) -> Option<Key> {
        match plies {
            0 => Some(self.key),
            _ => self.keys.get(self.keys.len().checked_sub(plies)?).copied(),
        }
    }

    /// The move made `plies` moves ago (0 is the last one) and whether it gave check; `None` beyond the history.
    #[inline]
    pub fn move_before(&self, plies: usize) -> Option<(Move, bool)> {
        let after = match plies {
            0 => &self.state,
            _ => self.stack.get(self.stack.len().checked_sub(plies)?)?,
        };
        after.last_move.map(|mv| (mv, after.checks.checkers != 0))
    }

    /// The keys of the positions 4, 6, 8 … plies ago, back to the last capture or null move.
    #[inline]
    fn keys_that_may_repeat(&self) -> impl Iterator<Item = Key> {
        let begin = self.keys.len().saturating_sub(self.state.plies_since_irreversible as usize);
        self.keys[begin..].iter().rev().skip(3).step_by(2).copied()
    }

    /// The distance in plies to the latest earlier occurrence of this position since the last capture.
    #[inline]
    pub fn repetition_distance(&self) -> Option<usize> {
        let found = self.keys_that_may_repeat().position(|key| key == self.key)?;
        Some(4 + 2 * found)
    }

    /// The number of occurrences of this position since the last capture, including this one.
    pub fn occurrence_count(&self) -> usize {
        1 + self.keys_that_may_repeat().filter(|&key| key == self.key).count()
    }
}
