//! How a game of xiangqi ends: mate, repetition, the natural limit (too many plies without a capture), material.
//!
//! The rules are written down for players in `docs/rules.md` of the program; a § in a comment is a paragraph of it.
//!
//! # Why a game is over
//!
//! ```
//! use xiangqi::{Color, Ending, Move, Position, Reason, RuleSet, Rules};
//!
//! let rules = Rules::new(RuleSet::Asian);
//! let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1")?;
//! assert_eq!(rules.judge(&position).ending, None);
//!
//! // Red checks with every move until the position has stood three times.
//! for mv in ["e1d1", "d9e9", "d1e1", "e9d9"].iter().cycle() {
//!     position.play(mv.parse()?)?;
//!     if let Some(ending) = rules.judge(&position).ending {
//!         assert_eq!(ending, Ending::Loss(Color::Red));
//!         assert_eq!(rules.judge(&position).reason, Reason::PerpetualCheck);
//!         break;
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other rule sets
//!
//! ```
//! use xiangqi::{RuleSet, Rules};
//!
//! let set: RuleSet = "cxa".parse()?;
//! let rules = Rules { natural_limit: 200, ..Rules::new(set) };
//! assert_eq!(rules.set, RuleSet::Cxa);
//! assert_eq!(RuleSet::Cxa.natural_limit(), 120); // plies
//! # Ok::<(), xiangqi::rules::ParseRuleSetError>(())
//! ```
//!
//! # Modules
//!
//! * [`Rules::judge`] is the referee: it judges a position with its history after the last move.
//! * Its other part is the same for the search, which does not wait for the full number of repetitions.
//! * The profile of a rule set holds what it does differently; `repetition_judge` weighs what the two sides did, or counts
//!   checks and chases, `chase` defines chases, `cxa` classifies moves, `tracked_board` gives pieces an identity.

mod chase;
mod cxa;
mod explanation;
mod repetition_judge;
mod tracked_board;
mod verdict;

pub use explanation::{MoveExplanation, MoveNature, PieceNaming, PieceWords, piece_on_square};
pub use verdict::{DrawRule, Ending, Offence, Reason, Verdict, can_anyone_win};

use crate::board::Position;
use crate::types::{Move, excerpt};
use crate::{worded, worded_error, words};
use chase::ChaseRules;
use std::str::FromStr;

/// The default of [`Rules::mating_checks`].
pub const DEFAULT_MATING_CHECKS: u32 = 5;

/// A rule set with a natural limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The rule set.
    pub set: RuleSet,
    /// Plies without a capture after which the game is drawn; 0 means never.
    pub natural_limit: usize,
    /// What a draw counts as.
    pub draws: DrawRule,
    /// Checks of the longest series that counts as a threat of mate, where a rule set forbids such threats (§9.2).
    pub mating_checks: u32,
}

/// A position that may come to be repeated often enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearRepetition {
    /// The plies behind it.
    pub ply: usize,
    /// How often it has stood since the last capture.
    pub stood: usize,
    /// How often it must stand.
    pub needed: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::new(RuleSet::default())
    }
}

impl Rules {
    /// A rule set with its own natural limit.
    pub const fn new(set: RuleSet) -> Rules {
        Rules { set, natural_limit: set.natural_limit(), draws: DrawRule::Draw, mating_checks: DEFAULT_MATING_CHECKS }
    }

    /// A rule set with the given natural limit, or else its own.
    pub fn with_limit(set: RuleSet, natural_limit: Option<usize>) -> Rules {
        Rules { natural_limit: natural_limit.unwrap_or(set.natural_limit()), ..Rules::new(set) }
    }

    /// The verdict after the last move, from the position and its history.
    pub fn judge(&self, position: &Position) -> Verdict {
        self.draws.apply(self.judge_draws_as_draws(position))
    }

