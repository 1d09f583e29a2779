//! A tactic: a position with one best move at each step of its solution. Files of tactics, and the one in the program.

use super::difficulty::{LEAST, MOST};
use crate::motifs::{Motif, motifs};
use crate::train::{Card, CardGame, CardKind};
use chuhe_support::files::json_line;
use chuhe_support::language::{Language, tr};
use chuhe_support::small_sort::SmallSort;
use miniz_oxide::{deflate::compress_to_vec_zlib, inflate::decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashSet;
#[cfg(not(target_family = "wasm"))]
use std::sync::OnceLock;
use thiserror::Error;
use xiangqi::{Move, Position};

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
