//! The participants: another program behind pipes, or this very engine. The game asks both the same question.

pub(super) mod constants;
pub mod dialect;
mod evidence;
mod inner;
mod options;
mod premises;
mod process;
mod program;
mod traffic;
mod watchdog;

pub use evidence::Evidence;
pub use inner::Inner;
pub use options::Misfit;
pub use premises::Premises;
pub use program::Program;

use super::spec::{Budget, Driver, EngineSpec, RefereeSpec};
use crate::board::Position;
use crate::player::Reading;
use crate::types::{Color, Move, Score};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

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
    /// The answer that it expects.
    pub expects: Option<Move>,
    /// Score, depth and nodes of its last word.
    pub thought: Thought,
    /// From the question to the answer.
    pub spent: Duration,
}

/// How an engine failed. It loses the game, is started anew and is named in the report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The system would not start it.
    #[error("cannot start {0}")]
    NotStarted(String),
    /// It never said that it is ready.
    #[error("did not get ready")]
    NotReady,
    /// It cannot be set as the tournament says.
    #[error("cannot be set: {0}")]
    Option(Misfit),
    /// It ended in the middle of things, like this.
    #[error("crashed ({0})")]
    Crashed(String),
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
            Fault::NotStarted(_) => "could not be started",
            Fault::NotReady => "did not get ready",
            Fault::Option(_) => "could not be set",
            Fault::Crashed(_) => "crashed",
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
    /// It could not be started, did not greet, or cannot be set as the tournament says.
    #[error("engine '{name}' cannot take part: {what}")]
    Unfit {
        /// The engine.
        name: String,
        /// What went wrong.
        what: String,
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

/// What an engine told about itself before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Introduction {
    /// What it calls itself.
    pub id: String,
    /// What it had to say about its options.
    pub remarks: Vec<String>,
}

/// A participant, ready to play.
pub enum Player {
    /// Another program.
    Program(Box<Program>),
    /// This one.
    Inner(Box<Inner>),
}

impl Player {
    /// Brings a participant to the board. A program is started by its first game, if it was not introduced before.
    pub fn new(
        spec: &EngineSpec,
        referee: &RefereeSpec,
        premises: &Arc<Premises>,
    ) -> Result<Player, StartError> {
        Ok(match &spec.driver {
            Driver::Program(program) => {
                let program = Program::new(&spec.name, program, referee, premises);
                Player::Program(Box::new(program))
            }
            Driver::Inner(inner) => {
                Player::Inner(Box::new(Inner::new(&spec.name, inner, referee.rules, premises)?))
            }
        })
    }

    /// Starts the participant and sets its options, to find out whether it can take part as it was described.
    pub fn introduce(&mut self) -> Result<Introduction, StartError> {
        match self {
            Player::Program(program) => program.introduce(),
            Player::Inner(_) => {
                let id = format!("Chuhe {}", crate::protocol::VERSION);
                Ok(Introduction { id, remarks: Vec::new() })
            }
        }
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

    /// Lets it think about what it expects, on its opponent's time. The next question tells it whether it was right.
    pub fn ponder(&mut self, turn: &Turn) -> Result<(), Fault> {
        match self {
            Player::Program(program) => program.ponder(turn),
            // Whoever shares the arena's process thinks when he is asked.
            Player::Inner(_) => Ok(()),
        }
    }

    /// The game is over: nothing is left to think about.
    pub fn rest(&mut self) {
        if let Player::Program(program) = self {
            program.rest();
        }
    }

    /// What is known about what it did last.
    pub fn evidence(&mut self) -> Option<Evidence> {
        match self {
            Player::Program(program) => program.evidence(),
            Player::Inner(_) => None,
        }
    }

    /// Notes in the record of its conversation, if one is kept, what comes next.
    pub fn remark(&self, text: &str) {
        if let Player::Program(program) = self {
            program.remark(text);
        }
    }
}
