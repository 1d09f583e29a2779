//! The terminal: how wide it is, and progress bars.

mod at_start;
mod progress;

pub use progress::Progress;

/// How many columns the terminal has that standard output leads to; `usize::MAX` where it leads elsewhere, or where the
/// terminal does not know.
pub fn width(is_terminal: bool) -> usize {
    let known = if is_terminal { terminal_size::terminal_size() } else { None };
    known.map_or(usize::MAX, |(width, _)| width.0.into())
}
