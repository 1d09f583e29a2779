//! Maps a position and its left-right mirror image to the same book key.

use xiangqi::{Color, Key, Move, Piece, Position, piece_key};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_share_one_key() {
        let mut position = Position::start();
        assert!(MirrorKey::of(&position).symmetric);
        for mv in ["h2e2", "h9g7", "h0g2"] {
            position.play(mv.parse().expect("a move")).expect("legal");
            let (here, there) = (MirrorKey::of(&position), MirrorKey::of(&position.mirrored()));
            assert_eq!(here.key, there.key);
            assert_eq!(mirror_key(&position), position.mirrored().key());
            assert!(!here.symmetric && here.mirrored != there.mirrored);
            for mv in position.legal_moves().moves() {
                assert_eq!(here.to_book_move(mv), there.to_book_move(mv.mirror()));
                assert_eq!(here.from_book_move(here.to_book_move(mv)).collect::<Vec<_>>(), [mv]);
            }
        }
    }

    #[test]
    fn mirror_moves_of_a_symmetric_position_share_one_entry() {
        let folded = MirrorKey::of(&Position::start());
        let (left, right): (Move, Move) = ("b2e2".parse().unwrap(), "h2e2".parse().unwrap());
        assert_eq!(folded.to_book_move(left), folded.to_book_move(right));
        assert_eq!(folded.from_book_move(folded.to_book_move(left)).count(), 2);
        let middle: Move = "e3e4".parse().unwrap();
        assert_eq!(folded.from_book_move(folded.to_book_move(middle)).collect::<Vec<_>>(), [middle]);
    }
}
