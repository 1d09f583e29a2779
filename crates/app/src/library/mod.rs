//! The library: all games that were played, opened or kept. `record` is a game of it and the files, `index` what is in memory of them
//! all, `folders` what games were put into, `kept_reviews` what was found about them.
//!
//! Only one program writes at a time (`save_store` has the lock); others read.

pub mod folders;
mod index;
pub mod kept_reviews;
mod openings;
pub mod record;

use chuhe_study::game::saved_games::{SavedGamesError, WriteAccess};
use chuhe_support::date;
use chuhe_support::files::{Folder, StateFile, StateNotes};
use chuhe_support::language::{Message, message, reason, tr};
use chuhe_support::lock::Lock;
use chuhe_support::small_sort::SmallSort;
use folders::{GameFolder, GameFolders, counted};
pub use index::GameFilter;
use index::{Index, IndexEntry, hash_of};
use kept_reviews::{KeptReviews, ReviewSummary};
use openings::PlayedGames;
pub use openings::{PlayedFilter, PlayedHere};
use record::{GameId, GameSummary, Segments, StoredGame, shortened};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use xiangqi::Position;
use xiangqi_record::Game;

/// The most games, and the most bytes of their files.
const MAX_GAMES: usize = 50_000;
const MAX_BYTES: usize = 128 << 20;
/// The most bytes of one game.
const MAX_GAME_BYTES: usize = 8 << 20;
/// The most games of a reply.
const MAX_ROWS: usize = 200;
/// The bytes of removed games that can be brought back.
const MAX_REMOVED_BYTES: usize = 16 << 20;

pub struct Library {
    folder: Folder,
    segments: Segments,
    reviews: KeptReviews,
    state: Mutex<LibraryState>,
    access: Arc<WriteAccess>,
}

#[derive(Default)]
struct LibraryState {
    is_loaded: bool,
    /// The first plies of the games, as far as somebody has asked for them.
    played: PlayedGames,
    index: Index,
    folders: StateFile<GameFolders>,
    has_folders: bool,
    /// What the person should know of other files.
    notes: StateNotes,
    /// The games that were removed last, each removal as its lines.
    removed: Vec<Vec<String>>,
}

/// A part of the list of games.
#[derive(Serialize, crate::TS)]
pub struct GameList {
    /// How many games there are, and how many of them were looked for.
    total: usize,
    found: usize,
    /// Where the part begins.
    from: usize,
    games: Vec<ListedGame>,
    /// Whether a removal can be undone.
    can_restore: bool,
    folders: Vec<GameFolder>,
}

/// A game of the list, with what its review says if it has one.
#[derive(Serialize, crate::TS)]
pub struct ListedGame {
    #[serde(flatten)]
    about: GameSummary,
    review: Option<ReviewSummary>,
}

/// A player with the number of the games.
#[derive(Serialize, crate::TS)]
pub struct Player {
    name: String,
    games: usize,
}

impl Library {
    /// The library in this folder; nothing is read before it is needed.
    pub fn new(folder: Folder, access: Arc<WriteAccess>) -> Library {
        let reviews = KeptReviews::new(folder.clone(), Arc::clone(&access));
        let segments = Segments::new(folder.clone());
        Library { folder, segments, reviews, state: Mutex::default(), access }
    }

