//! A player: all that makes an opponent of a searcher. Whoever needs one asks here.
//!
//! [`Player`] is a searcher with endgame tables (`endgames`), books (`openings`), and `manners` (when it takes a draw,
//! when it gives up). `strength` says how well it plays, a `time_control` and a `game_clock` what it may spend.

mod endgames;
mod game_clock;
mod listed;
mod manners;
mod openings;
mod strength;
mod time_control;

use chuhe_engine::board::Position;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::{Limits, Options, Searcher, TableSizeError};
use chuhe_engine::types::Move;
use endgames::Endgames;
use manners::Manners;
use std::path::Path;

pub use game_clock::{GameClock, Reading};
pub use manners::{Circumstances, Gesture};
pub use openings::{BookAnswer, Openings, Wishes};
pub use strength::{FULL_ELO, FULL_LEVEL, LEAST_ELO, Strength, StrengthError, skill_of_elo};
pub use time_control::{TimeControl, TimeControlError};

/// A searcher with all that it needs to play a game.
pub struct Player {
    /// Away while it thinks on another thread.
    searcher: Option<Box<Searcher>>,
    hash_mb: usize,
    endgames: Endgames,
    manners: Manners,
    /// Moves to the time control when it was last asked on a clock.
    moves_to_go: Option<u32>,
    pub openings: Openings,
}

impl Player {
    /// A player that has forgotten nothing yet, with the endgame tables inside the program; it opens its books when it is
    /// told which (`openings`).
    pub fn new(options: Options, hash_mb: usize) -> Result<Player, TableSizeError> {
        let mut player = Player {
            searcher: Some(Box::new(Searcher::new(options, hash_mb)?)),
            hash_mb,
            endgames: Endgames::default(),
            manners: Manners::default(),
            moves_to_go: None,
            openings: Openings::default(),
        };
        player.choose_tables(true, Path::new(""));
        Ok(player)
    }

    /// The searcher, if it is at home.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.searcher.as_deref_mut()
    }

    /// Lends the searcher to a thread that thinks.
    pub fn lend(&mut self) -> Option<Box<Searcher>> {
        self.searcher.take()
    }

    pub fn take_back(&mut self, searcher: Box<Searcher>) {
        self.searcher = Some(searcher);
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.manners = Manners::default();
        self.moves_to_go = None;
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Megabytes of its hash table.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Gives it a hash table of this size; if that cannot be had, it keeps the one it has.
    pub fn resize_table(&mut self, hash_mb: usize) -> Result<(), TableSizeError> {
        if let Some(searcher) = self.searcher.as_mut().filter(|_| hash_mb != self.hash_mb) {
            searcher.resize_table(hash_mb)?;
            self.hash_mb = hash_mb;
        }
        Ok(())
    }

    /// Uses the endgame tables of these folders (with `;` between them; none = beside the program), or none at all. What is
    /// to be said about them.
    pub fn choose_tables(&mut self, on: bool, folders: &Path) -> Vec<String> {
        let Some(remarks) = self.endgames.choose(on, folders) else { return Vec::new() };
        if let Some(searcher) = &mut self.searcher {
            searcher.tables = self.endgames.shelf();
        }
        remarks
    }

    /// Which tables turned out to be bad while they were asked, each told once.
    pub fn remarks_on_tables(&self) -> Vec<String> {
        self.endgames.take_remarks()
    }

    /// A clock with one move to go, and with one to go at the move before, is how UCCI says how long a move may take: all
    /// of it is there to be used. After more moves to go it is the last move before a time control, and what is left of its
    /// time may be wanted later.
    pub fn fix_time(&mut self, limits: &mut Limits) {
        let Some(clock) = limits.clock else { return };
        let last = std::mem::replace(&mut self.moves_to_go, clock.moves_to_go);
        let is_fixed = clock.moves_to_go == Some(1) && clock.increment.is_zero();
        if is_fixed && last.is_none_or(|moves| moves == 1) {
            limits.clock = None;
            limits.move_time = Some(limits.move_time.map_or(clock.time, |time| time.min(clock.time)));
        }
    }

    /// What it says along with a move.
    pub fn gesture(&mut self, now: &Circumstances) -> Gesture {
        self.manners.gesture(now)
    }
}

/// The root moves to choose from; empty = all of them.
///
/// What is wanted comes first, then what is banned is left out, then what loses by the rules of repetition. A step that
/// would leave nothing is not taken: a legal move is always answered.
pub fn candidates(position: &Position, rules: &Rules, wanted: &[Move], banned: &[Move]) -> Vec<Move> {
    let losing = rules.losing_moves(position);
    let legal: Vec<Move> = position.legal_moves().moves().collect();
    let steps: [&dyn Fn(&Move) -> bool; 3] =
        [&|mv| wanted.contains(mv), &|mv| !banned.contains(mv), &|mv| !losing.contains(mv)];
    let mut left = legal.clone();
    for keep in steps {
        let fewer: Vec<Move> = left.iter().copied().filter(|mv| keep(mv)).collect();
        if !fewer.is_empty() {
            left = fewer;
        }
    }
    if left.len() == legal.len() { Vec::new() } else { left }
}
