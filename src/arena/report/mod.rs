//! What people and scripts see of a tournament: plain lines, a live table on a terminal, JSON, or a page.

mod json;
pub mod page;
mod text;

pub use json::Json;
pub use text::{headline, table};

use super::game::Played;
use super::roster::Roster;
use super::schedule::Fixture;
use super::standings::Standings;
use super::tournament::Audience;
use crate::terminal::{self, Progress};
use chuhe_engine::language::tr;
use chuhe_toolkit::text::wrapped;
use std::io::{self, Write};

/// Plain lines: one for each game, a table at the end.
pub struct Plain<'a> {
    roster: &'a Roster,
    out: &'a mut dyn Write,
}

impl<'a> Plain<'a> {
    /// Shows a tournament on this output.
    pub fn new(roster: &'a Roster, out: &'a mut dyn Write) -> Plain<'a> {
        Plain { roster, out }
    }
}

impl Audience for Plain<'_> {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, standings: &Standings) -> io::Result<()> {
        let summary = headline(self.roster, standings);
        writeln!(self.out, "{}  {summary}", game_line(self.roster, fixture, played))?;
        if let Some(evidence) = &played.evidence {
            write!(self.out, "{evidence}")?;
        }
        self.out.flush()
    }

    fn closed(&mut self, standings: &Standings) -> io::Result<()> {
        write!(self.out, "\n{}", table(self.roster, standings, usize::MAX))?;
        self.out.flush()
    }
}

/// A table that changes with each game, above a bar that shows how far it is.
pub struct Live<'a> {
    roster: &'a Roster,
    out: &'a mut dyn Write,
    progress: Option<Progress>,
}

impl<'a> Live<'a> {
    /// Shows a tournament on this terminal.
    pub fn new(roster: &'a Roster, out: &'a mut dyn Write) -> Live<'a> {
        Live { roster, out, progress: None }
    }
}

impl Audience for Live<'_> {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, standings: &Standings) -> io::Result<()> {
        let (width, done) = (terminal::width(true), standings.games());
        let progress = self.progress.get_or_insert_with(|| {
            let progress = Progress::on_output(Some(self.roster.planned as u64));
            // Games of a record that is gone on with took no time.
            progress.begin_at(done - 1);
            progress
        });
        let line = format!("{}\n", game_line(self.roster, fixture, played));
        if let Some(evidence) = &played.evidence {
            progress.aside(|| write!(self.out, "{}{evidence}", wrapped(&line, width)))?;
        }
        progress.stands_below(table(self.roster, standings, width) + &wrapped(&line, width));
        progress.at(done, &tr!("{done} of {total} games", done, total = self.roster.planned));
        Ok(())
    }

    fn closed(&mut self, standings: &Standings) -> io::Result<()> {
        self.progress = None;
        write!(self.out, "{}", table(self.roster, standings, terminal::width(true)))?;
        self.out.flush()
    }

    fn beside(&mut self, say: &dyn Fn()) {
        match &self.progress {
            Some(progress) => progress.aside(say),
            None => say(),
        }
    }
}

/// A game's number, players, result and end.
fn game_line(roster: &Roster, fixture: &Fixture, played: &Played) -> String {
    let name = |engine: usize| &roster.names[engine];
    format!(
        "game {}: {} - {}  {}  ({played}, {} moves)",
        fixture.number + 1,
        name(fixture.red),
        name(fixture.black),
        played.result(),
        played.plies.len().div_ceil(2),
    )
}
