//! Engines of a tournament behind one interface: another program over pipes, or this engine in the same process.

mod diagnostics;
pub mod dialect;
pub(super) mod in_process;
mod process;
mod program;

pub use diagnostics::Diagnostics;
pub use dialect::OptionMismatch;
pub use in_process::InProcessEngine;
pub use process::ProcessRegistry;
pub use program::Program;

use super::spec::{EngineSource, EngineSpec, RefereeSpec};
use crate::arena::spec::Budget;
use chuhe_engine::score::Score;
use chuhe_study::player::ClockState;
use chuhe_support::language::{Phrase, phrase, tr};
use chuhe_support::messages::Localize;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
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

    fn program(&mut self) -> Option<&mut Program> {
        if let Engine::Program(program) = self { Some(program) } else { None }
    }

    /// Starts the engine and sets its options, to check its specification before the first game.
    ///
    /// `own_id` names this program, for its own engine.
    pub fn start(&mut self, own_id: &str) -> Result<EngineInfo, EngineStartError> {
        let own = || Ok(EngineInfo { id: own_id.to_string(), messages: Vec::new() });
        self.program().map_or_else(own, Program::introduce)
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

    /// Lets the engine ponder on the expected reply; the next `play` sends ponderhit or stop. In-process engines do not.
    pub fn ponder(&mut self, request: &MoveRequest) -> Result<(), EngineFault> {
        self.program().map_or(Ok(()), |program| program.ponder(request))
    }

    /// Stops pondering at the end of a game.
    pub fn stop_pondering(&mut self) {
        self.program().into_iter().for_each(Program::rest);
    }

    /// The last lines of its standard error and of its conversation.
    pub fn take_diagnostics(&mut self) -> Option<Diagnostics> {
        self.program()?.diagnostics()
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

/// How an engine failed. It loses the game, is restarted and is named in the report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// The system could not start it.
    #[error("{}", tr!("cannot start {program}", program = _0))]
    NotStarted(String),
    /// It did not get ready in time.
    #[error("{}", tr!("did not get ready"))]
    NotReady,
    /// An option cannot be set.
    #[error("{}", tr!("cannot be set: {what}", what = _0))]
    Option(OptionMismatch),
    /// It exited during play, with this status.
    #[error("{}", tr!("crashed ({how})", how = _0))]
    Crashed(String),
    /// It did not answer by the deadline.
    #[error("{}", tr!("hung"))]
    Hung,
    /// It overran its time by this much.
    #[error("{}", tr!("overran its time by {time} ms", time = _0.as_millis()))]
    TimeExceeded(Duration),
    /// It wrote too much output.
    #[error("{}", tr!("flooded its output"))]
    TooMuchOutput,
    /// Its answer cannot be parsed.
    #[error("{}", tr!("answered nonsense: '{line}'", line = _0))]
    InvalidAnswer(String),
    /// Its move is not legal.
    #[error("{}", tr!("played an illegal move: {mv}", mv = _0))]
    Illegal(Move),
}

impl EngineFault {
    /// The fault without its details, for counting.
    pub fn kind(&self) -> Phrase {
        match self {
            EngineFault::NotStarted(_) => phrase!("could not be started"),
            EngineFault::NotReady => phrase!("did not get ready"),
            EngineFault::Option(_) => phrase!("could not be set"),
            EngineFault::Crashed(_) => phrase!("crashed"),
            EngineFault::Hung => phrase!("hung"),
            EngineFault::TimeExceeded(_) => phrase!("overran its time"),
            EngineFault::TooMuchOutput => phrase!("flooded its output"),
            EngineFault::InvalidAnswer(_) => phrase!("answered nonsense"),
            EngineFault::Illegal(_) => phrase!("played an illegal move"),
        }
    }
}

/// Why an engine cannot take part at all.
#[derive(Debug, Error)]
pub enum EngineStartError {
    /// It could not be started, failed the handshake, or has no such option.
    #[error("{}", tr!("engine '{name}' cannot take part: {what}", name, what))]
    Unfit { name: String, what: String },
    /// No memory for the transposition table.
    #[error("{}", tr!("engine '{name}': {source}", name, source = source.localized()))]
    Table { name: String, source: chuhe_engine::search::HashSizeError },
    /// A search constant does not exist, or the build has none.
    #[error("{}", tr!("engine '{name}': search constant '{constant}' cannot be set to {value} in this build", name, constant, value))]
    Tune { name: String, constant: String, value: i32 },
}

/// What an engine reported about itself before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineInfo {
    /// Its name and version.
    pub id: String,
    /// Its `info string` messages while options were set.
    pub messages: Vec<String>,
}
