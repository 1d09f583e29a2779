//! What is known about a position, so far or in the end.

use super::outlook::Outlook;
use super::query::Query;
use crate::book::BookMove;
use crate::review::Standing;
use chuhe_engine::board::Position;
use chuhe_engine::rules::Verdict;
use chuhe_engine::search::{Bound, MateSearch};
use chuhe_engine::tablebase::Answer;
use chuhe_engine::types::{Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// A line of play from the position.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its moves, never none, up to where the rules end the game.
    pub moves: Vec<Move>,
    /// How the side to move stands with it.
    pub standing: Standing,
    /// Whether that is exact.
    pub bound: Bound,
    /// How deep it was searched, and how deep at most.
    pub depth: u32,
    pub seldepth: u32,
    /// What an endgame table says of its first move, for the side that makes it.
    pub table: Option<Answer>,
    /// How the game ends at its end, if it does.
    pub outlook: Option<Outlook>,
}

/// What was found.
#[derive(Clone)]
pub struct Analysis {
    pub query: Arc<Query>,
    /// The position that was asked about, with its history.
    pub position: Position,
    /// The query was answered to its limits: nothing more would come.
    pub complete: bool,
    /// How the side to move stands; `None` while nothing is known.
    pub standing: Option<Standing>,
    /// The best lines, the best first.
    pub lines: Vec<Line>,
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    pub time: Duration,
    /// What the judge says of the position itself.
    pub verdict: Verdict,
    /// Moves that lose at once by the rules of repetition.
    pub losing: Vec<Move>,
    /// What an endgame table says, for the side to move.
    pub table: Option<Answer>,
    /// What a book plays here.
    pub book: Vec<BookMove>,
    /// The static evaluation, where it was asked for, as the side to move sees it.
    pub evaluation: Option<Score>,
    /// How the search for a mate stands, where one was asked for.
    pub mate_search: Option<MateSearch>,
}

impl Analysis {
    /// What is known before anybody has looked.
    pub(super) fn untouched(query: &Arc<Query>) -> Analysis {
        Analysis {
            query: Arc::clone(query),
            position: query.spot.position(),
            complete: false,
            standing: None,
            lines: Vec::new(),
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time: Duration::ZERO,
            verdict: Verdict::ONGOING,
            losing: Vec::new(),
            table: None,
            book: Vec::new(),
            evaluation: None,
            mate_search: None,
        }
    }

    /// Nodes in a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-3)) as u64
    }
}
