//! The architecture of a network: its features, king buckets and output buckets.
//!
//! Each side sees the board from its own end (its *perspective*). A feature is a piece, own or other, on a square where
//! it can stand; there are 692. The own king's square selects one of several feature sets (*king buckets*) and may
//! mirror the board left to right, so that the king is always in the left half of the palace.

use std::fmt;
use std::str::FromStr;
use xiangqi::{Color, Piece, PieceKind, Position, Square, worded_error, words};

/// The number of features of one set: own and other pieces of every kind on the squares where they can stand.
pub const FEATURES: usize = 2 * (9 + 5 + 7 + 55 + 3 * 90);

/// The king buckets: feature sets selected by the own king's square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum KingBuckets {
    /// One bucket, never mirrored.
    Plain = 0,
    /// One bucket, mirrored if the own king is on the right.
    Mirrored = 1,
    /// Three buckets: back rank in the middle, back rank at the side, further up.
    Three = 2,
    /// Six buckets, one for each square in the left half of the palace.
    Six = 3,
}

/// The output buckets: sets of output weights, selected by material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum OutputBuckets {
    /// One bucket.
    One = 0,
    /// Eight, by the number of pieces on the board.
    Pieces = 1,
    /// Eight, by the number of rooks, horses and cannons on the board.
    Attackers = 2,
}

/// This text names no kind of buckets.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseBucketsError {
    /// It is none of the king buckets.
    King(String),
    /// It is none of the output buckets.
    Output(String),
}

worded_error!(ParseBucketsError, |error| match error {
    ParseBucketsError::King(text) => {
        words!("{text} is none of plain, mirrored, three, six", text = format!("{text:?}"))
    }
    ParseBucketsError::Output(text) => {
        words!("{text} is none of one, pieces, attackers", text = format!("{text:?}"))
    }
});

/// The architecture of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// The neurons of the hidden layer, per perspective.
    pub hidden: usize,
    /// The king buckets.
    pub king_buckets: KingBuckets,
    /// The output buckets.
    pub output_buckets: OutputBuckets,
}

impl KingBuckets {
    const ALL: [(&'static str, KingBuckets); 4] = [
        ("plain", KingBuckets::Plain),
        ("mirrored", KingBuckets::Mirrored),
        ("three", KingBuckets::Three),
        ("six", KingBuckets::Six),
    ];

    /// The number of king buckets.
    pub const fn count(self) -> usize {
        match self {
            KingBuckets::Plain | KingBuckets::Mirrored => 1,
            KingBuckets::Three => 3,
            KingBuckets::Six => 6,
        }
    }

    /// The king buckets with this number in a network file.
    pub fn from_number(number: u8) -> Option<KingBuckets> {
        KingBuckets::ALL.into_iter().map(|(_, buckets)| buckets).find(|&buckets| buckets as u8 == number)
    }

    /// The bucket of a side with its king on this square, and whether the board is mirrored.
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
    type Err = ParseBucketsError;
    fn from_str(text: &str) -> Result<KingBuckets, ParseBucketsError> {
        let found = KingBuckets::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, buckets)| buckets).ok_or_else(|| ParseBucketsError::King(text.to_string()))
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

    /// The number of output buckets.
    pub const fn count(self) -> usize {
        match self {
            OutputBuckets::One => 1,
            OutputBuckets::Pieces | OutputBuckets::Attackers => 8,
        }
    }

    /// The output buckets with this number in a network file.
    pub fn from_number(number: u8) -> Option<OutputBuckets> {
        OutputBuckets::ALL.into_iter().map(|(_, buckets)| buckets).find(|&buckets| buckets as u8 == number)
    }

    /// The output bucket for these numbers of pieces and attackers on the board.
    #[inline]
    pub const fn select(self, pieces: usize, attackers: usize) -> usize {
        match self {
            OutputBuckets::One => 0,
            OutputBuckets::Pieces => clamp_to_eight((pieces - 1) / 4),
            OutputBuckets::Attackers => clamp_to_eight(attackers * 8 / 13),
        }
    }

    /// The output bucket for a position.
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
    type Err = ParseBucketsError;
    fn from_str(text: &str) -> Result<OutputBuckets, ParseBucketsError> {
        let found = OutputBuckets::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, buckets)| buckets).ok_or_else(|| ParseBucketsError::Output(text.to_string()))
    }
}

impl fmt::Display for OutputBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(OutputBuckets::ALL[*self as usize].0)
    }
}

/// A king bucket with its mirroring.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KingBucket {
    /// The feature set.
    pub bucket: u8,
    /// True if left and right are exchanged.
    pub mirrored: bool,
}

/// The feature of a piece where it can never stand, such as a pawn at home in the promotion variant; it has no weights.
const NO_FEATURE: u16 = u16::MAX;

/// The feature of a piece (0 to 13, see [`piece_index`]) on a dense square, by perspective and mirroring.
static FEATURE_INDEX: [[[u16; 14 * 90]; 2]; 2] = {
    let mut table = [[[NO_FEATURE; 14 * 90]; 2]; 2];
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
                    table[perspective][mirrored][piece * 90 + square] =
                        compute_feature_index(is_own, piece % 7, file, rank);
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

/// The feature of a piece, with ranks counted from the perspective's side.
const fn compute_feature_index(is_own: bool, kind: usize, file: usize, rank: usize) -> u16 {
    let mut number = if is_own { 0 } else { FEATURES / 2 };
    let mut before = 0;
    // Count ranks from the piece's own side.
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

/// The index of a piece, 0 to 13: red's king to pawn, then black's.
#[inline]
pub fn piece_index(piece: Piece) -> usize {
    (piece.index() & 7) + 7 * (piece.index() >> 4)
}

/// The feature of a piece on a square from this perspective; `None` where such a piece can never stand.
#[inline]
pub fn feature_index(perspective: Color, mirrored: bool, piece: usize, square: usize) -> Option<usize> {
    let feature = FEATURE_INDEX[perspective as usize][usize::from(mirrored)][piece * 90 + square];
    (feature != NO_FEATURE).then_some(feature as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn features_are_dense_and_unique() {
        for color in Color::ALL {
            for mirrored in [false, true] {
                let features: Vec<usize> = (0..14)
                    .flat_map(|piece| (0..90).filter_map(move |square| feature_index(color, mirrored, piece, square)))
                    .collect();
                assert_eq!(features.len(), FEATURES);
                assert_eq!(features.into_iter().collect::<BTreeSet<_>>(), (0..FEATURES).collect());
            }
        }
    }

    #[test]
    fn features_are_equal_for_flipped_perspectives() {
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
    fn king_buckets_are_equal_for_mirrored_kings() {
        for king_buckets in [KingBuckets::Mirrored, KingBuckets::Three, KingBuckets::Six] {
            let mut buckets = BTreeSet::new();
            for square in Square::all().filter(|square| square.in_palace() && square.rank() < 3) {
                let (bucket, other) = (
                    king_buckets.king_bucket(square, Color::Red),
                    king_buckets.king_bucket(square.mirror(), Color::Red),
                );
                assert_eq!(bucket.bucket, other.bucket);
                assert_eq!(bucket.mirrored == other.mirrored, square.file() == 4);
                assert_eq!(bucket, king_buckets.king_bucket(square.flip(), Color::Black));
                buckets.insert(bucket.bucket as usize);
            }
            assert_eq!(buckets, (0..king_buckets.count()).collect());
        }
    }
}
