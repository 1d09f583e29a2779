//! Pictures of a position: as SVG for pages and files, and as text for terminals.

mod board;
mod terminal;

pub use board::{board, pieces};
pub use terminal::{Ink, terminal};
