//! The terms of the evaluation, a function each. They count features; they do not know what these are worth.

use super::Tally;
use super::features::*;
use crate::board::{Position, file_attacks, rank_attacks};
use crate::types::{Color, Piece, PieceKind, Square};

/// Where each attacker's row begins in the tables of threats and covers.
const ROOK: usize = 0;
const CANNON: usize = 7;
const HORSE: usize = 14;
const PAWN: usize = 21;

/// Counts the bits of a line word, which lie in bits 3 to 12: by table, because the portable instruction set
/// has no instruction for it.
#[inline]
fn bits(word: u16) -> i32 {
    static COUNTS: [u8; 1024] = {
        let mut table = [0; 1024];
        let mut index = 0;
        while index < 1024 {
            table[index] = (index as u16).count_ones() as u8;
            index += 1;
        }
        table
    };
    i32::from(COUNTS[(word >> 3 & 1023) as usize])
}

/// Mailbox columns of the palaces.
const PALACE_COLS: u16 = 0b111 << 6;
/// Mailbox rows of the palace of each side.
const PALACE_ROWS: [u16; 2] = [0b111 << 10, 0b111 << 3];

/// What a slider reaches on its rank and file, and what lies behind the first piece on each side.
struct Reach {
    cols: u16,
    rows: u16,
    jump_cols: u16,
    jump_rows: u16,
    rank_word: u16,
    file_word: u16,
}

impl Reach {
    #[inline]
    fn of(position: &Position, square: Square) -> Reach {
        let rank_word = position.rank_occupancy(square.row());
        let file_word = position.file_occupancy(square.col());
        let along = rank_attacks(square, rank_word);
        let across = file_attacks(square, file_word);
        Reach {
            cols: along.slide,
            rows: across.slide,
            jump_cols: along.jump,
            jump_rows: across.jump,
            rank_word,
            file_word,
        }
    }

    /// How many empty squares it reaches.
    #[inline]
    fn free(&self) -> usize {
        (bits(self.cols & !self.rank_word) + bits(self.rows & !self.file_word)) as usize
    }
}

/// Calls `visit` for each piece that stands on the given columns of a rank and rows of a file.
#[inline]
fn visit_pieces(position: &Position, square: Square, cols: u16, rows: u16, mut visit: impl FnMut(Piece)) {
    let (mut cols, mut rows) = (u32::from(cols), u32::from(rows));
    while cols != 0 {
        visit(position.piece_at(Square((square.0 & 0xF0) | cols.trailing_zeros() as u8)));
        cols &= cols - 1;
    }
    while rows != 0 {
        visit(position.piece_at(Square((rows.trailing_zeros() as u8) << 4 | square.0 & 15)));
        rows &= rows - 1;
    }
}

/// How the pieces of one side stand: how far rooks, cannons and horses reach and which pieces they and the
/// pawns attack or cover. Answers how strongly they bear on the points of the enemy palace, which
/// `king_attack` judges: both need the same reach, and it is not worked out twice.
#[inline]
pub fn activity<T: Tally>(position: &Position, color: Color, tally: &mut T) -> i32 {
    let mut pressure = 0;
    let touch = |tally: &mut T, attacker: usize, piece: Piece| {
        let table = if piece.is(color) { COVERS } else { THREATS };
        tally.add(table + attacker + piece.kind_unchecked().index(), color, 1);
    };
    for &square in position.squares(color, PieceKind::Rook) {
        let reach = Reach::of(position, square);
        tally.add(ROOK_MOBILITY + reach.free(), color, 1);
        let (cols, rows) = (reach.cols & reach.rank_word, reach.rows & reach.file_word);
        visit_pieces(position, square, cols, rows, |piece| touch(tally, ROOK, piece));
        pressure += 2 * palace_points(square, color, reach.cols, reach.rows);
    }
    for &square in position.squares(color, PieceKind::Cannon) {
        let reach = Reach::of(position, square);
        tally.add(CANNON_MOBILITY + reach.free(), color, 1);
        let (cols, rows) = (reach.jump_cols, reach.jump_rows);
        visit_pieces(position, square, cols, rows, |piece| touch(tally, CANNON, piece));
        pressure += 2 * palace_points(square, color, cols, rows);
    }
    for &square in position.squares(color, PieceKind::Horse) {
        let mut free = 0;
        position.visit_horse_targets(square, |to, piece| {
            free += usize::from(!piece.is(color));
            if !piece.is_none() {
                touch(tally, HORSE, piece);
            }
            pressure += 2 * i32::from(in_enemy_palace(to, color));
        });
        tally.add(HORSE_MOBILITY + free, color, 1);
    }
    for &square in position.squares(color, PieceKind::Pawn) {
        position.visit_pawn_targets(square, color, |to, piece| {
            if !piece.is_none() {
                touch(tally, PAWN, piece);
            }
            pressure += i32::from(in_enemy_palace(to, color));
        });
    }
    pressure
}

#[inline]
fn in_enemy_palace(square: Square, color: Color) -> bool {
    square.in_palace() && !square.is_home(color)
}

/// How many points of the enemy palace lie among the columns and rows that a slider reaches.
#[inline]
fn palace_points(square: Square, color: Color, cols: u16, rows: u16) -> i32 {
    let palace_rows = PALACE_ROWS[!color];
    let mut count = 0;
    if palace_rows >> square.row() & 1 != 0 {
        count += bits(cols & PALACE_COLS);
    }
    if PALACE_COLS >> square.col() & 1 != 0 {
        count += bits(rows & palace_rows);
    }
    count
}

/// The danger to the enemy king from what bears on its palace.
#[inline]
pub fn king_attack<T: Tally>(pressure: i32, color: Color, tally: &mut T) {
    tally.add(PALACE_ATTACK + pressure.min(23) as usize, color, 1);
}

