//! Pictures of a position: as SVG for pages and files, as PNG, and as text for terminals.
//!
//! * `board` says what is to be seen, as shapes (`shape`); `strokes` and `glyphs` are the writing on it;
//! * `svg` writes the shapes down, `png` paints them on a `png`;
//! * `terminal_board` is the board in characters;
//! * `page` is what all pages have in common that show games, `chart` draws numbers for them.

mod board;
pub mod chart;
mod glyphs;
pub mod html_page;
mod png;
mod shape;
mod strokes;
mod svg;
mod terminal_board;

pub use board::{ArrowKind, BoardPicture, SIZE};
pub use terminal_board::{ColourMode, TerminalBoard, board_lines};
