//! Tactics: positions of games with one best move at each step, found by a search of two lines.
//!
//! * Here: the tactics, their files, and how some of many are taken.
//! * `miner` finds tactics in games. It says whether one move is the best one, what counts as a second solution, and judges a
//!   move that a person tries; and it lets levels of the program try.

mod miner;

pub use miner::{
    BestMove, CHECK_FACTOR, DifficultyMeter, Fault, GameToMine, Miner, Solver, TacticTrial, TwoLines, find_fault,
    try_move,
};

use crate::motifs::{Motif, motifs};
use crate::train::{Card, CardGame, CardKind};
use chuhe_support::files::json_line;
use chuhe_support::language::{Language, tr};
use chuhe_support::small_sort::SmallSort;
use miner::{LEAST, MOST};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
#[cfg(not(target_family = "wasm"))]
use std::sync::OnceLock;
use thiserror::Error;
use xiangqi::{Color, Move, Position, Square};

/// The most moves of the solver.
pub const MAX_STEPS: usize = 8;

/// A tactic, as a line of a file tells it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tactic {
    pub fen: String,
    /// The solution with the answers of the other side; the solver has the first move and the last.
    pub moves: Vec<Move>,
    /// Of the most telling ones first.
    pub themes: Vec<Motif>,
    /// From about 600 to 2400, on the scale of ratings.
    pub difficulty: u16,
}

impl Tactic {
    pub fn new(start: &Position, moves: Vec<Move>, difficulty: u16) -> Tactic {
        Tactic { fen: bare_fen(start), themes: motifs(start, &moves), moves, difficulty }
    }

    /// The position; nothing if the tactic is no good.
    pub fn position(&self) -> Option<Position> {
        Position::from_fen(&self.fen).ok()
    }

    /// The position after so many of its moves.
    pub fn position_at(&self, plies: usize) -> Option<Position> {
        let mut position = self.position()?;
        self.moves.get(..plies)?.iter().try_for_each(|&mv| position.play(mv)).ok()?;
        Some(position)
    }

    /// The moves as one text.
    pub fn moves_text(&self) -> String {
        self.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The names of its themes in the current language.
    pub fn theme_names(&self) -> String {
        let names: Vec<String> = self.themes.iter().map(|theme| theme.phrase().to_string()).collect();
        Language::list(&names)
    }

    /// An exercise of it; nothing if the tactic is no good.
    pub fn card(&self) -> Option<Card> {
        self.card_at(0)
    }

    /// An exercise of its solution from this move of the solver on, from 0.
    pub fn card_at(&self, step: usize) -> Option<Card> {
        let position = self.position_at(2 * step)?;
        Some(Card {
            fen: Some(self.fen.clone().into_boxed_str()),
            line: self.moves[2 * step..].to_vec(),
            game: CardGame { title: tr!("tactic, {difficulty}", difficulty = self.difficulty), ..CardGame::default() },
            ..Card::new(CardKind::Tactic, &position, self.moves[..2 * step].to_vec())
        })
    }

    /// Whether it makes sense: its moves are legal, the last one is the solver's, and it has each theme once.
    pub fn is_sound(&self) -> bool {
        let Some(mut position) = self.position() else { return false };
        let mut themes = HashSet::new();
        (LEAST..=MOST).contains(&self.difficulty)
            && self.themes.iter().all(|theme| themes.insert(theme))
            && self.moves.len() % 2 == 1
            && self.moves.len() < 2 * MAX_STEPS
            && self.moves.iter().all(|&mv| position.play(mv).is_ok())
    }
}

/// The FEN without the counters.
pub fn bare_fen(position: &Position) -> String {
    let fen = position.fen();
    let words: Vec<&str> = fen.split(' ').take(2).collect();
    format!("{} - - 0 1", words.join(" "))
}

/// A file that `tactics choose` writes: this, the version as two bytes, and the lines of the tactics, deflated.
const MAGIC: &[u8; 8] = b"CHUHETAC";
const VERSION: u16 = 2;
/// The most tactics of a file, and the most bytes of their lines.
const MAX_TACTICS: usize = 100_000;
const MAX_BYTES: usize = 1 << 27;

/// Why bytes are not a file of tactics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CollectionError {
    #[error("{}", tr!("no file of tactics"))]
    Foreign,
    #[error("{}", tr!("written by a newer version of Chuhe"))]
    Newer,
    #[error("{}", tr!("damaged"))]
    Damaged,
    #[error("{}", tr!("line {line}: no tactic", line = _0))]
    Line(usize),
    #[error("{}", tr!("no tactics in it"))]
    Empty,
}

/// The tactics of the program.
#[cfg(not(target_family = "wasm"))]
pub fn embedded() -> &'static [Tactic] {
    static EMBEDDED: OnceLock<Vec<Tactic>> = OnceLock::new();
    EMBEDDED.get_or_init(|| read_file(include_bytes!("own.tactics")).unwrap_or_default())
}

