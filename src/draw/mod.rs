//! Pictures: a position as SVG, for pages and files.

mod board;

pub use board::{board, pieces};
