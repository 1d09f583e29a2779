//! What the values of the published crates say, in the language of the user: their templates are looked up as those of `tr!`.

use crate::language::{Language, fill, reason};
use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use xiangqi::Piece;
use xiangqi::words::{Value, Worded, Words};

/// The words of a value of the published crates in the language of the user.
pub trait Localize {
    /// The words in the current language.
    fn localized(&self) -> String;
}

impl<T: Worded + ?Sized> Localize for T {
    fn localized(&self) -> String {
        text_of(&self.words())
    }
}

fn text_of(words: &Words) -> String {
    if Language::current() == Language::ENGLISH {
        return words.to_string();
    }
    let values: Vec<(&str, String)> = words.values.iter().map(|(name, value)| (*name, value_text(value))).collect();
    let holes: Vec<(&str, &dyn Display)> = values.iter().map(|(name, text)| (*name, text as &dyn Display)).collect();
    fill(Language::current().translate(words.template), &holes)
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Piece(piece) => short_name(*piece),
        Value::Words(words) => text_of(words),
        Value::Worded(value) => value.localized(),
        Value::System(error) => reason(*error),
        other => other.to_string(),
    }
}

/// A piece by its kind; in Chinese it is the character on the piece.
pub fn short_name(piece: Piece) -> String {
    Language::in_script(Language::choose(piece.character().to_string(), piece.kind().localized()))
}

/// An error of a published crate that is shown in the current language.
#[derive(Debug, Clone)]
pub struct Localized<E>(pub E);

impl<E: Worded> Display for Localized<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.localized())
    }
}

impl<E: Worded> Error for Localized<E> {}
