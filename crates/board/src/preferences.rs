//! What the page remembers: small settings and the game that is analysed. The program keeps them in the folder of the
//! saved games, as the address of the page changes from run to run.

use super::game_tree::GameTree;
use chuhe_study::analyse::AnalystResources;
use chuhe_study::game::saved_games::state_folder;
use chuhe_study::reader::choose_notation;
use chuhe_support::files::Folder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use xiangqi_record::Notation;

/// The most settings, and the longest name and value of one.
const MAX_SETTINGS: usize = 32;
const MAX_LENGTH: usize = 80;
/// The setting of the notation of moves.
const NOTATION: &str = "notation";
/// The setting of the megabytes that all reviews may take, and how many that are usually.
const REVIEW_ROOM: &str = "review-room";
const REVIEW_MEGABYTES: u64 = 32;
/// The settings of the threads and of the megabytes of the hash table of analyses and reviews.
const THREADS: &str = "threads";
const HASH: &str = "hash";
const MAX_HASH_MB: usize = 4096;
/// The size limit of the file of settings.
const MAX_SETTINGS_BYTES: u64 = 1 << 14;
/// The size limit of a game that is kept beyond the end of the program.
const MAX_TREE_BYTES: usize = 1 << 20;

/// What is remembered, and where.
pub struct Preferences {
    /// `None` in tests, which remember nothing beyond their end.
    folder: Option<Folder>,
    settings: Mutex<BTreeMap<String, String>>,
}

impl Preferences {
    /// Reads what was remembered. A file that cannot be read counts as none: it is written anew with the next change.
    pub fn open() -> Preferences {
        Preferences::open_at(state_folder())
    }

    /// The same in this folder.
    pub fn open_at(folder: Option<impl Into<Folder>>) -> Preferences {
        let folder = folder.map(Into::into);
        let read = |folder: &Folder| folder.read("board.json", MAX_SETTINGS_BYTES).ok();
        let bytes = folder.as_ref().and_then(read).unwrap_or_default();
        let values: BTreeMap<String, Value> = serde_json::from_slice(&bytes).unwrap_or_default();
        let text = |(name, value): (String, Value)| Some((name, value.as_str()?.to_string()));
        let settings = values.into_iter().filter_map(text).filter(|(name, value)| is_setting(name, value));
        let settings: BTreeMap<String, String> = settings.take(MAX_SETTINGS).collect();
        settings.get(NOTATION).into_iter().for_each(|value| use_notation(value));
        Preferences { settings: Mutex::new(settings), folder }
    }

    /// Remembers nothing beyond the end of the program.
    pub fn disabled() -> Preferences {
        Preferences { folder: None, settings: Mutex::default() }
    }

    fn settings(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All settings.
    pub fn all(&self) -> BTreeMap<String, String> {
        self.settings().clone()
    }

    /// A setting.
    pub fn get(&self, name: &str) -> Option<String> {
        self.settings().get(name).cloned()
    }

    /// The bytes that all reviews may take.
    pub fn review_bytes(&self) -> u64 {
        self.get(REVIEW_ROOM).and_then(|text| text.parse().ok()).unwrap_or(REVIEW_MEGABYTES) << 20
    }

    /// What a search may take, of these resources: as many threads and megabytes as were chosen.
    pub fn chosen_room(&self, resources: &AnalystResources) -> AnalystResources {
        let number = |name: &str| self.get(name)?.parse::<usize>().ok();
        AnalystResources {
            threads: number(THREADS).unwrap_or(resources.threads).clamp(1, resources.threads.max(1)),
            hash_mb: number(HASH).unwrap_or(resources.hash_mb).clamp(1, MAX_HASH_MB),
            ..resources.clone()
        }
    }

    /// Remembers a setting; false if it is none.
    pub fn set(&self, name: &str, value: &str) -> bool {
        let mut settings = self.settings();
        if !is_setting(name, value) || settings.len() >= MAX_SETTINGS && !settings.contains_key(name) {
            return false;
        }
        if name == NOTATION {
            use_notation(value);
        }
        if settings.insert(name.to_string(), value.to_string()).as_deref() != Some(value) {
            let text = serde_json::to_string(&*settings).unwrap_or_default() + "\n";
            self.write("board.json", text.as_bytes());
        }
        true
    }

    /// The game that was analysed when the program ran last.
    pub fn last_tree(&self) -> Option<GameTree> {
        let file = self.folder.as_ref()?.read("analysis.json", MAX_TREE_BYTES as u64);
        serde_json::from_slice(&file.ok()?).ok()
    }

    /// Keeps the game that is analysed for the next run.
    pub fn keep_tree(&self, tree: &GameTree) {
        let text = serde_json::to_vec(tree).unwrap_or_default();
        if text.len() <= MAX_TREE_BYTES {
            self.write("analysis.json", &text);
        }
    }

    /// Writes a file. To remember is a convenience: a failure is for the log.
    fn write(&self, name: &str, bytes: &[u8]) {
        let Some(folder) = &self.folder else { return };
        if let Err(error) = folder.replace(name, bytes) {
            log::warn!("{}: {error}", folder.path(name).display());
        }
    }
}

/// From now on moves are written as this setting says.
fn use_notation(value: &str) {
    choose_notation(match value {
        "chinese" => Some(Notation::Chinese),
        "wxf" => Some(Notation::Wxf),
        "coordinates" => Some(Notation::Iccs),
        _ => None,
    });
}

/// Whether this may be a setting: it stands in attributes of the page.
fn is_setting(name: &str, value: &str) -> bool {
    let is_word = |text: &str| {
        (1..=MAX_LENGTH).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    is_word(name) && is_word(value)
}
