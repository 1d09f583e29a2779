//! The language of the reader, and texts that are said in it.
//!
//! A table says every template of the program in one language. A template is an English sentence with named holes; it is
//! looked up as it stands in the source and filled afterwards, so that what stands in a hole is never taken for a word of the
//! program.
//!
//! The file has a template on a line, and what it is in the language on the next one, behind a tab; `##` begins a remark.
//! A translation names the same holes, in the order that its language wants.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Display, Write};
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
            $crate::language::holes_match($template, &[$(stringify!($name)),*]),
            "every hole has a name, and every name a hole"
        );
        $crate::language::translate($template, &[$((stringify!($name), $crate::language::tr!(@value $name $($value)?))),*])
    }};
}

/// A text without holes that is kept as it is and said when it is shown: a [`Phrase`].
#[macro_export]
macro_rules! phrase {
    ($template:literal) => {{
        const _: () = assert!($crate::language::holes_match($template, &[]), "a phrase has no holes");
        $crate::language::Phrase($template)
    }};
}

pub use crate::{phrase, tr};

/// A text without holes, said in the reader's language wherever it is shown; made by `phrase!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phrase(pub &'static str);

impl Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Language::current().translate(self.0))
    }
}

/// A template in the reader's language, filled: what `tr!` comes to.
pub fn translate(template: &str, holes: &[(&str, &dyn Display)]) -> String {
    fill(Language::current().translate(template), holes)
}

/// A language that people read: its name, and its table. Another one is another table, in the list of [`Language::ALL`].
#[derive(Clone, Copy)]
pub struct Language {
    code: &'static str,
    table: fn() -> &'static TranslationTable,
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
static PROGRAM_LANGUAGE: OnceLock<Language> = OnceLock::new();

thread_local! {
    /// The one that this thread speaks instead, for as long as it makes something that has a language of its own.
    static THREAD_LANGUAGE: Cell<Option<Language>> = const { Cell::new(None) };
}

fn no_table() -> &'static TranslationTable {
    static TABLE: OnceLock<TranslationTable> = OnceLock::new();
    TABLE.get_or_init(TranslationTable::default)
}

/// The texts of the Chinese table, once the program has installed them.
static CHINESE: OnceLock<&'static [&'static str]> = OnceLock::new();

fn chinese_table() -> &'static TranslationTable {
    static TABLE: OnceLock<TranslationTable> = OnceLock::new();
    match CHINESE.get() {
        Some(texts) => TABLE.get_or_init(|| TranslationTable::read(texts)),
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
    pub const fn new(code: &'static str, table: fn() -> &'static TranslationTable) -> Language {
        Language { code, table }
    }

    /// The one that the environment of a program asks for.
    pub fn from_environment() -> Language {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let told = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let told = told.to_ascii_lowercase();
        let named = Language::ALL.into_iter().find(|language| told.starts_with(language.code));
        named.unwrap_or(Language::ENGLISH)
    }

    /// The reader's: what this thread speaks, otherwise as chosen, otherwise by the environment.
    pub fn current() -> Language {
        THREAD_LANGUAGE.get().unwrap_or_else(Language::program_language)
    }

    /// What was chosen for the whole program, or the environment's.
    pub fn program_language() -> Language {
        *PROGRAM_LANGUAGE.get_or_init(Language::from_environment)
    }

    /// Makes it the reader's from now on; the first choice holds.
    pub fn set_program_language(self) {
        let _ = PROGRAM_LANGUAGE.set(self);
    }

    /// Makes something in this language, whatever the reader's is. It holds for this thread.
    pub fn with<T>(self, make: impl FnOnce() -> T) -> T {
        /// Puts back what was spoken before, also when `make` does not come back.
        struct Before(Option<Language>);
        impl Drop for Before {
            fn drop(&mut self) {
                THREAD_LANGUAGE.set(self.0);
            }
        }
        let _before = Before(THREAD_LANGUAGE.replace(Some(self)));
        make()
    }

    /// What it says for a template.
    pub fn translate(self, template: &str) -> &str {
        (self.table)().translate(template)
    }

    /// All templates that its table has.
    pub fn templates(self) -> impl Iterator<Item = &'static str> {
        (self.table)().templates()
    }
}

