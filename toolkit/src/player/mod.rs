//! A player: all that makes an opponent of a searcher. Whoever needs one asks here.
//!
//! [`Player`] is a searcher with endgame tables (`tablebases`), books (`books`), and `draw_resign` (when it takes a draw,
//! when it gives up). `strength` says how well it plays, a `clock` and a `clock` what it may spend.

mod books;
mod clock;
mod draw_resign;
mod strength;
mod tablebases;

use chuhe_engine::board::Position;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::{HashSizeError, Limits, Options, Searcher};
use chuhe_engine::types::Move;
use draw_resign::DrawResignPolicy;
use std::path::Path;
use tablebases::PlayerTablebases;

pub use books::{BookAnswer, BookOptions, PlayerBooks};
pub use clock::{ClockState, GameClock, TimeControl, TimeControlError};
pub use draw_resign::{DrawOrResign, SearchSummary};
use std::path::PathBuf;
pub use strength::{MAX_ELO, MAX_LEVEL, MIN_ELO, Strength, StrengthError, skill_of_elo};

/// A searcher with all that it needs to play a game.
pub struct Player {
    /// Away while it thinks on another thread.
    searcher: Option<Box<Searcher>>,
    hash_mb: usize,
    tablebases: PlayerTablebases,
    draw_resign: DrawResignPolicy,
    /// Moves to the time control when it was last asked on a clock.
    moves_to_go: Option<u32>,
    pub books: PlayerBooks,
}

impl Player {
    /// A player that has forgotten nothing yet, with the endgame tables inside the program; it opens its books when it is
    /// told which (`books`).
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

    /// The searcher, if it is at home.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.searcher.as_deref_mut()
    }

    /// Lends the searcher to a thread that thinks.
    pub fn take_searcher(&mut self) -> Option<Box<Searcher>> {
        self.searcher.take()
    }

    pub fn return_searcher(&mut self, searcher: Box<Searcher>) {
        self.searcher = Some(searcher);
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.draw_resign = DrawResignPolicy::default();
        self.moves_to_go = None;
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    /// Megabytes of its hash table.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Gives it a hash table of this size; if that cannot be had, it keeps the one it has.
    pub fn resize_hash(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        if let Some(searcher) = self.searcher.as_mut().filter(|_| hash_mb != self.hash_mb) {
            searcher.resize_hash(hash_mb)?;
            self.hash_mb = hash_mb;
        }
        Ok(())
    }

    /// Uses the endgame tables of these folders (with `;` between them; none = beside the program), or none at all. What is
    /// to be said about them.
    pub fn configure_tablebases(&mut self, on: bool, folders: &Path) -> Vec<String> {
        let Some(remarks) = self.tablebases.configure(on, folders) else { return Vec::new() };
        if let Some(searcher) = &mut self.searcher {
            searcher.tablebase = self.tablebases.shelf();
        }
        remarks
    }

    /// Which tables turned out to be bad while they were asked, each told once.
    pub fn tablebase_warnings(&self) -> Vec<String> {
        self.tablebases.take_warnings()
    }

    /// A clock with one move to go, and with one to go at the move before, is how UCCI says how long a move may take: all
    /// of it is there to be used. After more moves to go it is the last move before a time control, and what is left of its
    /// time may be wanted later.
    pub fn adjust_moves_to_go(&mut self, limits: &mut Limits) {
        let Some(clock) = limits.clock else { return };
        let last = std::mem::replace(&mut self.moves_to_go, clock.moves_to_go);
        let is_fixed = clock.moves_to_go == Some(1) && clock.increment.is_zero();
        if is_fixed && last.is_none_or(|moves| moves == 1) {
            limits.clock = None;
            limits.move_time = Some(limits.move_time.map_or(clock.time, |time| time.min(clock.time)));
        }
    }

    /// What it says along with a move.
    pub fn decide_draw_or_resign(&mut self, now: &SearchSummary) -> DrawOrResign {
        self.draw_resign.decide(now)
    }
}

/// The root moves to choose from; empty = all of them.
///
/// What is wanted comes first, then what is banned is left out, then what loses by the rules of repetition. A step that
/// would leave nothing is not taken: a legal move is always answered.
pub fn root_candidates(position: &Position, rules: &Rules, wanted: &[Move], banned: &[Move]) -> Vec<Move> {
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

/// The paths of a list.
pub fn split_path_list(list: &Path) -> Vec<PathBuf> {
    match list.to_str() {
        Some(text) => text.split(';').map(str::trim).filter(|name| !name.is_empty()).map(PathBuf::from).collect(),
        // Not UTF-8: one path, byte by byte.
        None => vec![list.to_path_buf()],
    }
}

/// The path of this name beside the program.
pub fn beside_program(name: &Path) -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(name))
}
