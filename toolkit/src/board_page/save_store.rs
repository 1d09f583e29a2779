//! The saved games, shared with `chuhe play`. Only one game is saved at a time: that of the first page that plays.

use super::bilingual::Bilingual;
use crate::game::LiveGame;
use crate::game::saved_games::{SavedGames, SavedGamesError};
use chuhe_engine::language::tr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The store of saved games.
pub struct SaveStore(Mutex<SaveState>);

struct SaveState {
    saved: Option<SavedGames>,
    /// The page whose game is saved.
    owner: Option<u64>,
}

impl SaveStore {
    /// Opens the user's folder, unless another program has locked it; also returns a message if saving is not possible.
    pub fn open() -> (SaveStore, Option<Bilingual>) {
        let (saved, message) = match SavedGames::open() {
            Ok(Some(saved)) => (Some(saved), None),
            Ok(None) => {
                (None, Some(Bilingual::of(|| tr!("Another game is being played: this one is not kept by itself."))))
            }
            Err(error) => (None, Some(save_error(&error))),
        };
        (SaveStore(Mutex::new(SaveState { saved, owner: None })), message)
    }

    /// A store that saves nothing, for tests.
    pub fn disabled() -> SaveStore {
        SaveStore(Mutex::new(SaveState { saved: None, owner: None }))
    }

    fn kept(&self) -> MutexGuard<'_, SaveState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The unfinished game, if no page has claimed it.
    pub fn unfinished(&self) -> Option<LiveGame> {
        let kept = self.kept();
        let saved = kept.saved.as_ref().filter(|_| kept.owner.is_none())?;
        saved.unfinished().ok().flatten()
    }

    /// Gives the unfinished game to a page, which becomes the owner.
    pub fn resume(&self, page: u64) -> Option<LiveGame> {
        let game = self.unfinished()?;
        self.kept().owner = Some(page);
        Some(game)
    }

    /// Saves the game if this page is or becomes the owner. A new owner first archives the previous unfinished game.
    pub fn save(&self, page: u64, game: &LiveGame) -> Result<(), Bilingual> {
        let mut kept = self.kept();
        if kept.owner.is_some_and(|owner| owner != page) {
            return Ok(());
        }
        let Some(saved) = &kept.saved else { return Ok(()) };
        let left = if kept.owner.is_none() { saved.archive_unfinished().map(|_| ()) } else { Ok(()) };
        match left.and_then(|()| saved.save_unfinished(game)) {
            Ok(()) => kept.owner = Some(page),
            Err(error) => {
                kept.saved = None;
                return Err(save_error(&error));
            }
        }
        Ok(())
    }

    /// Archives the game of a page, which is over or was abandoned.
    pub fn archive(&self, page: u64) -> Result<(), Bilingual> {
        let mut kept = self.kept();
        let Some(saved) = kept.saved.as_ref().filter(|_| kept.owner == Some(page)) else { return Ok(()) };
        if let Err(error) = saved.archive_unfinished() {
            kept.saved = None;
            return Err(save_error(&error));
        }
        Ok(())
    }

    /// Whether the game of this page is or would be saved.
    pub fn is_owner(&self, page: u64) -> bool {
        let kept = self.kept();
        kept.saved.is_some() && kept.owner.is_none_or(|owner| owner == page)
    }

    /// Releases the ownership of a page that is gone.
    pub fn release(&self, page: u64) {
        let mut kept = self.kept();
        kept.owner = kept.owner.filter(|&owner| owner != page);
    }
}

fn save_error(error: &SavedGamesError) -> Bilingual {
    Bilingual::of(|| tr!("Games are not kept from now on: {error}", error))
}
