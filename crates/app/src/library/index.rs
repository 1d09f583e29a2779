//! The index of the library: of each game what a search needs, some 150 bytes. The rest is read when it is shown.

use super::record::{FolderId, GameId, GameSummary, Source};
use chuhe_support::small_sort::SmallSort;
use chuhe_support::with_values;
use serde::Deserialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most bytes of a game that a search looks at.
const MAX_TEXT: usize = 120;

/// Which games are wanted.
#[derive(Deserialize, Default, crate::TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct GameFilter {
    /// Words, all of which must be in the names, the opening, the date or the level.
    #[ts(as = "Option<String>")]
    pub(super) search: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(super) result: Option<String>,
    pub(super) source: Option<Source>,
    /// The folder; 0 for the games that are in none.
    pub(super) folder: Option<FolderId>,
    /// The order; the latest first without one.
    pub(super) sort: Option<GameOrder>,
}

/// The order of a list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, crate::TS)]
#[serde(rename_all = "kebab-case")]
pub enum GameOrder {
    Oldest,
    /// By their names, or else their players.
    Name,
}

with_values! {
    /// A game in the index.
    pub struct IndexEntry {
        pub id: GameId = about.id,
        /// The file that it is in.
        pub segment: u32 = segment,
        /// The hash of its PGN, by which the same game is known.
        hash: u64 = hash_of(pgn),
        source: Source = about.source,
        /// The folder that it was put into, also if that was deleted since.
        pub folder: FolderId = about.folder,
        result: u8 = result_index(&about.result),
        /// What a search looks at, in small letters.
        text: Box<str> = text_of(about).into_boxed_str(),
    }
    pub fn new(about: &GameSummary, pgn: &str, segment: u32);
}

fn result_index(token: &str) -> u8 {
    match token {
        "1-0" => 0,
        "0-1" => 1,
        "1/2-1/2" => 2,
        _ => 3,
    }
}

fn text_of(about: &GameSummary) -> String {
    let [chinese, english] = about.opening.map_or(["", ""], |opening| [opening.chinese, opening.english]);
    let parts = [&about.name, &about.red, &about.black, &about.date, chinese, english, &about.level];
    let rest = [about.event.as_str(), about.file.as_str()];
    let mut text = String::new();
    for part in parts.into_iter().chain(rest).filter(|part| !part.is_empty()) {
        text.push_str(&part.to_lowercase());
        text.push(' ');
    }
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or_default());
    text
}

pub fn hash_of(pgn: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    pgn.hash(&mut hasher);
    hasher.finish()
}

/// All games, in the order of their numbers.
#[derive(Default)]
pub struct Index(Vec<IndexEntry>);

impl Index {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn place(&self, id: GameId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |entry| entry.id)
    }

    pub fn get(&self, id: GameId) -> Option<&IndexEntry> {
        self.0.get(self.place(id).ok()?)
    }

    /// Adds a game, or puts it in the place of the one with its number.
    pub fn put(&mut self, entry: IndexEntry) {
        match self.place(entry.id) {
            Ok(place) => self.0[place] = entry,
            Err(place) => self.0.insert(place, entry),
        }
    }

    pub fn remove(&mut self, ids: &HashSet<u64>) {
        self.0.retain(|entry| !ids.contains(&entry.id.0));
    }

    /// The highest number.
    pub fn last(&self) -> GameId {
        self.0.last().map_or(GameId(0), |entry| entry.id)
    }

    /// The first of so many numbers in a row that no game has, none of them lower than this one.
    pub fn free_from(&self, from: u64, count: u64) -> u64 {
        let later = self.0.iter().map(|entry| entry.id.0).skip_while(|&id| id < from);
        let mut first = from;
        for id in later {
            if id >= first + count {
                break;
            }
            first = id + 1;
        }
        first
    }

    /// The games by the hash of their PGN, in ascending order of the hashes.
    pub fn by_hash(&self) -> Vec<(u64, GameId)> {
        let mut games: Vec<_> = self.0.iter().map(|entry| (entry.hash, entry.id)).collect();
        games.order();
        games
    }

    pub fn entries(&self) -> impl Iterator<Item = &IndexEntry> {
        self.0.iter()
    }

    /// The games that a filter lets through, the latest first. `shown` is the folder that a number stands for.
    pub fn find(&self, filter: &GameFilter, shown: &dyn Fn(FolderId) -> FolderId) -> Vec<&IndexEntry> {
        let search = filter.search.to_lowercase();
        let words: Vec<&str> = search.split_whitespace().collect();
        let result = filter.result.as_deref().map(result_index);
        let is_wanted = |entry: &&IndexEntry| {
            result.is_none_or(|result| entry.result == result)
                && filter.source.is_none_or(|source| entry.source == source)
                && filter.folder.is_none_or(|folder| shown(entry.folder) == folder)
                && words.iter().all(|word| entry.text.contains(word))
        };
        let mut found: Vec<&IndexEntry> = self.0.iter().rev().filter(is_wanted).collect();
        match filter.sort {
            Some(GameOrder::Oldest) => found.reverse(),
            Some(GameOrder::Name) => found.order_by(|a, b| a.text.cmp(&b.text)),
            None => {}
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::record::StoredGame;
    use chuhe_study::book::opening_names::named_openings;
    use xiangqi::Position;
    use xiangqi_record::Game;

    #[test]
    fn index_entry_takes_at_most_200_bytes() {
        let mut about = StoredGame::new(&Game::new(&Position::start()), Source::Played, &"文".repeat(200)).about;
        about.opening = named_openings().iter().map(|opening| opening.name).max_by_key(|name| name.english.len());
        let entry = IndexEntry::new(&about, "", 1);
        assert!(size_of::<IndexEntry>() + entry.text.len() <= 200, "{}", entry.text);
    }
}