/// The templates of a language, each with its translation.
#[derive(Default)]
pub struct TranslationTable(HashMap<&'static str, &'static str>);

impl TranslationTable {
    /// Reads a table from the texts of its parts.
    pub fn read(texts: &[&'static str]) -> TranslationTable {
        let mut table = TranslationTable::default();
        for text in texts {
            let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("##"));
            while let (Some(template), Some(translation)) = (lines.next(), lines.next()) {
                table.0.insert(template, translation.strip_prefix('\t').unwrap_or(translation));
            }
        }
        table
    }

    /// What the language says for a template; the template itself where it says nothing.
    pub fn translate<'a>(&self, template: &'a str) -> &'a str {
        self.0.get(template).copied().unwrap_or(template)
    }

    /// All templates that it translates.
    pub fn templates(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

/// A template, or a translation of one, with its holes filled by name.
pub fn fill(template: &str, holes: &[(&str, &dyn Display)]) -> String {
    let mut text = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else { break };
        text.push_str(before);
        if let Some((_, value)) = holes.iter().find(|(hole, _)| *hole == name) {
            // A string takes everything; a value that fails to show itself leaves its hole empty.
            let _ = write!(text, "{value}");
        }
        rest = after;
    }
    text + rest
}

/// Whether every hole of a template has one of these names, and every name a hole: the compiler asks for each template.
pub const fn holes_match(template: &str, names: &[&str]) -> bool {
    let text = template.as_bytes();
    let (mut at, mut used) = (0, 0_u64);
    while at < text.len() {
        if text[at] == b'{' {
            let mut which = 0;
            while which < names.len() && !is_hole(text, at, names[which].as_bytes()) {
                which += 1;
            }
            if which == names.len() {
                return false;
            }
            used |= 1 << which;
            at += names[which].len() + 1;
        } else if text[at] == b'}' {
            return false;
        }
        at += 1;
    }
    used == (1 << names.len()) - 1
}

/// Whether the hole of this name begins at this byte.
const fn is_hole(text: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + 1 + name.len();
    if end >= text.len() || text[end] != b'}' {
        return false;
    }
    let mut letter = 0;
    while letter < name.len() {
        if text[at + 1 + letter] != name[letter] {
            return false;
        }
        letter += 1;
    }
    true
}

#[cfg(test)]
mod table_tests {
    use super::*;

    #[test]
    fn holes_are_filled_by_name_and_what_they_hold_stays_as_it_is() {
        let holes: [(&str, &dyn Display); 2] = [("file", &"a{count}.pgn"), ("count", &3)];
        assert_eq!(fill("{file}: {count} games", &holes), "a{count}.pgn: 3 games");
        assert_eq!(fill("{count} 盘（{file}）", &holes), "3 盘（a{count}.pgn）");
        assert_eq!(fill("nothing", &[]), "nothing");
    }

    #[test]
    fn a_template_fits_the_names_that_are_its_holes() {
        assert!(
            holes_match("nothing", &[])
                && holes_match("{side} and {side}", &["side"])
                && holes_match("{a}{b}", &["b", "a"])
        );
        assert!(!holes_match("{side}", &[]) && !holes_match("{side}", &["sid"]) && !holes_match("{sid}", &["side"]));
        assert!(
            !holes_match("no hole", &["side"]) && !holes_match("{side", &["side"]) && !holes_match("side}", &["side"])
        );
        assert!(!holes_match("{}", &[]) && !holes_match("{side:?}", &["side"]));
    }

    #[test]
    fn what_a_table_does_not_know_stays_english() {
        let table = TranslationTable::read(&["## A remark.\nred\n\tđỏ\n", "{a} beats {b}\n\t{b} thua {a}\n"]);
        assert_eq!(table.translate("red"), "đỏ");
        assert_eq!(table.translate("black"), "black");
        assert_eq!(table.translate("{a} beats {b}"), "{b} thua {a}");
    }
}
