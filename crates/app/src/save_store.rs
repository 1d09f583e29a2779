//! What is kept of games: those that are played, each in a place of its own until it is over, and the library of all
//! games. Both are in the folder of the saved games, where `chuhe play` finds the first unfinished one.

use super::library::Library;
use super::library::record::{GameId, Source, StoredGame};
use chuhe_study::game::saved_games::{SavedGames, SavedGamesError, WriteAccess, state_folder};
use chuhe_study::game::{LiveGame, Seat, game_record};
use chuhe_study::train::DeckFile;
use chuhe_support::files::{Folder, MemoryFolder, StateNotes};
use chuhe_support::language::{Message, message};
use chuhe_support::lock::Lock;
use std::sync::{Arc, Mutex, MutexGuard};
use xiangqi_record::GameResult;

/// The places of games that are played: more than there are pages.
const PLACES: usize = 8;
/// A shorter game has no mistakes to learn from.
const LEAST_MOVES: usize = 8;

/// Whether a game is reviewed by itself once it is over.
pub(super) fn is_reviewed(game: &LiveGame) -> bool {
    game.seat != Seat::Both && game.moves().len() >= LEAST_MOVES
}

/// The store of games, and of the cards that are made of them.
pub struct SaveStore {
    state: Mutex<SaveState>,
    library: Library,
    deck: DeckFile,
    folder: Folder,
    /// Whether this program may write.
    access: Arc<WriteAccess>,
    /// Hears of each game against the engine that is over.
    finished: Mutex<Option<FinishedListener>>,
}

/// Hears of the page of a game, and of its number in the library.
type FinishedListener = Box<dyn Fn(u64, GameId) + Send>;

struct SaveState {
    saved: Option<SavedGames>,
    /// Whether the folder is tried again while another program has it; false in tests.
    retries: bool,
    places: [Place; PLACES],
}

/// A place of a game that is played.
#[derive(Default)]
struct Place {
    /// The page whose game is or was there.
    owner: Option<u64>,
    /// That page was closed. It may be loaded again; until then another one may go on with the game.
    owner_has_left: bool,
    /// What is there belongs to nobody, and goes to the library before another game comes.
    is_abandoned: bool,
    /// The game in the library, once it was over.
    id: Option<GameId>,
    /// The last attempt has failed.
    has_failed: bool,
    /// The user has been told that the current game is not kept.
    has_told: bool,
}

impl Place {
    /// The message about a failure, if the user has not been told yet.
    fn report(&mut self, outcome: Result<(), Message>) -> Result<(), Message> {
        let is_new = !self.has_told;
        self.has_failed = outcome.is_err();
        self.has_told = self.has_failed;
        outcome.or_else(|error| if is_new { Err(error) } else { Ok(()) })
    }

    fn is_free(&self) -> bool {
        self.owner.is_none() || self.owner_has_left
    }
}

impl SaveState {
    /// The place of this page's game.
    fn place_of(&self, page: u64) -> Option<usize> {
        self.places.iter().position(|place| place.owner == Some(page))
    }

    /// The same; a page that has none gets the first that is free.
    fn claim(&mut self, page: u64) -> Option<usize> {
        if let Some(place) = self.place_of(page) {
            self.places[place].owner_has_left = false;
            return Some(place);
        }
        let place = self.places.iter().position(Place::is_free)?;
        self.places[place] = Place { owner: Some(page), is_abandoned: true, ..Place::default() };
        Some(place)
    }
}

impl SaveStore {
    /// Opens the user's folder, unless another program has locked it; also returns a message if saving is not possible.
    pub fn open() -> (SaveStore, Option<Message>) {
        SaveStore::open_at(SavedGames::open())
    }

    /// The same of another folder.
    pub fn open_at(saved: Result<SavedGames, SavedGamesError>) -> (SaveStore, Option<Message>) {
        let error = match saved {
            Ok(saved) => return (SaveStore::with(Some(saved), true, WriteAccess::default()), None),
            Err(error) => error,
        };
        let message = match &error {
            SavedGamesError::InUse => {
                message!("Another game is in progress. This one is not saved until it ends.")
            }
            SavedGamesError::NoFolder => {
                return (
                    SaveStore::disabled(),
                    Some(message!("Games are not kept: no folder of this user is known (HOME is not set).")),
                );
            }
            error => {
                let error = error.to_string();
                message!("The game could not be saved: {error}. The next move tries again.", error)
            }
        };
        (SaveStore::with(None, true, WriteAccess::denied(error)), Some(message))
    }

