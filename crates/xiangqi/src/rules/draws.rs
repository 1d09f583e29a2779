//! Draws by the natural limit (§7) and by lack of material (§1.2).
//!
//! What a draw counts as. A draw is a draw, unless a host asks for a game in which one side wins by it.

use super::rule_sets::Uncounted;
use super::verdict::{Ending, Reason, Verdict};
use crate::board::Position;
use crate::types::{Color, PieceKind};

/// The number of checks of each side that count under `Uncounted::ChecksBeyondTen`.
const MAX_COUNTED_CHECKS: usize = 10;

/// The count since the last capture, with the state on which its continuation depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct NaturalCount {
    counted: usize,
    /// Checks of the side that made the last move, and of the other.
    checks: [usize; 2],
    /// The last move was an uncounted check, so its answer is not counted either.
    last_check_uncounted: bool,
}

/// True if the counted plies since the last capture reach the limit; a limit of 0 is never reached.
pub(super) fn is_natural_limit_reached(position: &Position, limit: usize, uncounted: Uncounted) -> bool {
    limit > 0 && position.plies_since_capture() >= limit && natural_count(position, uncounted).counted >= limit
}

/// A key that is equal for two histories only if the natural limit is equally far away; never 0.
pub(super) fn natural_limit_key(position: &Position, uncounted: Uncounted) -> u64 {
    let NaturalCount { counted, checks, last_check_uncounted: answers_left_out_check } =
        natural_count(position, uncounted);
    // Above the number that counts, all numbers of checks are equal.
    let [own, other] = checks.map(|count| count.min(MAX_COUNTED_CHECKS + 1) as u64);
    let facts = 1 + counted as u64 * 4096 + own * 256 + other * 16 + u64::from(answers_left_out_check);
    facts.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts the plies since the last capture; plies before the known history all count.
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

/// False if neither side can ever mate: no rook, horse, cannon or pawn is left, or only one cannon whose owner has no
/// advisor, against a bare king (§1.2).
pub fn can_anyone_win(position: &Position) -> bool {
    let count = |kind: PieceKind| position.count(Color::Red, kind) + position.count(Color::Black, kind);
    if [PieceKind::Rook, PieceKind::Pawn, PieceKind::Horse].into_iter().any(|kind| count(kind) > 0) {
        return true;
    }
    // In the promotion variant these may become pawns.
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

/// What a draw counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DrawRule {
    /// A draw.
    #[default]
    Draw,
    /// A win of this side.
    Wins(Color),
    /// A win of this side if it is by repetition; other draws are draws.
    RepetitionWins(Color),
}

impl DrawRule {
    /// The side that wins by a draw for this reason.
    fn winner(self, reason: Reason) -> Option<Color> {
        match self {
            DrawRule::Draw => None,
            DrawRule::Wins(color) => Some(color),
            DrawRule::RepetitionWins(color) => (reason == Reason::Repetition).then_some(color),
        }
    }

    /// What a game ends with that would be a draw for this reason.
    #[inline]
    pub(super) fn ending(self, reason: Reason) -> Ending {
        self.winner(reason).map_or(Ending::Draw, |winner| Ending::Loss(!winner))
    }

    /// The verdict in which draws count as this rule has it.
    pub(super) fn apply(self, verdict: Verdict) -> Verdict {
        match verdict.ending {
            Some(Ending::Draw) => Verdict { ending: Some(self.ending(verdict.reason)), ..verdict },
            _ => verdict,
        }
    }
}
