//! SQLite books: `.obk` and `.pfBook` (read only) and `.xqb` (read and write).
//!
//! They stay on disk; each probe is an SQL query. Their contents are untrusted.

mod connection;
mod obk;
mod xqb;

pub use obk::{ObkBook, key as obk_key};
pub use xqb::{XqbBook, key as xqb_key, move_code as xqb_move, write as write_xqb};

use super::Book;
use crate::book::{BookMove, GameCounts};
use chuhe_support::language::tr;
use connection::{MAX_ROWS, UntrustedConnection};
use rusqlite::Row;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;
use xiangqi::Move;

/// Opens a database; its tables tell the format.
pub fn open(path: &Path) -> Result<Arc<dyn Book>, DatabaseError> {
    let connection = UntrustedConnection::open(path)?;
    if connection.has_table("bhobk")? {
        return Ok(Arc::new(ObkBook::from_connection(connection, obk::BHOBK)?));
    }
    if connection.has_table("pfBook")? {
        return Ok(Arc::new(ObkBook::from_connection(connection, obk::PFBOOK)?));
    }
    if connection.has_table("book")? {
        return Ok(Arc::new(XqbBook::of(connection)?));
    }
    Err(DatabaseError::NoBook)
}

/// Why a database is not a book.
#[derive(Debug, Error)]
pub enum DatabaseError {
    #[error("{}", tr!("is no database that can be read: {cause}", cause = _0))]
    Sql(#[from] rusqlite::Error),
    /// No known table.
    #[error("{}", tr!("is a database without a table of a book (bhobk, pfBook or book)"))]
    NoBook,
    /// A table lacks a column.
    #[error("{}", tr!("is no book: its table {table} has no column {column}", table, column))]
    Column { table: &'static str, column: &'static str },
}

/// The column names of a table in lower case.
fn columns(connection: &UntrustedConnection, table: &'static str) -> Result<Vec<String>, DatabaseError> {
    let names = connection.query(|connection| {
        let mut statement = connection.prepare(&format!("PRAGMA table_info({table})"))?;
        let names = statement.query_map([], |row| row.get::<_, String>(1))?;
        names.collect::<Result<Vec<_>, _>>()
    })?;
    Ok(names.iter().map(|name| name.to_lowercase()).collect())
}

/// Prepares the query for the moves of a key: move, score, won, drawn, lost, where these columns exist. `names` are the
/// columns of the key, the move, the score, the three counts, and the validity flag.
pub fn build_query(
    connection: &UntrustedConnection,
    table: &'static str,
    names: [&'static str; 7],
) -> Result<String, DatabaseError> {
    let there = columns(connection, table)?;
    let [key, mv, score, won, drawn, lost, valid] = names;
    let has = |name: &str| there.iter().any(|column| column == name);
    if let Some(column) = [key, mv].into_iter().find(|name| !has(name)) {
        return Err(DatabaseError::Column { table, column });
    }
    let or_zero = |name: &'static str| if has(name) { name } else { "0" };
    let [score, won, drawn, lost] = [score, won, drawn, lost].map(or_zero);
    let only_valid = if has(valid) { format!(" AND {valid} = 1") } else { String::new() };
    Ok(format!(
        "SELECT {mv}, {score}, {won}, {drawn}, {lost} FROM {table} WHERE {key} = ?1{only_valid} LIMIT {MAX_ROWS}"
    ))
}

/// A row of the result.
pub struct MoveRow {
    /// The encoded move.
    pub code: i64,
    /// The score in the database's own unit.
    pub score: i64,
    pub games: GameCounts,
}

/// Reads a row; values that are not numbers count as 0.
pub fn read_row(row: &Row) -> rusqlite::Result<MoveRow> {
    let number = |column: usize| -> rusqlite::Result<i64> {
        Ok(match row.get_ref(column)? {
            rusqlite::types::ValueRef::Integer(number) => number,
            rusqlite::types::ValueRef::Real(number) => number as i64,
            _ => 0,
        })
    };
    let count = |column| number(column).map(|count| count.clamp(0, u32::MAX.into()) as u32);
    let games = GameCounts { won: count(2)?, drawn: count(3)?, lost: count(4)? };
    Ok(MoveRow { code: number(0)?, score: number(1)?, games })
}

/// Uses scores as weights. If no move has a positive score, all moves get the same weight.
pub fn scores_to_weights(moves: Vec<(Move, i64, GameCounts)>) -> Vec<BookMove> {
    let scored = moves.iter().any(|&(_, score, _)| score > 0);
    let mut answers: Vec<BookMove> = Vec::new();
    for (mv, score, games) in moves {
        let weight = if scored { score.clamp(0, u32::MAX.into()) as u32 } else { 1 };
        if answers.iter().all(|known| known.mv != mv) {
            answers.push(BookMove { mv, weight, score: None, games });
        }
    }
    answers
}
