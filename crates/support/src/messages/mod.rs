//! Chinese words for the values of the published crates, whose `Display` is English: errors, verdicts, reasons, names.
//!
//! Each `match` is exhaustive: a new variant does not compile before it has Chinese.

mod engine;
pub mod xiangqi;

use chuhe_base::language::Language;
use std::fmt::Display;

/// The words of a value of the published crates in the language of the user.
pub trait Localize: Display {
    /// The words in Chinese.
    fn chinese(&self) -> String;

    /// The words in the current language.
    fn localized(&self) -> String {
        if Language::current() == Language::CHINESE { self.chinese() } else { self.to_string() }
    }
}
