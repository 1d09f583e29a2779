//! The shape of a network: which rows of its first layer a position switches on, and which of its heads answers.
//!
//! Each side looks at the board from its own end (its *perspective*). A row is a piece, own or other, on a point where
//! it can stand: 692 of them. Where the own king stands may choose among several sets of rows (*king buckets*) and
//! turn the board left to right, so that the king is always in the left half of the palace.

use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Square};
use std::fmt;
use std::str::FromStr;

/// Rows of one set: own and other pieces of every kind on the points where they can stand.
pub const ROWS: usize = 2 * (9 + 5 + 7 + 55 + 3 * 90);

/// Sets of rows by the place of the own king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kings {
    /// One set, the board never turned.
    Plain = 0,
    /// One set, the own king to the left.
    Mirrored = 1,
    /// Three sets: at home in the middle, at home aside, further up.
    Three = 2,
    /// Six sets, one for each place in the left half of the palace.
    Six = 3,
}

/// What chooses the head that answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Heads {
    /// One head for everything.
    One = 0,
    /// Eight, by the number of pieces on the board.
    Pieces = 1,
    /// Eight, by the number of rooks, horses and cannons on the board.
    Attackers = 2,
}

/// The shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Neurons of the hidden layer, for each perspective.
    pub hidden: usize,
    pub kings: Kings,
    pub heads: Heads,
}

impl Kings {
    const ALL: [(&'static str, Kings); 4] = [
        ("plain", Kings::Plain),
        ("mirrored", Kings::Mirrored),
        ("three", Kings::Three),
        ("six", Kings::Six),
    ];

    /// How many sets of rows.
    pub const fn buckets(self) -> usize {
        match self {
            Kings::Plain | Kings::Mirrored => 1,
            Kings::Three => 3,
            Kings::Six => 6,
        }
    }

    /// The kind of this number.
    pub fn of(number: u8) -> Option<Kings> {
        Kings::ALL.into_iter().map(|(_, kings)| kings).find(|&kings| kings as u8 == number)
    }

    /// The set, and whether the board is turned left to right, for a side whose king stands here.
    #[inline]
    pub fn view(self, king: Square, color: Color) -> View {
        if self == Kings::Plain {
            return View { bucket: 0, mirrored: false };
        }
        let (file, rank) = (king.file(), usize::from(king.rank_for(color).min(2)));
        let aside = usize::from(file != 4);
        let bucket = match self {
            Kings::Six => rank * 2 + aside,
            Kings::Three if rank > 0 => 2,
            Kings::Three => aside,
            _ => 0,
        };
        View { bucket: bucket as u8, mirrored: file > 4 }
    }
}

impl FromStr for Kings {
    type Err = String;
    fn from_str(text: &str) -> Result<Kings, String> {
        let found = Kings::ALL.into_iter().find(|(name, _)| *name == text);
        found
            .map(|(_, kings)| kings)
            .ok_or_else(|| format!("{text:?} is none of plain, mirrored, three, six"))
    }
}

impl fmt::Display for Kings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Kings::ALL[*self as usize].0)
    }
}

impl Heads {
    const ALL: [(&'static str, Heads); 3] =
        [("one", Heads::One), ("pieces", Heads::Pieces), ("attackers", Heads::Attackers)];

    pub const fn count(self) -> usize {
        match self {
            Heads::One => 1,
            Heads::Pieces | Heads::Attackers => 8,
        }
    }

    /// The kind of this number.
    pub fn of(number: u8) -> Option<Heads> {
        Heads::ALL.into_iter().map(|(_, heads)| heads).find(|&heads| heads as u8 == number)
    }

    /// The head for so many pieces and so many attackers on the board.
    #[inline]
    pub const fn choose(self, pieces: usize, attackers: usize) -> usize {
        match self {
            Heads::One => 0,
            Heads::Pieces => last_of_eight((pieces - 1) / 4),
            Heads::Attackers => last_of_eight(attackers * 8 / 13),
        }
    }

    /// The head that answers for a position.
    #[inline]
    pub fn of_position(self, position: &Position) -> usize {
        let sum = |count: fn(&Position, Color) -> usize| {
            Color::ALL.map(|color| count(position, color)).iter().sum()
        };
        match self {
            Heads::One => 0,
            Heads::Pieces => self.choose(sum(Position::piece_count), 0),
            Heads::Attackers => self.choose(1, sum(Position::majors)),
        }
    }
}

const fn last_of_eight(index: usize) -> usize {
    if index > 7 { 7 } else { index }
}

impl FromStr for Heads {
    type Err = String;
    fn from_str(text: &str) -> Result<Heads, String> {
        let found = Heads::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, heads)| heads).ok_or_else(|| format!("{text:?} is none of one, pieces, attackers"))
    }
}

