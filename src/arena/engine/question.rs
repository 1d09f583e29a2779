//! What the game asks an engine, and what comes back.

use crate::arena::spec::Budget;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Color, Move, Score};
use chuhe_toolkit::player::Reading;
use std::time::Duration;

/// The question put to an engine.
pub struct Turn<'a> {
    /// The position, with the game behind it.
    pub position: &'a Position,
    /// The position after the last capture, from which the moves lead here.
    pub base_fen: &'a str,
    /// The moves since then.
    pub moves: &'a [Move],
    /// What it may spend.
    pub budget: Budget,
    /// The clocks of red and black, where they have one.
    pub clocks: [Option<Reading>; 2],
    /// When the referee stops waiting.
    pub deadline: Duration,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// The last move is what the engine expects: it thinks on its opponent's time, until it is told.
    pub pondering: bool,
    /// Moves that would lose by rule at once.
    pub banned: &'a [Move],
}

impl Turn<'_> {
    pub fn side(&self) -> Color {
        self.position.side()
    }
}

/// What an engine wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Play this, legal or not.
    Move(Move),
    Resign,
}

/// What an engine thinks of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// From its own side; mates as `types::score` writes them.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move, or not.
    pub choice: Choice,
    /// It offers a draw, or accepts the one offered.
    pub draw: bool,
    /// The answer that it expects.
    pub expects: Option<Move>,
    /// Score, depth and nodes of its last word.
    pub thought: Thought,
    /// From the question to the answer.
    pub spent: Duration,
}
