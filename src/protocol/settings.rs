//! The settings of a host: the values of all options, and what the engine makes of them together.

use super::dialect::ScoreType;
use super::host_io::MessageEncoding;
use chuhe_engine::{memory, search};
use chuhe_study::book::Variety;
use chuhe_study::player::skill_of_elo;
use chuhe_support::memory::total_memory_mb;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::thread;
use xiangqi::{DrawRule, RuleSet, Rules};
use xiangqi_record::RankBase;

/// The bounds in megabytes of the hash size when the host leaves it to the engine.
const AUTO_HASH_MB: RangeInclusive<usize> = 64..=1024;
/// The share of the memory that it is then.
const AUTO_HASH_SHARE: usize = 16;
/// The most threads.
pub const MAX_THREADS: usize = 1024;

/// All settings of a host. They start blank: their defaults are in the option table (`options::default_settings`).
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// The rule set that a host has chosen by a name of its own; it comes before `rule_set`.
    pub host_rule_set: Option<RuleSet>,
    pub natural_limit: NaturalLimit,
    /// What a draw counts as.
    pub draws: DrawRule,
    /// Checks of the longest series that threatens mate, where a rule set forbids such threats.
    pub mating_checks: u32,
    /// A host has set rules by names of its own: the effective rules are reported once.
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
    /// The host has sent text in GBK.
    pub host_sends_gbk: bool,
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
    /// Options that are passed to the searcher unchanged.
    pub search: search::Options,
}

/// The options that set the natural limit. Hosts send the defaults of all of them back, in any order, so the order in
/// which they are set must not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NaturalLimit {
    /// `NaturalLimit`, `drawmoves`: plies without a capture; `None` = the rule set's own limit.
    pub plies: Option<usize>,
    /// `Rule60MaxPly`: comes before `plies`.
    pub rule60_plies: Option<usize>,
    /// `Sixty Move Rule` is off: there is no limit.
    pub disabled: bool,
}

impl NaturalLimit {
    /// The limit in plies, 0 = none; `None` = the rule set's own.
    fn effective(self) -> Option<usize> {
        if self.disabled { Some(0) } else { self.rule60_plies.or(self.plies) }
    }
}

impl Settings {
    /// The hash size, with the engine's default filled in.
    pub fn effective_hash_mb(&self) -> usize {
        match self.hash_mb {
            0 => automatic_hash_mb(memory::total_memory_mb().or_else(total_memory_mb)),
            size => size,
        }
    }

    /// The rules, with the natural limit of the rule set filled in.
    pub fn rules(&self) -> Rules {
        let set = self.host_rule_set.unwrap_or(self.rule_set);
        let rules = Rules::with_limit(set, self.natural_limit.effective());
        Rules { draws: self.draws, mating_checks: self.mating_checks, ..rules }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::options::default_settings;
    use chuhe_study::player::MAX_ELO;

    #[test]
    fn option_defaults_match_the_searcher_defaults() {
        assert_eq!(default_settings().search_options(), search::Options::default());
    }

    #[test]
    fn automatic_sizes_follow_the_machine_within_bounds() {
        let sizes = [None, Some(512), Some(4096), Some(16_384), Some(262_144)].map(automatic_hash_mb);
        assert_eq!(sizes, [64, 64, 256, 1024, 1024]);
        assert_eq!([1, 2, 16, 1000].map(automatic_threads), [1, 1, 15, 999]);
    }

    #[test]
    fn skill_and_elo_apply_the_weaker_limit() {
        let mut settings = Settings { skill: 12, elo: 2460, ..default_settings() };
        assert_eq!(settings.search_options().skill, 12.0);
        settings.limit_strength = true;
        assert_eq!(settings.search_options().skill, 10.0);
        settings.elo = MAX_ELO;
        assert_eq!(settings.search_options().skill, 12.0);
        settings.elo = 1;
        assert_eq!(settings.search_options().skill, 0.0);
    }
}
