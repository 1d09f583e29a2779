//! A query: which position, by which rules, how many lines, within which limits.
//!
//! A position is given as a ply of a game, because the verdict on a repetition depends on the moves before. Positions
//! of the same game share its moves.

use chuhe_engine::search::Limits;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Move, Position, Rules, Setup};

/// The task of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QueryTask {
    /// Search it.
    #[default]
    Search,
    /// Static evaluation only.
    Evaluate,
    /// Search for a mate in at most this many moves.
    Mate(u32),
}

/// The limits of a search; all that are set apply. With none set it runs until cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchBudget {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl SearchBudget {
    /// Whether only cancellation ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == SearchBudget::default()
    }
}

/// A query about a position.
#[derive(Clone)]
pub struct Query {
    pub position: GamePosition,
    pub rules: Rules,
    pub task: QueryTask,
    pub budget: SearchBudget,
    /// The number of lines (MultiPV).
    pub lines: usize,
    /// Root moves to search; empty = all.
    pub include_moves: Vec<Move>,
    /// Root moves to exclude.
    pub exclude_moves: Vec<Move>,
    /// The minimum interval between partial updates; `None` = no partial updates.
    pub report_interval: Option<Duration>,
    /// Clear the hash table first, so that the result does not depend on earlier queries.
    pub clear_hash: bool,
}

impl Query {
    /// A query at the end of a line: one line, no limits, default rules.
    pub fn new(position: GamePosition) -> Query {
        Query {
            position,
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

    /// Whether only cancellation ends the query.
    pub fn is_infinite(&self) -> bool {
        self.task == QueryTask::Search && self.budget.is_infinite()
    }

    /// Whether `include_moves` and `exclude_moves` leave a move to search.
    pub fn has_candidates(&self) -> bool {
        let is_left = |mv: Move| {
            (self.include_moves.is_empty() || self.include_moves.contains(&mv)) && !self.exclude_moves.contains(&mv)
        };
        self.exclude_moves.is_empty() || self.position.position().legal_moves().into_iter().any(is_left)
    }

    /// The limits for the searcher.
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

/// The position after a null move, to search for threats. `None` if the side to move is in check.
pub fn null_move_position(position: &Position) -> Option<Position> {
    let mut setup = Setup::from(position);
    setup.side = !setup.side;
    Position::try_from(setup).ok()
}

/// A position of a game, identified by its ply.
#[derive(Clone)]
pub struct GamePosition {
    start: Arc<Position>,
    moves: Arc<[Move]>,
    ply: usize,
}

impl GamePosition {
    /// The position at the end of its own history.
    pub fn from_position(position: &Position) -> GamePosition {
        let mut start = position.clone();
        let mut moves = Vec::with_capacity(start.history_len());
        while start.history_len() > 0 {
            moves.extend(start.last_move());
            start.undo();
        }
        moves.reverse();
        GamePosition { start: Arc::new(start), ply: moves.len(), moves: moves.into() }
    }

    /// The same game at another ply; `None` if the game is shorter.
    pub fn at(&self, ply: usize) -> Option<GamePosition> {
        (ply <= self.moves.len()).then(|| GamePosition { ply, ..self.clone() })
    }

    /// All positions of the game in order.
    pub fn all(&self) -> impl Iterator<Item = GamePosition> + '_ {
        (0..=self.moves.len()).map(|ply| GamePosition { ply, ..self.clone() })
    }

    /// The start of the game.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves from the start to this position.
    pub fn played(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// The number of moves played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The number of moves of the whole game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether the game continued from here, whatever the rules say.
    pub fn has_next(&self) -> bool {
        self.ply < self.moves.len()
    }

    /// The move of the game from here.
    pub fn next_move(&self) -> Option<Move> {
        self.moves.get(self.ply).copied()
    }

    /// The position, with its history.
    pub fn position(&self) -> Position {
        self.start.after(self.played())
    }
}
