//! Values of options: words that are one of a few, named in the help and completed by shells; numbers; seconds; how many
//! threads.

use chuhe_engine::language::tr;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::error::Error;
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error as ThisError;

/// What is no number, or none that an option takes.
#[derive(Debug, ThisError)]
pub enum NumberError {
    #[error("{}", tr!("expected a whole number from {least} to {most}", least, most))]
    Between { least: String, most: String },
    #[error("{}", tr!("expected a whole number from {least}", least))]
    Least { least: String },
}

/// Reads whole numbers that a range contains.
pub fn within<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, NumberError> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
{
    let bound = |bound: Bound<&T>| match bound {
        Bound::Included(number) | Bound::Excluded(number) => Some(number.to_string()),
        Bound::Unbounded => None,
    };
    let least = bound(range.start_bound()).unwrap_or_default();
    let most = bound(range.end_bound());
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match most.clone() {
            Some(most) => NumberError::Between { least: least.clone(), most },
            None => NumberError::Least { least: least.clone() },
        })
    }
}

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

/// Reads a number of seconds: from a thousandth to a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(tr!("expected seconds, 0.001 to 86400")),
    }
}

/// Reads a number of hours.
pub fn hours(text: &str) -> Result<Duration, String> {
    let read = || Duration::try_from_secs_f64(text.parse::<f64>().ok()? * 3600.0).ok();
    read().ok_or_else(|| tr!("expected hours, such as 0.5"))
}
