//! What the program says to people, in their language. Every text is an English template where it belongs, in `tr!` (or
//! `phrase!`, for what is kept and said later), with what is filled in by name:
//!
//! ```ignore
//! tr!("no legal move for {side}", side = side.name())
//! ```
//!
//! The table of a language (`chinese.txt`) has the whole template, and is asked before it is filled: names, paths and moves of
//! others stay as they are, and a word of the program in a hole is made by `tr!` itself. A test finds what a table lacks.
//! Protocols, JSON and files of data stay English, by not using these, or under [`Language::with`].

mod system_errors;
mod translation;

pub use system_errors::reason;
pub use translation::{
    Language, ParseLanguageError, Phrase, TranslationTable, fill, holes_match, install_chinese, phrase, tr, translate,
};

use std::borrow::Cow;
use std::io::{self, Write};

/// A text of others as it may be shown to people: its lines, without the signs that a terminal obeys. Names, comments and
/// descriptions come out of files and from other programs, and may hold anything.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let obeyed = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let shown = |letter: char| match letter {
        '\r' | '\x0B' | '\x0C' => ' ',
        _ if obeyed(letter) => char::REPLACEMENT_CHARACTER,
        _ => letter,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Tells a person on standard error what is wrong, in the language of the program's reader whatever is spoken here; nobody is
/// left to be told if that fails.
pub fn print_error(what: impl FnOnce() -> String) {
    let _ = writeln!(io::stderr(), "chuhe: {}", sanitize(&Language::program_language().with(what)));
}

/// An output of lines without signs that a terminal obeys; what is no whole line yet waits for its end.
pub struct SanitizingWriter<W: Write> {
    out: W,
    pending: Vec<u8>,
}

impl<W: Write> SanitizingWriter<W> {
    /// Cleans what is written here.
    pub fn new(out: W) -> SanitizingWriter<W> {
        SanitizingWriter { out, pending: Vec::new() }
    }
}

impl<W: Write> Write for SanitizingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if let Some(end) = self.pending.iter().rposition(|&byte| byte == b'\n') {
            let behind = self.pending.split_off(end + 1);
            let lines = std::mem::replace(&mut self.pending, behind);
            self.out.write_all(sanitize(&String::from_utf8_lossy(&lines)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    /// What has no end of its line yet is a question or a bar that grows, and goes out as it is.
    fn flush(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.out.write_all(sanitize(&String::from_utf8_lossy(&pending)).as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Drop for SanitizingWriter<W> {
    fn drop(&mut self) {
        // Whoever wants to know of a failure has flushed.
        let _ = self.flush();
    }
}
