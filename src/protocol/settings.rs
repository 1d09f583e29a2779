//! The values of the options: the settings, the description of an option (names, type, bounds, and how a value is
//! applied), its errors, and the option table for the documentation.

use super::command;
use super::dialect::ScoreType;
use super::host_io::MessageEncoding;
use super::options::{MAX_THREADS, all_options};
#[cfg(not(target_family = "wasm"))]
use super::paths::path_from_bytes;
use chuhe_engine::search;
use chuhe_study::book::Variety;
use chuhe_study::player::skill_of_elo;
use chuhe_support::language::tr;
use chuhe_support::memory::total_memory_mb;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::thread;
use thiserror::Error;
use xiangqi::{DrawRule, RuleSet, Rules};
use xiangqi_record::RankBase;

/// Without files a path is only told back.
#[cfg(target_family = "wasm")]
fn path_from_bytes(value: &[u8]) -> PathBuf {
    String::from_utf8_lossy(value).into_owned().into()
}

/// The bounds in megabytes of the hash size when the host leaves it to the engine.
const AUTO_HASH_MB: RangeInclusive<usize> = 64..=1024;
/// The share of the memory that it is then.
const AUTO_HASH_SHARE: usize = 16;
/// All settings of a host. The defaults are in the option table only.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// UCCI's times are milliseconds, not seconds.
    pub use_millisec: bool,
    /// How ranks are counted in moves; `None` = detected from the host's moves.
    pub ranks: Option<RankBase>,
    /// Read no input while a search under a limit runs.
    pub batch: bool,
    pub debug: bool,
    /// UCI's win, draw and loss chances.
    pub show_wdl: bool,
    /// The unit of UCI's scores.
    pub score_type: ScoreType,
    /// Whether scores that are bounds are sent.
    pub show_bounds: bool,
    pub promotion: bool,
    /// Megabytes of the transposition table; 0 = the engine decides.
    pub hash_mb: usize,
    /// Threads; 0 = the engine decides.
    pub threads: usize,
    /// The repetition rules.
    pub rule_set: RuleSet,
    /// Plies without a capture; `None` = the rule set's own limit.
    pub natural_limit_plies: Option<usize>,
    /// The rules that a host has chosen by a name of its own; they come before `rule_set`.
    pub host_rules: Option<HostRules>,
    /// The natural limit by the name that other engines have for it; it comes before `natural_limit_plies`.
    pub rule60_plies: Option<usize>,
    /// The natural limit is switched off, by hosts that have a switch for it.
    pub unlimited: bool,
    /// What a draw counts as.
    pub draws: DrawRule,
    /// Checks of the longest series that threatens mate, where a rule set forbids such threats.
    pub mating_checks: u32,
    /// A host has set rules by names of its own: it is told once what is played.
    pub host_sets_rules: bool,
    /// 0 to 20.
    pub skill: i64,
    /// Whether `elo` limits the strength.
    pub limit_strength: bool,
    /// The strength to play at, if limited.
    pub elo: i64,
    /// The network file; empty = the embedded one.
    pub eval_file: PathBuf,
    /// The log file of the conversation; empty = none.
    pub log_file: PathBuf,
    /// The same by the name that other engines have for it; used if `log_file` is empty.
    pub debug_log_file: PathBuf,
    /// The language and encoding of messages.
    pub message_encoding: MessageEncoding,
    /// Whether endgame tables are used.
    pub use_tables: bool,
    /// Folders of endgame tables, separated by `;`.
    pub table_paths: PathBuf,
    /// Whether books are used, in UCCI.
    pub use_book: bool,
    /// The same in UCI, where hosts have books of their own.
    pub own_book: bool,
    /// Books, separated by `;`.
    pub book_files: PathBuf,
    /// Books are used up to this ply of the game.
    pub book_depth: u32,
    /// How much openings vary.
    pub book_variety: Variety,
    /// `newgame` was pressed and is still to be handled.
    pub new_game: bool,
    /// What the host should be told about the option that was set last.
    pub remark: Option<String>,
    /// Options that are passed to the searcher unchanged.
    pub search: search::Options,
}

/// Rules that a host has chosen by a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRules {
    pub set: RuleSet,
    /// Plies without a capture; `None` = the rule set's own limit.
    pub natural_limit: Option<usize>,
}

