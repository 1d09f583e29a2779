//! Opens a book file of any format, detected by its content.

use super::Book;
use super::chb::{self, ChuheBook, ChuheBookError};
use super::eleeye::{EleEyeBook, EleEyeError};
use chuhe_support::files::{open_regular, read_regular};
use chuhe_support::language::{reason, tr};
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The name of the embedded book in place of a file name.
pub const EMBEDDED_BOOK_NAME: &str = "own";
/// The magic bytes of a SQLite database.
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";
/// The size limit of books that are read into memory.
const MAX_BOOK_SIZE: u64 = 1 << 29;

/// Why a book cannot be opened.
#[derive(Debug, Error)]
#[error("{}", tr!("'{path}' {problem}", path = path.display(), problem))]
pub struct BookOpenError {
    pub path: PathBuf,
    pub problem: BookProblem,
}

/// An error in a book file.
#[derive(Debug, Error)]
pub enum BookProblem {
    /// The file cannot be read.
    #[error("{}", tr!("cannot be read: {cause}", cause = reason(_0)))]
    Io(#[from] io::Error),
    /// Invalid `.chb` file.
    #[error(transparent)]
    Chuhe(#[from] ChuheBookError),
    /// Invalid BOOK.DAT.
    #[error(transparent)]
    EleEye(#[from] EleEyeError),
    /// Not a known book database.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Database(#[from] super::database::DatabaseError),
    #[cfg(not(feature = "sqlite"))]
    #[error("{}", tr!("is a database (.obk, .pfBook or .xqb), which this program was built without: --features sqlite"))]
    Database,
    /// The file has the extension of a database, but not its content.
    #[error("{}", tr!("is encrypted or damaged: it does not begin as a database does"))]
    Encrypted,
}

/// Opens a book of any format.
pub fn open_book(path: &Path) -> Result<Arc<dyn Book>, BookOpenError> {
    if path.as_os_str() == EMBEDDED_BOOK_NAME {
        return Ok(Arc::new(ChuheBook::embedded()));
    }
    read(path).map_err(|problem| BookOpenError { path: path.to_path_buf(), problem })
}

fn read(path: &Path) -> Result<Arc<dyn Book>, BookProblem> {
    let mut head = Vec::new();
    open_regular(path)?.take(SQLITE_MAGIC.len() as u64).read_to_end(&mut head)?;
    if head == SQLITE_MAGIC {
        return open_database(path);
    }
    let bytes = read_regular(path, MAX_BOOK_SIZE)?;
    if bytes.starts_with(chb::MAGIC) {
        return Ok(Arc::new(ChuheBook::read(Cow::Owned(bytes))?));
    }
    if is_named_as_database(path) {
        return Err(BookProblem::Encrypted);
    }
    Ok(Arc::new(EleEyeBook::read(&bytes)?))
}

#[cfg(feature = "sqlite")]
fn open_database(path: &Path) -> Result<Arc<dyn Book>, BookProblem> {
    Ok(super::database::open(path)?)
}

#[cfg(not(feature = "sqlite"))]
fn open_database(_: &Path) -> Result<Arc<dyn Book>, BookProblem> {
    Err(BookProblem::Database)
}

fn is_named_as_database(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ["obk", "pfbook", "xqb"].contains(&extension.as_str())
}
