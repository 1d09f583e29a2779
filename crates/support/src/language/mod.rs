//! Messages in the language of the user. Each text is an English template at its place in the source, in `tr!` (or in
//! `phrase!`, for texts without holes that are kept and shown later, and in `message!`, with holes), with named holes:
//!
//! ```
//! use chuhe_support::language::{Language, phrase, tr};
//!
//! let side = "red";
//! let text = Language::ENGLISH.with(|| tr!("no legal move for {side}", side));
//! assert_eq!(text, "no legal move for red");
//! assert_eq!(Language::ENGLISH.with(|| phrase!("mate").to_string()), "mate");
//! ```
//!
//! The table of a language contains whole templates and is looked up before the holes are filled: names, paths and
//! moves stay as they are, and `tr!` translates a [`Phrase`] in a hole. English needs no table; a program installs
//! others by [`Language::install`]. Protocols, JSON and data files stay English: they do not use these macros, or use
//! [`Language::with`].

mod deferred_message;
mod system_errors;
mod translation;

pub use deferred_message::Message;
pub use system_errors::{NoThread, reason};
pub use translation::{Language, ParseLanguageError, Phrase, fill, message, phrase, tr};

// For the macros.
#[doc(hidden)]
pub use translation::translate;
#[doc(hidden)]
pub use xiangqi::words::holes_match;

use std::borrow::Cow;
use std::io::{self, Write};

/// Replaces the control characters of a text, except line feeds and tabs. Names, comments and descriptions from files
/// and other programs may hold terminal escape sequences.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let is_control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let shown = |letter: char| match letter {
        '\r' | '\x0B' | '\x0C' => ' ',
        _ if is_control(letter) => char::REPLACEMENT_CHARACTER,
        _ => letter,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The beginning of a text for a message, without characters that control a terminal.
pub fn excerpt(text: &str, letters: usize) -> String {
    text.chars().take(letters).map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

/// Prints an error to standard error, in the program's language whatever [`Language::with`] sets; a failure of the
/// output is ignored.
pub fn print_error(what: impl FnOnce() -> String) {
    let _ = writeln!(io::stderr(), "chuhe: {}", sanitize(&Language::program_language().with(what)));
}

/// A writer that sanitizes whole lines and buffers an incomplete one.
pub struct SanitizingWriter<W: Write> {
    out: W,
    pending: Vec<u8>,
}

impl<W: Write> SanitizingWriter<W> {
    /// Wraps an output.
    pub fn new(out: W) -> SanitizingWriter<W> {
        SanitizingWriter { out, pending: Vec::new() }
    }
}

impl<W: Write> Write for SanitizingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Only what is new is searched: a line of megabytes may come in small pieces.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole > 0 {
            self.pending.extend_from_slice(&bytes[..whole]);
            let lines = std::mem::take(&mut self.pending);
            self.out.write_all(sanitize(&String::from_utf8_lossy(&lines)).as_bytes())?;
        }
        self.pending.extend_from_slice(&bytes[whole..]);
        Ok(bytes.len())
    }

    /// Writes an incomplete line as it is: it is a prompt or a progress bar.
    fn flush(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.out.write_all(sanitize(&String::from_utf8_lossy(&pending)).as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Drop for SanitizingWriter<W> {
    fn drop(&mut self) {
        // A caller that needs the error has flushed before.
        let _ = self.flush();
    }
}
