//! Options of the search that a user may change.

use crate::nnue::{EvalMode, Network, large_network, medium_network};
use crate::score::Score;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Rules;

/// Default of [`Options::overhead`].
pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(20);

/// How much of something is used, as UCCI's options `pruning` and `knowledge` say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    None,
    /// A little.
    Small,
    /// Most.
    Medium,
    /// Everything.
    Large,
}

/// Playing style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Prefers draws and exchanges.
    Solid,
    /// Prefers nothing.
    Normal,
    /// Avoids draws and exchanges.
    Risky,
}

impl Style {
    /// Contempt: the engine scores a draw as minus this.
    pub(super) fn contempt(self) -> Score {
        match self {
            Style::Solid => -40,
            Style::Normal => 0,
            Style::Risky => 80,
        }
    }

    /// Evaluation bonus for each attacking piece on the board, of either side.
    pub(super) fn attacker_bonus(self) -> Score {
        match self {
            Style::Solid => -6,
            Style::Normal => 0,
            Style::Risky => 10,
        }
    }
}

/// Options of a [`Searcher`](super::Searcher).
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Number of PV lines (MultiPV), at least 1.
    pub multi_pv: usize,
    /// Time lost between the engine and the clock of the host, per move.
    pub overhead: Duration,
    /// Whether the host uses pondering: each move then takes more time.
    pub ponder: bool,
    /// Rule set and natural limit.
    pub rules: Rules,
    /// Amount of forward pruning.
    pub pruning: Level,
    /// Evaluation: material, piece-square tables, a small network, the full network.
    pub knowledge: Level,
    /// The network of [`Level::Large`].
    pub network: Arc<Network>,
    /// Playing style.
    pub style: Style,
    /// Largest loss, in hundredths of a minor piece, that a randomly chosen move may cost; 0 = always the best.
    pub randomness: i32,
    /// Strength from 0 to 20; 20 = full.
    pub skill: f32,
    /// Share of the processor to leave idle, 0.0 to 0.9.
    pub idle: f32,
    /// Nodes that count as a millisecond in limits of time; 0 = time is time.
    pub nodes_per_millisecond: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            multi_pv: 1,
            overhead: DEFAULT_OVERHEAD,
            ponder: false,
            rules: Rules::default(),
            pruning: Level::Large,
            knowledge: Level::Large,
            network: large_network(),
            style: Style::Normal,
            randomness: 0,
            skill: 20.0,
            idle: 0.0,
            nodes_per_millisecond: 0,
        }
    }
}

impl Options {
    /// The evaluation that `knowledge` selects.
    pub(super) fn eval_mode(&self) -> EvalMode {
        match self.knowledge {
            Level::None => EvalMode::Material,
            Level::Small => EvalMode::Squares,
            Level::Medium => EvalMode::Network(medium_network()),
            Level::Large => EvalMode::Network(Arc::clone(&self.network)),
        }
    }
}
