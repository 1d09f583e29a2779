//! The participants: another program behind pipes, or this very engine. The game asks both the same question.

pub(super) mod constants;
pub mod dialect;
mod inner;
mod process;
mod program;
mod watchdog;

pub use inner::Inner;
pub use program::Program;

use super::spec::{Budget, Driver, EngineSpec, RefereeSpec};
use crate::board::Position;
use crate::types::{Color, Move, Score};
use std::time::Duration;
use thiserror::Error;

/// One side's clock as the referee tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next base time; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

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
    /// Moves that would lose by rule at once.
    pub banned: &'a [Move],
}

impl Turn<'_> {
    /// Who is asked.
    pub fn side(&self) -> Color {
        self.position.side()
    }
}

/// What an engine wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Play this, legal or not.
    Move(Move),
    /// Give up.
    Resign,
}

/// What an engine thinks of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// From its own side; mates as `types::score` writes them.
    pub score: Option<Score>,
    /// Depth reached.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// An engine's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move, or not.
    pub choice: Choice,
    /// It offers a draw, or accepts the one offered.
    pub draw: bool,
    /// Score, depth and nodes of its last word.
    pub thought: Thought,
    /// From the question to the answer.
    pub spent: Duration,
}

/// How an engine failed. It loses the game, is started anew and is named in the report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// It never said that it is ready.
    #[error("did not get ready")]
    NotReady,
    /// It ended in the middle of things.
    #[error("crashed")]
    Crashed,
    /// It did not answer in time, nor some time later.
    #[error("hung")]
    Hung,
    /// It answered later than its clock allows.
    #[error("overran its time by {} ms", .0.as_millis())]
    Overran(Duration),
    /// It wrote more than anyone would.
    #[error("flooded its output")]
    Flooded,
    /// Its answer is no answer.
    #[error("answered nonsense: '{0}'")]
    Nonsense(String),
    /// Its move is not legal.
    #[error("played an illegal move: {0}")]
    Illegal(Move),
}

impl Fault {
    /// The fault without its details, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::NotReady => "did not get ready",
            Fault::Crashed => "crashed",
            Fault::Hung => "hung",
            Fault::Overran(_) => "overran its time",
            Fault::Flooded => "flooded its output",
            Fault::Nonsense(_) => "answered nonsense",
            Fault::Illegal(_) => "played an illegal move",
        }
    }
}

/// Why an engine cannot take part at all.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program could not be started.
    #[error("engine '{name}': cannot start '{command}': {source}")]
    Spawn {
        /// The engine.
        name: String,
        /// What was tried.
        command: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// No memory for the hash table.
    #[error("engine '{name}': {source}")]
    Table {
        /// The engine.
        name: String,
        /// How much was asked for.
        source: crate::search::TableSizeError,
    },
    /// A search constant that does not exist, or a build without them.
    #[error("engine '{name}': search constant '{constant}' cannot be set to {value} in this build")]
    Tune {
        /// The engine.
        name: String,
        /// The constant.
        constant: String,
        /// The value.
        value: i32,
    },
}

/// A participant, ready to play.
pub enum Player {
    /// Another program.
    Program(Box<Program>),
    /// This one.
    Inner(Box<Inner>),
}

impl Player {
    /// Brings a participant to the board. A program is only started here; whether it behaves shows in the game.
    pub fn new(spec: &EngineSpec, referee: &RefereeSpec) -> Result<Player, StartError> {
        Ok(match &spec.driver {
            Driver::Program(program) => {
                Player::Program(Box::new(Program::new(&spec.name, program, referee.start_limit)?))
            }
            Driver::Inner(inner) => Player::Inner(Box::new(Inner::new(&spec.name, inner, referee.rules)?)),
        })
    }

    /// A new game begins.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        match self {
            Player::Program(program) => program.new_game(),
            Player::Inner(inner) => {
                inner.new_game();
                Ok(())
            }
        }
    }

    /// Puts the question and waits for the answer.
    pub fn play(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        match self {
            Player::Program(program) => program.play(turn),
            Player::Inner(inner) => Ok(inner.play(turn)),
        }
    }

    /// Whether the participant wants to hear of moves that lose by rule.
    pub fn heeds_bans(&self) -> bool {
        match self {
            Player::Program(program) => program.heeds_bans(),
            Player::Inner(_) => true,
        }
    }
}
