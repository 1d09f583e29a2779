//! The record of a tournament: a PGN file that grows by one whole game at a time, and from which an interrupted
//! tournament goes on.
//!
//! Each game is written in one piece and put on the disk before it counts. What a sudden end leaves behind a whole
//! game is recognised when the record is read again, and cut off; nothing else ever is. The file is locked while a
//! tournament writes to it.

use super::conditions::{Conditions, Mismatch};
use super::game::Played;
use super::openings::Opening;
use super::results::Finished;
use super::roster::Roster;
use super::schedule::Fixture;
use super::scorebook::{self, RECORDER, Scorebook};
use super::standings::Standings;
use super::tournament::{Audience, OpeningSource};
use chuhe_engine::files::{At, FileError, open_alone};
use chuhe_engine::language::{Phrase, phrase, tr};
use chuhe_toolkit::record::{Encoding, Fault, Game, decode, pgn};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a record cannot be begun or continued.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Somebody else writes to it.
    #[error("{}", tr!("{path} is in use: another arena writes to it", path = _0.display()))]
    InUse(PathBuf),
    /// There are games in it already.
    #[error("{}", tr!("{path} already holds games: --resume continues them, or take another name", path = _0.display()))]
    Exists(PathBuf),
    /// It holds something else.
    #[error("{}", tr!("{path} is no record of the arena: it is left as it is", path = _0.display()))]
    NoRecord(PathBuf),
    /// A game in it cannot be read.
    #[error(transparent)]
    Game(#[from] FileError<Fault>),
    /// A game in it does not belong to this tournament.
    #[error("{}", tr!("{file}: game {game} is not one of this tournament: {what}", file = file.display(), game, what))]
    Foreign {
        file: PathBuf,
        /// The number of the game in the file, from 1.
        game: usize,
        /// What does not fit.
        what: Misplaced,
    },
}

/// Why a game has no place in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Misplaced {
    /// It was played under other conditions.
    #[error(transparent)]
    Conditions(#[from] Mismatch),
    /// Its round, players, result or opening do not fit.
    #[error("{0}")]
    Place(Phrase),
}

/// The file of a tournament's games.
pub struct Archive {
    path: PathBuf,
    file: File,
    /// How long the file is, whole games all of it.
    length: u64,
    book: Scorebook,
    encoding: Encoding,
}

/// How a record is kept.
#[derive(Clone, Debug)]
pub struct Keeping {
    pub path: PathBuf,
    /// How characters are written.
    pub encoding: Encoding,
    /// Go on with the games that are in it.
    pub resume: bool,
}

/// What a record holds.
pub type Contents = Vec<(Finished, Game)>;

impl Archive {
    /// Begins a record, or opens it again to go on, which tells what has been played.
    pub fn open(
        keeping: &Keeping,
        book: Scorebook,
        mut openings: OpeningSource,
    ) -> Result<(Archive, Contents), ArchiveError> {
        let path = keeping.path.as_path();
        let file = open_file(path)?;
        let bytes = std::fs::read(path).at(path)?;
        let begun = !bytes.iter().all(u8::is_ascii_whitespace);
        if begun && !keeping.resume {
            return Err(ArchiveError::Exists(path.to_path_buf()));
        }
        let (whole, torn) = bytes.split_at(pgn::whole_length(&bytes));
        let contents = read(path, &decode(whole), &book, |number| openings.opening(number))?;
        if !is_torn_game(torn) {
            return Err(ArchiveError::NoRecord(path.to_path_buf()));
        }
        // Only now is it certain that the file is ours.
        if !torn.is_empty() {
            log::warn!("{}: a game that was not written to its end is cut off", path.display());
            file.set_len(whole.len() as u64).at(path)?;
        }
        let encoding = keeping.encoding;
        let archive = Archive { path: path.to_path_buf(), file, length: whole.len() as u64, book, encoding };
        Ok((archive, contents))
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if !is_still_there(&self.path, &self.file.metadata()?) {
            return Err(io::Error::other(tr!("was removed or replaced while the tournament was played")));
        }
        let written = self.file.write_all(text).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.length += text.len() as u64,
            // Half a game, on a full disk for one, is taken back.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }
}

impl Audience for Archive {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, _: &Standings) -> io::Result<()> {
        let text = pgn::write(&self.book.record(fixture, played), self.book.notation);
        let text = self.encoding.encode(&text).into_owned();
        self.append(&text).map_err(|error| io::Error::other(format!("{}: {error}", self.path.display())))
    }

