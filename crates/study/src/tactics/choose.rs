//! Chooses tactics of many: no twins, no theme more than a fifth, long solutions and rare themes before others; or those of
//! some themes, those that are hardest, so many of them.
//!
//! Twins are positions that are the same up to the mirror, to the colours, and to a piece or two.

use super::tactic::Tactic;
use crate::motifs::{Motif, motifs};
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use thiserror::Error;
use xiangqi::{Color, Position, Square};

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
