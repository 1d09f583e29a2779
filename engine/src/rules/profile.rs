//! The rule systems as data: everything in which one differs from another.

use super::chase::ChaseRules;
use crate::language::tr;
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
    /// The Chinese association's rules of 2020.
    Cxa,
    /// The counters of the Tiantian platform.
    Tiantian,
    None,
}

/// Which plies the natural limit leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Uncounted {
    /// Checks beyond the tenth of each side, and the answers to them.
    ChecksBeyondTen,
    /// Every check, and every answer to one.
    AllChecks,
}

/// What counts as a chase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChaseLaw {
    /// What the moved piece attacks, by simple means: §4.
    MovedPiece,
    /// What any piece newly attacks by the move: §3, §5.
    Attacks(ChaseRules),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RepetitionLaw {
    pub(super) chase: ChaseLaw,
    /// One check among the moves of either side, and nobody chases: §5.2.
    pub(super) checks_spoil_chases: bool,
    /// Two pieces chased by two with every move are no chase: §3.8.
    pub(super) two_by_two_draws: bool,
    /// Who chases a rook that his horse pins gains nothing from that horse being chased: §3.9.
    pub(super) pinned_rook_is_safe: bool,
}

/// How a repetition is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repetition {
    /// It draws: §6.
    Draws,
    /// By what each side did with every move, in levels: §2.3.
    Levels(RepetitionLaw),
    /// By the natures of the moves: §9.
    Natures,
    /// By counters, which forbid what would be one too many: §10.
    Counters(Counting),
}

/// What counters need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counting {
    /// What a chase is: the platform does not tell, so this is a guess.
    pub(super) chase: ChaseRules,
    /// How often a position must have stood to be a draw if nobody checked or chased.
    pub(super) repetition_count: usize,
    /// Plies after which the game is drawn.
    pub(super) game_plies: usize,
}

/// All of a rule system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RuleProfile {
    /// How often a position must have stood to be judged: §2.1.
    pub(super) repetition_count: usize,
    /// Plies without a capture that draw: §7.
    pub(super) natural_limit: usize,
    pub(super) uncounted: Uncounted,
    pub(super) repetition: Repetition,
}

const ASIAN: RuleProfile = RuleProfile {
    repetition_count: 3,
    natural_limit: 120,
    uncounted: Uncounted::ChecksBeyondTen,
    repetition: Repetition::Levels(RepetitionLaw {
        chase: ChaseLaw::Attacks(ChaseRules { joining_is_new: true, pinned_takes_pinner_only: false }),
        checks_spoil_chases: false,
        two_by_two_draws: true,
        pinned_rook_is_safe: true,
    }),
};

const LEAGUE: RuleProfile = RuleProfile {
    repetition_count: 4,
    natural_limit: 100,
    uncounted: Uncounted::AllChecks,
    repetition: Repetition::Levels(RepetitionLaw {
        chase: ChaseLaw::MovedPiece,
        checks_spoil_chases: false,
        two_by_two_draws: false,
        pinned_rook_is_safe: false,
    }),
};

const COMPUTER: RuleProfile = RuleProfile {
    repetition: Repetition::Levels(RepetitionLaw {
        chase: ChaseLaw::Attacks(ChaseRules { joining_is_new: false, pinned_takes_pinner_only: true }),
        checks_spoil_chases: true,
        two_by_two_draws: false,
        pinned_rook_is_safe: false,
    }),
    ..ASIAN
};

const NONE: RuleProfile = RuleProfile { repetition: Repetition::Draws, ..ASIAN };

const TIANTIAN: RuleProfile = RuleProfile {
    repetition_count: 5,
    repetition: Repetition::Counters(Counting {
        chase: ChaseRules { joining_is_new: true, pinned_takes_pinner_only: false },
        repetition_count: 5,
        game_plies: 400,
    }),
    ..ASIAN
};

const CXA: RuleProfile = RuleProfile { repetition_count: 4, repetition: Repetition::Natures, ..ASIAN };

impl RuleSet {
    /// All of them, the default first.
    pub const ALL: [RuleSet; 6] =
        [RuleSet::Asian, RuleSet::League, RuleSet::Computer, RuleSet::Cxa, RuleSet::Tiantian, RuleSet::None];

    pub(super) const fn profile(self) -> &'static RuleProfile {
        match self {
            RuleSet::Asian => &ASIAN,
            RuleSet::League => &LEAGUE,
            RuleSet::Computer => &COMPUTER,
            RuleSet::Cxa => &CXA,
            RuleSet::Tiantian => &TIANTIAN,
            RuleSet::None => &NONE,
        }
    }

    /// The name that options and the command line use.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Asian => "asian",
            RuleSet::League => "league",
            RuleSet::Computer => "computer",
            RuleSet::Cxa => "cxa",
            RuleSet::Tiantian => "tiantian",
            RuleSet::None => "none",
        }
    }

    /// Plies without a capture after which this system draws a game.
    pub const fn natural_limit(self) -> usize {
        self.profile().natural_limit
    }

    /// How often a position must have stood for a repetition to be judged.
    pub const fn repetition_count(self) -> usize {
        self.profile().repetition_count
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of a rule set was not recognised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{text}' is no rule set: expected asian, league, computer, cxa, tiantian or none", text = _0))]
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
