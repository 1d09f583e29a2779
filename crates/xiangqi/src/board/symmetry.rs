//! The mirrored and the color-flipped position.

use super::position::Position;
use crate::types::{Color, Piece, Square};

impl Position {
    /// The left-right mirror image, without history.
    pub fn mirrored(&self) -> Position {
        self.transformed(Square::mirror, |color| color)
    }

    /// The same position with the sides exchanged and the board turned over, without history.
    pub fn color_flipped(&self) -> Position {
        self.transformed(Square::flip, |color| !color)
    }

    fn transformed(&self, square_map: impl Fn(Square) -> Square, color_map: impl Fn(Color) -> Color) -> Position {
        let mut image = Position::empty();
        for color in Color::ALL {
            for (kind, square) in self.pieces(color) {
                image.board.put(Piece::new(color_map(color), kind), square_map(square));
            }
        }
        let side = color_map(self.side());
        let first_ply = self.game_ply() / 2 * 2 + side as u32;
        image.complete(side, self.state.plies_since_capture, first_ply, self.promotion());
        image
    }
}
