//! The natural limit: too long without a capture, and the game is drawn (§7).
//!
//! Draws for want of material.

use super::profile::Uncounted;
use crate::board::Position;
use crate::types::{Color, PieceKind};

/// How many checks of each side count where not all do.
const MAX_COUNTED_CHECKS: usize = 10;

/// The count since the last capture, and all that its going on depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct NaturalCount {
    counted: usize,
    /// Checks of the side that made the last move, and of the other.
    checks: [usize; 2],
    /// The last move was a check that does not count: the answer will not count either.
    last_check_uncounted: bool,
}

/// True if as many plies that count have passed since the last capture. A limit of 0 is never reached.
pub(super) fn is_natural_limit_reached(position: &Position, limit: usize, uncounted: Uncounted) -> bool {
    limit > 0 && position.plies_since_capture() >= limit && natural_count(position, uncounted).counted >= limit
}

/// A number that two ways to a position share only if the limit is equally far on both; never 0.
pub(super) fn natural_limit_key(position: &Position, uncounted: Uncounted) -> u64 {
    let NaturalCount { counted, checks, last_check_uncounted: answers_left_out_check } =
        natural_count(position, uncounted);
    // Beyond those that count all numbers of checks are the same.
    let [own, other] = checks.map(|count| count.min(MAX_COUNTED_CHECKS + 1) as u64);
    let facts = 1 + counted as u64 * 4096 + own * 256 + other * 16 + u64::from(answers_left_out_check);
    facts.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts the plies since the last capture. What happened before the history began counts as it is.
fn natural_count(position: &Position, uncounted: Uncounted) -> NaturalCount {
    let plies = position.plies_since_capture();
    let known = plies.min(position.history_len());
    let mut tally = NaturalCount { counted: plies - known, ..NaturalCount::default() };
    for back in (0..known).rev() {
        let mover = back % 2;
        let check = position.move_before(back).is_some_and(|(_, check)| check);
        tally.checks[mover] += usize::from(check);
        let left_out = check && (uncounted == Uncounted::AllChecks || tally.checks[mover] > MAX_COUNTED_CHECKS);
        tally.counted += usize::from(!left_out && !tally.last_check_uncounted);
        tally.last_check_uncounted = left_out;
    }
    tally
}

/// False if neither side can ever give mate: no rook, horse, cannon or pawn is left, or only a cannon that
/// finds no screen, because its owner has no advisor and the other king is bare (§1.2).
pub fn can_anyone_win(position: &Position) -> bool {
    let count = |kind: PieceKind| position.count(Color::Red, kind) + position.count(Color::Black, kind);
    if [PieceKind::Rook, PieceKind::Pawn, PieceKind::Horse].into_iter().any(|kind| count(kind) > 0) {
        return true;
    }
    // In the promotion variant these can still become pawns.
    if position.promotion() && count(PieceKind::Advisor) + count(PieceKind::Bishop) > 0 {
        return true;
    }
    match count(PieceKind::Cannon) {
        0 => false,
        1 => {
            let red_has_it = position.count(Color::Red, PieceKind::Cannon) == 1;
            let owner = if red_has_it { Color::Red } else { Color::Black };
            position.count(owner, PieceKind::Advisor) > 0
                || position.count(!owner, PieceKind::Advisor) > 0
                || position.count(!owner, PieceKind::Bishop) > 0
        }
        _ => true,
    }
}
