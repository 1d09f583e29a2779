//! Engines of a tournament behind one interface: another program over pipes, or this engine in the same process.

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
use chuhe_engine::score::Score;
use chuhe_study::player::ClockState;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Color, Move, Position};

pub enum Engine {
    Program(Box<Program>),
    InProcess(Box<InProcessEngine>),
}

impl Engine {
    /// Creates an engine. A program is started by [`Engine::start`] or by its first game.
    pub fn new(
        spec: &EngineSpec,
        referee: &RefereeSpec,
        registry: &Arc<ProcessRegistry>,
    ) -> Result<Engine, EngineStartError> {
        Ok(match &spec.driver {
            EngineSource::Program(program) => {
                let program = Program::new(&spec.name, program, referee, registry);
                Engine::Program(Box::new(program))
            }
            EngineSource::InProcess(inner) => {
                Engine::InProcess(Box::new(InProcessEngine::new(&spec.name, inner, referee.rules, registry)?))
            }
        })
    }

    /// Starts the engine and sets its options, to check its specification before the first game.
    ///
    /// `own_id` names this program, for its own engine.
    pub fn start(&mut self, own_id: &str) -> Result<EngineInfo, EngineStartError> {
        match self {
            Engine::Program(program) => program.introduce(),
            Engine::InProcess(_) => Ok(EngineInfo { id: own_id.to_string(), messages: Vec::new() }),
        }
    }

    /// Prepares the engine for a new game.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        match self {
            Engine::Program(program) => program.new_game(),
            Engine::InProcess(inner) => {
                inner.new_game();
                Ok(())
            }
        }
    }

    /// Asks for a move and waits for the answer.
    pub fn play(&mut self, request: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        match self {
            Engine::Program(program) => program.play(request),
            Engine::InProcess(inner) => Ok(inner.play(request)),
        }
    }

    /// Lets the engine ponder on the expected reply; the next `play` sends ponderhit or stop.
    pub fn ponder(&mut self, request: &MoveRequest) -> Result<(), EngineFault> {
        match self {
            Engine::Program(program) => program.ponder(request),
            // In-process engines do not ponder.
            Engine::InProcess(_) => Ok(()),
        }
    }

    /// Stops pondering at the end of a game.
    pub fn stop_pondering(&mut self) {
        if let Engine::Program(program) = self {
            program.rest();
        }
    }

    /// The last lines of its standard error and of its conversation.
    pub fn take_diagnostics(&mut self) -> Option<Diagnostics> {
        match self {
            Engine::Program(program) => program.diagnostics(),
            Engine::InProcess(_) => None,
        }
    }

    /// Writes a remark to the transcript, if one is kept.
    pub fn log_remark(&self, text: &str) {
        if let Engine::Program(program) = self {
            program.remark(text);
        }
    }
}

/// A request for a move.
pub struct MoveRequest<'a> {
    /// The position, with its game history.
    pub position: &'a Position,
    /// The position after the last capture, where `moves` begin.
    pub last_capture_fen: &'a str,
    /// The moves since the last capture.
    pub moves: &'a [Move],
    pub budget: Budget,
    /// The clocks of red and black, if they have any.
    pub clocks: [Option<ClockState>; 2],
    /// How long the referee waits for the answer.
    pub deadline: Duration,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// The last move is the expected reply: the engine ponders until ponderhit or stop.
    pub pondering: bool,
    /// Moves that lose at once by rule.
    pub banned: &'a [Move],
}

impl MoveRequest<'_> {
    pub fn side(&self) -> Color {
        self.position.side()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveChoice {
    /// A move, not yet checked for legality.
    Move(Move),
    Resign,
}

/// Score, depth and nodes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineScore {
    /// From the engine's side; mates as in `types::score`.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    pub choice: MoveChoice,
    /// The engine offers a draw or accepts the offer.
    pub draw: bool,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Taken from the last `info` line.
    pub engine_score: EngineScore,
    /// Time from the request to the answer.
    pub elapsed: Duration,
}