impl Settings {
    /// The hash size, with the engine's default filled in.
    pub fn effective_hash_mb(&self) -> usize {
        match self.hash_mb {
            0 => automatic_hash_mb(total_memory_mb()),
            size => size,
        }
    }

    /// The rules, with the natural limit of the rule set filled in.
    pub fn rules(&self) -> Rules {
        let own = HostRules { set: self.rule_set, natural_limit: None };
        let HostRules { set, natural_limit } = self.host_rules.unwrap_or(own);
        let limit = self.rule60_plies.or(self.natural_limit_plies).or(natural_limit);
        let limit = if self.unlimited { Some(0) } else { limit };
        Rules { draws: self.draws, mating_checks: self.mating_checks, ..Rules::with_limit(set, limit) }
    }

    /// The log file, by whichever name it was set.
    pub fn effective_log_file(&self) -> &PathBuf {
        if self.log_file.as_os_str().is_empty() { &self.debug_log_file } else { &self.log_file }
    }

    /// The options of the searcher.
    pub fn search_options(&self) -> search::Options {
        search::Options {
            threads: self.effective_threads(),
            rules: self.rules(),
            skill: self.effective_skill(),
            ..self.search.clone()
        }
    }

    /// The threads, with the engine's default filled in.
    pub fn effective_threads(&self) -> usize {
        match self.threads {
            0 => automatic_threads(thread::available_parallelism().map_or(1, usize::from)),
            count => count,
        }
    }

    /// The lower of the strengths set by `skill` and the Elo limit.
    fn effective_skill(&self) -> f32 {
        let skill = self.skill as f32;
        if !self.limit_strength {
            return skill;
        }
        skill.min(skill_of_elo(self.elo))
    }
}

/// The hash size on a machine with so much memory; the least if that is unknown.
fn automatic_hash_mb(memory_mb: Option<usize>) -> usize {
    memory_mb.map_or(0, |memory| memory / AUTO_HASH_SHARE).clamp(*AUTO_HASH_MB.start(), *AUTO_HASH_MB.end())
}

/// All processors but one, which is left to the host.
fn automatic_threads(processors: usize) -> usize {
    (processors - 1).clamp(1, MAX_THREADS)
}

/// The table for docs/options.md.
pub fn options_as_markdown() -> String {
    let mut text = String::from(
        "| UCCI | UCI | type | default | values | what it does |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for option in all_options() {
        let code = |name: Option<&str>| name.map_or(String::from("–"), |name| format!("`{name}`"));
        let (kind, default, values) = match option.kind {
            OptionKind::Check { default, .. } => ("check", default.to_string(), "true, false".to_string()),
            OptionKind::Spin { default, min, max, .. } => ("spin", default.to_string(), format!("{min} to {max}")),
            OptionKind::Combo { choices, .. } => ("combo", choices[0].to_string(), choices.join(", ")),
            OptionKind::Text { default: "", .. } => ("string", String::from("(empty)"), String::from("any")),
            OptionKind::Text { default, .. } => ("string", default.to_string(), String::from("any")),
            OptionKind::Button { .. } => ("button", String::from("–"), String::from("–")),
        };
        let (ucci, uci) = (code(option.ucci), code(option.uci));
        writeln!(text, "| {ucci} | {uci} | {kind} | {default} | {values} | {} |", option.doc)
            .expect("a string takes everything");
    }
    text
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("{}", tr!("setoption: the option's name is missing"))]
    NoName,
    #[error("{}", tr!("option {name}: '{value}' is neither true nor false", name, value))]
    NotACheck { name: String, value: String },
    #[error("{}", tr!("option {name}: '{value}' is not a number from {min} to {max}", name, value, min, max))]
    NotInRange { name: String, value: String, min: i64, max: i64 },
    #[error("{}", tr!("option {name}: '{value}' is none of {choices}", name, value, choices = choices.join(", ")))]
    NoChoice { name: String, value: String, choices: &'static [&'static str] },
}

impl OptionError {
    /// The same error about an option of another name.
    pub(super) fn about(self, option: String) -> OptionError {
        match self {
            OptionError::NoChoice { value, choices, .. } => OptionError::NoChoice { name: option, value, choices },
            error => error,
        }
    }
}

/// An option. It does not exist in a dialect in which it has no name.
pub struct OptionSpec {
    /// Its name in UCCI: one word in lower case.
    pub ucci: Option<&'static str>,
    /// Its name in UCI.
    pub uci: Option<&'static str>,
    /// Its type, default, bounds and effect.
    pub kind: OptionKind,
    /// The description for users.
    pub doc: &'static str,
}

