//! What errors, verdicts and names say: an English template, and the values in its holes. `Display` is the English text; a
//! program with a table of templates says it in another language.
//!
//! ```
//! use xiangqi::words::{Value, Worded};
//! use xiangqi::{Position, fen::FenError};
//!
//! let error = Position::from_fen("9 w").unwrap_err();
//! let words = error.words();
//! assert_eq!(words.template, "FEN board: expected 10 ranks, found {count}");
//! assert!(matches!(&words.values[..], [("count", Value::Text(count))] if count == "1"));
//! assert_eq!(error.to_string(), "FEN board: expected 10 ranks, found 1");
//! ```

use crate::types::{Move, Piece, Square};
use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter, Write};
use std::io;

/// A value that says something: an error, a verdict, a name.
pub trait Worded: Debug + Display {
    /// What it says.
    fn words(&self) -> Words<'_>;

    /// The value as an error, if it is one.
    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
}

/// An English template with holes such as `{square}`, and their values.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    /// The template.
    pub template: &'static str,
    /// The values by the names of their holes.
    pub values: Vec<(&'static str, Value<'a>)>,
}

/// What stands in a hole.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A number, a name, a move: the same in every language.
    Text(String),
    /// A piece by its kind alone. Chinese has the character on it.
    Piece(Piece),
    /// Words within words.
    Words(Words<'a>),
    /// Another value that says something.
    Worded(&'a dyn Worded),
    /// An error of the operating system.
    System(&'a io::Error),
}

impl<'a> Words<'a> {
    /// Words without holes.
    pub const fn of(template: &'static str) -> Words<'a> {
        Words { template, values: Vec::new() }
    }

    /// Several as one, two at a time, by a template with the holes `one` and `other`; `None` of nothing.
    pub fn joined(template: &'static str, parts: impl IntoIterator<Item = Words<'a>>) -> Option<Words<'a>> {
        let join = |one: Words<'a>, other: Words<'a>| Words {
            template,
            values: vec![("one", Value::Words(one)), ("other", Value::Words(other))],
        };
        parts.into_iter().reduce(join)
    }

    /// The first value that is an error.
    pub fn cause(&self) -> Option<&'a (dyn Error + 'static)> {
        self.values.iter().find_map(|(_, value)| match value {
            Value::Worded(value) => value.as_error(),
            Value::System(error) => Some(*error as &(dyn Error + 'static)),
            _ => None,
        })
    }
}

/// In English.
impl Display for Words<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (mut text, mut rest) = (String::new(), self.template);
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}').unwrap_or((behind, ""));
            text += before;
            if let Some((_, value)) = self.values.iter().find(|(hole, _)| *hole == name) {
                write!(text, "{value}")?;
            }
            rest = after;
        }
        f.pad(&(text + rest))
    }
}

/// In English.
impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Piece(piece) => f.write_str(piece.kind().name()),
            Value::Words(words) => write!(f, "{words}"),
            Value::Worded(value) => write!(f, "{value}"),
            // Windows words its errors in its own language; the kind of an error is English everywhere.
            Value::System(error) if cfg!(windows) => write!(f, "{}", error.kind()),
            Value::System(error) => write!(f, "{error}"),
        }
    }
}

impl Worded for Words<'_> {
    fn words(&self) -> Words<'_> {
        self.clone()
    }
}

impl<'a, T: Worded> From<&'a T> for Value<'a> {
    fn from(value: &'a T) -> Value<'a> {
        Value::Worded(value)
    }
}

impl<'a> From<Words<'a>> for Value<'a> {
    fn from(words: Words<'a>) -> Value<'a> {
        Value::Words(words)
    }
}

impl<'a> From<&'a io::Error> for Value<'a> {
    fn from(error: &'a io::Error) -> Value<'a> {
        Value::System(error)
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<Piece> for Value<'_> {
    fn from(piece: Piece) -> Self {
        Value::Piece(piece)
    }
}

macro_rules! as_text {
    ($($kind:ty)*) => {$(
        impl From<&$kind> for Value<'_> {
            fn from(value: &$kind) -> Self {
                Value::Text(value.to_string())
            }
        }
    )*};
}

as_text! { String str u8 u16 u32 u64 usize i64 Move Square }

/// Makes [`Words`]: `words!("there is no piece on {square}", square)`. That holes and names fit is checked at compile time.
#[macro_export]
macro_rules! words {
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
    ($template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const _: () = assert!(
            $crate::words::holes_match($template, &[$(stringify!($name)),*]),
            "every hole has a name, and every name a hole"
        );
        $crate::words::Words {
            template: $template,
            values: vec![$((stringify!($name), $crate::words::Value::from($crate::words!(@value $name $($value)?)))),*],
        }
    }};
}

/// Implements [`Worded`](mod@crate::words) and [`Display`]: `worded!(Name, |name| words!("…"))`.
#[macro_export]
macro_rules! worded {
    ($kind:ty, |$value:ident| $words:expr) => {
        $crate::worded!(@impl $kind, |$value| $words,);
    };
    (@impl $kind:ty, |$value:ident| $words:expr, $($more:tt)*) => {
        impl $crate::words::Worded for $kind {
            fn words(&self) -> $crate::words::Words<'_> {
                let $value = self;
                $words
            }

            $($more)*
        }

        impl ::std::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&$crate::words::Worded::words(self), f)
            }
        }
    };
}

/// Implements [`Worded`](mod@crate::words), [`Display`] and [`Error`]. Variants that are made of another error follow:
/// `worded_error!(FenError, |error| match error { … }, Setup(SetupError))`.
#[macro_export]
macro_rules! worded_error {
    ($kind:ident, |$value:ident| $words:expr $(, $variant:ident($inner:ty))* $(,)?) => {
        $crate::worded!(@impl $kind, |$value| $words,
            fn as_error(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
                Some(self)
            }
        );

        impl ::std::error::Error for $kind {
            fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
                $crate::words::Worded::words(self).cause()
            }
        }

        $(impl From<$inner> for $kind {
            fn from(error: $inner) -> $kind {
                $kind::$variant(error)
            }
        })*
    };
}

/// True if the holes of a template and the names match; evaluated at compile time.
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

/// True if the hole of this name begins at this byte.
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
