//! What the opening of a game is called, and where the game left what has a name.

use crate::book::names::{self, Name};
use crate::record::Game;
use chuhe_engine::language::Language;

/// A name in both languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// As Chinese players say it.
    pub chinese: &'static str,
    /// The same for the world.
    pub english: &'static str,
    /// Where the game left it.
    pub left: Left,
}

impl Opening {
    /// What the reader calls it.
    pub fn name(&self) -> &'static str {
        if Language::of_reader() == Language::CHINESE { self.chinese } else { self.english }
    }
}

/// The first move that no longer belongs to an opening with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// The moves before it.
    pub plies: usize,
}

/// The name of the latest position of a game that has one.
pub fn of_game(game: &Game) -> Option<Opening> {
    let mut position = game.start().clone();
    let mut found = None;
    for (index, node) in game.played().enumerate() {
        position.make(node.mv());
        if let Some(Name { chinese, english }) = names::of_position(&position) {
            found = Some(Opening { chinese, english, left: Left { plies: index + 1 } });
        }
    }
    found
}
