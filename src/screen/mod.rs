//! What a terminal is given: texts as wide as it is, and bars that tell how far a long piece of work is.

mod at_start;
mod fitting;
mod progress;

pub use fitting::{cut, padded, padded_left, wrapped};
pub use progress::Progress;

/// How many columns the terminal has that standard output leads to; without end where it leads elsewhere, or to one that
/// does not know.
pub fn width(is_terminal: bool) -> usize {
    let known = if is_terminal { terminal_size::terminal_size() } else { None };
    known.map_or(usize::MAX, |(width, _)| width.0.into())
}
