//! Maps a position and its left-right mirror image to the same book key.

use xiangqi::{Color, Move, Piece, Position, zobrist::Key, zobrist::piece_key};

/// The key and orientation of a position in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MirrorKey {
    /// The smaller of the keys of the position and its mirror image.
    pub key: Key,
    /// The book holds the mirror image.
    pub mirrored: bool,
    /// The position is its own mirror image.
    pub symmetric: bool,
}

impl MirrorKey {
    /// The mirror key of a position.
    pub fn of(position: &Position) -> MirrorKey {
        let (key, image) = (position.key(), mirror_key(position));
        MirrorKey { key: key.min(image), mirrored: image < key, symmetric: image == key }
    }

    /// Converts a move of the position to the book's orientation. In a symmetric position, the smaller of a move and
    /// its mirror image is stored.
    pub fn to_book_move(self, mv: Move) -> Move {
        if self.symmetric {
            mv.min(mv.mirror())
        } else if self.mirrored {
            mv.mirror()
        } else {
            mv
        }
    }

    /// The moves of the position for a stored move: two in a symmetric position.
    pub fn from_book_move(self, mv: Move) -> impl Iterator<Item = Move> {
        let first = if self.mirrored { mv.mirror() } else { mv };
        let second = (self.symmetric && mv.mirror() != mv).then(|| mv.mirror());
        std::iter::once(first).chain(second)
    }
}

/// The key of the mirror image.
fn mirror_key(position: &Position) -> Key {
    // The side-to-move part of the key is the same in both.
    let exchange = |key: Key, color: Color| {
        position.pieces(color).fold(key, |key, (kind, square)| {
            let piece = Piece::new(color, kind);
            key ^ piece_key(piece, square) ^ piece_key(piece, square.mirror())
        })
    };
    exchange(exchange(position.key(), Color::Red), Color::Black)
}
