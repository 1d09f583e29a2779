//! The options that other engines have under names of their own, and that their hosts therefore send. They are declared
//! in UCI.
//!
//! Hosts send the defaults of all declared options back, in any order. So the default of each of these changes nothing,
//! and a value that is not the default comes before the option of Chuhe that says the same.

use super::spec::{OptionKind, OptionSpec};
use crate::protocol::dialect::ScoreType;
use xiangqi::rules::DEFAULT_MATING_CHECKS;
use xiangqi::{Color, DrawRule, RuleSet};

/// The rule sets by the names of other engines; the first word leaves the choice to `RuleSet`.
const RULE_WORDS: &[&str] =
    &["RuleSet", "AsianRule", "ChineseRule", "SkyRule", "ComputerRule", "AllowChase", "NoJudgement"];
const RULE_SETS: [Option<RuleSet>; 7] = [
    None,
    Some(RuleSet::Asian),
    Some(RuleSet::Cxa),
    Some(RuleSet::Tiantian),
    Some(RuleSet::Computer),
    Some(RuleSet::CheckBan),
    Some(RuleSet::None),
];
/// The largest natural limit.
pub(super) const MAX_PLIES: i64 = 9999;

const DRAW_WORDS: &[&str] = &["None", "DrawAsBlackWin", "DrawAsRedWin", "DrawRepAsBlackWin", "DrawRepAsRedWin"];
const DRAW_RULES: [DrawRule; 5] = [
    DrawRule::Draw,
    DrawRule::Wins(Color::Black),
    DrawRule::Wins(Color::Red),
    DrawRule::RepetitionWins(Color::Black),
    DrawRule::RepetitionWins(Color::Red),
];

const SCORE_TYPES: [ScoreType; 3] = [ScoreType::Centipawns, ScoreType::Elo, ScoreType::Raw];

/// Options of other engines, declared in UCI.
pub(super) static HOST_OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        ucci: None,
        uci: Some("Repetition Rule"),
        kind: OptionKind::Combo {
            choices: RULE_WORDS,
            set: |settings, choice| {
                settings.host_rule_set = RULE_SETS[choice];
                settings.host_sets_rules |= choice > 0;
            },
        },
        doc: "The rules of repetition by other names: `asian`, `cxa`, `tiantian`, `computer`, only perpetual check loses, `none`; `RuleSet` = as that option says.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("Draw Rule"),
        kind: OptionKind::Combo {
            choices: DRAW_WORDS,
            set: |settings, choice| {
                settings.draws = DRAW_RULES[choice];
                settings.host_sets_rules |= choice > 0;
            },
        },
        doc: "What a draw counts as: a draw, or a win of one side, either every draw or (`Rep`) one by repetition. Endgame tables are not used then.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("Sixty Move Rule"),
        kind: OptionKind::Check {
            default: true,
            set: |settings, on| {
                settings.natural_limit.disabled = !on;
                settings.host_sets_rules |= !on;
            },
        },
        doc: "Whether there is a limit of plies without a capture at all.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("Rule60MaxPly"),
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: MAX_PLIES,
            set: |settings, plies| {
                settings.natural_limit.rule60_plies = usize::try_from(plies).ok().filter(|&plies| plies > 0);
                settings.host_sets_rules |= plies > 0;
            },
        },
        doc: "Plies without a capture after which the game is drawn; 0 = as `NaturalLimit` says.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("Mate Threat Depth"),
        kind: OptionKind::Spin {
            default: DEFAULT_MATING_CHECKS as i64,
            min: 1,
            max: 10,
            set: |settings, checks| settings.mating_checks = checks as u32,
        },
        doc: "Under `cxa`: checks of the longest series that counts as a threat of mate (a kill).",
    },
    OptionSpec {
        ucci: None,
        uci: Some("ScoreType"),
        kind: OptionKind::Combo {
            choices: &["PawnValueNormalized", "Elo", "Raw"],
            set: |settings, choice| settings.score_type = SCORE_TYPES[choice],
        },
        doc: "The unit of scores: 100 = half of the games are won; the Elo difference that scores as well; the search's own, 400 for a minor piece.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("LU_Output"),
        kind: OptionKind::Check { default: true, set: |settings, on| settings.show_bounds = on },
        doc: "Whether lines are sent whose score is a bound (`lowerbound`, `upperbound`).",
    },
    OptionSpec {
        ucci: None,
        uci: Some("NumaPolicy"),
        kind: OptionKind::Text { default: "auto", set: |_, _| {} },
        doc: "Understood and without effect: the system places threads and memory.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("nodestime"),
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            set: |settings, nodes| settings.search.nodes_per_millisecond = nodes as u64,
        },
        doc: "Nodes that count as a millisecond of the clock and of `movetime`, so that a game is the same on any machine; 0 = time is time.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("Debug Log File"),
        kind: OptionKind::Text { default: "", set: |settings, path| settings.debug_log_file = path },
        doc: "The same as `LogFile`, which comes first if both are set.",
    },
];
