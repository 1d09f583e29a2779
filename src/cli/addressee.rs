//! Whom the words of a command line are meant for: which subcommand, found without reading its options.

use clap::Command;
use std::ffi::{OsStr, OsString};

/// The subcommand, as it is typed: `chuhe tables probe`.
pub fn of(program: &Command, words: &[OsString]) -> String {
    let (mut path, mut command) = (program.get_name().to_string(), program);
    for (_, word) in names(program, words) {
        let Some(inner) = command.find_subcommand(word) else { break };
        path = format!("{path} {}", inner.get_name());
        command = inner;
    }
    path
}

/// The words as clap takes them: behind `help` it reads nothing but names, so that what holds for every command, such as
/// `--lang zh`, has to stand before it.
pub fn in_order(program: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let Some(help) = place_of_help(program, &words) else { return words };
    let (mut before, mut behind) = (words[..help].to_vec(), Vec::new());
    let mut rest = words[help..].iter();
    while let Some(word) = rest.next() {
        match global(program, word) {
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

/// Where `help` stands as a subcommand, and not as the name of a file, say.
fn place_of_help(program: &Command, words: &[OsString]) -> Option<usize> {
    let mut command = program;
    for (place, word) in names(program, words) {
        if word == "help" && command.has_subcommands() {
            return Some(place);
        }
        command = command.find_subcommand(word)?;
    }
    None
}

/// The words that are no options that every command has, nor their values, with their places.
fn names<'a>(program: &Command, words: &'a [OsString]) -> impl Iterator<Item = (usize, &'a OsStr)> {
    let mut is_value = false;
    words.iter().enumerate().skip(1).filter_map(move |(place, word)| {
        let is_skipped = std::mem::take(&mut is_value);
        match global(program, word) {
            _ if is_skipped => None,
            Some(is_whole) => {
                is_value = !is_whole;
                None
            }
            None => Some((place, word.as_os_str())),
        }
    })
}

/// Whether a word is an option that every command has; if so, whether its value is part of it.
fn global(program: &Command, word: &OsStr) -> Option<bool> {
    let (name, value) = match word.to_str()?.strip_prefix("--")?.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word.to_str()?.strip_prefix("--")?, None),
    };
    let mut globals = program.get_arguments().filter(|arg| arg.is_global_set());
    globals.any(|arg| arg.get_long() == Some(name)).then_some(value.is_some())
}
