//! What somebody wants to know: of which position, by which rules, how many lines, and how long it may take.
//!
//! A spot of a game: where it began, the moves that were played, and after which of them somebody looks. The moves count:
//! what a repetition comes to depends on them. Spots of the same game share it.

use chuhe_engine::board::Position;
use chuhe_engine::rules::Rules;
use chuhe_engine::search::Limits;
use chuhe_engine::types::{Color, Move};
use std::sync::Arc;
use std::time::Duration;

/// What is to be done with a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QueryTask {
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
pub struct SearchBudget {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl SearchBudget {
    /// Whether only a word from outside ends it.
    pub fn is_infinite(&self) -> bool {
        *self == SearchBudget::default()
    }
}

/// A question about a position.
#[derive(Clone)]
pub struct Query {
    pub position: GamePosition,
    pub rules: Rules,
    pub task: QueryTask,
    pub budget: SearchBudget,
    /// How many best lines.
    pub lines: usize,
    /// First moves to choose from; empty = all of them.
    pub include_moves: Vec<Move>,
    /// First moves to leave out.
    pub exclude_moves: Vec<Move>,
    /// What is known is told at most so often before the end; `None` = not at all.
    pub report_interval: Option<Duration>,
    /// Nothing is remembered of earlier queries: the answer is the same whatever was asked before.
    pub clear_hash: bool,
}

impl Query {
    /// About the end of a line of moves: one line, without end, under the usual rules.
    pub fn new(spot: GamePosition) -> Query {
        Query {
            position: spot,
            rules: Rules::default(),
            task: QueryTask::default(),
            budget: SearchBudget::default(),
            lines: 1,
            include_moves: Vec::new(),
            exclude_moves: Vec::new(),
            report_interval: None,
            clear_hash: false,
        }
    }

    /// Whether nothing ends its search but a word from outside.
    pub fn is_infinite(&self) -> bool {
        self.task == QueryTask::Search && self.budget.is_infinite()
    }

    /// Whether there is a move to choose, where some are to be left out.
    pub fn has_candidates(&self) -> bool {
        let is_left = |mv: Move| {
            (self.include_moves.is_empty() || self.include_moves.contains(&mv)) && !self.exclude_moves.contains(&mv)
        };
        self.exclude_moves.is_empty() || self.position.position().legal_moves().moves().any(is_left)
    }

    /// The same in the searcher's words.
    pub(super) fn limits(&self) -> Limits {
        let SearchBudget { time, nodes, depth } = self.budget;
        let mate = match self.task {
            QueryTask::Mate(moves) => Some(moves),
            QueryTask::Search | QueryTask::Evaluate => None,
        };
        Limits {
            move_time: time,
            nodes,
            depth,
            mate,
            search_moves: self.include_moves.clone(),
            excluded_moves: self.exclude_moves.clone(),
            ..Limits::default()
        }
    }
}

/// What the other side threatens: the position as it were if the side to move passed. `None` where it may not, because it
/// is in check.
pub fn null_move_position(position: &Position) -> Option<Position> {
    let (before, after) = match position.side() {
        Color::Red => (" w ", " b "),
        Color::Black => (" b ", " w "),
    };
    Position::from_fen_variant(&position.fen().replacen(before, after, 1), position.promotion()).ok()
}

/// A place on the way of a game.
#[derive(Clone)]
pub struct GamePosition {
    start: Arc<Position>,
    moves: Arc<[Move]>,
    ply: usize,
}

impl GamePosition {
    /// Where a position stands: at the end of the moves that led there.
    pub fn from_position(position: &Position) -> GamePosition {
        let mut start = position.clone();
        let mut moves = Vec::with_capacity(start.history_len());
        while start.history_len() > 0 {
            moves.push(start.last_move());
            start.unmake();
        }
        moves.reverse();
        GamePosition { start: Arc::new(start), ply: moves.len(), moves: moves.into() }
    }

    /// The same game after so many moves; `None` if it is shorter.
    pub fn at(&self, ply: usize) -> Option<GamePosition> {
        (ply <= self.moves.len()).then(|| GamePosition { ply, ..self.clone() })
    }

    /// Every spot of the game, the beginning first.
    pub fn all(&self) -> impl Iterator<Item = GamePosition> + '_ {
        (0..=self.moves.len()).map(|ply| GamePosition { ply, ..self.clone() })
    }

    /// Where the game began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves from there to here.
    pub fn played(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// How many they are.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The moves of the whole game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether the game went on from here, whatever a judge may say of it.
    pub fn has_next(&self) -> bool {
        self.ply < self.moves.len()
    }

    /// The position, with its history.
    pub fn position(&self) -> Position {
        let mut position = Position::clone(&self.start);
        self.played().iter().for_each(|&mv| position.make_unchecked(mv));
        position
    }
}
