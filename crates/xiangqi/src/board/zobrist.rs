//! Zobrist keys, computed at compile time from one seed.

use crate::types::{Piece, Square};

/// A Zobrist key; positions with equal board and side to move have equal keys.
pub type Key = u64;

const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

/// A key for each piece byte (below 24) on each square of the board.
static PIECE_KEYS: [[Key; 256]; 24] = {
    let mut table = [[0; 256]; 24];
    let mut state = 0x0063_6875_6865_3231;
    let mut piece = 8;
    while piece < 24 {
        let mut square = 0x33;
        while square <= 0xCB {
            if piece & 7 < 7 && Square(square as u8).on_board() {
                let (next, key) = splitmix64(state);
                state = next;
                table[piece][square] = key;
            }
            square += 1;
        }
        piece += 1;
    }
    table
};

/// The key of black to move.
pub const SIDE_KEY: Key = splitmix64(0x73_6964_6573).1;

/// The key of a piece on a square.
#[inline]
pub fn piece_key(piece: Piece, square: Square) -> Key {
    PIECE_KEYS[piece.index()][square.index()]
}
