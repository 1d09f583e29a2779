//! The session's options: setting them, and what follows from a changed one.

use super::dialect::Dialect;
use super::session::Session;
use super::settings::Settings;
use super::{command, options, terminal};
use chuhe_engine::nnue::{Network, large_network};
use chuhe_engine::search;
use chuhe_support::language::{Phrase, phrase, reason, tr};
use chuhe_support::messages::Localize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xiangqi::{Color, DrawRule};

impl Session {
    /// Handles `setoption`.
    pub(super) fn set_option(&mut self, name: &str, value: &[u8]) {
        let Settings { promotion, ranks, threads, .. } = self.settings;
        match options::set_option(self.dialect, name, value, &mut self.settings) {
            Err(error) => return self.send_message(&error.to_string()),
            Ok(false) => return self.send_message(&terminal::unknown_option(self.dialect, name)),
            Ok(true) => {}
        }
        if self.settings.threads != threads {
            self.check_threads(threads);
        }
        if self.settings.promotion != promotion {
            self.apply_variant();
        }
        if self.settings.ranks != ranks {
            self.position_state.ranks = self.settings.ranks.unwrap_or_default();
        }
        self.output.set_encoding(self.message_encoding());
        if *self.settings.effective_log_file() != self.log_file {
            self.apply_log_file();
        }
        if self.settings.eval_file != self.eval_file {
            self.apply_network();
        }
        self.apply_options();
    }

    /// Reports the effective rules, once, to a host that sets them by names of its own.
    pub(super) fn report_rules(&mut self) {
        let rules = self.settings.rules();
        if !self.settings.host_sets_rules || self.reported_rules == Some(rules) {
            return;
        }
        self.reported_rules = Some(rules);
        let (set, plies) = (rules.set.localized(), rules.natural_limit);
        let played = match plies {
            0 => tr!("rules: {set}, without a limit of moves", set),
            _ => tr!("rules: {set}, a draw after {plies} plies without a capture", set, plies),
        };
        self.send_message(&match draws_as_wins(rules.draws) {
            None => played,
            Some(wins) => tr!("{played}; {wins}", played, wins),
        });
    }

    /// Goes back to this number of threads if the memory is not enough for the new one.
    fn check_threads(&mut self, before: usize) {
        let wanted = self.settings.effective_threads();
        if let Err(error) = search::check_thread_memory(wanted) {
            self.settings.threads = before;
            self.send_message(&tr!(
                "{error}; it stays at {count}",
                error = error.localized(),
                count = self.settings.effective_threads()
            ));
        }
    }

    /// Switches to another network from the next search on; if the file has none, the current one stays.
    fn apply_network(&mut self) {
        let file = self.settings.eval_file.clone();
        let read = if file.as_os_str().is_empty() { Ok(large_network()) } else { Network::open(&file).map(Arc::new) };
        match read {
            Ok(network) => {
                self.settings.search.network = network;
                self.eval_file = file;
            }
            Err(_) if is_default_of_another_engine(&file) => {
                self.settings.search.network = large_network();
                (self.settings.eval_file, self.eval_file) = Default::default();
                self.send_message(&tr!(
                    "evalfile: there is no {file} here; the network inside the program evaluates",
                    file = command::shortened(&file.display().to_string())
                ));
            }
            Err(error) => {
                self.settings.eval_file = self.eval_file.clone();
                self.send_message(&tr!("evalfile: {error}; the evaluation stays as it is", error = error.localized()));
            }
        }
    }

    /// Applies changed settings, at once if the engine is idle, else when it becomes idle.
    pub(super) fn apply_options(&mut self) {
        let Some(searcher) = self.player.searcher().filter(|_| self.job.is_none()) else { return };
        searcher.options = self.settings.search_options();
        if std::mem::take(&mut self.settings.new_game) {
            self.player.new_game();
        }
        self.apply_hash_size();
        self.apply_tablebases();
        self.apply_books();
    }

    /// Opens the books of the settings, if they have changed.
    pub(super) fn apply_books(&mut self) {
        if self.uses_books() {
            self.player.books.configure(&self.settings.book_files);
            self.player.books.take_warnings().iter().for_each(|remark| self.send_message(remark));
        }
    }

    /// Whether books are used: each protocol has its own option for it.
    pub(super) fn uses_books(&self) -> bool {
        match self.dialect {
            Dialect::Ucci => self.settings.use_book,
            Dialect::Uci => self.settings.own_book,
        }
    }

    /// Opens the endgame tables of the settings, if they have changed.
    fn apply_tablebases(&mut self) {
        let remarks = self.player.configure_tablebases(self.settings.use_tables, &self.settings.table_paths);
        remarks.iter().for_each(|remark| self.send_message(remark));
    }

    fn apply_hash_size(&mut self) {
        let size = self.settings.effective_hash_mb();
        // A large table takes time to populate, which is not to be on the clock of the first move.
        if let Err(error) = self.player.resize_hash(size) {
            self.settings.hash_mb = self.player.hash_mb();
            self.send_message(&tr!(
                "{error}; it stays at {size} MB",
                error = error.localized(),
                size = self.settings.hash_mb
            ));
        }
    }

    /// Reads the position again after a change of variant, if it exists there.
    fn apply_variant(&mut self) {
        let (setup, ranks) = &self.position_state.setup;
        match setup.position_with(self.settings.promotion, *ranks) {
            Ok(position) => self.position_state.position = position,
            Err(error) => self.send_message(&tr!("the position stays as it was: {error}", error = error.localized())),
        }
    }

    fn apply_log_file(&mut self) {
        let path = self.settings.effective_log_file().clone();
        match self.output.log_to(&path) {
            Ok(()) => self.log_file = path,
            Err(error) => {
                [&mut self.log_file, &mut self.settings.log_file, &mut self.settings.debug_log_file]
                    .into_iter()
                    .for_each(PathBuf::clear);
                self.send_message(&tr!("no log in '{path}': {error}", path = path.display(), error = reason(&error)));
            }
        }
    }
}

/// Who wins by a draw, in words.
fn draws_as_wins(draws: DrawRule) -> Option<Phrase> {
    Some(match draws {
        DrawRule::Draw => return None,
        DrawRule::Wins(Color::Red) => phrase!("a draw counts as a win for Red"),
        DrawRule::Wins(Color::Black) => phrase!("a draw counts as a win for Black"),
        DrawRule::RepetitionWins(Color::Red) => phrase!("a draw by repetition counts as a win for Red"),
        DrawRule::RepetitionWins(Color::Black) => phrase!("a draw by repetition counts as a win for Black"),
    })
}

/// Whether this is the network that another engine names as its default: hosts send it to all engines.
fn is_default_of_another_engine(file: &Path) -> bool {
    let is_bare_name = file.components().count() == 1;
    is_bare_name && file.extension().is_some_and(|kind| kind == "nnue") && !file.exists()
}
