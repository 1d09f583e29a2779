//! The values of the published crates in the language of the user: errors, verdicts, reasons, names.
//!
//! Their `Display` is English, and its words are the templates here. A test compares both.

mod engine;
pub mod record;
pub mod xiangqi;

use crate::language::Language;
use ::xiangqi::rules::ParseRuleSetError;
use ::xiangqi::{ParseMoveError, ParseSquareError};
use chuhe_engine::tablebase::{ParseMaterialError, ParseTableSetError};
use std::error::Error;
use std::fmt::Display;
use xiangqi_record::notation::ParseNotationError;
use xiangqi_record::{OutputFormatError, ParseEncodingError, RecordError, RecordFileError};

/// The words of a value of the published crates in the language of the user.
pub trait Localize: Display {
    /// The words in a language that is not English; a value whose words have no holes needs only the table.
    fn translated(&self) -> String {
        word(&self.to_string())
    }

    /// The words in the current language.
    fn localized(&self) -> String {
        if Language::current() == Language::ENGLISH { self.to_string() } else { self.translated() }
    }
}

/// The translation of words without holes.
fn word(english: &str) -> String {
    Language::current().translate(english).to_string()
}

/// The words in the current language of an error whose type is not known, if it may be within a file or an option.
pub fn of_error(error: &(dyn Error + 'static)) -> Option<String> {
    of_error_type::<RecordError>(error)
        .or_else(|| of_error_type::<RecordFileError>(error))
        .or_else(|| of_error_type::<ParseNotationError>(error))
        .or_else(|| of_error_type::<ParseEncodingError>(error))
        .or_else(|| of_error_type::<OutputFormatError>(error))
        .or_else(|| of_error_type::<ParseMaterialError>(error))
        .or_else(|| of_error_type::<ParseTableSetError>(error))
        .or_else(|| of_error_type::<ParseRuleSetError>(error))
        .or_else(|| of_error_type::<ParseMoveError>(error))
        .or_else(|| of_error_type::<ParseSquareError>(error))
}

/// The words of an error if it has this type.
fn of_error_type<E: Localize + Error + 'static>(error: &(dyn Error + 'static)) -> Option<String> {
    error.downcast_ref::<E>().map(Localize::localized)
}
