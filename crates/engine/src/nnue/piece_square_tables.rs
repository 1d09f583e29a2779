//! Piece-square tables: the evaluation of the `squares` mode, and a cheap hint for move ordering.
//!
//! The values, of which 400 make a minor piece, are fitted to games that the engine played against itself.

use super::architecture::piece_index;
use crate::score::Score;
use xiangqi::{Color, Piece, PieceKind, Square};

/// By kind, rank from the own side, and file from the edge to the middle; the board is mirrored.
#[rustfmt::skip]
static PIECE_SQUARE_TABLES: [[i16; 50]; 7] = [
    // king
    [
        0, 0, 0, -1, 60,
        0, 0, 0, -66, -28,
        0, 0, 0, -99, -91,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
    ],
    // advisor
    [
        0, 0, 0, 115, 0,
        0, 0, 0, 0, 154,
        0, 0, 0, 71, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
    ],
    // bishop
    [
        0, 0, 114, 0, 0,
        0, 0, 0, 0, 0,
        82, 0, 0, 0, 155,
        0, 0, 0, 0, 0,
        0, 0, 76, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
    ],
    // horse
    [
        295, 310, 336, 316, 323,
        308, 335, 332, 329, 309,
        344, 348, 344, 347, 377,
        336, 350, 348, 355, 379,
        350, 359, 401, 375, 378,
        363, 373, 386, 413, 394,
        359, 412, 380, 431, 383,
        382, 393, 399, 424, 411,
        364, 388, 408, 398, 393,
        334, 353, 363, 370, 365,
    ],
    // rook
    [
        773, 802, 795, 788, 786,
        785, 791, 799, 782, 789,
        795, 812, 814, 795, 813,
        798, 805, 815, 805, 805,
        805, 815, 819, 804, 822,
        798, 817, 825, 808, 818,
        804, 811, 838, 815, 818,
        813, 804, 818, 812, 830,
        817, 830, 822, 816, 831,
        804, 815, 820, 835, 824,
    ],
    // cannon
    [
        398, 410, 431, 412, 410,
        410, 414, 418, 412, 424,
        433, 410, 415, 423, 436,
        409, 394, 423, 405, 416,
        398, 416, 405, 402, 421,
        420, 387, 400, 390, 427,
        407, 389, 399, 386, 395,
        402, 383, 393, 391, 402,
        413, 386, 399, 399, 408,
        451, 408, 388, 402, 422,
    ],
    // pawn
    [
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        45, 0, 33, 0, 81,
        58, 0, 72, 0, 73,
        89, 124, 115, 142, 137,
        113, 140, 169, 169, 168,
        147, 161, 162, 190, 195,
        146, 162, 172, 181, 183,
        66, 70, 78, 86, 88,
    ],
];

/// The values by piece index and dense square.
static VALUES: [[i16; 90]; 14] = {
    let mut values = [[0; 90]; 14];
    let mut index = 0;
    while index < 14 * 90 {
        let (piece, square) = (index / 90, index % 90);
        let (file, rank) = (square % 9, if piece < 7 { square / 9 } else { 9 - square / 9 });
        let edge = if file > 4 { 8 - file } else { file };
        values[piece][square] = PIECE_SQUARE_TABLES[piece % 7][rank * 5 + edge];
        index += 1;
    }
    values
};

/// The value of a piece of this side on a square.
#[inline]
pub fn piece_square_value(kind: PieceKind, color: Color, square: Square) -> Score {
    piece_square_values(Piece::new(color, kind))[square.dense()].into()
}

/// The values of a piece by dense square.
#[inline]
pub fn piece_square_values(piece: Piece) -> &'static [i16; 90] {
    &VALUES[piece_index(piece)]
}
