//! The tags of a game as people call them.

use chuhe_support::language::{Language, Phrase, phrase, tr};

/// The tags of games that have names.
const TAGS: [Phrase; 17] = [
    phrase!("Event"),
    phrase!("Site"),
    phrase!("Date"),
    phrase!("Round"),
    phrase!("Red"),
    phrase!("White"),
    phrase!("Black"),
    phrase!("RedElo"),
    phrase!("BlackElo"),
    phrase!("RedTeam"),
    phrase!("BlackTeam"),
    phrase!("TimeControl"),
    phrase!("Termination"),
    phrase!("Opening"),
    phrase!("Annotator"),
    phrase!("Author"),
    phrase!("Title"),
];

/// The name of a tag for the user: in English the tag, in others what it says, with the tag itself.
pub fn tag_name(tag: &str) -> String {
    let known = TAGS.iter().find(|name| name.0.eq_ignore_ascii_case(tag));
    match known.filter(|_| Language::current() != Language::ENGLISH) {
        Some(name) => tr!("{name} ({tag})", name, tag),
        None => tag.to_string(),
    }
}

/// The names of several tags.
pub fn tag_names(tags: &[impl AsRef<str>]) -> String {
    tags.iter().map(|tag| tag_name(tag.as_ref())).collect::<Vec<_>>().join(", ")
}
