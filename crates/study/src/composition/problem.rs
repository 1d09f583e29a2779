//! A composition as it is given: a position, what is claimed of it, and the stated solution.

use super::report::Claim;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, GameResult};

/// A composition to check. The side to move is the attacker.
#[derive(Clone)]
pub struct Composition {
    pub title: String,
    /// The tags of its record, which are kept.
    pub tags: Vec<(String, String)>,
    pub start: Position,
    /// The stated solution, as far as it goes.
    pub stated: Vec<Move>,
    pub claim: Claim,
}

impl Composition {
    /// A position without a stated solution.
    pub fn new(start: &Position) -> Composition {
        Composition {
            title: String::new(),
            tags: Vec::new(),
            start: start.clone(),
            stated: Vec::new(),
            claim: Claim::None,
        }
    }

    /// The composition of a record: its main line is the solution, its result the claim.
    pub fn of_game(game: &Game) -> Composition {
        let title = ["Title", "Event"].iter().filter_map(|name| game.tag(name)).map(str::trim);
        let title = title.filter(|title| !matches!(*title, "" | "?")).map(String::from).next();
        let winner = match game.result {
            GameResult::RedWins => Some(Some(Color::Red)),
            GameResult::BlackWins => Some(Some(Color::Black)),
            GameResult::Draw => Some(None),
            GameResult::Unknown => None,
        };
        let claim = winner.map_or(Claim::None, |winner| match winner {
            None => Claim::Draw,
            Some(color) if color == game.start().side() => Claim::Win,
            Some(_) => Claim::Loss,
        });
        Composition {
            title: title.unwrap_or_default(),
            tags: game.tags.clone(),
            start: game.start().clone(),
            stated: game.moves().collect(),
            claim,
        }
    }

    /// The moves of the attacker until mate in the stated solution, if it goes so far.
    pub fn stated_moves(&self) -> Option<u32> {
        let mut position = self.start.clone();
        for &mv in &self.stated {
            position.play(mv).ok()?;
        }
        let mates = self.stated.len() % 2 == 1 && !position.has_legal_move();
        mates.then(|| (self.stated.len() as u32).div_ceil(2))
    }
}
