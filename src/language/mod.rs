//! The two languages of those who use the program. All texts are written in English where they belong, and `chinese.txt`
//! says each of them in Chinese: a `phrasebook` finds what was said in it, whatever names and numbers stand between the
//! words. Whoever prints for people translates at the last moment; protocols, JSON and files of data stay as they are.

mod phrasebook;

use phrasebook::Phrasebook;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::OnceLock;
use thiserror::Error;

/// The language of a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Chinese,
    English,
}

/// The name of a language was not recognised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no language: expected zh or en")]
pub struct ParseLanguageError(String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Language, ParseLanguageError> {
        match text.to_ascii_lowercase().as_str() {
            "zh" => Ok(Language::Chinese),
            "en" => Ok(Language::English),
            _ => Err(ParseLanguageError(text.chars().take(16).collect())),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.pick("zh", "en"))
    }
}

/// The language of this program's reader, once somebody chose it.
static CHOSEN: OnceLock<Language> = OnceLock::new();

impl Language {
    /// The one that the environment of a program asks for.
    pub fn of_environment() -> Language {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let told = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        if told.to_ascii_lowercase().starts_with("zh") { Language::Chinese } else { Language::English }
    }

    /// The reader's: as chosen, otherwise by the environment.
    pub fn of_reader() -> Language {
        *CHOSEN.get_or_init(Language::of_environment)
    }

    /// Makes it the reader's from now on; the first choice holds.
    pub fn choose(self) {
        let _ = CHOSEN.set(self);
    }

    /// One of two things.
    pub fn pick<T>(self, chinese: T, english: T) -> T {
        match self {
            Language::Chinese => chinese,
            Language::English => english,
        }
    }

    /// A text of the program in this language, line by line; what is in no phrase stays as it is.
    pub fn say<'a>(self, english: &'a str) -> Cow<'a, str> {
        match self {
            Language::English => Cow::Borrowed(english),
            Language::Chinese => Cow::Owned(Phrasebook::chinese().text(english)),
        }
    }

    /// Whether there is a phrase for exactly this text, with `{}` wherever something is filled in.
    pub fn knows(self, english: &str) -> bool {
        self == Language::English || Phrasebook::chinese().holds(english)
    }
}

/// A text of others as it may be shown to people: its lines, without the signs that a terminal obeys. Names, comments and
/// descriptions come out of files and from other programs, and may hold anything.
pub fn printable(text: &str) -> Cow<'_, str> {
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

/// Tells a person on standard error, in his language, what is wrong; nobody is left to be told if that fails.
pub fn complain(text: &str) {
    let said = Language::of_reader().say(text);
    let _ = writeln!(io::stderr(), "chuhe: {}", printable(&said));
}

/// An output whose lines are said in a language, without signs that a terminal obeys; what is no whole line yet waits for
/// its end.
pub struct Translator<W: Write> {
    out: W,
    language: Language,
    pending: Vec<u8>,
}

impl<W: Write> Translator<W> {
    /// Says in this language what is written here.
    pub fn new(language: Language, out: W) -> Translator<W> {
        Translator { out, language, pending: Vec::new() }
    }
}

impl<W: Write> Write for Translator<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if let Some(end) = self.pending.iter().rposition(|&byte| byte == b'\n') {
            let behind = self.pending.split_off(end + 1);
            let lines = std::mem::replace(&mut self.pending, behind);
            let lines = String::from_utf8_lossy(&lines);
            self.out.write_all(printable(&self.language.say(&lines)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    /// What has no end of its line yet is a question or a bar that grows, and goes out as it is.
    fn flush(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.out.write_all(printable(&String::from_utf8_lossy(&pending)).as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Translator<W> {
    fn drop(&mut self) {
        // Whoever wants to know of a failure has flushed.
        let _ = self.flush();
    }
}
