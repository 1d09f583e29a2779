//! The record of a tournament: a PGN file that grows by one whole game at a time, and from which an interrupted
//! tournament goes on.
//!
//! Each game is written in one piece and put on the disk before it counts. What a sudden end leaves behind a whole
//! game is recognised when the record is read again, and cut off.

use super::game::{Cause, Played, Ply};
use super::openings::Opening;
use super::schedule::Fixture;
use super::standings::{Finished, Standings};
use super::tournament::{Audience, Tournament};
use crate::record::pgn::{self, Entry, Record};
use crate::record::{Notation, decode};
use crate::types::{Color, Score, score};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The comment of a move that the opening prescribed.
const BOOK: &str = "book";

/// Why a record cannot be begun or continued.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// No memory for the openings that the games in it should have.
    #[error(transparent)]
    Openings(#[from] crate::search::TableSizeError),
    /// The file cannot be opened, read or written.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There are games in it already.
    #[error("{} already holds games: --resume continues them, or take another name", .0.display())]
    Exists(PathBuf),
    /// A game in it cannot be read.
    #[error("{}: {source}", file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: pgn::PgnError,
    },
    /// A game in it does not belong to this tournament.
    #[error("{}: game {game} is not one of this tournament: {what}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The number of the game in the file, from 1.
        game: usize,
        /// What does not fit.
        what: &'static str,
    },
}

/// The file of a tournament's games.
pub struct Archive<'a> {
    tournament: &'a Tournament,
    notation: Notation,
    path: PathBuf,
    file: File,
}

impl<'a> Archive<'a> {
    /// Begins a record, or opens it again to go on, which tells what has been played.
    pub fn open(
        tournament: &'a Tournament,
        path: &Path,
        notation: Notation,
        resume: bool,
    ) -> Result<(Archive<'a>, Vec<Finished>), ArchiveError> {
        let at = |source| ArchiveError::File { file: path.to_path_buf(), source };
        let file = OpenOptions::new().append(true).read(true).create(true).open(path).map_err(at)?;
        let bytes = std::fs::read(path).map_err(at)?;
        let archive = Archive { tournament, notation, path: path.to_path_buf(), file };
        if !resume {
            return if bytes.iter().all(u8::is_ascii_whitespace) {
                Ok((archive, Vec::new()))
            } else {
                Err(ArchiveError::Exists(path.to_path_buf()))
            };
        }
        // A torn game may end inside a character; up to the last whole one nothing is replaced.
        let text = String::from_utf8_lossy(&bytes);
        let whole = pgn::whole_length(&text);
        archive.file.set_len(whole as u64).map_err(at)?;
        let finished = archive.read(&decode(&bytes[..whole]))?;
        Ok((archive, finished))
    }

    /// Reads the games and finds their places.
    fn read(&self, text: &str) -> Result<Vec<Finished>, ArchiveError> {
        let mut finished = Vec::new();
        let mut seen = BTreeSet::new();
        let mut openings = self.tournament.opening_source()?;
        for (index, record) in pgn::read(text).into_iter().enumerate() {
            let record = record.map_err(|source| ArchiveError::Game { file: self.path.clone(), source })?;
            let game = self.place(&record).map_err(|what| self.foreign(index + 1, what))?;
            if !seen.insert(game.fixture.number) {
                return Err(self.foreign(index + 1, "its round was played before"));
            }
            if !begins_with(&record, &openings.opening(game.fixture.opening)) {
                return Err(self.foreign(index + 1, "it has another opening"));
            }
            finished.push(game);
        }
        Ok(finished)
    }

    fn place(&self, record: &Record) -> Result<Finished, &'static str> {
        let schedule = self.tournament.schedule();
        let round: usize =
            record.tag("Round").and_then(|round| round.parse().ok()).ok_or("it has no round number")?;
        if round == 0 || round > schedule.len() {
            return Err("its round does not exist");
        }
        let fixture = schedule.fixture(round - 1);
        let plays =
            |tag, engine: usize| record.tag(tag) == Some(self.tournament.engines[engine].name.as_str());
        if !plays("Red", fixture.red) || !plays("Black", fixture.black) {
            return Err("others play in its round");
        }
        let winner = match record.result.as_str() {
            "1-0" => Some(Color::Red),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => return Err("it has no result"),
        };
        let fault = record.tag("Fault").zip(winner).map(|(kind, winner)| (!winner, kind.to_string()));
        Ok(Finished { fixture, winner, fault })
    }

    fn foreign(&self, game: usize, what: &'static str) -> ArchiveError {
        ArchiveError::Foreign { file: self.path.clone(), game, what }
    }

    fn record(&self, fixture: &Fixture, played: &Played) -> Record {
        let name = |engine: usize| self.tournament.engines[engine].name.clone();
        let mut tags = vec![
            ("Game".to_string(), "Chinese Chess".to_string()),
            ("Event".to_string(), self.tournament.event.clone()),
            ("Date".to_string(), Timestamp::now().strftime("%Y.%m.%d").to_string()),
            ("Round".to_string(), (fixture.number + 1).to_string()),
            ("Red".to_string(), name(fixture.red)),
            ("Black".to_string(), name(fixture.black)),
            ("Termination".to_string(), played.to_string()),
        ];
        if let Cause::Fault(fault) = &played.cause {
            tags.push(("Fault".to_string(), fault.kind().to_string()));
        }
        let entry = |ply: &Ply| Entry { mv: ply.mv, comment: comment(ply) };
        Record {
            tags,
            start: played.start.clone(),
            moves: played.plies.iter().map(entry).collect(),
            result: played.result().to_string(),
        }
    }
}

impl Audience for Archive<'_> {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, _: &Standings) -> io::Result<()> {
        self.file.write_all(self.record(fixture, played).write(self.notation).as_bytes())?;
        self.file.sync_data()
    }

    fn closed(&mut self, _: &Standings) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a recorded game has this opening. A game that a failing engine lost before its first move has it too.
fn begins_with(record: &Record, opening: &Opening) -> bool {
    record.start.fen() == opening.start.fen()
        && record.moves.len() >= opening.moves.len()
        && record.moves.iter().zip(&opening.moves).all(|(entry, &mv)| entry.mv == mv)
}

/// `+0.35/12 1.25s`: score in pieces, depth, time.
fn comment(ply: &Ply) -> String {
    let Some(thought) = ply.thought else { return BOOK.to_string() };
    let score = thought.score.map_or("?".to_string(), show_score);
    format!("{score}/{} {}s", thought.depth, seconds(ply.spent))
}

fn show_score(score: Score) -> String {
    match score::mate_plies(score) {
        Some(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, (plies.abs() + 1) / 2),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_told_in_pieces_and_mates_in_moves() {
        assert_eq!(show_score(35), "+0.35");
        assert_eq!(show_score(-120), "-1.20");
        assert_eq!(show_score(score::mate_in(1)), "+M1");
        assert_eq!(show_score(score::mate_in(5)), "+M3");
        assert_eq!(show_score(score::mated_in(2)), "-M1");
    }
}
