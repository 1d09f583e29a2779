//! Why an option was not set.

use chuhe_engine::language::tr;
use thiserror::Error;

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// `setoption` alone.
    #[error("{}", tr!("setoption: the option's name is missing"))]
    NoName,
    /// A check that was set to something else.
    #[error("{}", tr!("option {name}: '{value}' is neither true nor false", name, value))]
    NotACheck { name: String, value: String },
    /// A spin that was set to something else, or out of bounds.
    #[error("{}", tr!("option {name}: '{value}' is not a number from {min} to {max}", name, value, min, max))]
    NotInRange { name: String, value: String, min: i64, max: i64 },
    /// A combo that was set to something else.
    #[error("{}", tr!("option {name}: '{value}' is none of {choices}", name, value, choices = choices.join(", ")))]
    NoChoice {
        name: String,
        value: String,
        /// What may be chosen.
        choices: &'static [&'static str],
    },
}
