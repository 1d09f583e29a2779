//! `.obk`, the book format of 兵河五四 and many others, and `.pfBook`, which has the same keys.
//!
//! The keys come from the `rand()` of an old C library, five calls per number. In `.obk`, keys beyond the largest
//! signed integer are stored as floating-point numbers with the same bits; those that would be NaN cannot be found.

use super::connection::UntrustedConnection;
use super::{DatabaseError, build_query, read_row, scores_to_weights};
use crate::book::mirror::MirrorKey;
use crate::book::{Book, BookMove, GameCounts, ProbeError, is_legal};
use chuhe_support::language::{Phrase, phrase};
use rusqlite::types::Value;
use std::sync::LazyLock;
use xiangqi::{Color, Move, Position, Square};

/// A table with such keys.
#[derive(Clone, Copy, Debug)]
pub struct ObkVariant {
    name: &'static str,
    kind: Phrase,
    /// Large keys are stored as floating-point numbers with the same bits.
    has_reals: bool,
}

pub const BHOBK: ObkVariant = ObkVariant { name: "bhobk", kind: phrase!("book .obk"), has_reals: true };
pub const PFBOOK: ObkVariant = ObkVariant { name: "pfBook", kind: phrase!("book .pfBook"), has_reals: false };
const COLUMNS: [&str; 7] = ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid"];

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

pub fn key(position: &Position) -> u64 {
    let keys = &**KEYS;
    let start = if position.side() == Color::Red { keys.side } else { 0 };
    Color::ALL.into_iter().fold(start, |key, color| {
        let base = if color == Color::Black { 7 } else { 0 };
        position.pieces(color).fold(key, |key, (kind, square)| key ^ keys.pieces[base + kind as usize][square.index()])
    })
}

pub struct ObkBook {
    connection: UntrustedConnection,
    query: String,
    table: ObkVariant,
    /// Moves are encoded as to·256 + from.
    swapped: bool,
}

impl ObkBook {
    /// Reads the book from a database.
    pub(super) fn from_connection(
        connection: UntrustedConnection,
        table: ObkVariant,
    ) -> Result<ObkBook, DatabaseError> {
        let query = build_query(&connection, table.name, COLUMNS)?;
        let mut book = ObkBook { connection, query, table, swapped: false };
        // Some books swap from and to: try both on the start position.
        let start = Position::start();
        let legal = |moves: Vec<(Move, i64, GameCounts)>| moves.iter().filter(|(mv, ..)| is_legal(&start, *mv)).count();
        let straight = legal(book.rows(key(&start))?);
        book.swapped = true;
        book.swapped = legal(book.rows(key(&start))?) > straight;
        Ok(book)
    }

    fn rows(&self, key: u64) -> Result<Vec<(Move, i64, GameCounts)>, rusqlite::Error> {
        let value = match i64::try_from(key) {
            Err(_) if self.table.has_reals => Value::Real(f64::from_bits(key)),
            _ => Value::Integer(key as i64),
        };
        let rows = self.connection.query(|connection| {
            let mut statement = connection.prepare_cached(&self.query)?;
            statement.query_map([value], read_row)?.collect::<Result<Vec<_>, _>>()
        })?;
        let mut moves = Vec::new();
        for row in rows {
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
        let mut moves = self.rows(key(position)).map_err(fail)?;
        if !MirrorKey::of(position).symmetric {
            let images = self.rows(key(&position.mirrored())).map_err(fail)?;
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
