//! A message that is put into words when it is shown: errors and notes that outlive the request that they answer.

use super::Language;
use crate::messages::Localize;
use serde::{Serialize, Serializer};
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;

/// A text that each reader gets in the own language.
#[derive(Clone)]
pub struct Message(Arc<dyn Fn() -> String + Send + Sync>);

impl Message {
    pub fn of(make: impl Fn() -> String + Send + Sync + 'static) -> Message {
        Message(Arc::new(make))
    }

    /// The words of a value of the published crates.
    pub fn from_value(value: impl Localize + Send + Sync + 'static) -> Message {
        Message::of(move || value.localized())
    }

    /// The message of an error.
    pub fn from_error(error: impl Display + Send + Sync + 'static) -> Message {
        Message::of(move || error.to_string())
    }

    /// For the log.
    pub fn english(&self) -> String {
        Language::ENGLISH.with(|| self.to_string())
    }
}

impl Display for Message {
    /// In the current language.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0())
    }
}

impl Debug for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.english(), f)
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Message) -> bool {
        self.english() == other.english()
    }
}

impl Serialize for Message {
    /// In the current language.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}