/// The option types of both protocols.
pub enum OptionKind {
    Check {
        default: bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Settings, i64),
    },
    /// One of several words. The first is the default: some hosts assume so.
    Combo {
        choices: &'static [&'static str],
        /// Sets the option, by index.
        set: fn(&mut Settings, usize),
    },
    /// Any text.
    Text {
        default: &'static str,
        set: fn(&mut Settings, PathBuf),
    },
    Button {
        press: fn(&mut Settings),
    },
}

/// The column of option names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Ucci,
    Uci,
}

impl Protocol {
    pub fn other(self) -> Protocol {
        match self {
            Protocol::Ucci => Protocol::Uci,
            Protocol::Uci => Protocol::Ucci,
        }
    }
}

impl OptionSpec {
    /// Its name in a dialect.
    pub fn name_in(&self, column: Protocol) -> Option<&'static str> {
        match column {
            Protocol::Ucci => self.ucci,
            Protocol::Uci => self.uci,
        }
    }

    /// Parses a value and applies it. A button takes none.
    pub fn set(&self, name: &str, value: &[u8], settings: &mut Settings) -> Result<(), OptionError> {
        let text = command::word_text(value.trim_ascii()).into_owned();
        let bad = || (name.to_string(), command::shortened(&text));
        match self.kind {
            OptionKind::Check { set, .. } => match text.to_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => set(settings, true),
                "false" | "off" | "no" | "0" => set(settings, false),
                _ => {
                    let (name, value) = bad();
                    return Err(OptionError::NotACheck { name, value });
                }
            },
            OptionKind::Spin { min, max, set, .. } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                let (name, value) = bad();
                set(settings, number.ok_or(OptionError::NotInRange { name, value, min, max })?);
            }
            OptionKind::Combo { choices, set, .. } => {
                let chosen = choices.iter().position(|choice| choice.eq_ignore_ascii_case(&text));
                let (name, value) = bad();
                set(settings, chosen.ok_or(OptionError::NoChoice { name, value, choices })?);
            }
            OptionKind::Text { set, .. } => set(settings, path_from_bytes(value.trim_ascii())),
            OptionKind::Button { press } => press(settings),
        }
        Ok(())
    }

    /// Sets the default.
    pub fn apply_default(&self, settings: &mut Settings) {
        match self.kind {
            OptionKind::Check { default, set } => set(settings, default),
            OptionKind::Spin { default, set, .. } => set(settings, default),
            OptionKind::Combo { set, .. } => set(settings, 0),
            OptionKind::Text { default, set } => set(settings, PathBuf::from(default)),
            OptionKind::Button { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_study::player::MAX_ELO;

    #[test]
    fn option_defaults_match_the_searcher_defaults() {
        assert_eq!(Settings::default().search_options(), search::Options::default());
    }

    #[test]
    fn automatic_sizes_follow_the_machine_within_bounds() {
        let sizes = [None, Some(512), Some(4096), Some(16_384), Some(262_144)].map(automatic_hash_mb);
        assert_eq!(sizes, [64, 64, 256, 1024, 1024]);
        assert_eq!([1, 2, 16, 1000].map(automatic_threads), [1, 1, 15, 999]);
    }

    #[test]
    fn skill_and_elo_apply_the_weaker_limit() {
        let mut settings = Settings { skill: 12, elo: 2460, ..Settings::default() };
        assert_eq!(settings.search_options().skill, 12.0);
        settings.limit_strength = true;
        assert_eq!(settings.search_options().skill, 10.0);
        settings.elo = MAX_ELO;
        assert_eq!(settings.search_options().skill, 12.0);
        settings.elo = 1;
        assert_eq!(settings.search_options().skill, 0.0);
    }

    #[test]
    fn natural_limit_follows_the_rule_set_until_it_is_set() {
        let mut settings = Settings { rule_set: RuleSet::League, ..Settings::default() };
        assert_eq!(settings.rules(), Rules::of(RuleSet::League));
        settings.natural_limit_plies = Some(0);
        assert_eq!(settings.rules().natural_limit, 0);
        settings.rule60_plies = Some(90);
        assert_eq!(settings.rules().natural_limit, 90);
        settings.unlimited = true;
        assert_eq!(settings.rules().natural_limit, 0);
    }
}
