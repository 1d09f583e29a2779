//! What somebody wants to know: of which position, by which rules, how many lines, and how long it may take.

use super::spot::Spot;
use chuhe_engine::board::Position;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::Limits;
use chuhe_engine::types::{Color, Move};
use std::time::Duration;

/// What is to be done with a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Task {
    /// Search it.
    #[default]
    Search,
    /// Say what it is worth without looking ahead.
    Evaluate,
    /// Look for a mate in at most so many moves, and end when that is settled.
    Mate(u32),
}

/// What a search may spend; all that are set hold together. With none set it goes on until it is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measure {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl Measure {
    /// Whether only a word from outside ends it.
    pub fn is_endless(&self) -> bool {
        *self == Measure::default()
    }
}

/// A question about a position.
#[derive(Clone)]
pub struct Query {
    pub spot: Spot,
    pub rules: Rules,
    pub task: Task,
    pub measure: Measure,
    /// How many best lines.
    pub lines: usize,
    /// First moves to choose from; empty = all of them.
    pub only: Vec<Move>,
    /// First moves to leave out.
    pub avoid: Vec<Move>,
    /// What is known is told at most so often before the end; `None` = not at all.
    pub every: Option<Duration>,
    /// Nothing is remembered of earlier queries: the answer is the same whatever was asked before.
    pub afresh: bool,
}

impl Query {
    /// About the end of a line of moves: one line, without end, under the usual rules.
    pub fn about(spot: Spot) -> Query {
        Query {
            spot,
            rules: Rules::default(),
            task: Task::default(),
            measure: Measure::default(),
            lines: 1,
            only: Vec::new(),
            avoid: Vec::new(),
            every: None,
            afresh: false,
        }
    }

    /// Whether nothing ends its search but a word from outside.
    pub fn is_endless(&self) -> bool {
        self.task == Task::Search && self.measure.is_endless()
    }

    /// Whether there is a move to choose, where some are to be left out.
    pub fn leaves_a_move(&self) -> bool {
        let is_left =
            |mv: Move| (self.only.is_empty() || self.only.contains(&mv)) && !self.avoid.contains(&mv);
        self.avoid.is_empty() || self.spot.position().legal_moves().moves().any(is_left)
    }

    /// The same in the searcher's words.
    pub(super) fn limits(&self) -> Limits {
        let Measure { time, nodes, depth } = self.measure;
        let mate = match self.task {
            Task::Mate(moves) => Some(moves),
            Task::Search | Task::Evaluate => None,
        };
        Limits {
            move_time: time,
            nodes,
            depth,
            mate,
            only: self.only.clone(),
            excluded: self.avoid.clone(),
            ..Limits::default()
        }
    }
}

/// What the other side threatens: the position as it were if the side to move passed. `None` where it may not, because it
/// is in check.
pub fn threat(position: &Position) -> Option<Position> {
    let (before, after) = match position.side() {
        Color::Red => (" w ", " b "),
        Color::Black => (" b ", " w "),
    };
    Position::from_fen_of(&position.fen().replacen(before, after, 1), position.promotion()).ok()
}
