//! Books that are SQLite databases: `.obk` and `.pfBook`, which are read, and `.xqb`, which is read and written.
//!
//! They stay on disk, however large: each question is a query. Every number in them comes from strangers.

mod obk;
mod rows;
mod xqb;

pub use obk::{ObkBook, key as obk_key};
pub use rows::DatabaseError;
pub use xqb::{XqbBook, key as xqb_key, move_code as xqb_move, write as write_xqb};

use super::answer::Book;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::Arc;

/// Opens a database; which kind of book it is, its tables tell.
pub fn open(path: &Path) -> Result<Arc<dyn Book>, DatabaseError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let has = |table: &str| {
        let query =
            "SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE";
        connection.query_row(query, [table], |row| row.get::<_, i64>(0)).map(|count| count > 0)
    };
    if has("bhobk")? {
        return Ok(Arc::new(ObkBook::of(connection, obk::BHOBK)?));
    }
    if has("pfBook")? {
        return Ok(Arc::new(ObkBook::of(connection, obk::PFBOOK)?));
    }
    if has("book")? {
        return Ok(Arc::new(XqbBook::of(connection)?));
    }
    Err(DatabaseError::NoBook)
}
