//! The saved games, which are those of `chuhe play`: one game is kept while it is played, that of the first page that plays.

use super::bilingual::Bilingual;
use crate::game::LiveGame;
use crate::game::saved_games::{SavedGames, SavedGamesError};
use chuhe_engine::language::tr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Who keeps games.
pub struct SaveStore(Mutex<SaveState>);

struct SaveState {
    saved: Option<SavedGames>,
    /// The page whose game is kept.
    owner: Option<u64>,
}

impl SaveStore {
    /// The folder of the person, unless another game is being played there; and what is to be said about that.
    pub fn open() -> (SaveStore, Option<Bilingual>) {
        let (saved, said) = match SavedGames::open() {
            Ok(Some(saved)) => (Some(saved), None),
            Ok(None) => {
                (None, Some(Bilingual::of(|| tr!("Another game is being played: this one is not kept by itself."))))
            }
            Err(error) => (None, Some(save_error(&error))),
        };
        (SaveStore(Mutex::new(SaveState { saved, owner: None })), said)
    }

    /// One that keeps nothing, for tests.
    pub fn disabled() -> SaveStore {
        SaveStore(Mutex::new(SaveState { saved: None, owner: None }))
    }

    fn kept(&self) -> MutexGuard<'_, SaveState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game that was left unfinished, while no page goes on with it or plays another.
    pub fn unfinished(&self) -> Option<LiveGame> {
        let kept = self.kept();
        let saved = kept.saved.as_ref().filter(|_| kept.owner.is_none())?;
        saved.unfinished().ok().flatten()
    }

    /// Hands the unfinished game to a page, which goes on with it.
    pub fn resume(&self, page: u64) -> Option<LiveGame> {
        let game = self.unfinished()?;
        self.kept().owner = Some(page);
        Some(game)
    }

    /// Keeps a game as it stands, if it is the one that is kept. What was left by others goes behind the games before it.
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

    /// Puts the game of a page behind the games before it: it is over, or given up for another.
    pub fn archive(&self, page: u64) -> Result<(), Bilingual> {
        let mut kept = self.kept();
        let Some(saved) = kept.saved.as_ref().filter(|_| kept.owner == Some(page)) else { return Ok(()) };
        if let Err(error) = saved.archive_unfinished() {
            kept.saved = None;
            return Err(save_error(&error));
        }
        Ok(())
    }

    /// Whether the game of this page is, or would be, kept.
    pub fn is_owner(&self, page: u64) -> bool {
        let kept = self.kept();
        kept.saved.is_some() && kept.owner.is_none_or(|owner| owner == page)
    }

    /// The page has gone for good: another one may have its game kept.
    pub fn release(&self, page: u64) {
        let mut kept = self.kept();
        kept.owner = kept.owner.filter(|&owner| owner != page);
    }
}

fn save_error(error: &SavedGamesError) -> Bilingual {
    Bilingual::of(|| tr!("Games are not kept from now on: {error}", error))
}
