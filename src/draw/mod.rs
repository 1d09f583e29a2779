//! Pictures of a position: as SVG for pages and files, as PNG, and as text for terminals.
//!
//! * `board` is the picture, `strokes` and `characters` are the writing on it;
//! * `png` makes points of it;
//! * `terminal` is the board in characters.

mod board;
mod characters;
#[cfg(feature = "png")]
mod png;
mod strokes;
mod terminal;

pub use board::{Arrow, Picture, SIZE};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use terminal::{Ink, terminal};
