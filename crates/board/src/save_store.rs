//! The saved games, shared with `chuhe play`. Only one game is saved at a time: that of the first page that plays.

use super::bilingual::Bilingual;
use chuhe_study::game::LiveGame;
use chuhe_study::game::saved_games::{SavedGames, SavedGamesError};
use chuhe_support::language::tr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The store of saved games.
pub struct SaveStore(Mutex<SaveState>);

struct SaveState {
    saved: Option<SavedGames>,
    /// False in tests, which save nothing.
    enabled: bool,
    /// The page whose game is saved.
    owner: Option<u64>,
    /// That page was closed. It may be loaded again; until then another one may go on with the game.
    owner_has_left: bool,
    /// The last attempt has failed.
    has_failed: bool,
    /// The user has been told that the current game is not kept.
    has_told: bool,
}

impl SaveState {
    /// The saved games. While another program has them, that is tried again: it may have ended.
    fn saved(&mut self) -> Option<&SavedGames> {
        if self.saved.is_none() && self.enabled {
            self.saved = SavedGames::try_open().ok();
        }
        self.saved.as_ref()
    }

    /// The message about a failure, if the user has not been told yet.
    fn report(&mut self, outcome: Result<(), SavedGamesError>) -> Result<(), Bilingual> {
        let is_new = !self.has_told;
        self.has_failed = outcome.is_err();
        self.has_told = self.has_failed;
        outcome.or_else(|error| if is_new { Err(save_error(&error)) } else { Ok(()) })
    }
}

impl SaveStore {
    /// Opens the user's folder, unless another program has locked it; also returns a message if saving is not possible.
    pub fn open() -> (SaveStore, Option<Bilingual>) {
        SaveStore::open_at(SavedGames::open())
    }

    /// The same of another folder.
    pub fn open_at(saved: Result<SavedGames, SavedGamesError>) -> (SaveStore, Option<Bilingual>) {
        let (saved, message) = match saved {
            Ok(saved) => (Some(saved), None),
            Err(SavedGamesError::InUse) => {
                let text = || tr!("Another game is in progress. This one is not saved until it ends.");
                (None, Some(Bilingual::of(text)))
            }
            Err(SavedGamesError::NoFolder) => {
                let text = || tr!("Games are not kept: no folder of this user is known (HOME is not set).");
                (None, Some(Bilingual::of(text)))
            }
            Err(error) => (None, Some(save_error(&error))),
        };
        (SaveStore::with(saved, true), message)
    }

    /// A store that saves nothing, for tests.
    pub fn disabled() -> SaveStore {
        SaveStore::with(None, false)
    }

    /// A store of these saved games.
    pub fn of(saved: SavedGames) -> SaveStore {
        SaveStore::with(Some(saved), false)
    }

    fn with(saved: Option<SavedGames>, enabled: bool) -> SaveStore {
        SaveStore(Mutex::new(SaveState {
            saved,
            enabled,
            owner: None,
            owner_has_left: false,
            has_failed: false,
            has_told: false,
        }))
    }

    fn kept(&self) -> MutexGuard<'_, SaveState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The unfinished game, if no page has claimed it.
    pub fn unfinished(&self) -> Option<LiveGame> {
        let mut kept = self.kept();
        if kept.owner.is_some() && !kept.owner_has_left {
            return None;
        }
        kept.saved()?.unfinished().ok().flatten()
    }

    /// Gives the unfinished game to a page, which becomes the owner.
    pub fn resume(&self, page: u64) -> Option<LiveGame> {
        let game = self.unfinished()?;
        let mut kept = self.kept();
        (kept.owner, kept.owner_has_left) = (Some(page), false);
        Some(game)
    }

    /// Saves the game if this page is or becomes the owner. A new owner first archives the previous unfinished game.
    /// After a failure, which is an error the first time, the next move tries again.
    pub fn save(&self, page: u64, game: &LiveGame) -> Result<(), Bilingual> {
        let mut kept = self.kept();
        let owner = kept.owner;
        if owner.is_some_and(|owner| owner != page) {
            return Ok(());
        }
        let Some(saved) = kept.saved() else { return Ok(()) };
        let archived = if owner.is_none() { saved.archive_unfinished().map(|_| ()) } else { Ok(()) };
        let outcome = archived.and_then(|()| saved.save_unfinished(game));
        if outcome.is_ok() {
            (kept.owner, kept.owner_has_left) = (Some(page), false);
        }
        kept.report(outcome)
    }

    /// Archives the game of a page, which is over or was abandoned. What fails is told again for the next game.
    pub fn archive(&self, page: u64) -> Result<(), Bilingual> {
        let mut kept = self.kept();
        if kept.owner.is_none_or(|owner| owner == page) {
            kept.has_told = false;
        }
        let Some(saved) = kept.saved.as_ref().filter(|_| kept.owner == Some(page)) else { return Ok(()) };
        let outcome = saved.archive_unfinished().map(|_| ());
        kept.report(outcome)
    }

    /// Whether the game of this page is or would be saved: the last attempt, if there was one, has not failed.
    pub fn is_kept(&self, page: u64) -> bool {
        let kept = self.kept();
        kept.saved.is_some() && !kept.has_failed && kept.owner.is_none_or(|owner| owner == page)
    }

    /// The page was closed.
    pub fn leave(&self, page: u64) {
        let mut kept = self.kept();
        kept.owner_has_left |= kept.owner == Some(page);
    }

    /// The page was loaded again, or was not closed after all.
    pub fn come_back(&self, page: u64) {
        let mut kept = self.kept();
        kept.owner_has_left &= kept.owner != Some(page);
    }

    /// Releases the ownership of a page that is gone.
    pub fn release(&self, page: u64) {
        let mut kept = self.kept();
        kept.owner = kept.owner.filter(|&owner| owner != page);
    }
}

fn save_error(error: &SavedGamesError) -> Bilingual {
    Bilingual::of(|| tr!("The game could not be saved: {error}. The next move tries again.", error))
}
