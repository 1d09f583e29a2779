//! The current language, its translation table, and the macros `tr!` and `phrase!`.
//!
//! A template is an English sentence with named holes. It is looked up unfilled and filled afterwards, so inserted
//! values are never translated.
//!
//! A table file has a template on one line and its translation on the next, after a tab; `##` starts a comment. A
//! translation uses the same holes in any order.

use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Display, Write};
use std::str::FromStr;
use std::sync::OnceLock;
use thiserror::Error;

/// Translates a template and fills its holes: `tr!("{file}: no game {number}", file = path.display(), number)`. Holes
/// and names are checked at compile time; values must implement `Display`.
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

/// A [`Message`](super::Message): the same, each time that it is shown.
#[macro_export]
macro_rules! message {
    ($template:literal $($values:tt)*) => {
        $crate::language::Message::of(move || $crate::language::tr!($template $($values)*))
    };
}

/// A [`Phrase`]: a text without holes that is stored and translated when displayed.
#[macro_export]
macro_rules! phrase {
    ($template:literal) => {{
        const _: () = assert!($crate::language::holes_match($template, &[]), "a phrase has no holes");
        $crate::language::Phrase($template)
    }};
}

pub use crate::{message, phrase, tr};

/// A text without holes, translated when displayed; made by `phrase!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phrase(pub &'static str);

impl Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Language::current().translate(self.0))
    }
}

impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Translates a template and fills its holes; `tr!` expands to this.
pub fn translate(template: &str, holes: &[(&str, &dyn Display)]) -> String {
    fill(Language::current().translate(template), holes)
}

/// A user language: its code (the prefix of the environment's locale) and its table. [`Language::ALL`] lists the languages.
#[derive(Clone, Copy)]
pub struct Language {
    code: &'static str,
    own_name: &'static str,
    table: &'static InstalledTable,
}

/// The texts of a table, once installed, and the table, once it is needed.
struct InstalledTable {
    texts: OnceLock<fn() -> Vec<&'static str>>,
    table: OnceLock<TranslationTable>,
}

impl InstalledTable {
    const fn new() -> InstalledTable {
        InstalledTable { texts: OnceLock::new(), table: OnceLock::new() }
    }
}

static NO_TABLE: InstalledTable = InstalledTable::new();
static CHINESE_TABLE: InstalledTable = InstalledTable::new();
static TRADITIONAL_TABLE: InstalledTable = InstalledTable::new();
static VIETNAMESE_TABLE: InstalledTable = InstalledTable::new();

/// The text is not a known language code.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{text}' is no language: expected en, zh, zh-Hant or vi", text = _0))]
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

/// The language of the program, once set.
static PROGRAM_LANGUAGE: OnceLock<Language> = OnceLock::new();

thread_local! {
    /// The language set by [`Language::with`] for this thread.
    static THREAD_LANGUAGE: Cell<Option<Language>> = const { Cell::new(None) };
}

/// Restores the previous language, also after a panic.
struct Before(Option<Language>);

impl Drop for Before {
    #[inline(never)]
    fn drop(&mut self) {
        THREAD_LANGUAGE.set(self.0);
    }
}

impl Language {
    /// English, the language of the templates.
    pub const ENGLISH: Language = Language { code: "en", own_name: "English", table: &NO_TABLE };
    /// Chinese, in simplified characters.
    pub const CHINESE: Language = Language { code: "zh", own_name: "简体中文", table: &CHINESE_TABLE };
    /// Chinese, in traditional characters.
    pub const TRADITIONAL: Language = Language { code: "zh-Hant", own_name: "繁體中文", table: &TRADITIONAL_TABLE };
    pub const VIETNAMESE: Language = Language { code: "vi", own_name: "Tiếng Việt", table: &VIETNAMESE_TABLE };
    /// All languages.
    pub const ALL: [Language; 4] = [Language::ENGLISH, Language::CHINESE, Language::TRADITIONAL, Language::VIETNAMESE];

    /// Gives the language its table, as the texts of its parts, which are asked for when the first template is looked up. Only
    /// the first call has an effect. Without it templates are shown in English.
    pub fn install(self, texts: fn() -> Vec<&'static str>) {
        let _ = self.table.texts.set(texts);
    }

    /// Gives the language a table that is there already.
    pub fn install_text(self, text: &'static str) {
        let _ = self.table.table.set(TranslationTable::read(&[text]));
    }

    /// Whether it is written in Chinese characters.
    pub fn is_chinese(self) -> bool {
        self == Language::CHINESE || self == Language::TRADITIONAL
    }