    /// The games as they are now. What another program may have written is read again.
    fn loaded(&self) -> MutexGuard<'_, LibraryState> {
        let mut state = self.state.locked();
        if state.is_loaded {
            return state;
        }
        if !state.has_folders {
            self.read_folders(&mut state);
        }
        state.index = Index::default();
        state.played = PlayedGames::default();
        self.segments.load(|segment, game| state.index.put(IndexEntry::new(&game.about, &game.pgn, segment)));
        state.is_loaded = self.access.is_granted();
        if state.is_loaded
            && let Err(error) = self.take_over(&mut state)
        {
            log::warn!("games of an earlier version: {error}");
        }
        state
    }

    fn read_folders(&self, state: &mut LibraryState) {
        let may_write = self.access.is_granted();
        let open = if may_write { StateFile::open } else { StateFile::open_to_read };
        state.folders = open(&self.folder, folders::FILE);
        state.has_folders = may_write;
        if may_write {
            self.segments.notes(&mut state.notes);
        }
    }

    /// What the person should know of its files. The games need not be read for it.
    pub fn notes(&self, notes: &mut StateNotes) {
        let mut state = self.state.locked();
        if !state.has_folders {
            self.read_folders(&mut state);
        }
        notes.add(&mut state.folders);
        notes.0.append(&mut state.notes.0);
    }

    /// The same if this program may write.
    fn writable(&self) -> Result<MutexGuard<'_, LibraryState>, Message> {
        let Err(why) = self.access.check() else { return Ok(self.loaded()) };
        Err(Message::of(move || match &*why {
            SavedGamesError::InUse => {
                tr!("Another program of Chuhe keeps the games: nothing can be changed here until it ends.")
            }
            error => tr!("The games kept here cannot be changed: {error}.", error),
        }))
    }

    /// Takes in the games of earlier versions and of `chuhe play`.
    fn take_over(&self, state: &mut LibraryState) -> io::Result<()> {
        for (id, game) in self.segments.analysed_games() {
            if state.index.get(id).is_none() {
                self.write(state, vec![(id, game)])?;
            }
            self.segments.remove_analysed_game(id)?;
        }
        let (games, length) = self.segments.archived_games();
        if !games.is_empty() {
            self.add_new(state, games)?;
        }
        self.segments.set_archived(length).map_err(io::Error::other)
    }

    /// Adds games that are not there yet, the first of them on top; returns their numbers, with those that were there.
    fn add_new(&self, state: &mut LibraryState, games: Vec<StoredGame>) -> io::Result<Vec<GameId>> {
        let known = state.index.by_hash();
        let count = games.len() as u64;
        let first = next_ids(&state.index, count);
        let (mut ids, mut fresh, mut hashes) = (Vec::new(), Vec::new(), HashSet::new());
        for (place, game) in games.into_iter().enumerate() {
            let hash = hash_of(&game.pgn);
            let at = known.partition_point(|&(other, _)| other < hash);
            match known.get(at).filter(|&&(other, _)| other == hash) {
                Some(&(_, id)) => ids.push(id),
                None if hashes.insert(hash) => {
                    let id = GameId(first + (count - 1 - place as u64));
                    ids.push(id);
                    fresh.push((id, game));
                }
                None => {}
            }
        }
        self.write(state, fresh)?;
        Ok(ids)
    }

    /// Writes games under these numbers, all of them or none.
    fn write(&self, state: &mut LibraryState, games: Vec<(GameId, StoredGame)>) -> io::Result<()> {
        let games: Vec<StoredGame> = games
            .into_iter()
            .map(|(id, mut game)| {
                game.about.number(id);
                game
            })
            .collect();
        let lines: Vec<String> = games.iter().map(StoredGame::line).collect();
        let places = self.segments.add(&lines)?;
        for (game, segment) in games.iter().zip(places) {
            state.index.put(IndexEntry::new(&game.about, &game.pgn, segment));
        }
        Ok(())
    }

    fn check_room(&self, state: &LibraryState, games: &[StoredGame]) -> Result<(), Message> {
        if games.iter().any(|game| game.pgn.len() > MAX_GAME_BYTES) {
            return Err(message!("The file is too large."));
        }
        let bytes: usize = games.iter().map(|game| game.pgn.len()).sum();
        if state.index.len() + games.len() > MAX_GAMES || self.segments.bytes() + bytes > MAX_BYTES {
            let count = state.index.len();
            return Err(message!("The list of games is full ({count} games): save and delete some first.", count));
        }
        Ok(())
    }

    /// Adds the games of a file, all of them or none; those that are there already are not added again. Returns their
    /// numbers.
    pub fn add(&self, games: Vec<StoredGame>) -> Result<Vec<GameId>, Message> {
        let mut state = self.writable()?;
        self.check_room(&state, &games)?;
        self.add_new(&mut state, games).map_err(failure)
    }

    /// Adds a game, or puts it in the place of the one with this number.
    pub fn put(&self, id: Option<GameId>, mut game: StoredGame) -> Result<GameId, Message> {
        let mut state = self.writable()?;
        let known = id.and_then(|id| Some((id, state.index.get(id)?.segment)));
        let Some((id, segment)) = known else {
            self.check_room(&state, std::slice::from_ref(&game))?;
            let ids = self.add_new(&mut state, vec![game]).map_err(failure)?;
            return Ok(ids.first().copied().unwrap_or(GameId(0)));
        };
        let changed = self.edit(&mut state, segment, HashSet::from([id.0]), |old| {
            game.about.name.clone_from(&old.about.name);
            game.about.source = old.about.source;
            game.about.folder = old.about.folder;
            game.about.file.clone_from(&old.about.file);
            game.about.number(id);
            std::mem::swap(old, &mut game);
        })?;
        if changed > 0 { Ok(id) } else { Err(gone()) }
    }

    /// Gives a game a name.
    pub fn rename(&self, id: GameId, name: &str) -> Result<(), Message> {
        let mut state = self.writable()?;
        let segment = state.index.get(id).ok_or_else(gone)?.segment;
        let name = shortened(name.trim());
        let changed =
            self.edit(&mut state, segment, HashSet::from([id.0]), |game| game.about.name.clone_from(&name))?;
        if changed > 0 { Ok(()) } else { Err(gone()) }
    }

    /// Changes games of a segment, all of them or none; returns how many are there.
    fn edit(
        &self,
        state: &mut LibraryState,
        segment: u32,
        ids: HashSet<u64>,
        change: impl FnMut(&mut StoredGame),
    ) -> Result<usize, Message> {
        let games = self.segments.edit(segment, &ids, change).map_err(failure)?;
        for game in &games {
            state.index.put(IndexEntry::new(&game.about, &game.pgn, segment));
        }
        Ok(games.len())
    }

    /// Removes games; returns how many.
    pub fn remove(&self, ids: &[GameId]) -> Result<usize, Message> {
        let mut state = self.writable()?;
        let ids: HashSet<u64> = ids.iter().map(|id| id.0).collect();
        let segments: HashSet<u32> = ids.iter().filter_map(|&id| Some(state.index.get(GameId(id))?.segment)).collect();
        let mut removed = Vec::new();
        let mut outcome = Ok(());
        for segment in segments {
            outcome = self.segments.remove(segment, &ids, &mut removed);
            if outcome.is_err() {
                break;
            }
        }
        let gone: HashSet<u64> = removed.iter().map(|(id, _)| id.0).collect();
        state.index.remove(&gone);
        let count = removed.len();
        if count > 0 {
            state.removed.push(removed.into_iter().map(|(_, line)| line).collect());
        }
        let size = |state: &LibraryState| state.removed.iter().flatten().map(String::len).sum::<usize>();
        while state.removed.len() > 1 && size(&state) > MAX_REMOVED_BYTES {
            state.removed.remove(0);
        }
        outcome.map(|()| count).map_err(failure)
    }

    /// Brings back the games that were removed last; returns how many.
    pub fn restore(&self) -> Result<usize, Message> {
        let mut state = self.writable()?;
        let Some(lines) = state.removed.pop() else { return Ok(0) };
        let games: Vec<(GameId, StoredGame)> =
            lines.iter().filter_map(|line| StoredGame::from_line(line).map(|game| (game.about.id, game))).collect();
        let count = games.len();
        if let Err(error) = self.write(&mut state, games) {
            state.removed.push(lines);
            return Err(failure(error));
        }
        Ok(count)
    }

    /// A part of the games that a filter lets through.
    pub fn list(&self, filter: &GameFilter, from: usize, count: usize) -> GameList {
        let state = self.loaded();
        let found = state.index.find(filter, &|folder| state.folders.get().shown(folder));
        let from = from.min(found.len());
        let wanted = found[from..].iter().take(count.min(MAX_ROWS)).map(|entry| (entry.id, entry.segment));
        let wanted: Vec<_> = wanted.collect();
        let mut found_reviews = self.reviews_of(&wanted);
        let listed = |about: GameSummary| ListedGame { review: found_reviews.remove(&about.id), about };
        let games = self.segments.summaries(&wanted).into_iter().map(listed).collect();
        GameList {
            total: state.index.len(),
            found: found.len(),
            from,
            games,
            can_restore: !state.removed.is_empty(),
            folders: counted(&state),
        }
    }

    /// What is taken from the last games that were played here, with the accuracies of red and black where there is a review;
    /// the latest first.
    pub fn last_played<T>(&self, count: usize, take: impl Fn(&GameSummary, [Option<f64>; 2]) -> Option<T>) -> Vec<T> {
        let filter = GameFilter { source: Some(record::Source::Played), ..GameFilter::default() };
        let listed = self.list(&filter, 0, count).games;
        let accuracies = |game: &ListedGame| game.review.as_ref().map(ReviewSummary::accuracies).unwrap_or_default();
        listed.iter().filter_map(|game| take(&game.about, accuracies(game))).collect()
    }

    /// The reviews of these games, as far as there are any.
    fn reviews_of(&self, games: &[(GameId, u32)]) -> HashMap<GameId, ReviewSummary> {
        if self.reviews.is_empty() {
            return HashMap::new();
        }
        let (summary_of, mut last) = (self.reviews.summaries(), None);
        let review = |&place: &(GameId, u32)| Some((place.0, summary_of(&self.read_beside(place, &mut last).ok()?.0)?));
        games.iter().filter_map(review).collect()
    }

    /// The reviews.
    pub fn reviews(&self) -> &KeptReviews {
        &self.reviews
    }

    /// The numbers of all games that a filter lets through.
    pub fn ids(&self, filter: &GameFilter) -> Vec<GameId> {
        let state = self.loaded();
        state
            .index
            .find(filter, &|folder| state.folders.get().shown(folder))
            .into_iter()
            .map(|entry| entry.id)
            .collect()
    }

    /// What the games that a filter lets through say about a position.
    pub fn played_here(&self, position: &Position, filter: GameFilter, more: &PlayedFilter) -> PlayedHere {
        let (filter, of_games) = more.divide(filter);
        let mut state = self.loaded();
        let LibraryState { index, played, folders, .. } = &mut *state;
        played.update(&self.segments);
        let wanted = index
            .find(&filter, &|folder| folders.get().shown(folder))
            .into_iter()
            .map(|entry| (entry.id, entry.segment));
        let (answer, losses, latest) = played.ask(position, wanted, &of_games, self.reviews.losses());
        PlayedHere::new(position, &answer, &losses, self.segments.summaries(&latest))
    }

    /// Another value after games have come or gone.
    pub fn version(&self) -> (usize, GameId) {
        let state = self.loaded();
        (state.index.len(), state.index.last())
    }

    /// Takes all games, one after the other.
    pub fn each(&self, take: &mut dyn FnMut(&StoredGame)) {
        let _state = self.loaded();
        self.segments.load(|_, game| take(&game));
    }

    /// The names of players that recur, the most frequent first, with the number of their games.
    pub fn recurring_players(&self, most: usize) -> Vec<Player> {
        let _state = self.loaded();
        let mut counts: HashMap<String, usize> = HashMap::new();
        self.segments.load(|_, game| {
            for name in [game.about.red, game.about.black] {
                if !name.is_empty() && name != "Player" && !name.starts_with("Chuhe ") {
                    *counts.entry(name).or_default() += 1;
                }
            }
        });
        let mut names: Vec<Player> = counts.into_iter().map(|(name, games)| Player { name, games }).collect();
        names.order_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        names.truncate(most);
        names
    }

    /// A game with its summary.
    pub fn get(&self, id: GameId) -> Result<(Game, GameSummary), Message> {
        let place = self.places(&[id])?[0];
        self.read_beside(place, &mut None)
    }

    /// Where these games are; all of them must be there.
    pub fn places(&self, ids: &[GameId]) -> Result<Vec<(GameId, u32)>, Message> {
        let state = self.loaded();
        ids.iter().map(|&id| Some((id, state.index.get(id)?.segment))).collect::<Option<_>>().ok_or_else(gone)
    }

    /// The game at a place. The lines of the file that was read last are kept for the next game.
    pub fn read_beside(
        &self,
        (id, segment): (GameId, u32),
        last: &mut Option<(u32, Vec<String>)>,
    ) -> Result<(Game, GameSummary), Message> {
        if last.as_ref().is_none_or(|&(known, _)| known != segment) {
            *last = Some((segment, self.segments.read(segment).map_err(|_| gone())?));
        }
        let lines = last.as_ref().map(|(_, lines)| lines.as_slice()).unwrap_or_default();
        let stored = Segments::game_in(lines, id).ok_or_else(gone)?;
        Ok((stored.game().ok_or_else(gone)?, stored.about))
    }
}

/// The first number of so many games that come now: later than all others, if there are so many numbers.
fn next_ids(index: &Index, count: u64) -> u64 {
    let digits: String = date::now().to_string().chars().filter(char::is_ascii_digit).collect();
    let now = (digits.parse::<u64>().unwrap_or(0) * 1000).min(GameId::LAST.0 / 2);
    let next = now.max(index.last().0 + 1);
    if next + count <= GameId::LAST.0 { next } else { index.free_from(now, count) }
}

fn gone() -> Message {
    message!("This game is not kept any more.")
}

fn failure(error: io::Error) -> Message {
    message!("The game could not be saved: {error}.", error = reason(&error))
}
