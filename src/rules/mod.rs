//! How a game of xiangqi ends: repetition, the natural limit, material.

mod material;
mod verdict;

pub use material::can_anyone_win;
pub use verdict::{Ending, Reason, Verdict};

use crate::board::Position;
use crate::types::Move;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The rule systems a user may choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum RuleSet {
    /// AXF/WXF: what international play and most servers use.
    #[default]
    Asian,
    /// The UCCI league host's rule of 2007.
    League,
    /// The Chinese computer-game rule.
    Computer,
    /// Any repetition draws.
    None,
}

impl RuleSet {
    /// All of them, the default first.
    pub const ALL: [RuleSet; 4] = [RuleSet::Asian, RuleSet::League, RuleSet::Computer, RuleSet::None];

    /// The name that options and the command line use.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Asian => "asian",
            RuleSet::League => "league",
            RuleSet::Computer => "computer",
            RuleSet::None => "none",
        }
    }

    /// Plies without a capture after which this system draws a game.
    pub const fn natural_limit(self) -> usize {
        match self {
            RuleSet::League => 100,
            RuleSet::Asian | RuleSet::Computer | RuleSet::None => 120,
        }
    }

    /// How often a position must have stood for a repetition to be judged.
    pub const fn count(self) -> usize {
        match self {
            RuleSet::League => 4,
            RuleSet::Asian | RuleSet::Computer | RuleSet::None => 3,
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of a rule set was not recognised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no rule set: expected asian, league, computer or none")]
pub struct ParseRuleSetError(String);

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, ParseRuleSetError> {
        RuleSet::ALL
            .into_iter()
            .find(|set| set.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseRuleSetError(text.chars().take(16).collect()))
    }
}

/// A rule set with its natural limit: all that a judge must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Which system.
    pub set: RuleSet,
    /// Plies without a capture after which the game is drawn; 0 = never.
    pub natural_limit: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::of(RuleSet::default())
    }
}

impl Rules {
    /// This system with its own natural limit.
    pub const fn of(set: RuleSet) -> Rules {
        Rules { set, natural_limit: set.natural_limit() }
    }

    /// How the game stands after its last move.
    pub fn judge(&self, position: &Position) -> Verdict {
        if !position.has_legal_move() {
            let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
            return Verdict::loss(position.side(), reason);
        }
        if !can_anyone_win(position) {
            return Verdict::draw(Reason::Material);
        }
        if position.occurrences() >= self.set.count() {
            return Verdict::draw(Reason::Repetition);
        }
        if self.natural_limit > 0 && position.quiet_plies() >= self.natural_limit {
            return Verdict::draw(Reason::NaturalLimit);
        }
        Verdict::ONGOING
    }

    /// Legal moves that lose by rule at once for the side to move.
    pub fn losing_moves(&self, position: &Position) -> Vec<Move> {
        let mut probe = position.clone();
        let list = position.legal_moves();
        list.moves()
            .filter(|&mv| {
                probe.make(mv);
                let verdict = self.judge(&probe);
                probe.unmake();
                verdict.ending == Some(Ending::Loss(position.side()))
            })
            .collect()
    }

    /// What the search asks at every node `ply` moves below its root: is the game over here by repetition, by
    /// the natural limit or for want of material? A repetition inside the tree is judged at once, one that
    /// reaches back before the root only when the count is full.
    pub fn ending_in_search(&self, position: &mut Position, ply: usize) -> Option<Ending> {
        if self.natural_limit > 0 && position.quiet_plies() >= self.natural_limit && position.has_legal_move()
        {
            return Some(Ending::Draw);
        }
        if position.last_captured().is_piece() && !can_anyone_win(position) {
            return Some(Ending::Draw);
        }
        let distance = position.repetition_distance()?;
        if distance > ply && position.occurrences() < self.set.count() {
            return None;
        }
        Some(Ending::Draw)
    }
}
