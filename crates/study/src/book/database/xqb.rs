//! `.xqb`, the SQLite book format of 鲨鱼象棋 and others: the key encodes the whole position from the side to move.
//!
//! With black to move, colours are swapped and the board is rotated by 180°. Then, if the topmost asymmetric rank is
//! heavier on the right, the board is mirrored. Squares follow in FEN order: bit 0 if empty, otherwise bit 1 and four
//! bits for the piece.

use super::connection::UntrustedConnection;
use super::{DatabaseError, build_query, read_row, scores_to_weights};
use crate::book::memory_book::MemoryBook;
use crate::book::traverse::walk;
use crate::book::{Book, BookMove, ProbeError};
use chuhe_support::language::{Phrase, phrase};
use rusqlite::{Connection, params};
use xiangqi::{Color, Move, PieceKind, Position, Square};

const COLUMNS: [&str; 7] = ["key", "move", "score", "win", "draw", "lost", "valid"];

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

pub fn key(position: &Position) -> Vec<u8> {
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
pub fn move_code(position: &Position, mv: Move) -> u16 {
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

pub struct XqbBook {
    connection: UntrustedConnection,
    query: String,
}

impl XqbBook {
    /// Reads the book from a database.
    pub(super) fn of(connection: UntrustedConnection) -> Result<XqbBook, DatabaseError> {
        let query = build_query(&connection, "book", COLUMNS)?;
        Ok(XqbBook { connection, query })
    }
}

impl Book for XqbBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let fail = |error: rusqlite::Error| ProbeError(error.to_string());
        let orientation = Orientation::of(position);
        let rows = self.connection.query(|connection| {
            let mut statement = connection.prepare_cached(&self.query)?;
            statement.query_map([key(position)], read_row)?.collect::<Result<Vec<_>, _>>()
        });
        let mut moves = Vec::new();
        for row in rows.map_err(fail)? {
            moves.extend(decode_move(orientation, row.code).map(|mv| (mv, row.score, row.games)));
        }
        Ok(scores_to_weights(moves))
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
