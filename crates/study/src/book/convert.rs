//! Converts a book to another format and writes it to a file.

use super::eleeye::{EleEyeBook, position_records};
use super::memory_book::{BookEntry, MemoryBook};
use super::traverse::{WalkStats, walk};
use super::{Book, ProbeError, chb};
use chuhe_support::files::{OutputError, OverwritePolicy};
use chuhe_support::language::tr;
use std::path::Path;
use thiserror::Error;
use xiangqi::Position;

/// A book format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// Chuhe's own format, `.chb`.
    Chuhe,
    /// ElephantEye's format, `.dat`.
    EleEye,
    /// The SQLite format `.xqb`.
    #[cfg(feature = "sqlite")]
    Xqb,
}

/// The known file extensions.
fn known_extensions() -> String {
    if cfg!(feature = "sqlite") {
        tr!(".chb (a book of Chuhe), .dat (a BOOK.DAT) or .xqb (a database)")
    } else {
        tr!(".chb (a book of Chuhe) or .dat (a BOOK.DAT)")
    }
}

/// The extension of the file name is not a known book format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{name}': the name must end in {known}", name = _0, known = known_extensions()))]
pub struct UnknownBookFormat(String);

impl BookFormat {
    /// The format by the file extension.
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

/// The part of a book that can be reached from the start position.
#[derive(Clone, Debug)]
pub struct ReachableBook {
    /// Its positions.
    pub pages: MemoryBook,
    /// The statistics of the traversal.
    pub walked: WalkStats,
}

/// Collects all positions of a book that can be reached from the start position.
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

/// Encodes a book. Formats other than Chuhe's hold only positions that can be reached from the start position.
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
    /// The file exists already or could not be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// The database could not be created.
    #[cfg(feature = "sqlite")]
    #[error("{}", tr!("the database cannot be made: {cause}", cause = _0))]
    Sql(#[from] rusqlite::Error),
}

/// Writes a book to a file atomically. Returns its size in bytes.
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