    fn judge_draws_as_draws(&self, position: &Position) -> Verdict {
        // §1.1: a side without a legal move loses, whatever else applies.
        if !position.has_legal_move() {
            let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
            return Verdict::loss(position.side(), reason);
        }
        if !can_anyone_win(position) {
            return Verdict::draw(Reason::Material);
        }
        let profile = self.set.profile();
        if let Repetition::Counters(counting) = &profile.repetition {
            if let Some(verdict) = repetition_judge::judge_by_counters(position, counting) {
                return verdict;
            }
        } else if let Some(window) = repetition_judge::repetition_window(position, profile.repetition_count) {
            return repetition_judge::judge(position, window, self);
        }
        if verdict::is_natural_limit_reached(position, self.natural_limit, profile.uncounted) {
            return Verdict::draw(Reason::NaturalLimit);
        }
        Verdict::ONGOING
    }

    /// Explains each move of the repetition, oldest first; empty if no repetition is complete. Under counters, explains
    /// the moves of the longest streak.
    pub fn explain(&self, position: &Position) -> Vec<MoveExplanation> {
        let profile = self.set.profile();
        if let Repetition::Counters(counting) = &profile.repetition {
            return repetition_judge::explain_counters(position, counting);
        }
        match repetition_judge::repetition_window(position, profile.repetition_count) {
            Some(window) => repetition_judge::explain(position, window, self),
            None => Vec::new(),
        }
    }

    /// The same before the count is full: explains the moves since the position that has stood most often, among those of
    /// the last moves, stood first. Empty if none has stood twice.
    pub fn explain_so_far(&self, position: &Position) -> Vec<MoveExplanation> {
        let explained = self.explain(position);
        let Some(near) = self.nearest_repetition(position).filter(|near| explained.is_empty() && near.stood > 1) else {
            return explained;
        };
        let since = position.history_len() - near.ply;
        let mut repeated = position.clone();
        (0..since).for_each(|_| repeated.undo());
        let round = repetition_judge::repetition_window(&repeated, near.stood);
        round.map_or(explained, |round| repetition_judge::explain(position, round + since, self))
    }

    /// The captures by which the side to move would gain material if it may take at once, where a rule set asks that
    /// (§9.4); empty by the others.
    pub fn captures_with_gain(&self, position: &Position) -> Vec<Move> {
        match self.set.profile().repetition {
            Repetition::Natures => cxa::captures_with_gain(position),
            _ => Vec::new(),
        }
    }

    /// How near the game is to an end by repetition: the position of the last moves that has stood most often, by how many
    /// plies lie behind it, how often it has stood, and how often it must; `None` where counters decide.
    pub fn nearest_repetition(&self, position: &Position) -> Option<NearRepetition> {
        if self.uses_counters() {
            return None;
        }
        let mut probe = position.clone();
        let mut nearest = NearRepetition { ply: 0, stood: 0, needed: self.set.repetition_count() };
        for back in 0..=position.plies_since_capture().min(position.history_len()) {
            if probe.occurrence_count() > nearest.stood {
                nearest =
                    NearRepetition { ply: position.history_len() - back, stood: probe.occurrence_count(), ..nearest };
            }
            if probe.history_len() > 0 {
                probe.undo();
            }
        }
        Some(nearest)
    }

    /// Legal moves that lose by rule at once for the side to move: those that complete a repetition in which it
    /// checks or chases perpetually. A league host forbids them.
    pub fn losing_moves(&self, position: &Position) -> Vec<Move> {
        let profile = self.set.profile();
        if let Repetition::Counters(counting) = &profile.repetition {
            return repetition_judge::forbidden_moves(position, counting);
        }
        // Each further occurrence of a position takes at least four plies.
        if position.plies_since_capture() + 1 < 4 * (profile.repetition_count - 1) {
            return Vec::new();
        }
        let us = position.side();
        repetition_judge::legal_moves_leading_to(position, |next| self.judge(next).ending == Some(Ending::Loss(us)))
    }