/// The tactics of a file: lines of JSON, as `chuhe tactics` writes them, deflated or not.
pub fn read_file(bytes: &[u8]) -> Result<Vec<Tactic>, CollectionError> {
    use CollectionError as E;
    let lines = match bytes.strip_prefix(MAGIC).map(|rest| rest.split_first_chunk()) {
        None => Cow::Borrowed(bytes),
        Some(Some((version, lines))) if u16::from_le_bytes(*version) == VERSION => {
            Cow::Owned(decompress_to_vec_zlib_with_limit(lines, MAX_BYTES).map_err(|_| E::Damaged)?)
        }
        Some(Some((version, _))) if u16::from_le_bytes(*version) > VERSION => return Err(E::Newer),
        Some(_) => return Err(E::Damaged),
    };
    let text = std::str::from_utf8(&lines).map_err(|_| E::Foreign)?;
    let mut tactics = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<Tactic>(line) {
            Ok(tactic) if tactic.is_sound() && tactics.len() < MAX_TACTICS => tactics.push(tactic),
            _ if index == 0 => return Err(E::Foreign),
            _ => return Err(E::Line(index + 1)),
        }
    }
    if tactics.is_empty() { Err(E::Empty) } else { Ok(tactics) }
}

/// The file of these tactics in the order of their difficulty; those that are no good are left out, and those that are there
/// twice.
pub fn write(tactics: &[Tactic]) -> Vec<u8> {
    let mut seen = HashSet::new();
    let mut sound: Vec<&Tactic> = tactics.iter().filter(|tactic| tactic.is_sound()).collect();
    sound.retain(|tactic| seen.insert((&tactic.fen, &tactic.moves)));
    sound.truncate(MAX_TACTICS);
    sound.order_by_key(|tactic| tactic.difficulty);
    let lines: String = sound.into_iter().map(json_line).collect();
    [&MAGIC[..], &VERSION.to_le_bytes(), &compress_to_vec_zlib(lines.as_bytes(), 9)].concat()
}

// Chooses tactics of many: no twins, no theme more than a fifth, long solutions and rare themes before others; or those of
// some themes, those that are hardest, so many of them.
//
// Twins are positions that are the same up to the mirror, to the colours, and to a piece or two.

/// A theme is at most one in so many.
const LEAST_SHARE: usize = 5;

/// Chooses up to so many tactics. Their themes are found anew.
pub fn choose(tactics: Vec<Tactic>, count: usize) -> Vec<Tactic> {
    let themed = |tactic: Tactic| {
        let start = tactic.is_sound().then(|| tactic.position()).flatten()?;
        Some(Tactic { themes: motifs(&start, &tactic.moves), ..tactic })
    };
    let mut tactics: Vec<Tactic> = tactics.into_iter().filter_map(themed).collect();
    // Those with rare themes come first.
    let shares = counts(&tactics);
    let rarest = |tactic: &Tactic| tactic.themes.iter().map(|theme| shares[theme]).min().unwrap_or(usize::MAX);
    tactics.order_by_key(|tactic| (tactic.moves.len() < 2, rarest(tactic), tactic.difficulty));
    let mut twins = Twins::default();
    tactics.retain(|tactic| twins.add(tactic));
    // The limit of a theme is a share of what is wanted. Halving finds the most that can be chosen within theirs.
    let (mut chosen, mut too_many) = (Vec::new(), count.min(tactics.len()) + 1);
    let mut wanted = too_many - 1;
    while wanted > chosen.len() {
        let found = within(&tactics, wanted);
        if found.len() == wanted {
            chosen = found
        } else {
            too_many = wanted
        }
        wanted = chosen.len().midpoint(too_many);
    }
    let mut places = chosen.into_iter().peekable();
    let mut index = 0..;
    tactics.retain(|_| places.next_if_eq(&index.next().unwrap_or_default()).is_some());
    tactics
}

/// The places of the first tactics of whose themes there are not too many.
fn within(tactics: &[Tactic], wanted: usize) -> Vec<usize> {
    let limit = (wanted / LEAST_SHARE).max(1);
    let mut counts = HashMap::<Motif, usize>::new();
    let mut fits = |tactic: &Tactic| {
        let is_full = |theme: &Motif| counts.get(theme).is_some_and(|&count| count >= limit);
        let fits = !tactic.themes.iter().any(is_full);
        if fits {
            tactic.themes.iter().for_each(|theme| *counts.entry(*theme).or_default() += 1);
        }
        fits
    };
    (0..tactics.len()).filter(|&index| fits(&tactics[index])).take(wanted).collect()
}

/// How many tactics have each theme.
pub fn counts(tactics: &[Tactic]) -> HashMap<Motif, usize> {
    let mut counts = HashMap::new();
    for theme in tactics.iter().flat_map(|tactic| &tactic.themes) {
        *counts.entry(*theme).or_default() += 1;
    }
    counts
}

/// Boards that differ at no more points are twins: a piece that stands elsewhere makes two.
const MOST_DIFFERENT: usize = 4;

