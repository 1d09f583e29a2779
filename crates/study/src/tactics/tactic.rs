//! A tactic: a position with one best move at each step of its solution.

use super::difficulty::{LEAST, MOST};
use crate::motifs::{Motif, motifs};
use crate::train::{Card, CardGame, CardId, CardKind};
use chuhe_support::language::{Language, tr};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use xiangqi::{Move, Position, RuleSet};

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
            id: CardId::of(&position),
            kind: CardKind::Tactic,
            deck: String::new(),
            fen: Some(self.fen.clone().into_boxed_str()),
            moves: self.moves[..2 * step].to_vec(),
            rules: RuleSet::default(),
            side: position.side(),
            played: None,
            piece: None,
            chance: 1.0,
            lost: 0.0,
            line: self.moves[2 * step..].to_vec(),
            refutation: Vec::new(),
            game: CardGame { title: tr!("tactic, {difficulty}", difficulty = self.difficulty), ..CardGame::default() },
            phase: None,
            opening: None,
            reasons: Vec::new(),
            added: 0,
        })
    }

    /// Whether its difficulty is one that ratings have.
    pub(super) fn is_on_the_scale(&self) -> bool {
        (LEAST..=MOST).contains(&self.difficulty)
    }

    /// Whether it makes sense: its moves are legal, the last one is the solver's, and it has each theme once.
    pub fn is_sound(&self) -> bool {
        let Some(mut position) = self.position() else { return false };
        let mut themes = HashSet::new();
        self.is_on_the_scale()
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
