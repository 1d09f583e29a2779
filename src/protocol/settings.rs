//! What the options of the table have been set to.

use super::voice::Voice;
use chuhe_engine::rules::{RuleSet, Rules};
use chuhe_engine::search;
use chuhe_toolkit::book::Variety;
use chuhe_toolkit::player::skill_of_elo;
use chuhe_toolkit::record::Ranks;
use std::path::PathBuf;
use std::thread;

/// The table's size in megabytes when the host leaves it to the engine.
pub const AUTO_HASH_MB: usize = 64;
/// Everything a host may set. The defaults stand in the option table alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// UCCI's times are milliseconds, not seconds.
    pub milliseconds: bool,
    /// How ranks are counted in moves; `None` = what the host's moves say.
    pub ranks: Option<Ranks>,
    /// Read nothing while a search under a limit runs.
    pub batch: bool,
    pub debug: bool,
    /// UCI's win, draw and loss chances.
    pub show_wdl: bool,
    pub promotion: bool,
    /// Megabytes of the hash table; 0 = the engine decides.
    pub hash_mb: usize,
    /// Threads; 0 = the engine decides.
    pub threads: usize,
    /// Which rules of repetition.
    pub rule_set: RuleSet,
    /// Plies without a capture; `None` = as the rule set has it.
    pub natural_limit: Option<usize>,
    /// A host that knows a switch for it has switched the natural limit off.
    pub unlimited: bool,
    /// 0 to 20.
    pub skill: i64,
    /// Whether `elo` limits the strength.
    pub limit_strength: bool,
    /// The strength to play at, if limited.
    pub elo: i64,
    /// The network to evaluate by; empty = the embedded one.
    pub eval_file: PathBuf,
    /// Where the conversation is written down; empty = nowhere.
    pub log_file: PathBuf,
    /// How people are told things.
    pub voice: Voice,
    /// Whether endgame tables are used.
    pub use_tables: bool,
    /// Folders of endgame tables, with `;` between them.
    pub table_paths: PathBuf,
    /// Whether books answer, in UCCI.
    pub use_book: bool,
    /// The same in UCI, where hosts have books of their own.
    pub own_book: bool,
    /// Books, with `;` between them.
    pub book_files: PathBuf,
    /// Plies from the beginning of a game in which books are asked.
    pub book_depth: u32,
    /// How much openings vary.
    pub book_variety: Variety,
    /// `newgame` was pressed and not yet obeyed.
    pub new_game: bool,
    /// What goes to the searcher as it is.
    pub play: search::Options,
}

impl Settings {
    /// The size of the table, the engine's own decision included.
    pub fn table_mb(&self) -> usize {
        if self.hash_mb == 0 { AUTO_HASH_MB } else { self.hash_mb }
    }

    /// The rules, the natural limit of their own included.
    pub fn rules(&self) -> Rules {
        Rules::with_limit(self.rule_set, if self.unlimited { Some(0) } else { self.natural_limit })
    }

    /// What the searcher must know.
    pub fn search_options(&self) -> search::Options {
        search::Options {
            threads: self.thread_count(),
            rules: self.rules(),
            skill: self.effective_skill(),
            ..self.play.clone()
        }
    }

    fn thread_count(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, |count| count.get()),
            count => count,
        }
    }

    /// The lower of what `skill` and the Elo limit ask for.
    fn effective_skill(&self) -> f32 {
        let skill = self.skill as f32;
        if !self.limit_strength {
            return skill;
        }
        skill.min(skill_of_elo(self.elo))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_toolkit::player::FULL_ELO;

    #[test]
    fn the_table_and_the_searcher_agree_on_what_is_normal() {
        assert_eq!(Settings::default().search_options(), search::Options::default());
    }

    #[test]
    fn the_weaker_of_two_limits_holds() {
        let mut settings = Settings { skill: 12, elo: 2460, ..Settings::default() };
        assert_eq!(settings.search_options().skill, 12.0);
        settings.limit_strength = true;
        assert_eq!(settings.search_options().skill, 10.0);
        settings.elo = FULL_ELO;
        assert_eq!(settings.search_options().skill, 12.0);
        settings.elo = 1;
        assert_eq!(settings.search_options().skill, 0.0);
    }

    #[test]
    fn the_natural_limit_follows_the_rule_set_until_it_is_set() {
        let mut settings = Settings { rule_set: RuleSet::League, ..Settings::default() };
        assert_eq!(settings.rules(), Rules::of(RuleSet::League));
        settings.natural_limit = Some(0);
        assert_eq!(settings.rules().natural_limit, 0);
    }
}
