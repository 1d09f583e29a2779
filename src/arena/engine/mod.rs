//! The participants: another program behind pipes, or this very engine. The game asks both the same question.

mod diagnostics;
pub mod dialect;
mod fault;
pub(super) mod in_process;
mod options;
mod process;
mod program;
mod watchdog;

pub use diagnostics::Diagnostics;
pub use fault::{EngineFault, EngineInfo, EngineStartError};
pub use in_process::InProcessEngine;
pub use options::OptionMismatch;
pub use program::Program;
pub use watchdog::ProcessRegistry;

use super::spec::{EngineSource, EngineSpec, RefereeSpec};
use crate::arena::spec::Budget;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Color, Move, Score};
use chuhe_toolkit::player::ClockState;
use std::sync::Arc;
use std::time::Duration;

/// A participant, ready to play.
pub enum Engine {
    Program(Box<Program>),
    InProcess(Box<InProcessEngine>),
}

impl Engine {
    /// Brings a participant to the board. A program is started by its first game, if it was not introduced before.
    pub fn new(
        spec: &EngineSpec,
        referee: &RefereeSpec,
        premises: &Arc<ProcessRegistry>,
    ) -> Result<Engine, EngineStartError> {
        Ok(match &spec.driver {
            EngineSource::Program(program) => {
                let program = Program::new(&spec.name, program, referee, premises);
                Engine::Program(Box::new(program))
            }
            EngineSource::InProcess(inner) => {
                Engine::InProcess(Box::new(InProcessEngine::new(&spec.name, inner, referee.rules, premises)?))
            }
        })
    }

    /// Starts the participant and sets its options, to find out whether it can take part as it was described.
    pub fn start(&mut self) -> Result<EngineInfo, EngineStartError> {
        match self {
            Engine::Program(program) => program.introduce(),
            Engine::InProcess(_) => {
                let id = format!("Chuhe {}", crate::protocol::VERSION);
                Ok(EngineInfo { id, messages: Vec::new() })
            }
        }
    }

    /// A new game begins.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        match self {
            Engine::Program(program) => program.new_game(),
            Engine::InProcess(inner) => {
                inner.new_game();
                Ok(())
            }
        }
    }

    /// Puts the question and waits for the answer.
    pub fn play(&mut self, turn: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        match self {
            Engine::Program(program) => program.play(turn),
            Engine::InProcess(inner) => Ok(inner.play(turn)),
        }
    }

    /// Lets it think about what it expects, on its opponent's time. The next question tells it whether it was right.
    pub fn ponder(&mut self, turn: &MoveRequest) -> Result<(), EngineFault> {
        match self {
            Engine::Program(program) => program.ponder(turn),
            // Whoever shares the arena's process thinks when he is asked.
            Engine::InProcess(_) => Ok(()),
        }
    }

    /// The game is over: nothing is left to think about.
    pub fn stop_pondering(&mut self) {
        if let Engine::Program(program) = self {
            program.rest();
        }
    }

    /// What is known about what it did last.
    pub fn take_diagnostics(&mut self) -> Option<Diagnostics> {
        match self {
            Engine::Program(program) => program.evidence(),
            Engine::InProcess(_) => None,
        }
    }

    /// Notes in the record of its conversation, if one is kept, what comes next.
    pub fn log_remark(&self, text: &str) {
        if let Engine::Program(program) = self {
            program.remark(text);
        }
    }
}

/// The question put to an engine.
pub struct MoveRequest<'a> {
    /// The position, with the game behind it.
    pub position: &'a Position,
    /// The position after the last capture, from which the moves lead here.
    pub last_capture_fen: &'a str,
    /// The moves since then.
    pub moves: &'a [Move],
    /// What it may spend.
    pub budget: Budget,
    /// The clocks of red and black, where they have one.
    pub clocks: [Option<ClockState>; 2],
    /// When the referee stops waiting.
    pub deadline: Duration,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// The last move is what the engine expects: it thinks on its opponent's time, until it is told.
    pub pondering: bool,
    /// Moves that would lose by rule at once.
    pub banned: &'a [Move],
}

impl MoveRequest<'_> {
    pub fn side(&self) -> Color {
        self.position.side()
    }
}

/// What an engine wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveChoice {
    /// Play this, legal or not.
    Move(Move),
    Resign,
}

/// What an engine thinks of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineScore {
    /// From its own side; mates as `types::score` writes them.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    /// The move, or not.
    pub choice: MoveChoice,
    /// It offers a draw, or accepts the one offered.
    pub draw: bool,
    /// The answer that it expects.
    pub ponder: Option<Move>,
    /// Score, depth and nodes of its last word.
    pub thought: EngineScore,
    /// From the question to the answer.
    pub elapsed: Duration,
}