    /// Its code, such as `zh`.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// The language of the locale in the environment variables `LC_ALL`, `LC_MESSAGES` or `LANG`.
    pub fn from_environment() -> Language {
        Language::of_locale(&environment_locale().unwrap_or_default())
    }

    /// Whether one of these variables is set.
    pub fn is_in_environment() -> bool {
        environment_locale().is_some()
    }

    /// The language of a locale such as `zh_CN.UTF-8` or `zh-Hans-CN`; English if it is none of ours.
    pub fn of_locale(locale: &str) -> Language {
        Language::known_locale(locale).unwrap_or(Language::ENGLISH)
    }

    /// Chinese of Taiwan, Hong Kong and Macau is in traditional characters, unless the locale says otherwise.
    fn known_locale(locale: &str) -> Option<Language> {
        let parts: Vec<String> = locale.split(['_', '-', '.', '@']).map(str::to_ascii_lowercase).collect();
        let has = |names: &[&str]| parts[1..].iter().any(|part| names.contains(&part.as_str()));
        match parts[0].as_str() {
            "zh" if has(&["hant"]) || has(&["tw", "hk", "mo"]) && !has(&["hans"]) => Some(Language::TRADITIONAL),
            language => Language::ALL.into_iter().find(|known| known.code == language),
        }
    }

    /// The language of ours that a browser prefers: `zh-CN,zh;q=0.9,en;q=0.8`.
    pub fn preferred(accepted: &str) -> Option<Language> {
        let weighted = accepted.split(',').filter_map(|entry| {
            let (locale, weight) = entry.split_once(";q=").unwrap_or((entry, "1"));
            let language = Language::known_locale(locale.trim())?;
            Some((language, weight.trim().parse::<f64>().unwrap_or(0.0)))
        });
        // Of equal weights the first counts.
        weighted.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(language, _)| language)
    }

    /// Its name in itself.
    pub fn own_name(self) -> &'static str {
        self.own_name
    }

    /// What differs by the current language and is no sentence, such as a notation or the name of an opening.
    pub fn choose<T>(chinese: T, english: T) -> T {
        if Language::current().is_chinese() { chinese } else { english }
    }

    /// The words of moves in Chinese notation, and the characters of pieces, in the characters of the current language. They are
    /// given in simplified ones.
    pub fn in_script(text: String) -> String {
        if Language::current() != Language::TRADITIONAL {
            return text;
        }
        let traditional = |letter| match letter {
            '车' => '車',
            '马' => '馬',
            '炮' => '砲',
            '帅' => '帥',
            '将' => '將',
            '进' => '進',
            '后' => '後',
            other => other,
        };
        text.chars().map(traditional).collect()
    }

    /// Items as a list in the current language.
    pub fn list(items: &[String]) -> String {
        items.join(Language::choose("、", ", "))
    }

    /// Sentences as one text.
    pub fn text(sentences: &[String]) -> String {
        sentences.join(Language::choose("", " "))
    }

    /// The current language: of this thread if set, else of the program.
    pub fn current() -> Language {
        THREAD_LANGUAGE.get().unwrap_or_else(Language::program_language)
    }

    /// The language set for the program, else the environment's.
    pub fn program_language() -> Language {
        *PROGRAM_LANGUAGE.get_or_init(Language::from_environment)
    }

    /// Sets the language of the program; only the first call has an effect.
    pub fn set_program_language(self) {
        let _ = PROGRAM_LANGUAGE.set(self);
    }

    /// Runs `make` with this language on the current thread.
    pub fn with<T>(self, make: impl FnOnce() -> T) -> T {
        let _before = self.enter();
        make()
    }

    /// Not part of the callers, of which there are hundreds.
    #[inline(never)]
    fn enter(self) -> Before {
        Before(THREAD_LANGUAGE.replace(Some(self)))
    }

    /// The translation of a template.
    pub fn translate(self, template: &str) -> &str {
        self.table().and_then(|table| table.0.get(template).copied()).unwrap_or(template)
    }

    /// All templates of its table.
    pub fn templates(self) -> impl Iterator<Item = &'static str> {
        self.table().into_iter().flat_map(|table| table.0.keys().copied())
    }

    /// Its table, if it was installed.
    fn table(self) -> Option<&'static TranslationTable> {
        let InstalledTable { texts, table } = self.table;
        if let Some(table) = table.get() {
            return Some(table);
        }
        let texts = texts.get()?;
        Some(table.get_or_init(|| TranslationTable::read(&texts())))
    }
}

