//! The options of cutechess-cli and fastchess, each with the words behind it.

use chuhe_support::language::tr;
use thiserror::Error;

/// A word of theirs that has no equivalent.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum PeerSpellingError {
    #[error("{}", tr!("-{option} {word} has no equivalent here", option, word))]
    Word { option: String, word: String },
    #[error("{}", tr!("-{option} {word}: {reason}", option, word, reason))]
    Value { option: String, word: String, reason: String },
    #[error("{}", tr!("-{option} {word} needs nodes= or depth= beside it: without them a game has no end", option, word))]
    Endless { option: String, word: String },
    #[error("{}", tr!("the engines have different timemargins: there is one for all (--margin)"))]
    TimeMargins,
}

/// An option with the words behind it.
pub struct PeerOption {
    pub name: String,
    /// Written with one dash, as theirs are.
    pub is_theirs: bool,
    pub words: Vec<String>,
}

impl PeerOption {
    /// The value of a key.
    pub fn key(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    pub fn refuse(&self, word: &str) -> PeerSpellingError {
        PeerSpellingError::Word { option: self.name.clone(), word: word.to_string() }
    }

    /// Refuses other words than these, which are keys or whole words.
    pub fn accept_only(&self, known: &[&str]) -> Result<(), PeerSpellingError> {
        let is_known = |word: &&String| {
            let key = word.split_once('=').map_or(word.as_str(), |(key, _)| key);
            known.contains(&word.as_str()) || known.contains(&key)
        };
        self.words.iter().find(|word| !is_known(word)).map_or(Ok(()), |word| Err(self.refuse(word)))
    }

    /// The words as this program wants them: joined by commas, the keys renamed. A single word stays unchanged.
    pub fn joined(&self, renamed: &[(&str, &str)], dropped: &[&str]) -> String {
        let is_ours = self.words.len() == 1 && !self.is_theirs;
        let word = |word: &String| {
            let Some((key, value)) = word.split_once('=') else { return Some(word.clone()) };
            let key = renamed.iter().find(|(theirs, _)| *theirs == key).map_or(key, |(_, ours)| ours);
            (!dropped.contains(&key)).then(|| format!("{key}={}", value.replace(',', "\\,")))
        };
        match is_ours {
            true => self.words[0].clone(),
            false => self.words.iter().filter_map(word).collect::<Vec<_>>().join(","),
        }
    }
}

/// The name of an option, and whether it is written as theirs are.
pub fn option_name(word: &str) -> Option<(&str, bool)> {
    let is_name = |name: &str| name.len() > 1 && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    match word.strip_prefix("--") {
        Some(name) => is_name(name).then_some((name, false)),
        None => word.strip_prefix('-').filter(|name| is_name(name)).map(|name| (name, true)),
    }
}

/// The options of a command line.
pub fn options(words: &[String]) -> Vec<PeerOption> {
    let mut options: Vec<PeerOption> = Vec::new();
    for word in words {
        match (option_name(word), options.last_mut()) {
            (Some((name, is_theirs)), _) => {
                options.push(PeerOption { name: name.to_string(), is_theirs, words: Vec::new() });
            }
            (None, Some(option)) => option.words.push(word.clone()),
            (None, None) => {}
        }
    }
    options
}
