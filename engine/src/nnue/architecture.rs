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
pub const FEATURES: usize = 2 * (9 + 5 + 7 + 55 + 3 * 90);

/// Sets of rows by the place of the own king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum KingBuckets {
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
pub enum OutputBuckets {
    /// One head for everything.
    One = 0,
    /// Eight, by the number of pieces on the board.
    Pieces = 1,
    /// Eight, by the number of rooks, horses and cannons on the board.
    Attackers = 2,
}

/// The shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// Neurons of the hidden layer, for each perspective.
    pub hidden: usize,
    pub king_buckets: KingBuckets,
    pub output_buckets: OutputBuckets,
}

impl KingBuckets {
    const ALL: [(&'static str, KingBuckets); 4] = [
        ("plain", KingBuckets::Plain),
        ("mirrored", KingBuckets::Mirrored),
        ("three", KingBuckets::Three),
        ("six", KingBuckets::Six),
    ];

    /// How many sets of rows.
    pub const fn count(self) -> usize {
        match self {
            KingBuckets::Plain | KingBuckets::Mirrored => 1,
            KingBuckets::Three => 3,
            KingBuckets::Six => 6,
        }
    }

    /// The kind of this number.
    pub fn from_number(number: u8) -> Option<KingBuckets> {
        KingBuckets::ALL.into_iter().map(|(_, kings)| kings).find(|&kings| kings as u8 == number)
    }

    /// The set, and whether the board is turned left to right, for a side whose king stands here.
    #[inline]
    pub fn king_bucket(self, king: Square, color: Color) -> KingBucket {
        if self == KingBuckets::Plain {
            return KingBucket { bucket: 0, mirrored: false };
        }
        let (file, rank) = (king.file(), usize::from(king.rank_for(color).min(2)));
        let aside = usize::from(file != 4);
        let bucket = match self {
            KingBuckets::Six => rank * 2 + aside,
            KingBuckets::Three if rank > 0 => 2,
            KingBuckets::Three => aside,
            _ => 0,
        };
        KingBucket { bucket: bucket as u8, mirrored: file > 4 }
    }
}

impl FromStr for KingBuckets {
    type Err = String;
    fn from_str(text: &str) -> Result<KingBuckets, String> {
        let found = KingBuckets::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, kings)| kings).ok_or_else(|| format!("{text:?} is none of plain, mirrored, three, six"))
    }
}

impl fmt::Display for KingBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KingBuckets::ALL[*self as usize].0)
    }
}

impl OutputBuckets {
    const ALL: [(&'static str, OutputBuckets); 3] =
        [("one", OutputBuckets::One), ("pieces", OutputBuckets::Pieces), ("attackers", OutputBuckets::Attackers)];

    pub const fn count(self) -> usize {
        match self {
            OutputBuckets::One => 1,
            OutputBuckets::Pieces | OutputBuckets::Attackers => 8,
        }
    }

    /// The kind of this number.
    pub fn from_number(number: u8) -> Option<OutputBuckets> {
        OutputBuckets::ALL.into_iter().map(|(_, heads)| heads).find(|&heads| heads as u8 == number)
    }

    /// The head for so many pieces and so many attackers on the board.
    #[inline]
    pub const fn select(self, pieces: usize, attackers: usize) -> usize {
        match self {
            OutputBuckets::One => 0,
            OutputBuckets::Pieces => clamp_to_eight((pieces - 1) / 4),
            OutputBuckets::Attackers => clamp_to_eight(attackers * 8 / 13),
        }
    }

    /// The head that answers for a position.
    #[inline]
    pub fn for_position(self, position: &Position) -> usize {
        let sum = |count: fn(&Position, Color) -> usize| Color::ALL.map(|color| count(position, color)).iter().sum();
        match self {
            OutputBuckets::One => 0,
            OutputBuckets::Pieces => self.select(sum(Position::piece_count), 0),
            OutputBuckets::Attackers => self.select(1, sum(Position::major_count)),
        }
    }
}

const fn clamp_to_eight(index: usize) -> usize {
    if index > 7 { 7 } else { index }
}

impl FromStr for OutputBuckets {
    type Err = String;
    fn from_str(text: &str) -> Result<OutputBuckets, String> {
        let found = OutputBuckets::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, heads)| heads).ok_or_else(|| format!("{text:?} is none of one, pieces, attackers"))
    }
}