/// The right to move.
#[inline]
pub fn tempo<T: Tally>(position: &Position, tally: &mut T) {
    tally.add(TEMPO, position.side(), 1);
}

/// How the worth of pieces depends on what else is on the board: screens for cannons, room for horses,
/// attackers against missing guards, pieces that work together.
#[inline]
pub fn material_balance<T: Tally>(position: &Position, tally: &mut T) {
    let total: usize = (3..13).map(|row| bits(position.rank_occupancy(row)) as usize).sum();
    let crowd = (total.saturating_sub(1) / 4).min(7);
    for color in Color::ALL {
        let count = |kind| position.count(color, kind);
        let attackers = [count(PieceKind::Rook), count(PieceKind::Cannon), count(PieceKind::Horse)];
        tally.add(CANNON_CROWD + crowd, color, attackers[1] as i32);
        tally.add(HORSE_CROWD + crowd, color, attackers[2] as i32);
        tally.add(ATTACKERS + attackers.iter().sum::<usize>().min(6), color, 1);
        for (table, guard) in [(ADVISORS_MISSING, PieceKind::Advisor), (BISHOPS_MISSING, PieceKind::Bishop)] {
            let gone = 2usize.saturating_sub(position.count(!color, guard));
            if gone > 0 {
                for (index, &number) in attackers.iter().enumerate() {
                    if number > 0 {
                        tally.add(table + (gone - 1) * 6 + index * 2 + number.min(2) - 1, color, 1);
                    }
                }
            }
        }
        for (index, &number) in attackers.iter().enumerate() {
            if number >= 2 {
                tally.add(COMBINATIONS + index, color, 1);
            }
        }
        if attackers[1] > 0 && attackers[2] > 0 {
            tally.add(COMBINATIONS + 3, color, 1);
        }
    }
}

/// Rooks on open and half-open files.
#[inline]
pub fn rooks<T: Tally>(position: &Position, tally: &mut T) {
    let mut pawn_cols = [0u16; 2];
    for color in Color::ALL {
        for &square in position.squares(color, PieceKind::Pawn) {
            pawn_cols[color] |= 1 << square.col();
        }
    }
    for color in Color::ALL {
        for &square in position.squares(color, PieceKind::Rook) {
            let file = 1 << square.col();
            if pawn_cols[color] & file == 0 {
                let feature = if pawn_cols[!color] & file == 0 { ROOK_FILE } else { ROOK_FILE + 1 };
                tally.add(feature, color, 1);
            }
        }
    }
}

/// Crossed pawns side by side, and crossed pawns with a rook or cannon behind them.
#[inline]
pub fn pawns<T: Tally>(position: &Position, tally: &mut T) {
    for color in Color::ALL {
        let pawn = Piece::new(color, PieceKind::Pawn);
        for &square in position.squares(color, PieceKind::Pawn) {
            if square.is_home(color) {
                continue;
            }
            if position.piece_at(square.offset(1)) == pawn {
                tally.add(PAWN_PAIR, color, 1);
            }
            let behind = |&supporter: &Square| {
                supporter.col() == square.col() && supporter.rank_for(color) < square.rank_for(color)
            };
            if position.squares(color, PieceKind::Rook).iter().any(behind)
                || position.squares(color, PieceKind::Cannon).iter().any(behind)
            {
                tally.add(PAWN_SUPPORTED, color, 1);
            }
        }
    }
}

/// Cannons and rooks that look at the enemy king along a line.
#[inline]
pub fn king_lines<T: Tally>(position: &Position, color: Color, tally: &mut T) {
    let king = position.king(!color);
    for &square in position.squares(color, PieceKind::Cannon) {
        let along_rank = usize::from(square.row() == king.row());
        match position.pieces_between(square, king) {
            Some(0) => tally.add(HOLLOW_CANNON + along_rank, color, 1),
            Some(2) => tally.add(LOADED_CANNON + along_rank, color, 1),
            _ => {}
        }
        if along_rank == 1 && king.rank_for(!color) == 0 {
            tally.add(BOTTOM_CANNON, color, 1);
        }
    }
    for &square in position.squares(color, PieceKind::Rook) {
        if position.pieces_between(square, king) == Some(1) {
            tally.add(ROOK_PIN + usize::from(square.row() == king.row()), color, 1);
        }
    }
}

/// How much of an advantage `winner` can hope to turn into a win, in 64ths.
#[inline]
pub fn winning_chances(position: &Position, winner: Color) -> i32 {
    let count = |kind| position.count(winner, kind);
    let heavy = count(PieceKind::Rook) * 2 + count(PieceKind::Horse) + count(PieceKind::Cannon);
    if heavy >= 2 {
        return 64;
    }
    let loser = !winner;
    let defenders = position.count(loser, PieceKind::Advisor) + position.count(loser, PieceKind::Bishop);
    let by_defenders = |chances: [i32; 5]| chances[defenders.min(4)];
    match (heavy, count(PieceKind::Pawn)) {
        (0, 0) => 0,
        // A lone cannon needs an advisor of its own as a screen, even against a bare king.
        (1, 0) if count(PieceKind::Cannon) == 1 && count(PieceKind::Advisor) == 0 => 0,
        (1, 0) => by_defenders([48, 32, 16, 8, 6]),
        (1, 1) => by_defenders([60, 56, 48, 32, 20]),
        (0, 1) => by_defenders([40, 10, 6, 4, 2]),
        (0, 2) => by_defenders([48, 40, 24, 12, 8]),
        (0, _) => by_defenders([56, 52, 44, 36, 24]),
        _ => 60,
    }
}
