//! The history of a position: earlier keys and moves, and repetitions.

use super::position::Position;
use crate::types::{Key, Move};

impl Position {
    /// The key of the position `plies` ago (0 is now); `None` beyond the history.
    #[inline]
    pub fn key_before(&self, plies: usize) -> Option<Key> {
        match plies {
            0 => Some(self.state.key),
            _ => self.stack.get(self.stack.len().checked_sub(plies)?).map(|state| state.key),
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

    /// The distance in plies to the latest earlier occurrence of this position since the last capture.
    #[inline]
    pub fn repetition_distance(&self) -> Option<usize> {
        let reach = self.state.plies_since_irreversible as usize;
        let key = self.state.key;
        let mut back = 4;
        while back <= reach {
            if self.stack[self.stack.len() - back].key == key {
                return Some(back);
            }
            back += 2;
        }
        None
    }

    /// The number of occurrences of this position since the last capture, including this one.
    pub fn occurrence_count(&self) -> usize {
        let reach = (self.state.plies_since_irreversible as usize).min(self.stack.len());
        1 + (4..=reach).step_by(2).filter(|&back| self.stack[self.stack.len() - back].key == self.state.key).count()
    }
}
