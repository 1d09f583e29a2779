//! A connection to a database that may be hostile: nothing in it is run, and no query takes forever.

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many instructions of SQLite a query may take. A search through a million rows without an index takes fewer.
const MAX_INSTRUCTIONS: u64 = 50_000_000;
/// After so many instructions they are counted.
const INSTRUCTIONS_PER_COUNT: i32 = 1_000;
/// The size limit of a value and of a row, in bytes.
const MAX_ROW_BYTES: i32 = 1 << 24;
/// The most rows that a query gives: no position has so many moves.
pub const MAX_ROWS: usize = 4_096;

/// A connection that is only read from.
pub struct UntrustedConnection {
    connection: Mutex<Connection>,
    /// The instructions of the present query, in counts.
    counts: Arc<AtomicU64>,
}

impl UntrustedConnection {
    /// Opens a database.
    pub fn open(path: &Path) -> rusqlite::Result<UntrustedConnection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)?;
        let counts = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&counts);
        let is_over = move || {
            let count = counted.fetch_add(1, Ordering::Relaxed) + 1;
            count * INSTRUCTIONS_PER_COUNT as u64 > MAX_INSTRUCTIONS
        };
        connection.progress_handler(INSTRUCTIONS_PER_COUNT, Some(is_over));
        Ok(UntrustedConnection { connection: Mutex::new(connection), counts })
    }

    /// Makes a query, which fails if it takes too long.
    pub fn query<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        self.counts.store(0, Ordering::Relaxed);
        work(&connection)
    }

    /// Whether there is a table of this name. Views and virtual tables, which are programs, do not count.
    pub fn has_table(&self, name: &str) -> rusqlite::Result<bool> {
        let query =
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?1 COLLATE NOCASE";
        self.query(|connection| connection.query_row(query, [name], |row| row.get::<_, i64>(0))).map(|count| count > 0)
    }

    /// The number of rows of a table; 0 if they cannot be counted.
    pub fn count_rows(&self, table: &str) -> u64 {
        let query = format!("SELECT count(*) FROM {table}");
        let count = self.query(|connection| connection.query_row(&query, [], |row| row.get::<_, i64>(0)));
        count.map_or(0, i64::unsigned_abs)
    }
}
