//! Pictures of a position: as SVG for pages and files, as PNG, and as text for terminals.
//!
//! * `board` says what is to be seen, as shapes (`shape`); `strokes` and `characters` are the writing on it;
//! * `svg` writes the shapes down, `png` paints them on a `canvas`;
//! * `terminal` is the board in characters;
//! * `page` is what all pages have in common that show games, `chart` draws numbers for them.

mod board;
mod canvas;
mod characters;
pub mod chart;
pub mod page;
mod png;
mod shape;
mod strokes;
mod svg;
mod terminal;

pub use board::{Arrow, Picture, SIZE};
pub use terminal::{Ink, View, terminal};
