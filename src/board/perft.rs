//! Counting move paths: what generation, making and unmaking are proved by.

use super::position::Position;

/// Deeper than anybody can wait for, and shallow enough for the stack of any thread.
pub const MAX_PERFT: u32 = 64;
/// Up to this depth a count takes no time worth looking up for.
const SMALL: u32 = 3;

impl Position {
    /// How many paths of `depth` moves there are; the last ply is counted without being listed.
    pub fn perft(&mut self, depth: u32) -> u64 {
        self.perft_unless(depth, &|| false).expect("nobody stops it")
    }

    /// The same, or `None` as soon as it is to stop.
    pub fn perft_unless(&mut self, depth: u32, stopped: &dyn Fn() -> bool) -> Option<u64> {
        match depth {
            0 => return Some(1),
            1 => return Some(self.count_legal()),
            _ if depth > SMALL && stopped() => return None,
            _ => {}
        }
        let mut paths = 0;
        for mv in self.legal_moves().moves() {
            self.make(mv);
            let below = self.perft_unless(depth - 1, stopped);
            self.unmake();
            paths += below?;
        }
        Some(paths)
    }
}
