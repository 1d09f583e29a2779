//! A text in both languages, so that the page can switch between them.

use chuhe_study::book::opening_names::OpeningName;
use chuhe_study::reader::{line_names, move_name};
use chuhe_support::files::StateError;
use chuhe_support::language::Language;
use chuhe_support::messages::Localize;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use xiangqi::{Move, Position};

/// A value in Chinese and in English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bilingual<T = String> {
    pub zh: T,
    pub en: T,
}

impl From<OpeningName> for Bilingual {
    fn from(name: OpeningName) -> Bilingual {
        Bilingual { zh: name.chinese.to_string(), en: name.english.to_string() }
    }
}

impl From<StateError> for Bilingual {
    fn from(error: StateError) -> Bilingual {
        Bilingual::from_error(error)
    }
}

impl Bilingual {
    /// The words of a value of the published crates.
    pub fn from_value(value: impl Localize) -> Bilingual {
        Bilingual::of(|| value.localized())
    }

    /// Evaluates the text in both languages.
    #[inline]
    pub fn of(make: impl Fn() -> String) -> Bilingual {
        // One function for all closures.
        fn both(make: &dyn Fn() -> String) -> Bilingual {
            Bilingual { zh: Language::CHINESE.with(make), en: Language::ENGLISH.with(make) }
        }
        both(&make)
    }

    /// The message of an error.
    pub fn from_error(error: impl Display) -> Bilingual {
        Bilingual::of(|| error.to_string())
    }

    /// A move in the default notation of each language.
    pub fn from_move(position: &Position, mv: Move) -> Bilingual {
        Bilingual::of(|| move_name(position, mv))
    }
}

impl Bilingual<Vec<String>> {
    /// The moves of a line in the default notation of each language.
    pub fn from_line(start: &Position, moves: &[Move]) -> Bilingual<Vec<String>> {
        let names = || line_names(start, moves);
        Bilingual { zh: Language::CHINESE.with(names), en: Language::ENGLISH.with(names) }
    }
}

/// The language of ours that a browser prefers: `zh-CN,zh;q=0.9,en;q=0.8`.
pub fn preferred_language(accepted: &str) -> Option<Language> {
    let weighted = accepted.split(',').filter_map(|entry| {
        let (locale, weight) = entry.split_once(";q=").unwrap_or((entry, "1"));
        let code = locale.trim().split('-').next()?.to_ascii_lowercase();
        let language = Language::ALL.into_iter().find(|language| language.code() == code)?;
        Some((language, weight.trim().parse::<f64>().unwrap_or(0.0)))
    });
    // Of equal weights the first counts.
    weighted.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(language, _)| language)
}
