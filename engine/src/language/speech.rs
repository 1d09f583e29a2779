//! The language of the reader, and texts that are said in it.

use super::table::{Table, filled};
use std::cell::Cell;
use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::OnceLock;
use thiserror::Error;

/// A text of the program in the reader's language: `tr!("{file}: no game {number}", file = path.display(), number)`. The
/// compiler sees to it that holes and names fit; what is shown must have a `Display`.
#[macro_export]
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
#[macro_export]
macro_rules! phrase {
    ($template:literal) => {{
        const _: () = assert!($crate::language::fits($template, &[]), "a phrase has no holes");
        $crate::language::Phrase($template)
    }};
}

pub use crate::{phrase, tr};

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

/// The texts of the Chinese table, once the program has installed them.
static CHINESE: OnceLock<&'static [&'static str]> = OnceLock::new();

fn chinese_table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    match CHINESE.get() {
        Some(texts) => TABLE.get_or_init(|| Table::read(texts)),
        None => no_table(),
    }
}

/// Installs the Chinese table, as the texts of its parts. This crate has English only; without a table the templates
/// are shown as they are. Only the first call has an effect.
pub fn install_chinese(texts: &'static [&'static str]) {
    let _ = CHINESE.set(texts);
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
    pub fn chosen() -> Language {
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

    /// All templates that its table has.
    pub fn templates(self) -> impl Iterator<Item = &'static str> {
        (self.table)().templates()
    }
}
