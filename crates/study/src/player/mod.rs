//! The engine as a player.
//!
//! [`Player`] is a searcher with tablebases (`tablebases`), books (`books`) and a policy for draws and resignation
//! (`draw_resign`). `strength` sets its level, `clock` its time.

mod books;
mod clock;
mod draw_resign;
mod strength;
mod tablebases;

use chuhe_engine::search::{HashSizeError, Limits, Options, Searcher};
use draw_resign::DrawResignPolicy;
use std::path::Path;
use tablebases::PlayerTablebases;

pub use books::{BookAnswer, BookOptions, PlayerBooks};
pub use clock::{ClockState, GameClock, TimeControl, TimeControlError};
pub use draw_resign::{DrawOrResign, SearchSummary};
use std::path::PathBuf;
pub use strength::{MAX_ELO, MAX_LEVEL, MIN_ELO, Strength, StrengthError, skill_of_elo};

/// The hash table size in megabytes of an opponent, an analysis or a review, unless one is asked for. Phones have little
/// memory.
pub const HASH_MB: usize = if cfg!(target_family = "wasm") { SMALL_HASH_MB } else { 64 };
/// That of searches of some ten or hundred thousand nodes, of which several run at a time.
pub const SMALL_HASH_MB: usize = 16;

/// A searcher with everything needed to play a game.
pub struct Player {
    /// `None` while a search thread has it.
    searcher: Option<Box<Searcher>>,
    hash_mb: usize,
    tablebases: PlayerTablebases,
    draw_resign: DrawResignPolicy,
    /// Moves to the time control at the last search with a clock.
    moves_to_go: Option<u32>,
    pub books: PlayerBooks,
}

impl Player {
    /// A player with empty history and the built-in tablebases; books are opened by [`PlayerBooks::configure`].
    pub fn new(options: Options, hash_mb: usize) -> Result<Player, HashSizeError> {
        let mut player = Player {
            searcher: Some(Box::new(Searcher::new(options, hash_mb)?)),
            hash_mb,
            tablebases: PlayerTablebases::default(),
            draw_resign: DrawResignPolicy::default(),
            moves_to_go: None,
            books: PlayerBooks::default(),
        };
        player.configure_tablebases(true, Path::new(""));
        Ok(player)
    }

    /// The searcher, unless a search thread has it.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.searcher.as_deref_mut()
    }

    /// Takes the searcher for a search thread.
    pub fn take_searcher(&mut self) -> Option<Box<Searcher>> {
        self.searcher.take()
    }

    pub fn return_searcher(&mut self, searcher: Box<Searcher>) {
        self.searcher = Some(searcher);
    }

    /// Resets the state of the last game.
    pub fn new_game(&mut self) {
        self.draw_resign = DrawResignPolicy::default();
        self.moves_to_go = None;
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    /// The hash table size in megabytes.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Resizes the hash table, as [`Searcher::resize_hash`] does; on failure the old one is kept.
    pub fn resize_hash(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        if let Some(searcher) = self.searcher.as_mut().filter(|_| hash_mb != self.hash_mb) {
            searcher.resize_hash(hash_mb)?;
            self.hash_mb = hash_mb;
        }
        Ok(())
    }

    /// Waits for the memory of a new hash table.
    pub fn wait_for_hash(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.wait_for_hash();
        }
    }

    /// Uses the tablebases of these folders (separated by `;`; empty = beside the program), or none. Returns messages
    /// about them.
    pub fn configure_tablebases(&mut self, on: bool, folders: &Path) -> Vec<String> {
        let Some(remarks) = self.tablebases.configure(on, folders) else { return Vec::new() };
        if let Some(searcher) = &mut self.searcher {
            searcher.tablebase = self.tablebases.tablebase();
        }
        remarks
    }

    /// Errors found while probing, each reported once.
    pub fn tablebase_warnings(&self) -> Vec<String> {
        self.tablebases.take_warnings()
    }

    /// In UCCI a fixed move time is sent as a clock with one move to go; if the previous search had one move to go as
    /// well, all of the time may be used. After more moves to go it is the last move before the time control, and the
    /// remaining time carries over.
    pub fn adjust_moves_to_go(&mut self, limits: &mut Limits) {
        let Some(clock) = limits.clock else { return };
        let last = std::mem::replace(&mut self.moves_to_go, clock.moves_to_go);
        let is_fixed = clock.moves_to_go == Some(1) && clock.increment.is_zero();
        if is_fixed && last.is_none_or(|moves| moves == 1) {
            limits.clock = None;
            limits.move_time = Some(limits.move_time.map_or(clock.time, |time| time.min(clock.time)));
        }
    }

    /// Decides on a draw offer or resignation with a move.
    pub fn decide_draw_or_resign(&mut self, now: &SearchSummary) -> DrawOrResign {
        self.draw_resign.decide(now)
    }
}

/// Splits a list of paths.
pub fn split_path_list(list: &Path) -> Vec<PathBuf> {
    match list.to_str() {
        Some(text) => text.split(';').map(str::trim).filter(|name| !name.is_empty()).map(PathBuf::from).collect(),
        // Not UTF-8: a single path.
        None => vec![list.to_path_buf()],
    }
}

/// A path beside the program.
pub fn beside_program(name: &Path) -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(name))
}
