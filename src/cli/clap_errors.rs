//! Formats clap's errors in one line and in the reader's language (clap's own texts are English), and finds the
//! subcommand of a command line without parsing its options.

use super::help_layout::with_placeholders;
use chuhe_support::language::{reason, tr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::{IntErrorKind, ParseIntError};

/// The subcommand, as it is typed: `chuhe tables probe`.
pub fn subcommand_of(program: &Command, words: &[OsString]) -> String {
    let (mut path, mut command) = (program.get_name().to_string(), program);
    for (_, word) in subcommand_words(program, words) {
        let Some(inner) = command.find_subcommand(word) else { break };
        path = format!("{path} {}", inner.get_name());
        command = inner;
    }
    path
}

/// Moves global options such as `--lang zh` in front of `help`, behind which clap accepts only names.
pub fn reorder_help(program: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let Some(help) = help_position(program, &words) else { return words };
    let (mut before, mut behind) = (words[..help].to_vec(), Vec::new());
    let mut rest = words[help..].iter();
    while let Some(word) = rest.next() {
        match global_option(program, word) {
            Some(is_whole) => {
                before.push(word.clone());
                before.extend(if is_whole { None } else { rest.next().cloned() });
            }
            None => behind.push(word.clone()),
        }
    }
    before.extend(behind);
    before
}

/// Where `help` stands as a subcommand (and not, say, as a file name).
fn help_position(program: &Command, words: &[OsString]) -> Option<usize> {
    let mut command = program;
    for (place, word) in subcommand_words(program, words) {
        if word == "help" && command.has_subcommands() {
            return Some(place);
        }
        command = command.find_subcommand(word)?;
    }
    None
}

/// The words that are neither global options nor their values, with their positions.
pub fn subcommand_words<'a>(program: &Command, words: &'a [OsString]) -> impl Iterator<Item = (usize, &'a OsStr)> {
    let mut is_value = false;
    words.iter().enumerate().skip(1).filter_map(move |(place, word)| {
        let is_skipped = std::mem::take(&mut is_value);
        match global_option(program, word) {
            _ if is_skipped => None,
            Some(is_whole) => {
                is_value = !is_whole;
                None
            }
            None => Some((place, word.as_os_str())),
        }
    })
}

/// Whether a word is a global option; if so, whether its value is part of the word.
fn global_option(program: &Command, word: &OsStr) -> Option<bool> {
    let (name, value) = match word.to_str()?.strip_prefix("--")?.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word.to_str()?.strip_prefix("--")?, None),
    };
    let mut globals = program.get_arguments().filter(|arg| arg.is_global_set());
    globals.any(|arg| arg.get_long() == Some(name)).then_some(value.is_some())
}

/// The error message with a suggestion, or a pointer to the right help.
pub fn error_message(error: &Error, command: &str) -> String {
    let tip = suggestion(error).unwrap_or_else(|| tr!("try '{help}'", help = format_args!("{command} --help")));
    tr!("{what} ({tip})", what = problem(error), tip)
}

/// The error message.
pub fn problem(error: &Error) -> String {
    let get = |kind| error.get(kind).map(list).unwrap_or_default().join(", ");
    let typed = get(ContextKind::InvalidArg);
    let option = with_placeholders(&typed);
    let value = get(ContextKind::InvalidValue);
    let values = get(ContextKind::ValidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => tr!("unexpected argument '{word}' found", word = typed),
        ErrorKind::InvalidSubcommand => {
            tr!("unrecognized subcommand '{word}'", word = get(ContextKind::InvalidSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() && values.is_empty() => {
            tr!("a value is required for '{option}' but none was supplied", option)
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            tr!("a value is required for '{option}' but none was supplied [possible values: {values}]", option, values)
        }
        ErrorKind::InvalidValue => {
            tr!("invalid value '{value}' for '{option}' [possible values: {values}]", value, option, values)
        }
        ErrorKind::ValueValidation => {
            let reason = error.source().map(value_error).unwrap_or_default();
            tr!("invalid value '{value}' for '{option}': {reason}", value, option, reason)
        }
        ErrorKind::TooManyValues => tr!("unexpected value '{value}' for '{option}'", value, option),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            tr!("other values are needed for '{option}'", option)
        }
        ErrorKind::NoEquals => tr!("an equal sign is needed behind '{option}'", option),
        ErrorKind::ArgumentConflict => {
            let other = with_placeholders(&get(ContextKind::PriorArg));
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
        // What is left concerns the help, or kinds of values that this program does not use.
        _ => error.render().to_string().lines().next().unwrap_or_default().replacen("error: ", "", 1),
    }
}

/// Why a value is invalid. Numbers without a more specific error are counts.
fn value_error(error: &(dyn std::error::Error + 'static)) -> String {
    match error.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow) => tr!("the number is too large"),
        Some(_) => tr!("expected a whole number from {least}", least = 0),
        None => reason(error),
    }
}

/// The suggestion that clap makes.
fn suggestion(error: &Error) -> Option<String> {
    let get = |kind| Some(list(error.get(kind)?)).filter(|words| !words.is_empty());
    let quoted = |words: &[String]| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    if let Some(words) = get(ContextKind::SuggestedSubcommand) {
        return Some(match &words[..] {
            [word] => tr!("a similar subcommand exists: '{word}'", word),
            words => tr!("some similar subcommands exist: {words}", words = quoted(words)),
        });
    }
    // Who has mistyped a word has seldom mistyped its first letter; clap takes `--lines` for `--newest`.
    let begins_alike = |word: &String| {
        let first = |word: &str| word.trim_start_matches('-').chars().next();
        get(ContextKind::InvalidArg).is_none_or(|typed| first(&typed[0]) == first(word))
    };
    let similar = get(ContextKind::SuggestedArg).filter(|words| words.iter().all(begins_alike));
    if let Some(words) = similar {
        return Some(match &words[..] {
            [word] => tr!("a similar argument exists: '{word}'", word),
            words => tr!("some similar arguments exist: {words}", words = quoted(words)),
        });
    }
    if let Some(word) = get(ContextKind::Suggested).and_then(|values| values[0].split('\'').nth(1).map(str::to_string))
    {
        // The suggestion is the word as a value, or the same word for a subcommand.
        let is_value = get(ContextKind::InvalidArg).is_some_and(|typed| typed[0] == word);
        return match is_value {
            // Most likely an option that does not exist.
            true if word.starts_with("--") => None,
            true => Some(tr!("to pass '{word}' as a value, use '-- {word}'", word)),
            false => Some(tr!("a similar argument exists: '{word}'", word)),
        };
    }
    get(ContextKind::SuggestedValue).map(|words| tr!("a similar value exists: {words}", words = quoted(&words)))
}

fn list(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::None => Vec::new(),
        ContextValue::Strings(all) => all.clone(),
        ContextValue::StyledStrs(all) => all.iter().map(ToString::to_string).collect(),
        one => vec![one.to_string()],
    }
}
