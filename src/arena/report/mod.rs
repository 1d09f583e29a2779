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
use std::io::{self, Write};
use std::time::Instant;

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
        write!(self.out, "\n{}", table(self.roster, standings))?;
        self.out.flush()
    }
}

/// A table that is drawn anew after each game, with a bar that shows how far it is.
pub struct Live<'a> {
    roster: &'a Roster,
    out: &'a mut dyn Write,
    begun: Instant,
    /// Games that this run has played; those of a resumed record took no time.
    played: u64,
    /// Lines on the screen that the next drawing replaces.
    lines: usize,
}

impl<'a> Live<'a> {
    /// Shows a tournament on this terminal.
    pub fn new(roster: &'a Roster, out: &'a mut dyn Write) -> Live<'a> {
        Live { roster, out, begun: Instant::now(), played: 0, lines: 0 }
    }

    fn draw(&mut self, text: &str) -> io::Result<()> {
        // Up to the first line of the last drawing, and clear from there.
        if self.lines > 0 {
            write!(self.out, "\x1b[{}A\r\x1b[J", self.lines)?;
        }
        self.lines = text.lines().count();
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn bar(&self, done: u64) -> String {
        const WIDTH: u64 = 40;
        let total = self.roster.planned as u64;
        let filled = (done * WIDTH / total.max(1)).min(WIDTH) as usize;
        let spent = self.begun.elapsed().as_secs_f64();
        let left = spent / self.played.max(1) as f64 * total.saturating_sub(done) as f64;
        format!(
            "[{}{}] {done}/{total} games, {} played, {} to go\n",
            "#".repeat(filled),
            ".".repeat(WIDTH as usize - filled),
            clock(spent),
            clock(left)
        )
    }
}

impl Audience for Live<'_> {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, standings: &Standings) -> io::Result<()> {
        self.played += 1;
        if let Some(evidence) = &played.evidence {
            // This stays above the table.
            self.draw(&format!("{}\n{evidence}", game_line(self.roster, fixture, played)))?;
            self.lines = 0;
        }
        let mut text = table(self.roster, standings);
        text.push_str(&format!("{}\n", game_line(self.roster, fixture, played)));
        text.push_str(&self.bar(standings.games()));
        self.draw(&text)
    }

    fn closed(&mut self, standings: &Standings) -> io::Result<()> {
        self.draw(&table(self.roster, standings))
    }
}

/// `1:02:03`.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
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
