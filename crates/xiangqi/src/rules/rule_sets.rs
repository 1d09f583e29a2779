//! The rule sets as data: everything in which one differs from another.

use super::chase::ChaseRules;
use crate::types::excerpt;
use crate::{worded, worded_error, words};
use std::str::FromStr;

/// The rule sets that a user may choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub enum RuleSet {
    /// AXF and WXF rules, used internationally and by most servers.
    #[default]
    Asian,
    /// The rules of the UCCI engine league of 2007.
    League,
    /// The rules of Chinese computer games.
    Computer,
    /// The rules of the Chinese association of 2020.
    Cxa,
    /// The counters of the Tiantian platform.
    Tiantian,
    /// A repetition is always a draw.
    None,
    /// Only perpetual check loses. Hosts ask for it; it is not [offered](RuleSet::OFFERED).
    CheckBan,
}

/// The plies that the natural limit does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Uncounted {
    /// Checks beyond the tenth of each side, and their answers.
    ChecksBeyondTen,
    /// All checks, and their answers.
    AllChecks,
}

/// The definition of a chase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChaseLaw {
    /// The attacks of the moved piece: §4.
    MovedPiece,
    /// The attacks that a move newly makes: §3, §5.
    Attacks(ChaseRules),
    /// None: nothing is a chase.
    Nothing,
}

/// How levels are judged: §2.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RepetitionLaw {
    pub(super) chase: ChaseLaw,
    /// A single check of either side means that nobody chases: §5.2.
    pub(super) checks_spoil_chases: bool,
    /// Two pieces chased by two pieces with every move are no chase: §3.8.
    pub(super) two_by_two_draws: bool,
    /// A side that chases a rook pinned by its horse gains nothing from that horse being chased: §3.9.
    pub(super) pinned_rook_is_safe: bool,
}

/// How a repetition is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repetition {
    /// It is a draw: §6.
    Draws,
    /// By levels, from what each side did with every move: §2.3.
    Levels(RepetitionLaw),
    /// By the nature of each move: §9.
    Natures,
    /// By counters of consecutive checks and chases: §10.
    Counters(Counting),
}

/// The parameters of the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counting {
    /// The definition of a chase, a guess because the platform does not publish one.
    pub(super) chase: ChaseRules,
    /// The number of occurrences that draws without checks and chases in between.
    pub(super) repetition_count: usize,
    /// The number of plies after which the game is drawn.
    pub(super) game_plies: usize,
}

/// The data of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RuleProfile {
    /// The number of occurrences at which a repetition is judged: §2.1.
    pub(super) repetition_count: usize,
    /// The plies without a capture after which the game is drawn: §7.
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

const CHECK_BAN: RuleProfile = RuleProfile {
    repetition: Repetition::Levels(RepetitionLaw {
        chase: ChaseLaw::Nothing,
        checks_spoil_chases: false,
        two_by_two_draws: false,
        pinned_rook_is_safe: false,
    }),
    ..ASIAN
};

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
    /// The rule sets that are offered to people, the default first.
    pub const OFFERED: [RuleSet; 6] =
        [RuleSet::Asian, RuleSet::League, RuleSet::Computer, RuleSet::Cxa, RuleSet::Tiantian, RuleSet::None];

    /// All rule sets: those that are offered, then the others.
    pub const ALL: [RuleSet; 7] = [
        RuleSet::Asian,
        RuleSet::League,
        RuleSet::Computer,
        RuleSet::Cxa,
        RuleSet::Tiantian,
        RuleSet::None,
        RuleSet::CheckBan,
    ];

    pub(super) const fn profile(self) -> &'static RuleProfile {
        match self {
            RuleSet::Asian => &ASIAN,
            RuleSet::League => &LEAGUE,
            RuleSet::Computer => &COMPUTER,
            RuleSet::Cxa => &CXA,
            RuleSet::Tiantian => &TIANTIAN,
            RuleSet::None => &NONE,
            RuleSet::CheckBan => &CHECK_BAN,
        }
    }

    /// The name in options and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Asian => "asian",
            RuleSet::League => "league",
            RuleSet::Computer => "computer",
            RuleSet::Cxa => "cxa",
            RuleSet::Tiantian => "tiantian",
            RuleSet::None => "none",
            RuleSet::CheckBan => "checkban",
        }
    }

    /// The plies without a capture after which this rule set draws a game.
    pub const fn natural_limit(self) -> usize {
        self.profile().natural_limit
    }

    /// The number of occurrences at which a repetition is judged.
    pub const fn repetition_count(self) -> usize {
        self.profile().repetition_count
    }
}

worded!(RuleSet, |set| match set {
    // Not offered by name: hosts ask for it in words of their own.
    RuleSet::CheckBan => words!("checkban"),
    offered => words!("{name}", name = offered.name()),
});

/// The text is not the name of a rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRuleSetError(pub String);

worded_error!(ParseRuleSetError, |error| words!(
    "'{text}' is no rule set: expected asian, league, computer, cxa, tiantian or none",
    text = &error.0
));

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, ParseRuleSetError> {
        // The federations of the world and of Asia judge alike: AXF and WXF.
        let name = if ["world", "wxf", "axf"].iter().any(|name| name.eq_ignore_ascii_case(text)) {
            RuleSet::Asian.name()
        } else {
            text
        };
        RuleSet::ALL
            .into_iter()
            .find(|set| set.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| ParseRuleSetError(excerpt(text)))
    }
}
