//! The options that other engines have under names of their own, and that their hosts therefore send: those of the
//! strongest engines are declared in UCI, those of XQWizard are understood only.
//!
//! Hosts send the defaults of all declared options back, in any order. So the default of each of these changes nothing,
//! and a value that is not the default comes before the option of Chuhe that says the same.

use super::dialect::ScoreType;
use super::settings::{HostRules, OptionError, OptionKind, OptionSpec, Protocol, Settings};
use super::{command, options};
use chuhe_support::language::tr;
use xiangqi::rules::DEFAULT_MATING_CHECKS;
use xiangqi::{Color, DrawRule, RuleSet};

/// The rule sets by the names of other engines; the first word leaves the choice to `RuleSet`.
const RULE_WORDS: &[&str] =
    &["RuleSet", "AsianRule", "ChineseRule", "SkyRule", "ComputerRule", "AllowChase", "NoJudgement", YITIAN_RULE];
const RULE_SETS: [RuleSet; 7] = [
    RuleSet::Asian,
    RuleSet::Cxa,
    RuleSet::Tiantian,
    RuleSet::Computer,
    RuleSet::CheckBan,
    RuleSet::None,
    RuleSet::Asian,
];
/// Rules of a platform that are not written down anywhere, and the limit that players report of it.
const YITIAN_RULE: &str = "YitianRule";
const YITIAN_PLIES: usize = 140;

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
        kind: OptionKind::Combo { choices: RULE_WORDS, set: set_repetition_rule },
        doc: "The rules of repetition by other names: `asian`, `cxa`, `tiantian`, `computer`, only perpetual check loses, `none`; `YitianRule` is taken for `asian` with a limit of 140 plies, which is a guess; `RuleSet` = as that option says.",
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
                settings.unlimited = !on;
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
                settings.rule60_plies = usize::try_from(plies).ok().filter(|&plies| plies > 0);
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

fn set_repetition_rule(settings: &mut Settings, choice: usize) {
    let Some(&set) = choice.checked_sub(1).and_then(|index| RULE_SETS.get(index)) else {
        settings.host_rules = None;
        return;
    };
    let is_guess = RULE_WORDS[choice] == YITIAN_RULE;
    settings.host_rules = Some(HostRules { set, natural_limit: is_guess.then_some(YITIAN_PLIES) });
    settings.host_sets_rules = true;
    if is_guess {
        settings.remark = Some(tr!(
            "option Repetition Rule: {word} is a guess: {set}, and a draw after {plies} plies without a capture",
            word = YITIAN_RULE,
            set,
            plies = YITIAN_PLIES
        ));
    }
}

/// The words of XQWizard's option `repetition`.
const XQWIZARD_RULE_WORDS: &[&str] = &["alwaysdraw", "checkban", "asianrule", "chineserule"];
/// What these words mean, in their order.
const XQWIZARD_RULES: [RuleSet; 4] = [RuleSet::None, RuleSet::CheckBan, RuleSet::Asian, RuleSet::Cxa];
const MAX_PLIES: i64 = 9999;

/// The options of XQWizard that have other names here: `repetition`, `drawmoves` (plies without a capture, in spite of
/// its name) and `selectivity`. `None` if it is another one.
pub(super) fn set_xqwizard_option(
    name: &str,
    value: &[u8],
    settings: &mut Settings,
) -> Option<Result<(), OptionError>> {
    let text = command::word_text(value.trim_ascii()).into_owned();
    let (option, value) = (name.to_string(), command::shortened(&text));
    let set = match name.to_ascii_lowercase().as_str() {
        "repetition" => match XQWIZARD_RULE_WORDS.iter().position(|word| word.eq_ignore_ascii_case(&text)) {
            Some(index) => {
                settings.rule_set = XQWIZARD_RULES[index];
                Ok(())
            }
            None => Err(OptionError::NoChoice { name: option, value, choices: XQWIZARD_RULE_WORDS }),
        },
        "drawmoves" => match text.parse().ok().filter(|plies| (0..=MAX_PLIES).contains(plies)) {
            Some(plies) => {
                settings.natural_limit_plies = usize::try_from(plies).ok();
                Ok(())
            }
            None => Err(OptionError::NotInRange { name: option, value, min: 0, max: MAX_PLIES }),
        },
        "selectivity" => {
            let chosen = options::set_option(Protocol::Ucci, "randomness", text.as_bytes(), settings);
            return Some(chosen.map(drop).map_err(|error| error.about(option)));
        }
        _ => return None,
    };
    settings.host_sets_rules |= set.is_ok();
    Some(set)
}
