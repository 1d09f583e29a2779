//! What is known about a position, so far or in the end.
//!
//! What a line of moves comes to by the rules: the judge's word where it ends the game, and what he would say if a
//! repetition at its end went on. The search judges a repetition when it begins (§8); a person wants to be told why.

use super::query::Query;
use crate::book::BookMove;
use crate::review::Assessment;
use chuhe_engine::board::Position;
use chuhe_engine::rules::{MoveExplanation, Reason, Rules, Verdict};
use chuhe_engine::search::{Bound, MateProgress};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_engine::types::{Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// A line of play from the position.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisLine {
    /// Its moves, never none, up to where the rules end the game.
    pub moves: Vec<Move>,
    /// How the side to move stands with it.
    pub assessment: Assessment,
    /// Whether that is exact.
    pub bound: Bound,
    /// How deep it was searched, and how deep at most.
    pub depth: u32,
    pub seldepth: u32,
    /// What an endgame table says of its first move, for the side that makes it.
    pub tablebase: Option<ProbeResult>,
    /// How the game ends at its end, if it does.
    pub line_verdict: Option<LineVerdict>,
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
    pub assessment: Option<Assessment>,
    /// The best lines, the best first.
    pub lines: Vec<AnalysisLine>,
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    pub time: Duration,
    /// What the judge says of the position itself.
    pub verdict: Verdict,
    /// Moves that lose at once by the rules of repetition.
    pub losing_moves: Vec<Move>,
    /// What an endgame table says, for the side to move.
    pub tablebase: Option<ProbeResult>,
    /// What a book plays here.
    pub book: Vec<BookMove>,
    /// The static evaluation, where it was asked for, as the side to move sees it.
    pub evaluation: Option<Score>,
    /// How the search for a mate stands, where one was asked for.
    pub mate_search: Option<MateProgress>,
}

impl Analysis {
    /// What is known before anybody has looked.
    pub(super) fn empty(query: &Arc<Query>) -> Analysis {
        Analysis {
            query: Arc::clone(query),
            position: query.position.position(),
            complete: false,
            assessment: None,
            lines: Vec::new(),
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time: Duration::ZERO,
            verdict: Verdict::ONGOING,
            losing_moves: Vec::new(),
            tablebase: None,
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

/// A repetition is gone through so often until the judge decides: by some rules a count has to be full.
const MAX_CYCLES: usize = 16;

/// How the game ends at the end of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct LineVerdict {
    /// After so many moves of the line; the rest of it counts no more.
    pub plies: usize,
    pub verdict: Verdict,
    /// So many last moves come again and again; 0 where the line itself ends the game.
    pub cycle: usize,
    /// What the moves of the repetition did, if there is one.
    pub move_facts: Vec<MoveExplanation>,
}

/// What the rules say of a line that begins here; `None` if the game goes on behind it.
pub fn line_verdict(position: &Position, line: &[Move], rules: &Rules) -> Option<LineVerdict> {
    let mut position = position.clone();
    for (index, &mv) in line.iter().enumerate() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            return Some(LineVerdict { plies: index + 1, verdict, cycle: 0, move_facts: rules.explain(&position) });
        }
    }
    let cycle = position.repetition_distance().filter(|_| !line.is_empty())?;
    let moves: Option<Vec<Move>> = (0..cycle).rev().map(|back| position.move_before(back).map(|(mv, _)| mv)).collect();
    let moves = moves?;
    for mv in std::iter::repeat_n(moves, MAX_CYCLES).flatten() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            let by_repetition = !matches!(verdict.reason, Reason::NaturalLimit | Reason::Material);
            return by_repetition.then(|| LineVerdict {
                plies: line.len(),
                verdict,
                cycle,
                move_facts: rules.explain(&position),
            });
        }
    }
    None
}
