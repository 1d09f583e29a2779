//! Pictures of positions: SVG for pages and files, PNG, and text for terminals.
//!
//! * `board`, `pieces` and `coordinates` describe the picture as shapes (`shape`), in a `style` that the reader chooses;
//!   `strokes` and `glyphs` provide the characters on it;
//! * `svg` writes the shapes as SVG, `png` rasterises them, `animation` puts several into one file;
//! * `icon` draws the icon of the program;
//! * `terminal_board` draws the board with characters;
#![deny(unsafe_code)]

mod animation;
mod board;
mod coordinates;
mod glyphs;
mod icon;
mod pieces;
mod png;
mod shape;
mod strokes;
mod style;
mod svg;
mod terminal_board;

pub use animation::animation;
pub use board::{ArrowKind, BoardPicture, SIZE};
pub use icon::{icon, icon_on_ground, icon_svg};
pub use style::{BoardColours, BoardStyle, Coordinates, PieceSet, board_rules};
pub use terminal_board::{ColourMode, TerminalBoard, board_lines};