impl fmt::Display for Heads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Heads::ALL[*self as usize].0)
    }
}

/// How a perspective sees the board because of its own king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// The set of rows.
    pub bucket: u8,
    /// Left and right exchanged.
    pub mirrored: bool,
}

/// No row: a piece where it can never stand. A pawn of the promotion variant that stands at home counts for nothing.
const NOWHERE: u16 = u16::MAX;

/// For each perspective, as it is and mirrored: the row of a piece (0 to 13, see `piece_number`) on a dense square.
static ROW_OF: [[[[u16; 90]; 14]; 2]; 2] = {
    let mut table = [[[[NOWHERE; 90]; 14]; 2]; 2];
    let mut perspective = 0;
    while perspective < 2 {
        let mut mirrored = 0;
        while mirrored < 2 {
            let mut piece = 0;
            while piece < 14 {
                let mut square = 0;
                while square < 90 {
                    let (mut file, mut rank) = (square % 9, square / 9);
                    if perspective == 1 {
                        rank = 9 - rank;
                    }
                    if mirrored == 1 {
                        file = 8 - file;
                    }
                    let is_own = (piece / 7) == perspective;
                    table[perspective][mirrored][piece][square] = row(is_own, piece % 7, file, rank);
                    square += 1;
                }
                piece += 1;
            }
            mirrored += 1;
        }
        perspective += 1;
    }
    table
};

/// The row of a piece seen from a perspective; ranks count from its own end.
const fn row(is_own: bool, kind: usize, file: usize, rank: usize) -> u16 {
    let mut number = if is_own { 0 } else { ROWS / 2 };
    let mut before = 0;
    // As its own side counts: an enemy piece stands at the other end.
    let home_rank = if is_own { rank } else { 9 - rank };
    if !PieceKind::ALL[kind].can_stand(file as u8, home_rank as u8) {
        return NOWHERE;
    }
    while before < kind {
        number += points_of(before);
        before += 1;
    }
    let mut point = 0;
    while point < home_rank * 9 + file {
        if PieceKind::ALL[kind].can_stand((point % 9) as u8, (point / 9) as u8) {
            number += 1;
        }
        point += 1;
    }
    number as u16
}

const fn points_of(kind: usize) -> usize {
    [9, 5, 7, 90, 90, 90, 55][kind]
}

/// 0 to 13: red's king to pawn, then black's.
#[inline]
pub fn piece_number(piece: Piece) -> usize {
    (piece.index() & 7) + 7 * (piece.index() >> 4)
}

/// The row, within its set, of a piece on a square as this side sees it; `None` where such a piece can never stand.
#[inline]
pub fn row_of(perspective: Color, mirrored: bool, piece: usize, square: usize) -> Option<usize> {
    let row = ROW_OF[perspective as usize][usize::from(mirrored)][piece % 14][square % 90];
    (row != NOWHERE).then_some(row as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rows_are_dense_and_each_is_one_piece_on_one_point() {
        for color in Color::ALL {
            for mirrored in [false, true] {
                let rows: Vec<usize> = (0..14)
                    .flat_map(|piece| {
                        (0..90).filter_map(move |square| row_of(color, mirrored, piece, square))
                    })
                    .collect();
                assert_eq!(rows.len(), ROWS);
                assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), (0..ROWS).collect());
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_from_their_own_ends() {
        for square in Square::all() {
            for kind in PieceKind::ALL {
                let red = piece_number(Piece::new(Color::Red, kind));
                let black = piece_number(Piece::new(Color::Black, kind));
                for mirrored in [false, true] {
                    let turned = if mirrored { square.mirror() } else { square };
                    assert_eq!(
                        row_of(Color::Red, false, red, square.dense()),
                        row_of(Color::Black, mirrored, black, turned.flip().dense())
                    );
                }
            }
        }
    }

    #[test]
    fn kings_at_mirrored_places_are_seen_alike() {
        for kings in [Kings::Mirrored, Kings::Three, Kings::Six] {
            let mut buckets = BTreeSet::new();
            for square in Square::all().filter(|square| square.in_palace() && square.rank() < 3) {
                let (view, other) = (kings.view(square, Color::Red), kings.view(square.mirror(), Color::Red));
                assert_eq!(view.bucket, other.bucket);
                assert_eq!(view.mirrored == other.mirrored, square.file() == 4);
                assert_eq!(view, kings.view(square.flip(), Color::Black));
                buckets.insert(view.bucket as usize);
            }
            assert_eq!(buckets, (0..kings.buckets()).collect());
        }
    }
}
