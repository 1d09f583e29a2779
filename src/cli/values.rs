//! Values of options: words that are one of a few, named in the help and completed by shells, and how many threads.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::error::Error;
use std::str::FromStr;

/// Reads one of these words, each of which its type can read.
pub fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| word.parse::<T>())
}

/// As many threads as were asked for, or as the machine runs at once.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}
