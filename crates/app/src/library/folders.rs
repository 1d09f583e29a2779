//! The folders of the list of games: a game is in one of them at most. Their names are in one file; a game has the number of its
//! folder, so that one write renames a folder or removes it, and its games stay.

use super::record::{FolderId, GameId, MAX_NAME};
use super::{Library, LibraryState};
use chuhe_support::files::{JsonState, visible_name};
use chuhe_support::language::{Message, message};
use chuhe_support::small_sort::SmallSort;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The file of the names.
pub(super) const FILE: &str = "library/folders.json";
/// The most folders.
const MAX_FOLDERS: usize = 200;

/// A folder with its name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, crate::TS)]
pub struct GameFolder {
    pub id: FolderId,
    pub name: String,
    /// How many games are in it; the file has no number.
    #[serde(default)]
    pub games: usize,
}

/// All folders, in the order of their names.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameFolders {
    /// The highest number that was given.
    last: u32,
    folders: Vec<GameFolder>,
}

impl JsonState for GameFolders {
    const FORMAT: u32 = 1;
    const MAX_BYTES: u64 = 1 << 20;
}

impl GameFolders {
    /// Whether there is a folder of this number.
    fn has(&self, id: FolderId) -> bool {
        self.folders.iter().any(|folder| folder.id == id)
    }

    /// The folder that a game with this number is in: none if it was deleted.
    pub fn shown(&self, id: FolderId) -> FolderId {
        if self.has(id) { id } else { FolderId::default() }
    }

    /// Makes a folder; `used` is the highest number that a game has.
    fn make(&mut self, name: &str, used: FolderId) -> Result<FolderId, Message> {
        if self.folders.len() >= MAX_FOLDERS {
            return Err(message!("There are {count} folders: delete one first.", count = MAX_FOLDERS));
        }
        let name = self.checked(name, None)?;
        self.last = self.last.max(used.0).saturating_add(1);
        self.folders.push(GameFolder { id: FolderId(self.last), name, games: 0 });
        self.order();
        Ok(FolderId(self.last))
    }

    fn rename(&mut self, id: FolderId, name: &str) -> Result<FolderId, Message> {
        let name = self.checked(name, Some(id))?;
        self.folders.iter_mut().find(|folder| folder.id == id).ok_or_else(no_folder)?.name = name;
        self.order();
        Ok(id)
    }

    fn delete(&mut self, id: FolderId) -> Result<FolderId, Message> {
        if !self.has(id) {
            return Err(no_folder());
        }
        self.folders.retain(|folder| folder.id != id);
        Ok(id)
    }

    fn order(&mut self) {
        self.folders.order_by(|a, b| a.name.to_lowercase().cmp(&b.name.to_lowercase()));
    }

    /// A name as it is kept, if no other folder than this one has it.
    fn checked(&self, name: &str, id: Option<FolderId>) -> Result<String, Message> {
        let name = visible_name(name).split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(message!("A folder needs a name."));
        }
        if name.chars().count() > MAX_NAME {
            return Err(message!("The name of a folder has {count} letters at most.", count = MAX_NAME));
        }
        let is_same = |folder: &GameFolder| Some(folder.id) != id && folder.name.to_lowercase() == name.to_lowercase();
        if self.folders.iter().any(is_same) {
            return Err(message!("There is a folder of this name: {name}.", name));
        }
        Ok(name)
    }
}

/// The folder that was changed, and how many games were put into it.
#[derive(Serialize, crate::TS)]
pub struct FolderReply {
    folder: FolderId,
    count: usize,
}

impl Library {
    /// Makes a folder.
    pub fn make_folder(&self, name: &str) -> Result<FolderReply, Message> {
        self.change_folders(|folders, used| folders.make(name, used))
    }

    pub fn rename_folder(&self, folder: FolderId, name: &str) -> Result<FolderReply, Message> {
        self.change_folders(|folders, _| folders.rename(folder, name))
    }

    /// Its games stay.
    pub fn delete_folder(&self, folder: FolderId) -> Result<FolderReply, Message> {
        self.change_folders(|folders, _| folders.delete(folder))
    }

    fn change_folders(
        &self,
        change: impl FnOnce(&mut GameFolders, FolderId) -> Result<FolderId, Message>,
    ) -> Result<FolderReply, Message> {
        let mut state = self.writable()?;
        let used = state.index.entries().map(|entry| entry.folder).max().unwrap_or_default();
        Ok(FolderReply { folder: state.folders.change(|folders| change(folders, used))?, count: 0 })
    }

    /// Puts games into a folder, or out of theirs with 0. Games of several files are put there file by file.
    pub fn put_into_folder(&self, ids: &[GameId], folder: FolderId) -> Result<FolderReply, Message> {
        let mut state = self.writable()?;
        let state = &mut *state;
        if !folder.is_none() && !state.folders.get().has(folder) {
            return Err(no_folder());
        }
        let (mut places, mut count) = (BTreeMap::<u32, HashSet<u64>>::new(), 0);
        for entry in ids.iter().filter_map(|&id| state.index.get(id)) {
            count += 1;
            if entry.folder != folder {
                places.entry(entry.segment).or_default().insert(entry.id.0);
            }
        }
        for (segment, ids) in places {
            self.edit(state, segment, ids, |game| game.about.folder = folder)?;
        }
        Ok(FolderReply { folder, count })
    }
}

/// The folders with the numbers of their games.
pub(super) fn counted(state: &LibraryState) -> Vec<GameFolder> {
    let mut folders = state.folders.get().folders.clone();
    for entry in state.index.entries().filter(|entry| !entry.folder.is_none()) {
        if let Some(folder) = folders.iter_mut().find(|folder| folder.id == entry.folder) {
            folder.games += 1;
        }
    }
    folders
}

fn no_folder() -> Message {
    message!("This folder is not there any more.")
}
