//! A terminal whose cursor is left at the beginning of the line below which a bar is drawn again.
//!
//! A bar leaves it at the right margin, where the next letter goes to the next line. When somebody presses Ctrl-C the
//! terminal writes `^C` there by itself: whatever is drawn is then taken away one line too low, and its first line stays for ever.

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};
use std::io;

/// How often in a second it may be drawn.
const FRAMES: u8 = 20;

#[derive(Debug)]
struct AtStart(Term);

/// Where a bar is drawn; nowhere, if that is no terminal that can draw.
pub fn drawn_on(terminal: Term) -> ProgressDrawTarget {
    if terminal.is_term() && !console::is_dumb() {
        ProgressDrawTarget::term_like_with_hz(Box::new(AtStart(terminal)), FRAMES)
    } else {
        ProgressDrawTarget::hidden()
    }
}

impl TermLike for AtStart {
    fn width(&self) -> u16 {
        self.0.size().1
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    /// The end of a picture.
    fn flush(&self) -> io::Result<()> {
        self.0.write_str("\r")?;
        self.0.flush()
    }
}