    /// A store that forgets everything at its end.
    pub fn disabled() -> SaveStore {
        let folder = Folder::Memory(Arc::new(MemoryFolder::default()));
        let state = SaveState { saved: None, retries: false, places: Default::default() };
        SaveStore::in_folder(state, folder, WriteAccess::default())
    }

    /// A store of these saved games.
    pub fn of(saved: SavedGames) -> SaveStore {
        SaveStore::with(Some(saved), false, WriteAccess::default())
    }

    fn with(saved: Option<SavedGames>, retries: bool, access: WriteAccess) -> SaveStore {
        let folder = match &saved {
            Some(saved) => saved.folder().clone(),
            None => Folder::from(state_folder().unwrap_or_default()),
        };
        let store = SaveStore::in_folder(SaveState { saved, retries, places: Default::default() }, folder, access);
        store.take_over(&mut store.kept());
        store
    }

    fn in_folder(state: SaveState, folder: Folder, access: WriteAccess) -> SaveStore {
        let access = Arc::new(access);
        let library = Library::new(folder.clone(), Arc::clone(&access));
        let deck = DeckFile::new(folder.clone(), Arc::clone(&access));
        SaveStore { state: Mutex::new(state), library, deck, folder, access, finished: Mutex::default() }
    }

    /// All games.
    pub fn library(&self) -> &Library {
        self.try_again();
        &self.library
    }

    /// The exercises.
    pub fn deck(&self) -> &DeckFile {
        self.try_again();
        &self.deck
    }

    /// Whoever could not write before may do so now: another program may have ended.
    fn try_again(&self) {
        if !self.access.is_granted()
            && let Ok(mut state) = self.state.try_lock()
        {
            self.open_again(&mut state);
        }
    }

    fn open_again(&self, state: &mut SaveState) {
        if state.saved.is_some() || !state.retries {
            return;
        }
        match SavedGames::try_open() {
            Ok(saved) => {
                state.saved = Some(saved);
                self.access.set(Ok(()));
                self.take_over(state);
            }
            Err(error) => self.access.set(Err(error)),
        }
    }

    /// What the person should know of the files.
    pub fn notes(&self, notes: &mut StateNotes) {
        self.kept().saved.iter().for_each(|saved| saved.take_notes(PLACES, notes));
        self.library().notes(notes);
    }

    /// The folder of all that is kept.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// From now on this hears of each game against the engine that is over.
    pub fn tell_finished(&self, listener: impl Fn(u64, GameId) + Send + 'static) {
        *self.finished.locked() = Some(Box::new(listener));
    }

