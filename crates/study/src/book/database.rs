//! SQLite books: `.obk` and `.pfBook` (read only) and `.xqb` (read and write).
//!
//! They stay on disk; each probe is an SQL query. Their contents are untrusted: nothing in them is run, and no query takes
//! forever.
//!
//! `.obk` is the format of 兵河五四 and many others; `.pfBook` has the same keys. They come from the `rand()` of an old C
//! library, five calls per number. In `.obk`, keys beyond the largest signed integer are stored as floating-point numbers with
//! the same bits; those that would be NaN cannot be found.
//!
//! `.xqb` is the format of 鲨鱼象棋 and others: the key encodes the whole position from the side to move. With black to move,
//! colours are swapped and the board is rotated by 180°. Then, if the topmost asymmetric rank is heavier on the right, the board
//! is mirrored. Squares follow in FEN order: bit 0 if empty, otherwise bit 1 and four bits for the piece.

use super::files::walk;
use super::moves::{Book, BookMove, GameCounts, MemoryBook, MirrorKey, ProbeError, is_legal};
use chuhe_support::language::{Phrase, phrase, tr};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Row, ToSql, params};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use thiserror::Error;
use xiangqi::{Color, Move, PieceKind, Position, Square};

/// Opens a database; its tables tell the format.
pub fn open(path: &Path) -> Result<Arc<dyn Book>, DatabaseError> {
    let connection = UntrustedConnection::open(path)?;
    for variant in [BHOBK, PFBOOK] {
        if connection.has_table(variant.name)? {
            return Ok(Arc::new(ObkBook::from_connection(connection, variant)?));
        }
    }
    if connection.has_table("book")? {
        let query = build_query(&connection, "book", XQB_COLUMNS)?;
        return Ok(Arc::new(XqbBook { connection, query }));
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
fn build_query(
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
struct MoveRow {
    /// The encoded move.
    pub code: i64,
    /// The score in the database's own unit.
    pub score: i64,
    pub games: GameCounts,
}

/// Reads a row; values that are not numbers count as 0.
fn read_row(row: &Row) -> rusqlite::Result<MoveRow> {
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
fn scores_to_weights(moves: Vec<(Move, i64, GameCounts)>) -> Vec<BookMove> {
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

/// How many instructions of SQLite a query may take. A search through a million rows without an index takes fewer.
const MAX_INSTRUCTIONS: u64 = 50_000_000;
/// After so many instructions they are counted.
const INSTRUCTIONS_PER_COUNT: i32 = 1_000;
/// The size limit of a value and of a row, in bytes.
const MAX_ROW_BYTES: i32 = 1 << 24;
/// The most rows that a query gives: no position has so many moves.
const MAX_ROWS: usize = 4_096;

/// A connection that is only read from.
struct UntrustedConnection {
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

    /// The rows that a query has for a key.
    fn rows(&self, query: &str, key: impl ToSql) -> rusqlite::Result<Vec<MoveRow>> {
        self.query(|connection| connection.prepare_cached(query)?.query_map([key], read_row)?.collect())
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

/// A table with such keys.
#[derive(Clone, Copy, Debug)]
struct ObkVariant {
    name: &'static str,
    kind: Phrase,
    /// Large keys are stored as floating-point numbers with the same bits.
    has_reals: bool,
}

const BHOBK: ObkVariant = ObkVariant { name: "bhobk", kind: phrase!("book .obk"), has_reals: true };
const PFBOOK: ObkVariant = ObkVariant { name: "pfBook", kind: phrase!("book .pfBook"), has_reals: false };
const OBK_COLUMNS: [&str; 7] = ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid"];

/// A number for each piece on each square of the 16×16 board, and one for the side to move.
struct ObkKeys {
    pieces: [[u64; 256]; 14],
    side: u64,
}

static KEYS: LazyLock<Box<ObkKeys>> = LazyLock::new(|| {
    let mut state = 0u32;
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        u64::from(state >> 16 & 0x7FFF)
    };
    let mut number = || (0..5).fold(0, |number, part| number ^ rand() << (15 * part));
    let mut keys = Box::new(ObkKeys { pieces: [[0; 256]; 14], side: 0 });
    keys.pieces.iter_mut().flatten().for_each(|key| *key = number());
    keys.side = number();
    keys
});

pub fn obk_key(position: &Position) -> u64 {
    let keys = &**KEYS;
    let start = if position.side() == Color::Red { keys.side } else { 0 };
    Color::ALL.into_iter().fold(start, |key, color| {
        let base = if color == Color::Black { 7 } else { 0 };
        position.pieces(color).fold(key, |key, (kind, square)| key ^ keys.pieces[base + kind as usize][square.index()])
    })
}

struct ObkBook {
    connection: UntrustedConnection,
    query: String,
    table: ObkVariant,
    /// Moves are encoded as to·256 + from.
    swapped: bool,
}

impl ObkBook {
    /// Reads the book from a database.
    fn from_connection(connection: UntrustedConnection, table: ObkVariant) -> Result<ObkBook, DatabaseError> {
        let query = build_query(&connection, table.name, OBK_COLUMNS)?;
        let mut book = ObkBook { connection, query, table, swapped: false };
        // Some books swap from and to: try both on the start position.
        let start = Position::start();
        let legal = |moves: Vec<(Move, i64, GameCounts)>| moves.iter().filter(|(mv, ..)| is_legal(&start, *mv)).count();
        let straight = legal(book.rows(obk_key(&start))?);
        book.swapped = true;
        book.swapped = legal(book.rows(obk_key(&start))?) > straight;
        Ok(book)
    }

    fn rows(&self, key: u64) -> Result<Vec<(Move, i64, GameCounts)>, rusqlite::Error> {
        let value = match i64::try_from(key) {
            Err(_) if self.table.has_reals => Value::Real(f64::from_bits(key)),
            _ => Value::Integer(key as i64),
        };
        let mut moves = Vec::new();
        for row in self.connection.rows(&self.query, value)? {
            let (mut from, mut to) = ((row.code >> 8) as u8, row.code as u8);
            if self.swapped {
                (from, to) = (to, from);
            }
            if let (0..=0xFFFF, Some(from), Some(to)) = (row.code, Square::from_index(from), Square::from_index(to)) {
                moves.push((Move::new(from, to), row.score, row.games));
            }
        }
        Ok(moves)
    }
}

impl Book for ObkBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let fail = |error: rusqlite::Error| ProbeError(error.to_string());
        let mut moves = self.rows(obk_key(position)).map_err(fail)?;
        if !MirrorKey::of(position).symmetric {
            let images = self.rows(obk_key(&position.mirrored())).map_err(fail)?;
            moves.extend(images.into_iter().map(|(mv, score, games)| (mv.mirror(), score, games)));
        }
        Ok(scores_to_weights(moves))
    }

    fn entries(&self) -> u64 {
        self.connection.count_rows(self.table.name)
    }

    fn kind(&self) -> Phrase {
        self.table.kind
    }
}

const XQB_COLUMNS: [&str; 7] = ["key", "move", "score", "win", "draw", "lost", "valid"];

/// How a position is transformed before encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Orientation {
    /// Rotated by 180°, because black is to move.
    rotated: bool,
    mirrored: bool,
}

impl Orientation {
    /// Transforms a square; the transformation is its own inverse.
    fn square(self, square: Square) -> Square {
        let square = if self.rotated { square.flip().mirror() } else { square };
        if self.mirrored { square.mirror() } else { square }
    }

    fn of(position: &Position) -> Orientation {
        let mut orientation = Orientation { rotated: position.side() == Color::Black, mirrored: false };
        let heavier_on_the_right =
            (0..10).rev().flat_map(|rank| (0..4).map(move |file| (file, rank))).find_map(|(file, rank)| {
                let left = piece_code(position, orientation.square(Square::new(file, rank)));
                let right = piece_code(position, orientation.square(Square::new(8 - file, rank)));
                (left != right).then_some(right > left)
            });
        orientation.mirrored = heavier_on_the_right.unwrap_or(false);
        orientation
    }
}

/// The four bits of a piece: 1 to 7 for the side to move, 9 to 15 for the other side.
fn piece_code(position: &Position, square: Square) -> Option<u8> {
    let piece = position.piece_at(square)?;
    let (color, kind) = (piece.color(), piece.kind());
    let order = [
        PieceKind::Rook,
        PieceKind::Horse,
        PieceKind::Bishop,
        PieceKind::Advisor,
        PieceKind::King,
        PieceKind::Cannon,
        PieceKind::Pawn,
    ];
    let number = order.iter().position(|&other| other == kind).unwrap_or(0) as u8 + 1;
    Some(if color == position.side() { number } else { number + 8 })
}

pub fn xqb_key(position: &Position) -> Vec<u8> {
    let orientation = Orientation::of(position);
    let (mut bytes, mut length) = (Vec::with_capacity(32), 0);
    let mut push = |bit: bool| {
        if length % 8 == 0 {
            bytes.push(0);
        }
        if let Some(last) = bytes.last_mut().filter(|_| bit) {
            *last |= 0x80 >> (length % 8);
        }
        length += 1;
    };
    for (rank, file) in (0..10).rev().flat_map(|rank| (0..9).map(move |file| (rank, file))) {
        match piece_code(position, orientation.square(Square::new(file, rank))) {
            None => push(false),
            Some(code) => {
                push(true);
                (0..4).rev().for_each(|bit| push(code >> bit & 1 == 1));
            }
        }
    }
    bytes
}

/// Encodes a move of a position.
pub fn xqb_move(position: &Position, mv: Move) -> u16 {
    let orientation = Orientation::of(position);
    let place = |square: Square| {
        let square = orientation.square(square);
        u16::from(9 - square.rank()) << 4 | u16::from(square.file())
    };
    place(mv.from()) << 8 | place(mv.to())
}

/// Decodes a move; `None` if the code is not a move.
fn decode_move(orientation: Orientation, code: i64) -> Option<Move> {
    let code = u16::try_from(code).ok()?;
    let square = |place: u16| {
        let (row, file) = ((place >> 4 & 15) as u8, (place & 15) as u8);
        (row < 10 && file < 9).then(|| orientation.square(Square::new(file, 9 - row)))
    };
    Some(Move::new(square(code >> 8)?, square(code)?))
}

struct XqbBook {
    connection: UntrustedConnection,
    query: String,
}

impl Book for XqbBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let fail = |error: rusqlite::Error| ProbeError(error.to_string());
        let orientation = Orientation::of(position);
        let rows = self.connection.rows(&self.query, xqb_key(position)).map_err(fail)?.into_iter();
        let decoded = |row: MoveRow| Some((decode_move(orientation, row.code)?, row.score, row.games));
        Ok(scores_to_weights(rows.filter_map(decoded).collect()))
    }

    fn entries(&self) -> u64 {
        self.connection.count_rows("book")
    }

    fn kind(&self) -> Phrase {
        phrase!("book .xqb")
    }
}

/// Writes the positions that can be reached from the start position; weights are written as scores. Positions that
/// differ only by colour share a row.
pub fn write_xqb(pages: &MemoryBook) -> Result<Vec<u8>, rusqlite::Error> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(
        "CREATE TABLE information(name TEXT, value TEXT);
         INSERT INTO information VALUES ('version', '1'), ('type', 'xiangqi');
         CREATE TABLE book(id INTEGER PRIMARY KEY, key BLOB, move INTEGER, score INTEGER, win INTEGER, draw INTEGER,
                           lost INTEGER, valid INTEGER, memo TEXT);
         CREATE UNIQUE INDEX book_key ON book(key, move);",
    )?;
    let transaction = connection.transaction()?;
    let mut failure = None;
    {
        let mut insert = transaction.prepare(
            "INSERT OR IGNORE INTO book(key, move, score, win, draw, lost, valid, memo) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, '')",
        )?;
        let walked = walk(pages, &Position::start(), &mut |position, moves| {
            let key = xqb_key(position);
            for entry in moves {
                let games = entry.games;
                let code = xqb_move(position, entry.mv);
                let row = params![key, code, entry.weight, games.won, games.drawn, games.lost];
                failure = insert.execute(row).err().or(failure.take());
            }
            failure.is_none()
        });
        walked.expect("pages answer always");
    }
    match failure {
        Some(error) => Err(error),
        None => {
            transaction.commit()?;
            Ok(connection.serialize("main")?.to_vec())
        }
    }
}