    /// True if consecutive checks and chases are counted without a repetition: §10. What a chase is the platform does not
    /// publish; what the asian rules call one is taken.
    pub fn uses_counters(&self) -> bool {
        matches!(self.set.profile().repetition, Repetition::Counters(_))
    }

    /// The paragraphs of `docs/rules.md` that decide.
    pub fn rule_paragraph(&self, reason: Reason) -> Option<&'static str> {
        let is_drawn_anyway = matches!(self.set.profile().repetition, Repetition::Draws);
        match (self.set, reason) {
            (_, Reason::Ongoing) => None,
            (_, Reason::Mate | Reason::Stalemate) => Some("§1.1"),
            (_, Reason::Material) => Some("§1.2"),
            (_, Reason::NaturalLimit) => Some("§7.1"),
            (RuleSet::Cxa, Reason::ChasesAlone) => Some("§9.9"),
            (RuleSet::Cxa, _) => Some("§9.8"),
            (RuleSet::Tiantian, Reason::ForbiddenMove) => Some("§10.1, §10.2, §10.3"),
            (RuleSet::Tiantian, Reason::OnlyForbiddenMoves) => Some("§10.6"),
            (RuleSet::Tiantian, _) => Some("§10.5"),
            (RuleSet::League, Reason::PerpetualCheck | Reason::PerpetualChase { .. }) => Some("§2.3, §4.5"),
            (RuleSet::Computer, Reason::PerpetualCheck) => Some("§5.1"),
            (RuleSet::Computer, Reason::PerpetualChase { .. }) => Some("§2.3, §5.3"),
            (RuleSet::Asian, Reason::PerpetualChase { .. }) => Some("§2.3, §3"),
            _ if is_drawn_anyway => Some("§6"),
            _ => Some("§2.3"),
        }
    }

    /// The articles of the association's own text, for its rule set.
    pub fn official_articles(&self, reason: Reason) -> Option<&'static str> {
        match (&self.set.profile().repetition, reason) {
            (Repetition::Natures, Reason::ChasesAlone) => Some("26.9.2, 26.9.3"),
            (Repetition::Natures, Reason::PerpetualCheck | Reason::Perpetual(_) | Reason::Repetition) => Some("24.9"),
            _ => None,
        }
    }
}

// The rule sets as data: everything in which one differs from another.

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
enum Uncounted {
    /// Checks beyond the tenth of each side, and their answers.
    ChecksBeyondTen,
    /// All checks, and their answers.
    AllChecks,
}

/// The definition of a chase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ChaseLaw {
    /// The attacks of the moved piece: §4.
    MovedPiece,
    /// The attacks that a move newly makes: §3, §5.
    Attacks(ChaseRules),
    /// None: nothing is a chase.
    Nothing,
}

/// How levels are judged: §2.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RepetitionLaw {
    chase: ChaseLaw,
    /// A single check of either side means that nobody chases: §5.2.
    checks_spoil_chases: bool,
    /// Two pieces chased by two pieces with every move are no chase: §3.8.
    two_by_two_draws: bool,
    /// A side that chases a rook pinned by its horse gains nothing from that horse being chased: §3.9.
    pinned_rook_is_safe: bool,
}

/// How a repetition is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Repetition {
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
struct Counting {
    /// The definition of a chase, a guess because the platform does not publish one.
    chase: ChaseRules,
    /// The number of occurrences that draws without checks and chases in between.
    repetition_count: usize,
    /// The number of plies after which the game is drawn.
    game_plies: usize,
}

/// The data of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RuleProfile {
    /// The number of occurrences at which a repetition is judged: §2.1.
    repetition_count: usize,
    /// The plies without a capture after which the game is drawn: §7.
    natural_limit: usize,
    uncounted: Uncounted,
    repetition: Repetition,
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

    const fn profile(self) -> &'static RuleProfile {
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