    fn kept(&self) -> MutexGuard<'_, SaveState> {
        let mut state = self.state.locked();
        self.open_again(&mut state);
        state
    }

    /// Of the games of an earlier run the first can be continued; the others go to the library.
    fn take_over(&self, state: &mut SaveState) {
        let Some(saved) = &state.saved else { return };
        let is_over = |place| match saved.game_in(place) {
            Ok(game) => game.is_some_and(|game| game.result != GameResult::Unknown),
            Err(error) => matches!(error, SavedGamesError::Record(_)),
        };
        for place in (0..PLACES).filter(|&place| place > 0 || is_over(place)) {
            if let Err(error) = self.put_away(saved, place) {
                log::warn!("unfinished games: {}", error.english());
            }
        }
    }

    /// Moves the game of a place to the library.
    fn put_away(&self, saved: &SavedGames, place: usize) -> Result<(), Message> {
        match saved.game_in(place) {
            Ok(None) => return Ok(()),
            Ok(Some(game)) if game.main_line_nodes().count() == 0 => {}
            Ok(Some(game)) => {
                self.library.add(vec![StoredGame::new(&game, Source::Played, "")])?;
            }
            Err(SavedGamesError::Record(_)) => return saved.keep_aside(place).map_err(save_error),
            Err(error) => return Err(save_error(error)),
        }
        saved.clear(place).map_err(save_error)
    }

    /// The first unfinished game that no page has claimed, with its place.
    fn free_game(&self, state: &SaveState) -> Option<(usize, LiveGame)> {
        let saved = state.saved.as_ref()?;
        let goes_on =
            |game: &xiangqi_record::Game| game.result == GameResult::Unknown && game.main_line_nodes().count() > 0;
        let game = |place: usize| saved.game_in(place).ok().flatten().filter(goes_on).map(game_record::from_record);
        let free = (0..PLACES).filter(|&place| state.places[place].is_free());
        free.filter_map(|place| Some((place, game(place)?))).next()
    }

    /// The unfinished game, if no page has claimed it.
    pub fn unfinished(&self) -> Option<LiveGame> {
        Some(self.free_game(&self.kept())?.1)
    }

    /// Gives the unfinished game to a page, whose own goes to the library.
    pub fn resume(&self, page: u64) -> Option<LiveGame> {
        let mut state = self.kept();
        let (place, game) = self.free_game(&state)?;
        if let Some(own) = state.place_of(page) {
            state.places[own] = Place::default();
        }
        let id = state.places[place].id;
        state.places[place] = Place { owner: Some(page), id, ..Place::default() };
        Some(game)
    }

    /// Gives the place of a page that was given up to another one, which goes on with its game.
    pub fn hand_over(&self, from: u64, to: u64) {
        let mut state = self.kept();
        if let Some(place) = state.place_of(from) {
            (state.places[place].owner, state.places[place].owner_has_left) = (Some(to), false);
        }
    }

    /// Saves the game of a page: in its place, or in the library if it is over. After a failure, which is an error the
    /// first time, the next move tries again.
    pub fn save(&self, page: u64, game: &LiveGame) -> Result<(), Message> {
        let mut state = self.kept();
        let state = &mut *state;
        let known = state.place_of(page);
        if known.is_none() && game.moves().is_empty() {
            return Ok(());
        }
        let Some(place) = state.claim(page) else { return Ok(()) };
        let outcome = self.save_in(state, place, game);
        if let (Ok(()), Some(id)) = (&outcome, state.places[place].id)
            && game.end().is_some()
            && is_reviewed(game)
        {
            let finished = self.finished.locked();
            finished.iter().for_each(|listener| listener(page, id));
        }
        state.places[place].report(outcome)
    }

    fn save_in(&self, state: &mut SaveState, place: usize, game: &LiveGame) -> Result<(), Message> {
        let id = state.places[place].id;
        let Some(saved) = &state.saved else {
            // What is kept until the end of the program is kept all the same.
            if !state.retries && game.end().is_some() && !game.moves().is_empty() {
                state.places[place].id = Some(self.library.put(id, stored(game))?);
            }
            return Ok(());
        };
        if state.places[place].is_abandoned {
            self.put_away(saved, place)?;
            state.places[place].is_abandoned = false;
        }
        if game.end().is_none() || game.moves().is_empty() {
            return saved.save_in(place, game).map_err(save_error);
        }
        match self.library.put(id, stored(game)) {
            Ok(id) => {
                state.places[place].id = Some(id);
                saved.clear(place).map_err(save_error)
            }
            // It waits in its place.
            Err(error) => saved.save_in(place, game).and(Err(SavedGamesError::InUse)).or(Err(error)),
        }
    }

    /// A page begins another game: an unfinished one goes to the library. What fails is told again for the next game.
    pub fn archive(&self, page: u64, game: &LiveGame) -> Result<(), Message> {
        let mut state = self.kept();
        let state = &mut *state;
        let Some(place) = state.place_of(page) else { return Ok(()) };
        state.places[place].has_told = false;
        let id = state.places[place].id.take();
        let is_to_be_put = (game.end().is_none() || state.places[place].has_failed) && !game.moves().is_empty();
        let outcome = match &state.saved {
            Some(saved) if is_to_be_put => {
                self.library.put(id, stored(game)).and_then(|_| saved.clear(place).map_err(save_error))
            }
            _ => Ok(()),
        };
        // Nothing is written over it before it is in the library.
        state.places[place].is_abandoned |= outcome.is_err();
        state.places[place].report(outcome)
    }

    /// The game of a page in the library, once it is over.
    pub fn library_id(&self, page: u64) -> Option<GameId> {
        let state = self.kept();
        state.places[state.place_of(page)?].id
    }

    /// Whether the game of this page is or would be saved: the last attempt, if there was one, has not failed.
    pub fn is_kept(&self, page: u64) -> bool {
        let state = self.kept();
        let has_failed = state.place_of(page).is_some_and(|place| state.places[place].has_failed);
        state.saved.is_some() && !has_failed
    }

    /// The page was closed.
    pub fn leave(&self, page: u64) {
        self.set_left(page, true);
    }

    /// The page was loaded again, or was not closed after all.
    pub fn come_back(&self, page: u64) {
        self.set_left(page, false);
    }

    fn set_left(&self, page: u64, has_left: bool) {
        let mut state = self.state.locked();
        if let Some(place) = state.place_of(page) {
            state.places[place].owner_has_left = has_left;
        }
    }
}

/// The game as the library keeps it.
fn stored(game: &LiveGame) -> StoredGame {
    StoredGame::new(&game_record::to_record(game), Source::Played, "")
}

fn save_error(error: SavedGamesError) -> Message {
    message!("The game could not be saved: {error}. The next move tries again.", error)
}
