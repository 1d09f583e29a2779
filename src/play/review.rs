//! `review` in a game at the terminal: searches every position of the game and shows where it turned.

use super::PlayError;
use super::conversation::TerminalGame;
use chuhe_engine::search::{Control, Limits, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::game::game_record;
use chuhe_study::player::HASH_MB;
use chuhe_study::review::{self, Review};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::{io, thread};

/// The time for a position, unless one is given.
const TIME_PER_POSITION: Duration = Duration::from_millis(500);

impl TerminalGame<'_> {
    /// Reviews the game, with this time for each position.
    pub(super) fn review(&mut self, time: Option<Duration>) -> Result<(), PlayError> {
        if self.game.moves().is_empty() {
            return Ok(self.writer.write_wrapped(&tr!("There is no move to review yet."))?);
        }
        let (record, rules) = (game_record::to_record(&self.game), self.game.rules);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let options = Options { threads, rules, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, HASH_MB)?;
        searcher.tablebase = Some(Arc::new(Tablebase::open(&[])));
        let limits = Limits::move_time(time.unwrap_or(TIME_PER_POSITION));
        let (control, interrupt) = (Arc::new(Control::new(false)), &self.interrupt_flag);
        let shows_progress = self.listener.is_interactive();
        let analysis = thread::scope(|scope| {
            let search = || {
                let display = shows_progress.then(|| ProgressDisplay::on_stdout(None));
                let mut progress = |done: usize, total: usize| {
                    if let Some(display) = &display {
                        display.set(done as u64, &tr!("{done} of {total} positions", done, total));
                    }
                };
                review::analyse_game(&record, &mut searcher, &limits, &control, &mut progress)
            };
            let running = thread::Builder::new().name("review".to_string()).spawn_scoped(scope, search)?;
            while !running.is_finished() {
                if interrupt.swap(false, Ordering::Relaxed) {
                    control.stop();
                }
                thread::sleep(POLL_INTERVAL);
            }
            running.join().map_err(|_| io::Error::other(tr!("the search has failed")))
        })?;
        let mut review = Review::of(record, rules, analysis);
        review.find_reasons(searcher.tablebase.as_deref(), &control);
        let table = review::table(&review, self.writer.colour_mode(), self.writer.width());
        self.writer.write_lines(&table.lines().map(String::from).collect::<Vec<_>>())?;
        Ok(self.writer.write_wrapped(&tr!("`save FILE` and `chuhe review FILE --html PAGE` make a page of it."))?)
    }
}