fn environment_locale() -> Option<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set)
}

/// A table from templates to translations.
struct TranslationTable(HashMap<&'static str, &'static str>);

impl TranslationTable {
    /// Parses a table from the texts of its parts.
    fn read(texts: &[&'static str]) -> TranslationTable {
        let mut table = HashMap::new();
        for text in texts {
            let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("##"));
            while let (Some(template), Some(translation)) = (lines.next(), lines.next()) {
                table.insert(template, translation.strip_prefix('\t').unwrap_or(translation));
            }
        }
        TranslationTable(table)
    }
}

/// Whether a letter is Chinese, or a digit as moves of black have it: no blank stands between two of them.
fn is_chinese(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| matches!(letter, '\u{4e00}'..='\u{9fff}' | '０'..='９'))
}

/// Fills the named holes of a template or translation. A blank beside a hole, for values in letters, falls away between Chinese
/// and Chinese.
pub fn fill(template: &str, holes: &[(&str, &dyn Display)]) -> String {
    let mut text = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else { break };
        text.push_str(before);
        let begin = text.len();
        if let Some((_, value)) = holes.iter().find(|(hole, _)| *hole == name) {
            // Writing to a string cannot fail; a value whose `Display` fails leaves its hole empty.
            let _ = write!(text, "{value}");
        }
        rest = after;
        let is_gap_behind = rest.strip_prefix(' ').is_some_and(|behind| is_chinese(behind.chars().next()));
        if is_gap_behind && is_chinese(text[begin..].chars().next_back()) {
            rest = &rest[1..];
        }
        let is_gap_before = before.strip_suffix(' ').is_some_and(|before| is_chinese(before.chars().next_back()));
        if is_gap_before && is_chinese(text[begin..].chars().next()) {
            text.remove(begin - 1);
        }
    }
    text + rest
}

#[cfg(test)]
mod table_tests {
    use super::*;

    #[test]
    fn locales_of_every_system_name_their_language() {
        for locale in ["zh", "zh_CN.UTF-8", "zh-CN", "zh-Hans-CN", "zh-Hans-TW", "ZH", "zh@pinyin"] {
            assert_eq!(Language::of_locale(locale), Language::CHINESE, "{locale}");
        }
        for locale in ["ZH_tw", "zh_HK.UTF-8", "zh-Hant", "zh-Hant-MY", "zh_MO"] {
            assert_eq!(Language::of_locale(locale), Language::TRADITIONAL, "{locale}");
        }
        for locale in ["vi", "vi_VN.UTF-8"] {
            assert_eq!(Language::of_locale(locale), Language::VIETNAMESE, "{locale}");
        }
        for locale in ["", "C", "POSIX", "en_US", "zhuang", "de-DE"] {
            assert_eq!(Language::of_locale(locale), Language::ENGLISH, "{locale}");
        }
    }

    #[test]
    fn fill_inserts_values_by_name_unchanged() {
        let holes: [(&str, &dyn Display); 2] = [("file", &"a{count}.pgn"), ("count", &3)];
        assert_eq!(fill("{file}: {count} games", &holes), "a{count}.pgn: 3 games");
        assert_eq!(fill("{count} 盘（{file}）", &holes), "3 盘（a{count}.pgn）");
        assert_eq!(fill("nothing", &[]), "nothing");
        let fill_one = |template: &str, value: &str| fill(template, &[("value", &value)]);
        assert_eq!(fill_one("捉 {value} 了", "炮２"), "捉炮２了");
        assert_eq!(fill_one("捉 {value} 了", "C2"), "捉 C2 了");
        assert_eq!(fill("{a} {b}", &[("a", &"炮"), ("b", &"马")]), "炮 马");
    }

    #[test]
    fn table_keeps_unknown_templates_english() {
        static TABLE: InstalledTable = InstalledTable::new();
        let language = Language { code: "xx", own_name: "Made up", table: &TABLE };
        assert_eq!(language.translate("red"), "red");
        language.install(|| vec!["## A remark.\nred\n\tđỏ\n", "{a} beats {b}\n\t{b} thua {a}\n"]);
        assert_eq!(language.translate("red"), "đỏ");
        assert_eq!(language.translate("black"), "black");
        assert_eq!(language.translate("{a} beats {b}"), "{b} thua {a}");
        let told = language.with(|| (tr!("{a} beats {b}", a = "one", b = 2), phrase!("red").to_string()));
        assert_eq!(told, ("2 thua one".to_string(), "đỏ".to_string()));
    }
}
