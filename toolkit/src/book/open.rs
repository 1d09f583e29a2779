//! Books in files: which kind a file is of is told by what is in it.

use super::answer::Book;
use super::eleeye::{EleEyeBook, EleEyeError};
use super::own::{self, OwnBook, OwnError};
use chuhe_engine::language::{reason, tr};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The word that names the book inside the program where a file could stand.
pub const EMBEDDED: &str = "own";
/// How every SQLite database begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Why a file is no book that can be used.
#[derive(Debug, Error)]
#[error("{}", tr!("'{path}' {problem}", path = path.display(), problem))]
pub struct OpenError {
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum Problem {
    /// The system said no.
    #[error("{}", tr!("cannot be read: {cause}", cause = reason(_0)))]
    Io(#[from] io::Error),
    /// A book of Chuhe that is none.
    #[error(transparent)]
    Own(#[from] OwnError),
    /// A BOOK.DAT that is none.
    #[error(transparent)]
    EleEye(#[from] EleEyeError),
    /// A database that is no book.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Database(#[from] super::database::DatabaseError),
    #[cfg(not(feature = "sqlite"))]
    #[error("{}", tr!("is a database (.obk, .pfBook or .xqb), which this program was built without: --features sqlite"))]
    Database,
    /// The name of a database, and something else in it.
    #[error("{}", tr!("is encrypted or damaged: it does not begin as a database does"))]
    Encrypted,
}

/// Opens a book of any kind.
pub fn open(path: &Path) -> Result<Arc<dyn Book>, OpenError> {
    if path.as_os_str() == EMBEDDED {
        return Ok(Arc::new(OwnBook::embedded()));
    }
    read(path).map_err(|problem| OpenError { path: path.to_path_buf(), problem })
}

fn read(path: &Path) -> Result<Arc<dyn Book>, Problem> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(SQLITE.len() as u64).read_to_end(&mut head)?;
    if head == SQLITE {
        return database(path);
    }
    let mut bytes = head;
    file.read_to_end(&mut bytes)?;
    if bytes.starts_with(own::MAGIC) {
        return Ok(Arc::new(OwnBook::read(Cow::Owned(bytes))?));
    }
    if is_named_as_database(path) {
        return Err(Problem::Encrypted);
    }
    Ok(Arc::new(EleEyeBook::read(&bytes)?))
}

#[cfg(feature = "sqlite")]
fn database(path: &Path) -> Result<Arc<dyn Book>, Problem> {
    Ok(super::database::open(path)?)
}

#[cfg(not(feature = "sqlite"))]
fn database(_: &Path) -> Result<Arc<dyn Book>, Problem> {
    Err(Problem::Database)
}

fn is_named_as_database(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ["obk", "pfbook", "xqb"].contains(&extension.as_str())
}
