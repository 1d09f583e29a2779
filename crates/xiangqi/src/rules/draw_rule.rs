//! What a draw counts as. A draw is a draw, unless a host asks for a game in which one side wins by it.

use super::verdict::{Ending, Reason, Verdict};
use crate::types::Color;

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
