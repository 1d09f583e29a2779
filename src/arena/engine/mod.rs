//! The participants: another program behind pipes, or this very engine. The game asks both the same question.

pub(super) mod constants;
pub mod dialect;
mod evidence;
mod fault;
mod inner;
mod options;
mod premises;
mod process;
mod program;
mod question;
mod traffic;
mod watchdog;

pub use evidence::Evidence;
pub use fault::{Fault, Introduction, StartError};
pub use inner::Inner;
pub use options::Misfit;
pub use premises::Premises;
pub use program::Program;
pub use question::{Answer, Choice, Thought, Turn};

use super::spec::{Driver, EngineSpec, RefereeSpec};
use std::sync::Arc;

/// A participant, ready to play.
pub enum Player {
    Program(Box<Program>),
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
