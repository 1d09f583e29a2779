//! What is wrong with a command line, in one line and in the reader's language. Clap finds it out; its own words are English.

use chuhe_engine::language::{reason, tr};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

/// What is wrong, and what may have been meant; otherwise which help tells.
pub fn told(error: &Error, command: &str) -> String {
    let tip = tip(error).unwrap_or_else(|| tr!("try '{help}'", help = format_args!("{command} --help")));
    tr!("{what} ({tip})", what = what(error), tip)
}

/// What is wrong.
pub fn what(error: &Error) -> String {
    let get = |kind| error.get(kind).map(list).unwrap_or_default().join(", ");
    let option = get(ContextKind::InvalidArg);
    let value = get(ContextKind::InvalidValue);
    let values = get(ContextKind::ValidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => tr!("unexpected argument '{word}' found", word = option),
        ErrorKind::InvalidSubcommand => {
            tr!("unrecognized subcommand '{word}'", word = get(ContextKind::InvalidSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() && values.is_empty() => {
            tr!("a value is required for '{option}' but none was supplied", option)
        }
        ErrorKind::InvalidValue if value.is_empty() => tr!(
            "a value is required for '{option}' but none was supplied [possible values: {values}]",
            option,
            values
        ),
        ErrorKind::InvalidValue => {
            tr!("invalid value '{value}' for '{option}' [possible values: {values}]", value, option, values)
        }
        ErrorKind::ValueValidation => {
            let reason = error.source().map(why).unwrap_or_default();
            tr!("invalid value '{value}' for '{option}': {reason}", value, option, reason)
        }
        ErrorKind::TooManyValues => tr!("unexpected value '{value}' for '{option}'", value, option),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            tr!("other values are needed for '{option}'", option)
        }
        ErrorKind::NoEquals => tr!("an equal sign is needed behind '{option}'", option),
        ErrorKind::ArgumentConflict => {
            let other = get(ContextKind::PriorArg);
            if other == option || other.is_empty() {
                tr!("the argument '{option}' cannot be used multiple times", option)
            } else {
                tr!("the argument '{option}' cannot be used with '{other}'", option, other)
            }
        }
        ErrorKind::MissingRequiredArgument => {
            tr!("the following required arguments were not provided: {options}", options = option)
        }
        ErrorKind::MissingSubcommand => tr!(
            "'{command}' requires a subcommand but one was not provided [subcommands: {names}]",
            command = get(ContextKind::InvalidSubcommand),
            names = get(ContextKind::ValidSubcommand)
        ),
        ErrorKind::InvalidUtf8 => tr!("the arguments are no text in UTF-8"),
        // What is left is of the help, or of values that this program does not have.
        _ => error.render().to_string().lines().next().unwrap_or_default().replacen("error: ", "", 1),
    }
}

/// Why a value is none. Numbers of which nothing more is said are counts.
fn why(error: &(dyn std::error::Error + 'static)) -> String {
    match error.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow) => tr!("the number is too large"),
        Some(_) => tr!("expected a whole number from {least}", least = 0),
        None => reason(error),
    }
}

/// What clap believes was meant.
fn tip(error: &Error) -> Option<String> {
    let get = |kind| Some(list(error.get(kind)?)).filter(|words| !words.is_empty());
    let quoted =
        |words: &[String]| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    if let Some(words) = get(ContextKind::SuggestedSubcommand) {
        return Some(match &words[..] {
            [word] => tr!("a similar subcommand exists: '{word}'", word),
            words => tr!("some similar subcommands exist: {words}", words = quoted(words)),
        });
    }
    if let Some(words) = get(ContextKind::SuggestedArg) {
        return Some(match &words[..] {
            [word] => tr!("a similar argument exists: '{word}'", word),
            words => tr!("some similar arguments exist: {words}", words = quoted(words)),
        });
    }
    if let Some(word) =
        get(ContextKind::Suggested).and_then(|told| told[0].split('\'').nth(1).map(str::to_string))
    {
        // What was typed, which may have been meant as a value; or the same behind a subcommand.
        let is_value = get(ContextKind::InvalidArg).is_some_and(|typed| typed[0] == word);
        return match is_value {
            // An option that does not exist, most likely.
            true if word.starts_with("--") => None,
            true => Some(tr!("to pass '{word}' as a value, use '-- {word}'", word)),
            false => Some(tr!("a similar argument exists: '{word}'", word)),
        };
    }
    get(ContextKind::SuggestedValue)
        .map(|words| tr!("a similar value exists: {words}", words = quoted(&words)))
}

fn list(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::None => Vec::new(),
        ContextValue::Strings(all) => all.clone(),
        ContextValue::StyledStrs(all) => all.iter().map(ToString::to_string).collect(),
        one => vec![one.to_string()],
    }
}
