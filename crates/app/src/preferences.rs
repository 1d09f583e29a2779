//! What the page remembers: small settings and the game that is analysed. The program keeps them in the folder of the
//! saved games, as the address of the page changes from run to run.

use super::game_tree::GameTree;
use chuhe_study::analyse::AnalystResources;
use chuhe_study::game::saved_games::state_folder;
use chuhe_study::reader::choose_notation;
use chuhe_support::files::{FORMAT_FIELD, Folder, JsonState, StateError, StateFile, StateNotes};
use chuhe_support::lock::Lock;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
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

/// The settings by their names.
#[derive(Clone, Default, Serialize)]
struct Settings(BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Settings, D::Error> {
        // What is none here may be one of a newer version.
        let values = BTreeMap::<String, Value>::deserialize(from)?;
        let text = |(name, value): (String, Value)| Some((name, value.as_str()?.to_string()));
        let settings = values.into_iter().filter_map(text).filter(|(name, value)| is_setting(name, value));
        Ok(Settings(settings.take(MAX_SETTINGS).collect()))
    }
}

impl JsonState for Settings {
    const FORMAT: u32 = 1;
    const MAX_BYTES: u64 = 1 << 20;
}

/// The game that is analysed, if there is one.
#[derive(Clone, Default, Serialize, Deserialize)]
struct AnalysedGame {
    #[serde(flatten)]
    tree: Option<GameTree>,
}

impl JsonState for AnalysedGame {
    const FORMAT: u32 = 1;
    const MAX_BYTES: u64 = 1 << 20;

    fn is_sound(&self) -> bool {
        self.tree.as_ref().is_none_or(|tree| tree.game().is_ok())
    }
}

/// What is remembered.
#[derive(Default)]
pub struct Preferences {
    settings: Mutex<StateFile<Settings>>,
    analysed: Mutex<StateFile<AnalysedGame>>,
}

impl Preferences {
    /// Reads what was remembered.
    pub fn open() -> Preferences {
        Preferences::open_at(state_folder())
    }

    /// The same in this folder.
    pub fn open_at(folder: Option<impl Into<Folder>>) -> Preferences {
        let Some(folder) = folder.map(Into::into) else { return Preferences::default() };
        let settings = StateFile::<Settings>::open(&folder, "board.json");
        settings.get().0.get(NOTATION).into_iter().for_each(|value| use_notation(value));
        let analysed = StateFile::open(&folder, "analysis.json");
        Preferences { settings: Mutex::new(settings), analysed: Mutex::new(analysed) }
    }

    /// What the person should know of the files.
    pub fn notes(&self, notes: &mut StateNotes) {
        notes.add(&mut self.settings.locked());
        notes.add(&mut self.analysed.locked());
    }

    /// All settings.
    pub fn all(&self) -> BTreeMap<String, String> {
        self.settings.locked().get().0.clone()
    }

    /// A setting.
    pub fn get(&self, name: &str) -> Option<String> {
        self.settings.locked().get().0.get(name).cloned()
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
    pub fn set(&self, name: &str, value: &str) -> Result<bool, StateError> {
        let is_kept = self.settings.locked().set(|Settings(settings)| {
            let is_kept = is_setting(name, value) && (settings.len() < MAX_SETTINGS || settings.contains_key(name));
            if is_kept {
                settings.insert(name.to_string(), value.to_string());
            }
            is_kept
        })?;
        if is_kept && name == NOTATION {
            use_notation(value);
        }
        Ok(is_kept)
    }

    /// The game that was analysed when the program ran last.
    pub fn last_tree(&self) -> Option<GameTree> {
        self.analysed.locked().get().tree.clone()
    }

    /// Keeps the game that is analysed for the next run.
    pub fn keep_tree(&self, tree: &GameTree) -> Result<(), StateError> {
        self.analysed.locked().set(|analysed| analysed.tree = Some(tree.clone()))
    }
}

/// From now on moves are written as this setting says.
fn use_notation(value: &str) {
    choose_notation(match value {
        "chinese" => Some(Notation::Chinese),
        "wxf" => Some(Notation::Wxf),
        "vietnamese" => Some(Notation::Vietnamese),
        "coordinates" => Some(Notation::Iccs),
        _ => None,
    });
}

/// Whether this may be a setting: it stands in attributes of the page. The file has a field beside them.
fn is_setting(name: &str, value: &str) -> bool {
    let is_word = |text: &str| {
        (1..=MAX_LENGTH).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    is_word(name) && is_word(value) && name != FORMAT_FIELD
}
