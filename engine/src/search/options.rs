//! How a searcher is to play: what a user may change about it.

use crate::nnue::{EvalMode, Network, large_network, medium_network};
use crate::rules::Rules;
use crate::types::Score;
use std::sync::Arc;
use std::time::Duration;

/// Time that gets lost on each move between the engine and the host's clock, unless the host says otherwise.
pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(20);

/// A size, as UCCI's combos write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Level {
    None,
    Small,
    Medium,
    Large,
}

/// The balance of attack and defence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Solid,
    Normal,
    /// Attack at a risk.
    Risky,
}

impl Style {
    /// How much better than a draw the engine wants to stand before it takes one.
    pub(super) fn contempt(self) -> Score {
        match self {
            Style::Solid => -40,
            Style::Normal => 0,
            Style::Risky => 80,
        }
    }

    /// What an attacker on the board, of either side, is worth to the engine beyond its worth.
    pub(super) fn attacker_bonus(self) -> Score {
        match self {
            Style::Solid => -6,
            Style::Normal => 0,
            Style::Risky => 10,
        }
    }
}

/// Everything about a searcher that is not its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Helpers included; at least 1.
    pub threads: usize,
    /// How many best lines to work out; at least 1.
    pub multi_pv: usize,
    /// Time that gets lost between the engine and the host's clock, per move.
    pub overhead: Duration,
    /// Whether the host lets the engine think on the opponent's time: more is spent on each move then.
    pub ponder: bool,
    /// When games are over.
    pub rules: Rules,
    /// How much forward pruning.
    pub pruning: Level,
    /// How much positional knowledge: material, and squares, a small network, the whole one.
    pub knowledge: Level,
    /// The network of `Level::Large`.
    pub network: Arc<Network>,
    pub style: Style,
    /// Largest loss, in hundredths of a minor piece, that a randomly chosen move may cost; 0 = always the best.
    pub randomness: i32,
    /// Strength from 0 to 20; 20 = full.
    pub skill: f32,
    /// Share of the processor to leave to others, 0.0 to 0.9.
    pub idle: f32,
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
        }
    }
}

impl Options {
    /// What the evaluation is to know.
    pub(super) fn eval_mode(&self) -> EvalMode {
        match self.knowledge {
            Level::None => EvalMode::Material,
            Level::Small => EvalMode::Squares,
            Level::Medium => EvalMode::Network(medium_network()),
            Level::Large => EvalMode::Network(Arc::clone(&self.network)),
        }
    }
}
