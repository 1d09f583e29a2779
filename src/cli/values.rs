//! Parsers of option values (keywords with completion, ranges of numbers, seconds, thread counts), and the formatting
//! of large numbers.

use chuhe_engine::search::affordable_threads;
use chuhe_support::language::{print_error, tr};
use chuhe_support::messages::Localized;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::error::Error;
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;
use xiangqi::Color;
use xiangqi::words::Worded;

/// Parses what the published crates can read; their errors are shown in the language of the user.
pub fn worded<T: FromStr<Err: Worded>>(text: &str) -> Result<T, Localized<T::Err>> {
    text.parse().map_err(Localized)
}

/// Parses a side, in English or Chinese.
pub fn parse_side(text: &str) -> Result<Color, String> {
    match text.trim().strip_suffix('方').unwrap_or(text.trim()) {
        "红" | "紅" => Ok(Color::Red),
        "黑" => Ok(Color::Black),
        other => other.parse().map_err(|_| tr!("'{text}' is no side: expected red or black", text)),
    }
}

/// Parses integers within a range.
pub fn number_in<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
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
        number.ok_or_else(|| match &most {
            Some(most) => tr!("expected a whole number from {least} to {most}", least, most),
            None => tr!("expected a whole number from {least}", least),
        })
    }
}

/// Parses one of these keywords, each of which its type can parse.
pub fn keyword<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| word.parse::<T>())
}

/// Parses the name of a choice; the help lists the names.
pub fn choice<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&value| name(value)))
        .map(move |text| all.iter().copied().find(|&value| name(value) == text).unwrap_or(all[0]))
}

/// The requested number of threads, or as many as the machine runs at once; fewer, which is said, if there is not enough
/// memory.
pub fn thread_count(asked: Option<usize>) -> usize {
    let wanted = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let count = affordable_threads(wanted);
    if count < wanted {
        print_error(|| tr!("there is memory for {count} of {wanted} threads", count, wanted));
    }
    count
}

/// Parses a number of seconds: from a thousandth to a day.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(tr!("expected seconds, 0.001 to 86400")),
    }
}

/// Parses a number of hours.
pub fn parse_hours(text: &str) -> Result<Duration, String> {
    let read = || Duration::try_from_secs_f64(text.parse::<f64>().ok()? * 3600.0).ok();
    read().ok_or_else(|| tr!("expected hours, such as 0.5"))
}

/// The number with a comma between groups of three digits.
pub fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod numbers_tests {
    use super::group_digits;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(group_digits(0), "0");
        assert_eq!(group_digits(999), "999");
        assert_eq!(group_digits(1_920), "1,920");
        assert_eq!(group_digits(133_312_995), "133,312,995");
    }
}