    fn closed(&mut self, _: &Standings) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a file that only one arena may write to, and anybody may read.
fn open_file(path: &Path) -> Result<File, ArchiveError> {
    // Devices and pipes cannot be read again, or not to an end.
    if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::other(tr!("is not a file"))).at(path)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).read(true).create(true);
    match open_alone(options, path) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(ArchiveError::InUse(path.to_path_buf()))
        }
        opened => Ok(opened.at(path)?),
    }
}

/// Whether the path still leads to the file that was opened there.
#[cfg(unix)]
fn is_still_there(path: &Path, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (opened.dev(), opened.ino()))
}

/// Whether the path still leads to a file; where an open one cannot be removed, it is the same.
#[cfg(not(unix))]
fn is_still_there(path: &Path, _: &Metadata) -> bool {
    path.exists()
}

/// Whether this may be what a sudden end leaves of a game of the arena: its beginning, or blanks, or what some
/// file systems put where nothing was written yet.
fn is_torn_game(bytes: &[u8]) -> bool {
    let head = format!("[Game \"Chinese Chess\"]\n[Recorder \"{RECORDER}\"]\n");
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    let text = text.trim_ascii_start();
    text.starts_with(head.as_bytes()) || head.as_bytes().starts_with(text)
}

/// Reads the games of a record and finds their places. `make` makes the opening of a number.
fn read(
    path: &Path,
    text: &str,
    book: &Scorebook,
    mut make: impl FnMut(usize) -> Opening,
) -> Result<Contents, ArchiveError> {
    let mut contents = Contents::new();
    let mut seen = BTreeSet::new();
    let mut conditions = book.conditions.clone();
    // To make each opening again would take longer than to play on. What counts is that the two games of a pair have
    // the same one; so it is made again only for pairs that are to be completed, and for the first game.
    let mut openings: BTreeMap<usize, Opening> = BTreeMap::new();
    let mut open_pairs: BTreeMap<usize, usize> = BTreeMap::new();
    let foreign = |game: usize, what| ArchiveError::Foreign { file: path.to_path_buf(), game, what };
    let another = || Misplaced::Place(phrase!("it has another opening"));
    for (index, record) in pgn::read(text).into_iter().enumerate() {
        let record = record.at(path)?;
        if index == 0 && record.tag("Recorder") != Some(RECORDER) {
            return Err(ArchiveError::NoRecord(path.to_path_buf()));
        }
        let game = place(&record, &book.roster, &mut conditions).map_err(|what| foreign(index + 1, what))?;
        if !seen.insert(game.fixture.number) {
            return Err(foreign(index + 1, Misplaced::Place(phrase!("its round was played before"))));
        }
        let number = game.fixture.opening;
        let opening = openings.entry(number).or_insert_with(|| match index {
            0 => make(number),
            _ => scorebook::opening(&record),
        });
        if !scorebook::begins_with(&record, opening) {
            return Err(foreign(index + 1, another()));
        }
        if open_pairs.remove(&game.fixture.pair()).is_none() {
            open_pairs.insert(game.fixture.pair(), index);
        }
        contents.push((game, record));
    }
    for index in open_pairs.into_values() {
        let (game, record) = &contents[index];
        if !scorebook::begins_with(record, &make(game.fixture.opening)) {
            return Err(foreign(index + 1, another()));
        }
    }
    Ok(contents)
}

/// The place of a recorded game in a tournament.
pub fn place(record: &Game, roster: &Roster, conditions: &mut Conditions) -> Result<Finished, Misplaced> {
    let round = scorebook::round(record).ok_or(Misplaced::Place(phrase!("it has no round number")))?;
    if round > roster.schedule.len() {
        return Err(Misplaced::Place(phrase!("its round does not exist")));
    }
    let fixture = roster.schedule.fixture(round - 1);
    conditions.check(record, &fixture)?;
    let plays = |tag, engine: usize| record.tag(tag) == roster.names.get(engine).map(String::as_str);
    if !plays("Red", fixture.red) || !plays("Black", fixture.black) {
        return Err(Misplaced::Place(phrase!("others play in its round")));
    }
    scorebook::finished(record, fixture).ok_or(Misplaced::Place(phrase!("it has no result")))
}
