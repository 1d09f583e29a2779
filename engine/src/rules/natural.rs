//! The natural limit: too long without a capture, and the game is drawn (§7).

use super::profile::Uncounted;
use crate::board::Position;

/// How many checks of each side count where not all do.
const COUNTED_CHECKS: usize = 10;

/// The count since the last capture, and all that its going on depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    counted: usize,
    /// Checks of the side that made the last move, and of the other.
    checks: [usize; 2],
    /// The last move was a check that does not count: the answer will not count either.
    answers_left_out_check: bool,
}

/// True if as many plies that count have passed since the last capture. A limit of 0 is never reached.
pub(super) fn is_reached(position: &Position, limit: usize, uncounted: Uncounted) -> bool {
    limit > 0 && position.quiet_plies() >= limit && tally(position, uncounted).counted >= limit
}

/// A number that two ways to a position share only if the limit is equally far on both; never 0.
pub(super) fn mark(position: &Position, uncounted: Uncounted) -> u64 {
    let Tally { counted, checks, answers_left_out_check } = tally(position, uncounted);
    // Beyond those that count all numbers of checks are the same.
    let [own, other] = checks.map(|count| count.min(COUNTED_CHECKS + 1) as u64);
    let facts = 1 + counted as u64 * 4096 + own * 256 + other * 16 + u64::from(answers_left_out_check);
    facts.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts the plies since the last capture. What happened before the history began counts as it is.
fn tally(position: &Position, uncounted: Uncounted) -> Tally {
    let plies = position.quiet_plies();
    let known = plies.min(position.history_len());
    let mut tally = Tally { counted: plies - known, ..Tally::default() };
    for back in (0..known).rev() {
        let mover = back % 2;
        let check = position.move_before(back).is_some_and(|(_, check)| check);
        tally.checks[mover] += usize::from(check);
        let left_out = check && (uncounted == Uncounted::AllChecks || tally.checks[mover] > COUNTED_CHECKS);
        tally.counted += usize::from(!left_out && !tally.answers_left_out_check);
        tally.answers_left_out_check = left_out;
    }
    tally
}
