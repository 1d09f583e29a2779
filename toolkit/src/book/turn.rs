//! Turning one kind of book into another, and putting it on the disk.

use super::answer::{Book, ProbeError};
use super::eleeye::{EleEyeBook, records_of};
use super::own;
use super::pages::{Entry, Pages};
use super::walk::{Walked, walk};
use chuhe_engine::board::Position;
use chuhe_engine::files::{OutputError, Over};
use chuhe_engine::language::tr;
use std::path::Path;
use thiserror::Error;

/// A kind of book that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Chuhe's own, `.chb`.
    Own,
    /// ElephantEye's, `.dat`.
    EleEye,
    /// The open database, `.xqb`.
    #[cfg(feature = "sqlite")]
    Xqb,
}

/// The endings that names of books may have.
#[cfg(not(feature = "sqlite"))]
const KNOWN: &str = ".chb (a book of Chuhe) or .dat (a BOOK.DAT)";
/// The endings that names of books may have.
#[cfg(feature = "sqlite")]
const KNOWN: &str = ".chb (a book of Chuhe), .dat (a BOOK.DAT) or .xqb (a database)";

/// A file's name does not tell what kind of book it is to be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{name}': the name must end in {known}", name = _0, known = KNOWN))]
pub struct UnknownFormat(String);

impl Format {
    /// What the name of a file says.
    pub fn of(path: &Path) -> Result<Format, UnknownFormat> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "chb" => Ok(Format::Own),
            "dat" => Ok(Format::EleEye),
            #[cfg(feature = "sqlite")]
            "xqb" => Ok(Format::Xqb),
            _ => Err(UnknownFormat(path.display().to_string())),
        }
    }
}

/// What became of a book.
#[derive(Clone, Debug)]
pub struct Turned {
    /// All that was found in it.
    pub pages: Pages,
    /// What the walk through it saw.
    pub walked: Walked,
}

/// All that a book says about the positions that can be reached from the start.
pub fn gather(book: &dyn Book) -> Result<Turned, ProbeError> {
    let mut pages = Pages::default();
    let walked = walk(book, &Position::start(), &mut |position, moves| {
        for found in moves {
            *pages.entry(position, found.mv) = Entry {
                weight: found.weight.min(u16::MAX.into()) as u16,
                score: found.score.map(Entry::pack_score),
                games: found.games,
            };
        }
        true
    })?;
    Ok(Turned { pages, walked })
}

/// The bytes of a book in this format. Of the formats of others they hold what can be reached from the start.
fn bytes(pages: &Pages, format: Format, note: &str) -> Result<Vec<u8>, PutError> {
    match format {
        Format::Own => Ok(own::write(pages, note)),
        Format::EleEye => Ok(eleeye_bytes(pages)),
        #[cfg(feature = "sqlite")]
        Format::Xqb => Ok(super::database::write_xqb(pages)?),
    }
}

fn eleeye_bytes(pages: &Pages) -> Vec<u8> {
    let mut records = Vec::new();
    let walked = walk(pages, &Position::start(), &mut |position, moves| {
        records.extend(records_of(position, moves));
        true
    });
    walked.expect("pages answer always");
    EleEyeBook::of(records).write()
}

/// Why a book was not written.
#[derive(Debug, Error)]
pub enum PutError {
    /// Something else has the name, or the system refused.
    #[error(transparent)]
    File(#[from] OutputError),
    /// The database was not made.
    #[cfg(feature = "sqlite")]
    #[error("{}", tr!("the database cannot be made: {cause}", cause = _0))]
    Sql(#[from] rusqlite::Error),
}

/// Puts a book into its place as a whole; how many bytes it has.
pub fn put(path: &Path, over: Over, pages: &Pages, format: Format, note: &str) -> Result<usize, PutError> {
    let bytes = bytes(pages, format, note)?;
    over.write(path, &bytes)?;
    Ok(bytes.len())
}
