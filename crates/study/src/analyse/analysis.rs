//! The analysis of a position, partial or final.
//!
//! Also judges the end of a line of moves: the verdict if the line ends the game, or the verdict if a repetition at its
//! end continued. The search scores a repetition as soon as it begins (§8); this explains why.

use super::query::Query;
use crate::book::BookMove;
use crate::named_verdict::NamedVerdict;
use crate::review::Assessment;
use chuhe_engine::score::Score;
use chuhe_engine::search::{Bound, MateProgress};
use chuhe_engine::tablebase::ProbeResult;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::rules::MoveExplanation;
use xiangqi::{Move, Position, Reason, Rules, Verdict};

/// A line of play from the position.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisLine {
    /// Its moves, at least one, cut where the game ends by the rules.
    pub moves: Vec<Move>,
    /// The score for the side to move.
    pub assessment: Assessment,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Depth and selective depth of the search.
    pub depth: u32,
    pub seldepth: u32,
    /// The tablebase result of its first move, for the side that makes it.
    pub tablebase: Option<ProbeResult>,
    /// How the game ends at the end of the line, if it does.
    pub line_verdict: Option<LineVerdict>,
}

/// The result of a query.
#[derive(Clone)]
pub struct Analysis {
    pub query: Arc<Query>,
    /// The analysed position, with its history.
    pub position: Position,
    /// Whether the query ran to its limits; no further update follows.
    pub complete: bool,
    /// The score for the side to move; `None` if not known yet.
    pub assessment: Option<Assessment>,
    /// The best lines, the best first.
    pub lines: Vec<AnalysisLine>,
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    pub time: Duration,
    /// The verdict of the rules on the position itself.
    pub verdict: Verdict,
    /// Moves that lose at once by the rules of repetition.
    pub losing_moves: Vec<Move>,
    /// The tablebase result, for the side to move.
    pub tablebase: Option<ProbeResult>,
    /// The book moves of the position.
    pub book: Vec<BookMove>,
    /// The static evaluation for the side to move, if requested.
    pub evaluation: Option<Score>,
    /// The progress of the mate search, if requested.
    pub mate_search: Option<MateProgress>,
}

impl Analysis {
    /// An analysis before any search.
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

    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-3)) as u64
    }
}

/// How often a repetition is played out until the rules decide: some rules need a full count.
const MAX_CYCLES: usize = 16;

/// How the game ends at the end of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct LineVerdict {
    /// The number of plies after which the game ends; the rest of the line is void.
    pub plies: usize,
    pub judgement: NamedVerdict,
    /// The length of the repeated cycle in plies; 0 if the line itself ends the game.
    pub cycle: usize,
    /// What each move of the repetition does, if there is one.
    pub move_facts: Vec<MoveExplanation>,
}

/// Judges the end of a line from this position; `None` if the game continues after it.
pub fn line_verdict(position: &Position, line: &[Move], rules: &Rules) -> Option<LineVerdict> {
    let mut position = position.clone();
    for (index, &mv) in line.iter().enumerate() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            let (judgement, move_facts) = (NamedVerdict::new(verdict, &position), rules.explain(&position));
            return Some(LineVerdict { plies: index + 1, judgement, cycle: 0, move_facts });
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
                judgement: NamedVerdict::new(verdict, &position),
                cycle,
                move_facts: rules.explain(&position),
            });
        }
    }
    None
}
