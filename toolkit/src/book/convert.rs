//! Turning one kind of book into another, and putting it on the disk.

use super::eleeye::{EleEyeBook, position_records};
use super::memory_book::{BookEntry, MemoryBook};
use super::traverse::{WalkStats, walk};
use super::{Book, ProbeError, chb};
use chuhe_engine::board::Position;
use chuhe_engine::files::{OutputError, OverwritePolicy};
use chuhe_engine::language::tr;
use std::path::Path;
use thiserror::Error;

/// A kind of book that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// Chuhe's own, `.chb`.
    Chuhe,
    /// ElephantEye's, `.dat`.
    EleEye,
    /// The open database, `.xqb`.
    #[cfg(feature = "sqlite")]
    Xqb,
}

/// The endings that names of books may have.
#[cfg(not(feature = "sqlite"))]
const KNOWN_EXTENSIONS: &str = ".chb (a book of Chuhe) or .dat (a BOOK.DAT)";
/// The endings that names of books may have.
#[cfg(feature = "sqlite")]
const KNOWN_EXTENSIONS: &str = ".chb (a book of Chuhe), .dat (a BOOK.DAT) or .xqb (a database)";

/// A file's name does not tell what kind of book it is to be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{name}': the name must end in {known}", name = _0, known = KNOWN_EXTENSIONS))]
pub struct UnknownBookFormat(String);

impl BookFormat {
    /// What the name of a file says.
    pub fn from_path(path: &Path) -> Result<BookFormat, UnknownBookFormat> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "chb" => Ok(BookFormat::Chuhe),
            "dat" => Ok(BookFormat::EleEye),
            #[cfg(feature = "sqlite")]
            "xqb" => Ok(BookFormat::Xqb),
            _ => Err(UnknownBookFormat(path.display().to_string())),
        }
    }
}

/// What became of a book.
#[derive(Clone, Debug)]
pub struct ReachableBook {
    /// All that was found in it.
    pub pages: MemoryBook,
    /// What the walk through it saw.
    pub walked: WalkStats,
}

/// All that a book says about the positions that can be reached from the start.
pub fn collect_reachable(book: &dyn Book) -> Result<ReachableBook, ProbeError> {
    let mut pages = MemoryBook::default();
    let walked = walk(book, &Position::start(), &mut |position, moves| {
        for found in moves {
            *pages.entry(position, found.mv) = BookEntry {
                weight: found.weight.min(u16::MAX.into()) as u16,
                score: found.score.map(BookEntry::clamp_score),
                games: found.games,
            };
        }
        true
    })?;
    Ok(ReachableBook { pages, walked })
}

/// The bytes of a book in this format. Of the formats of others they hold what can be reached from the start.
fn encode(pages: &MemoryBook, format: BookFormat, note: &str) -> Result<Vec<u8>, BookWriteError> {
    match format {
        BookFormat::Chuhe => Ok(chb::write(pages, note)),
        BookFormat::EleEye => Ok(eleeye_bytes(pages)),
        #[cfg(feature = "sqlite")]
        BookFormat::Xqb => Ok(super::database::write_xqb(pages)?),
    }
}

fn eleeye_bytes(pages: &MemoryBook) -> Vec<u8> {
    let mut records = Vec::new();
    let walked = walk(pages, &Position::start(), &mut |position, moves| {
        records.extend(position_records(position, moves));
        true
    });
    walked.expect("pages answer always");
    EleEyeBook::from_records(records).write()
}

/// Why a book was not written.
#[derive(Debug, Error)]
pub enum BookWriteError {
    /// Something else has the name, or the system refused.
    #[error(transparent)]
    File(#[from] OutputError),
    /// The database was not made.
    #[cfg(feature = "sqlite")]
    #[error("{}", tr!("the database cannot be made: {cause}", cause = _0))]
    Sql(#[from] rusqlite::Error),
}

/// Puts a book into its place as a whole; how many bytes it has.
pub fn write_book(
    path: &Path,
    over: OverwritePolicy,
    pages: &MemoryBook,
    format: BookFormat,
    note: &str,
) -> Result<usize, BookWriteError> {
    let bytes = encode(pages, format, note)?;
    over.write(path, &bytes)?;
    Ok(bytes.len())
}