/// A board as the side to move sees it: what stands on each point.
type Board = [u8; 90];

/// The points of a board in so many parts. Boards that differ at four points have two parts in common at least, so that
/// few boards need be compared.
const PARTS: usize = MOST_DIFFERENT + 2;
const PART_SIZE: usize = 90 / PARTS;

/// Two parts of a board, by their numbers and what stands there.
type PairOfParts = (usize, usize, [[u8; PART_SIZE]; 2]);

/// The positions that are there.
#[derive(Clone, Default)]
pub struct Twins {
    boards: Vec<Board>,
    /// The boards with these parts, by their places in the list.
    with: HashMap<PairOfParts, Vec<u32>>,
}

impl Twins {
    /// Adds a tactic, unless it is a twin of one that is there.
    pub fn add(&mut self, tactic: &Tactic) -> bool {
        let Some(position) = tactic.position() else { return false };
        let board = board(&position, false);
        let is_new = !self.has_alike(&board) && !self.has_alike(&self::board(&position, true));
        if is_new {
            let place = self.boards.len() as u32;
            pairs_of_parts(&board).for_each(|pair| self.with.entry(pair).or_default().push(place));
            self.boards.push(board);
        }
        is_new
    }

    fn has_alike(&self, board: &Board) -> bool {
        let is_there = |&place: &u32| is_alike(&self.boards[place as usize], board);
        pairs_of_parts(board).any(|pair| self.with.get(&pair).is_some_and(|places| places.iter().any(is_there)))
    }
}

fn pairs_of_parts(board: &Board) -> impl Iterator<Item = PairOfParts> {
    // Neighbours are in different parts, so that none is empty for long.
    let part = |number: usize| std::array::from_fn(|index| board[index * PARTS + number]);
    (0..PARTS).flat_map(move |one| (one + 1..PARTS).map(move |other| (one, other, [part(one), part(other)])))
}

fn is_alike(one: &Board, other: &Board) -> bool {
    one.iter().zip(other).filter(|(one, other)| one != other).count() <= MOST_DIFFERENT
}

fn board(position: &Position, is_mirrored: bool) -> Board {
    let mut board = [0; 90];
    let us = position.side();
    for color in Color::ALL {
        for (kind, square) in position.pieces(color) {
            let seen = if us == Color::Red { square } else { square.flip() };
            let seen: Square = if is_mirrored { seen.mirror() } else { seen };
            board[seen.dense()] = 1 + kind.index() as u8 + if color == us { 0 } else { 7 };
        }
    }
    board
}

/// A theme that there is not.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("there is no theme '{name}': {themes}", name = _0, themes = all_themes()))]
pub struct UnknownTheme(pub String);

fn all_themes() -> String {
    Motif::all().map(Motif::name).collect::<Vec<_>>().join(", ")
}

/// The theme of this name, as programs or as players call it.
pub fn theme(name: &str) -> Result<Motif, UnknownTheme> {
    let wanted = name.trim().to_lowercase();
    let is_it = |motif: &Motif| motif.name() == wanted || motif.phrase().to_string().to_lowercase() == wanted;
    // A name is quoted as far as a line has room for it.
    Motif::all()
        .find(is_it)
        .ok_or_else(|| UnknownTheme(name.chars().filter(|sign| !sign.is_control()).take(40).collect()))
}

/// Which tactics are taken.
#[derive(Clone, Debug)]
pub struct TacticSelection {
    /// Those with one of these; all if there is none.
    pub themes: Vec<Motif>,
    pub difficulty: RangeInclusive<u16>,
    /// The hardest ones, the hardest first; otherwise they are drawn at random and keep their order.
    pub hardest: bool,
    /// So many; all if there is no number.
    pub count: Option<usize>,
    pub seed: u64,
}

impl Default for TacticSelection {
    fn default() -> TacticSelection {
        TacticSelection { themes: Vec::new(), difficulty: 0..=u16::MAX, hardest: false, count: None, seed: 1 }
    }
}

impl TacticSelection {
    /// Those of the tactics.
    pub fn of(&self, mut tactics: Vec<Tactic>) -> Vec<Tactic> {
        let has_theme = |tactic: &Tactic| tactic.themes.iter().any(|theme| self.themes.contains(theme));
        tactics.retain(|tactic| self.themes.is_empty() || has_theme(tactic));
        tactics.retain(|tactic| self.difficulty.contains(&tactic.difficulty));
        if self.hardest {
            tactics.order_by_key(|tactic| Reverse(tactic.difficulty));
            tactics.truncate(self.count.unwrap_or(usize::MAX));
            return tactics;
        }
        let Some(count) = self.count.filter(|&count| count < tactics.len()) else { return tactics };
        let mut places: Vec<usize> = (0..tactics.len()).collect();
        places.shuffle(&mut StdRng::seed_from_u64(self.seed));
        places.truncate(count);
        places.order();
        let mut place = 0;
        tactics.retain(|_| {
            place += 1;
            places.binary_search(&(place - 1)).is_ok()
        });
        tactics
    }
}