impl fmt::Display for OutputBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(OutputBuckets::ALL[*self as usize].0)
    }
}

/// How a perspective sees the board because of its own king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KingBucket {
    /// The set of rows.
    pub bucket: u8,
    /// Left and right exchanged.
    pub mirrored: bool,
}

/// No row: a piece where it can never stand. A pawn of the promotion variant that stands at home counts for nothing.
const NO_FEATURE: u16 = u16::MAX;

/// For each perspective, as it is and mirrored: the row of a piece (0 to 13, see `piece_index`) on a dense square.
static FEATURE_INDEX: [[[[u16; 90]; 14]; 2]; 2] = {
    let mut table = [[[[NO_FEATURE; 90]; 14]; 2]; 2];
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
                    table[perspective][mirrored][piece][square] = compute_feature_index(is_own, piece % 7, file, rank);
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
const fn compute_feature_index(is_own: bool, kind: usize, file: usize, rank: usize) -> u16 {
    let mut number = if is_own { 0 } else { FEATURES / 2 };
    let mut before = 0;
    // As its own side counts: an enemy piece stands at the other end.
    let home_rank = if is_own { rank } else { 9 - rank };
    if !PieceKind::ALL[kind].can_stand(file as u8, home_rank as u8) {
        return NO_FEATURE;
    }
    while before < kind {
        number += square_count(before);
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

const fn square_count(kind: usize) -> usize {
    [9, 5, 7, 90, 90, 90, 55][kind]
}

/// 0 to 13: red's king to pawn, then black's.
#[inline]
pub fn piece_index(piece: Piece) -> usize {
    (piece.index() & 7) + 7 * (piece.index() >> 4)
}

/// The row, within its set, of a piece on a square as this side sees it; `None` where such a piece can never stand.
#[inline]
pub fn feature_index(perspective: Color, mirrored: bool, piece: usize, square: usize) -> Option<usize> {
    let row = FEATURE_INDEX[perspective as usize][usize::from(mirrored)][piece % 14][square % 90];
    (row != NO_FEATURE).then_some(row as usize)
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
                    .flat_map(|piece| (0..90).filter_map(move |square| feature_index(color, mirrored, piece, square)))
                    .collect();
                assert_eq!(rows.len(), FEATURES);
                assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), (0..FEATURES).collect());
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_from_their_own_ends() {
        for square in Square::all() {
            for kind in PieceKind::ALL {
                let red = piece_index(Piece::new(Color::Red, kind));
                let black = piece_index(Piece::new(Color::Black, kind));
                for mirrored in [false, true] {
                    let turned = if mirrored { square.mirror() } else { square };
                    assert_eq!(
                        feature_index(Color::Red, false, red, square.dense()),
                        feature_index(Color::Black, mirrored, black, turned.flip().dense())
                    );
                }
            }
        }
    }

    #[test]
    fn kings_at_mirrored_places_are_seen_alike() {
        for kings in [KingBuckets::Mirrored, KingBuckets::Three, KingBuckets::Six] {
            let mut buckets = BTreeSet::new();
            for square in Square::all().filter(|square| square.in_palace() && square.rank() < 3) {
                let (view, other) =
                    (kings.king_bucket(square, Color::Red), kings.king_bucket(square.mirror(), Color::Red));
                assert_eq!(view.bucket, other.bucket);
                assert_eq!(view.mirrored == other.mirrored, square.file() == 4);
                assert_eq!(view, kings.king_bucket(square.flip(), Color::Black));
                buckets.insert(view.bucket as usize);
            }
            assert_eq!(buckets, (0..kings.count()).collect());
        }
    }
}
