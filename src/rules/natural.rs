//! The natural limit: too long without a capture, and the game is drawn (§7).

use super::profile::Uncounted;
use crate::board::Position;

/// How many checks of each side count where not all do.
const COUNTED_CHECKS: usize = 10;

/// True if as many plies that count have passed since the last capture. A limit of 0 is never reached.
pub(super) fn is_reached(position: &Position, limit: usize, uncounted: Uncounted) -> bool {
    limit > 0 && position.quiet_plies() >= limit && counted_plies(position, uncounted) >= limit
}

/// The plies since the last capture that count. What happened before the history began counts as it is.
fn counted_plies(position: &Position, uncounted: Uncounted) -> usize {
    let plies = position.quiet_plies();
    let known = plies.min(position.history_len());
    let mut counted = plies - known;
    let mut checks = [0; 2];
    let mut answers_left_out_check = false;
    for back in (0..known).rev() {
        let mover = if back % 2 == 0 { !position.side() } else { position.side() };
        let check = position.move_before(back).is_some_and(|(_, check)| check);
        checks[mover] += usize::from(check);
        let left_out = check && (uncounted == Uncounted::AllChecks || checks[mover] > COUNTED_CHECKS);
        counted += usize::from(!left_out && !answers_left_out_check);
        answers_left_out_check = left_out;
    }
    counted
}
