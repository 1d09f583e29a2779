//! Reports of a tournament: plain lines, a live table on a terminal, JSON lines, or an HTML page.

mod json;
pub mod page;
mod text_report;

use super::game::GameOutcome;
use super::standings::{ScheduledGame, Standings, TournamentInfo};
use super::tournament::TournamentObserver;
use chuhe_support::language::tr;
use chuhe_support::terminal::{self, ProgressDisplay};
use chuhe_support::text_width::wrap;
pub use json::JsonReport;
use std::io::{self, Write};
pub use text_report::{headline, table};

/// Plain lines: one per game, a table at the end.
pub struct PlainReport<'a> {
    roster: &'a TournamentInfo,
    out: &'a mut dyn Write,
}

impl<'a> PlainReport<'a> {
    pub fn new(roster: &'a TournamentInfo, out: &'a mut dyn Write) -> PlainReport<'a> {
        PlainReport { roster, out }
    }
}

impl TournamentObserver for PlainReport<'_> {
    fn game_over(&mut self, scheduled: &ScheduledGame, played: &GameOutcome, standings: &Standings) -> io::Result<()> {
        let summary = headline(self.roster, standings);
        writeln!(self.out, "{}  {summary}", game_line(self.roster, scheduled, played))?;
        if let Some(diagnostics) = &played.diagnostics {
            write!(self.out, "{diagnostics}")?;
        }
        self.out.flush()
    }

    fn tournament_over(&mut self, standings: &Standings) -> io::Result<()> {
        write!(self.out, "\n{}", table(self.roster, standings, usize::MAX))?;
        self.out.flush()
    }
}

/// A table that is redrawn after each game, above a progress bar.
pub struct LiveReport<'a> {
    roster: &'a TournamentInfo,
    out: &'a mut dyn Write,
    progress: Option<ProgressDisplay>,
}

impl<'a> LiveReport<'a> {
    pub fn new(roster: &'a TournamentInfo, out: &'a mut dyn Write) -> LiveReport<'a> {
        LiveReport { roster, out, progress: None }
    }
}

impl TournamentObserver for LiveReport<'_> {
    fn game_over(&mut self, scheduled: &ScheduledGame, played: &GameOutcome, standings: &Standings) -> io::Result<()> {
        let (width, done) = (terminal::terminal_width(true), standings.games());
        let progress = self.progress.get_or_insert_with(|| {
            let progress = ProgressDisplay::on_stdout(Some(self.roster.planned as u64));
            // Games of a resumed record do not count for the remaining time.
            progress.set_already_done(done - 1);
            progress
        });
        let line = format!("{}\n", game_line(self.roster, scheduled, played));
        if let Some(diagnostics) = &played.diagnostics {
            progress.suspend(|| write!(self.out, "{}{diagnostics}", wrap(&line, width)))?;
        }
        progress.set_lines_above(table(self.roster, standings, width) + &wrap(&line, width));
        progress.set(done, &tr!("{done} of {total} games", done, total = self.roster.planned));
        Ok(())
    }

    fn tournament_over(&mut self, standings: &Standings) -> io::Result<()> {
        self.progress = None;
        write!(self.out, "{}", table(self.roster, standings, terminal::terminal_width(true)))?;
        self.out.flush()
    }

    fn print_beside(&mut self, say: &dyn Fn()) {
        match &self.progress {
            Some(progress) => progress.suspend(say),
            None => say(),
        }
    }
}

/// Number, players, result and ending of a game.
fn game_line(roster: &TournamentInfo, scheduled: &ScheduledGame, played: &GameOutcome) -> String {
    let name = |engine: usize| &roster.names[engine];
    tr!(
        "game {number}: {red} - {black}  {result}  ({ending}, {moves} moves)",
        number = scheduled.number + 1,
        red = name(scheduled.red),
        black = name(scheduled.black),
        result = played.result(),
        ending = played,
        moves = played.plies.len().div_ceil(2),
    )
}
