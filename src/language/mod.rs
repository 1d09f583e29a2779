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

mod phrasebook;
mod reason;
mod table;

pub use reason::reason;
pub use table::{Table, filled, fits};

use phrasebook::Phrasebook;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::OnceLock;
use thiserror::Error;

/// A text of the program in the reader's language: `tr!("{file}: no game {number}", file = path.display(), number)`. The
/// compiler sees to it that holes and names fit; what is shown must have a `Display`.
macro_rules! tr {
    (@value $name:ident) => { &$name };
    (@value $name:ident $value:expr) => { &$value };
    ($template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const _: () = assert!(
            $crate::language::fits($template, &[$(stringify!($name)),*]),
            "every hole has a name, and every name a hole"
        );
        $crate::language::said($template, &[$((stringify!($name), $crate::language::tr!(@value $name $($value)?))),*])
    }};
}

/// A text without holes that is kept as it is and said when it is shown: a [`Phrase`].
#[allow(unused_macros, reason = "the rooms that keep phrases come to it one by one")]
macro_rules! phrase {
    ($template:literal) => {{
        const _: () = assert!($crate::language::fits($template, &[]), "a phrase has no holes");
        $crate::language::Phrase($template)
    }};
}

#[allow(unused_imports, reason = "as above")]
pub(crate) use phrase;
pub(crate) use tr;

/// A text without holes, said in the reader's language wherever it is shown; made by `phrase!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phrase(pub &'static str);

impl Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Language::of_reader().translation(self.0))
    }
}

/// A template in the reader's language, filled: what `tr!` comes to.
pub fn said(template: &str, holes: &[(&str, &dyn Display)]) -> String {
    filled(Language::of_reader().translation(template), holes)
}

/// A language that people read: its name, and its table. Another one is another table, in the list of [`Language::ALL`].
#[derive(Clone, Copy)]
pub struct Language {
    code: &'static str,
    table: fn() -> &'static Table,
}

/// The name of a language was not recognised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{text}' is no language: expected zh or en", text = _0))]
pub struct ParseLanguageError(String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Language, ParseLanguageError> {
        let named = Language::ALL.into_iter().find(|language| language.code.eq_ignore_ascii_case(text));
        named.ok_or_else(|| ParseLanguageError(text.chars().take(16).collect()))
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.code == other.code
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

impl Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code)
    }
}

/// The language of this program's reader, once somebody chose it.
static CHOSEN: OnceLock<Language> = OnceLock::new();

thread_local! {
    /// The one that this thread speaks instead, for as long as it makes something that has a language of its own.
    static SPOKEN: Cell<Option<Language>> = const { Cell::new(None) };
}

fn no_table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::default)
}

fn chinese_table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(include_str!("chinese.txt")))
}

impl Language {
    /// The language of the templates.
    pub const ENGLISH: Language = Language::new("en", no_table);
    pub const CHINESE: Language = Language::new("zh", chinese_table);
    pub const ALL: [Language; 2] = [Language::ENGLISH, Language::CHINESE];

    /// A language by its name, as the environment begins with it, and where its table is.
    pub const fn new(code: &'static str, table: fn() -> &'static Table) -> Language {
        Language { code, table }
    }

    /// The one that the environment of a program asks for.
    pub fn of_environment() -> Language {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let told = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let told = told.to_ascii_lowercase();
        let named = Language::ALL.into_iter().find(|language| told.starts_with(language.code));
        named.unwrap_or(Language::ENGLISH)
    }

    /// The reader's: what this thread speaks, otherwise as chosen, otherwise by the environment.
    pub fn of_reader() -> Language {
        SPOKEN.get().unwrap_or_else(Language::chosen)
    }

    /// What was chosen for the whole program, or the environment's.
    fn chosen() -> Language {
        *CHOSEN.get_or_init(Language::of_environment)
    }

    /// Makes it the reader's from now on; the first choice holds.
    pub fn choose(self) {
        let _ = CHOSEN.set(self);
    }

    /// Makes something in this language, whatever the reader's is. It holds for this thread.
    pub fn with<T>(self, make: impl FnOnce() -> T) -> T {
        /// Puts back what was spoken before, also when `make` does not come back.
        struct Before(Option<Language>);
        impl Drop for Before {
            fn drop(&mut self) {
                SPOKEN.set(self.0);
            }
        }
        let _before = Before(SPOKEN.replace(Some(self)));
        make()
    }

    /// What it says for a template.
    pub fn translation(self, template: &str) -> &str {
        (self.table)().translation(template)
    }

    /// One of two things.
    pub fn pick<T>(self, chinese: T, english: T) -> T {
        if self == Language::CHINESE { chinese } else { english }
    }

    /// A text of the program in this language, line by line; what is in no phrase stays as it is.
    pub fn say<'a>(self, english: &'a str) -> Cow<'a, str> {
        if self == Language::CHINESE {
            Cow::Owned(Phrasebook::chinese().text(english))
        } else {
            Cow::Borrowed(english)
        }
    }

    /// Whether there is a phrase for exactly this text, with `{}` wherever something is filled in.
    pub fn knows(self, english: &str) -> bool {
        self == Language::ENGLISH || Phrasebook::chinese().holds(english)
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
