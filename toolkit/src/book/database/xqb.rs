//! `.xqb`, the open book of 鲨鱼象棋 and others: a key holds the whole position, as the side to move sees it.
//!
//! With black to move the colours are exchanged and the board is turned by half; then, if the first row from the top
//! that is not its own mirror image is heavier on the right, the board is mirrored. Squares follow in the order of a FEN:
//! a 0 bit for an empty one, else a 1 and four bits for the piece.

use super::{DatabaseError, build_query, read_row, scores_to_weights};
use crate::book::memory_book::MemoryBook;
use crate::book::traverse::walk;
use crate::book::{Book, BookMove, ProbeError};
use chuhe_engine::board::Position;
use chuhe_engine::language::{Phrase, phrase};
use chuhe_engine::types::{Color, Move, PieceKind, Square};
use rusqlite::{Connection, params};
use std::sync::{Mutex, PoisonError};

const COLUMNS: [&str; 7] = ["key", "move", "score", "win", "draw", "lost", "valid"];

/// How a position is turned before it becomes a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Orientation {
    /// By half, because black is to move.
    rotated: bool,
    mirrored: bool,
}

impl Orientation {
    /// Where a square comes to lie; the way back is the same.
    fn square(self, square: Square) -> Square {
        let square = if self.rotated { square.flip().mirror() } else { square };
        if self.mirrored { square.mirror() } else { square }
    }

    fn of(position: &Position) -> Orientation {
        let mut turn = Orientation { rotated: position.side() == Color::Black, mirrored: false };
        let heavier_on_the_right =
            (0..10).rev().flat_map(|rank| (0..4).map(move |file| (file, rank))).find_map(|(file, rank)| {
                let left = piece_code(position, turn.square(Square::new(file, rank)));
                let right = piece_code(position, turn.square(Square::new(8 - file, rank)));
                (left != right).then_some(right > left)
            });
        turn.mirrored = heavier_on_the_right.unwrap_or(false);
        turn
    }
}

/// The four bits of a piece: 1 to 7 for the side to move, 9 to 15 for the other.
fn piece_code(position: &Position, square: Square) -> Option<u8> {
    let piece = position.piece_at(square);
    let (color, kind) = piece.color().zip(piece.kind())?;
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

/// The key of a position.
pub fn key(position: &Position) -> Vec<u8> {
    let turn = Orientation::of(position);
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
        match piece_code(position, turn.square(Square::new(file, rank))) {
            None => push(false),
            Some(code) => {
                push(true);
                (0..4).rev().for_each(|bit| push(code >> bit & 1 == 1));
            }
        }
    }
    bytes
}

/// A move of a position as such books write it.
pub fn move_code(position: &Position, mv: Move) -> u16 {
    let turn = Orientation::of(position);
    let place = |square: Square| {
        let square = turn.square(square);
        u16::from(9 - square.rank()) << 4 | u16::from(square.file())
    };
    place(mv.from()) << 8 | place(mv.to())
}

/// The way back, if the code is a move at all.
fn decode_move(turn: Orientation, code: i64) -> Option<Move> {
    let code = u16::try_from(code).ok()?;
    let square = |place: u16| {
        let (row, file) = ((place >> 4 & 15) as u8, (place & 15) as u8);
        (row < 10 && file < 9).then(|| turn.square(Square::new(file, 9 - row)))
    };
    Some(Move::new(square(code >> 8)?, square(code)?))
}

/// A book of this kind.
pub struct XqbBook {
    connection: Mutex<Connection>,
    query: String,
}

impl XqbBook {
    /// The book of a database.
    pub(super) fn of(connection: Connection) -> Result<XqbBook, DatabaseError> {
        let query = build_query(&connection, "book", COLUMNS)?;
        Ok(XqbBook { connection: Mutex::new(connection), query })
    }
}

impl Book for XqbBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let fail = |error: rusqlite::Error| ProbeError(error.to_string());
        let turn = Orientation::of(position);
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection.prepare_cached(&self.query).map_err(fail)?;
        let rows = statement.query_map([key(position)], read_row).map_err(fail)?;
        let mut moves = Vec::new();
        for row in rows {
            let row = row.map_err(fail)?;
            moves.extend(decode_move(turn, row.code).map(|mv| (mv, row.score, row.games)));
        }
        Ok(scores_to_weights(moves))
    }

    fn entries(&self) -> u64 {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let count = connection.query_row("SELECT count(*) FROM book", [], |row| row.get::<_, i64>(0));
        count.map_or(0, i64::unsigned_abs)
    }

    fn kind(&self) -> Phrase {
        phrase!("book .xqb")
    }
}

/// The bytes of such a book, of what can be reached from the start; weights are written as scores. Positions that are the
/// same for the side to move share a row, whoever it is.
pub fn write(pages: &MemoryBook) -> Result<Vec<u8>, rusqlite::Error> {
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
            let key = key(position);
            for entry in moves {
                let games = entry.games;
                let code = move_code(position, entry.mv);
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
