//! Analysed games that the user has put aside: a file for each, in a folder within that of the saved games.

use super::bilingual::Bilingual;
use super::game_tree::GameTree;
use chuhe_support::date;
use chuhe_support::files::Folder;
use chuhe_support::language::{reason, tr};
use serde::Serialize;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The most games that are kept.
const MAX_GAMES: usize = 200;
/// The size limit of a file.
const MAX_BYTES: u64 = 8 << 20;

/// The folder of the kept games.
const FOLDER: &str = "analysed";

/// The list of kept games.
pub struct KeptGames {
    /// The folder around it; `None` where nothing is kept.
    folder: Option<Folder>,
    /// Held while a name is chosen and the file is written.
    writing: Mutex<()>,
}

/// A game of the list.
#[derive(Serialize, Debug, PartialEq, Eq)]
pub struct KeptGame {
    pub id: String,
    pub title: String,
    pub moves: usize,
    pub date: String,
}

impl KeptGames {
    pub fn new(folder: Option<Folder>) -> KeptGames {
        KeptGames { folder, writing: Mutex::new(()) }
    }

    /// The kept games, the latest first. Files that are none are left out.
    pub fn list(&self) -> Vec<KeptGame> {
        let names = self.folder.iter().flat_map(|folder| folder.names_in(FOLDER));
        let mut ids: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".json")?.to_string())).collect();
        ids.retain(|id| is_id(id));
        ids.sort_unstable_by(|a, b| b.cmp(a));
        let about = |id: String| {
            let tree = self.read(&id)?;
            Some(KeptGame { title: tree.title(), moves: tree.moves(), date: date_of(&id), id })
        };
        ids.into_iter().filter_map(about).collect()
    }

    /// Puts a game into the list.
    pub fn add(&self, tree: &GameTree) -> Result<(), Bilingual> {
        let folder = self.folder.as_ref().ok_or_else(|| {
            Bilingual::of(|| tr!("Games are not kept: no folder of this user is known (HOME is not set)."))
        })?;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.list().len() >= MAX_GAMES {
            return Err(Bilingual::of(|| {
                tr!("There are {count} kept games already: discard some first.", count = MAX_GAMES)
            }));
        }
        let now: String = date::now().to_string().chars().filter(char::is_ascii_digit).collect();
        let name = (0..1000).map(|number| file(&format!("{now}{number:03}"))).find(|name| !folder.has(name));
        let bytes = serde_json::to_vec(tree).unwrap_or_default();
        let written = match name {
            Some(name) => folder.replace(&name, &bytes),
            None => Err(io::ErrorKind::AlreadyExists.into()),
        };
        written.map_err(|error| failure(&error))
    }

    /// A kept game.
    pub fn get(&self, id: &str) -> Result<GameTree, Bilingual> {
        let tree = Some(id).filter(|id| is_id(id)).and_then(|id| self.read(id));
        let gone = || Bilingual::of(|| tr!("This game is not kept any more."));
        // The page needs the names of the moves, too.
        GameTree::of(&tree.ok_or_else(gone)?.game()?)
    }

    /// Takes a game out of the list.
    pub fn discard(&self, id: &str) -> Result<(), Bilingual> {
        match self.folder.as_ref().filter(|_| is_id(id)) {
            Some(folder) => folder.remove(&file(id)).map_err(|error| failure(&error)),
            None => Ok(()),
        }
    }

    fn read(&self, id: &str) -> Option<GameTree> {
        serde_json::from_slice(&self.folder.as_ref()?.read(&file(id), MAX_BYTES).ok()?).ok()
    }
}

/// The file of a kept game.
fn file(id: &str) -> String {
    format!("{FOLDER}/{id}.json")
}

/// Whether this is the name of a kept game: no path, but the time when it was written and a number.
fn is_id(id: &str) -> bool {
    id.len() == 17 && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// `2026-11-23`
fn date_of(id: &str) -> String {
    format!("{}-{}-{}", &id[..4], &id[4..6], &id[6..8])
}

fn failure(error: &io::Error) -> Bilingual {
    Bilingual::of(|| tr!("The game could not be saved: {error}.", error = reason(error)))
}
