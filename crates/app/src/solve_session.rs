//! The check of the position of a page, as `chuhe mates check` does it: publishes its progress, and is cancelled when the page
//! closes.

use super::analysis::PositionQuery;
use super::game_session::texts;
use super::game_tree::GameTree;
use super::searches::{JobPriority, PageSearch, SearchTurn};
use chuhe_engine::search::{Control, Options};
use chuhe_study::composition::{self, CheckBudget, CheckReport, CheckSettings, Composition, Soundness, annotated_game};
use chuhe_study::reader::line_names;
use chuhe_study::review::default_notation;
use chuhe_support::language::{Message, message};
use chuhe_support::lock::Lock;
use serde::Serialize;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xiangqi::{Move, Position};

/// The longest time to look for a solution.
const MAX_SECONDS: u64 = 3600;

pub struct SolveSession {
    /// What a check knows when it is stopped is published.
    pub search: Arc<PageSearch>,
    /// The last report.
    done: Mutex<Option<Arc<CheckReport>>>,
}

/// The progress of a check.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SolveProgress {
    number: u64,
    /// There is no mate in so many moves.
    ruled_out: u32,
    /// The end of the check.
    result: Option<SolutionDto>,
}

/// What a check has found.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Solution"))]
struct SolutionDto {
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    soundness: Soundness,
    /// Whether something was settled, if only that there is no win.
    settled: bool,
    /// False if it was stopped.
    finished: bool,
    /// All sentences about it.
    sentences: Vec<String>,
    /// The solution against the longest defence.
    moves: Vec<String>,
    names: Vec<String>,
}

impl SolutionDto {
    fn of(report: &CheckReport) -> SolutionDto {
        let line: Vec<Move> = report.main_line().iter().map(|&index| report.tree[index as usize].mv).collect();
        let start = Position::from_fen(&report.fen).unwrap_or_else(|_| Position::start());
        SolutionDto {
            soundness: report.soundness,
            settled: report.solution.is_some() || report.soundness != Soundness::Unsettled,
            finished: report.finished,
            sentences: composition::sentences(report, default_notation()),
            moves: texts(&line),
            names: line_names(&start, &line),
        }
    }
}

impl SolveSession {
    pub fn new(search: Arc<PageSearch>) -> SolveSession {
        SolveSession { search, done: Mutex::default() }
    }

    /// Starts the check of a position within a time or a count of nodes; what is published carries this number.
    pub fn begin(
        self: &Arc<SolveSession>,
        query: &PositionQuery,
        number: u64,
        seconds: u64,
        nodes: Option<u64>,
    ) -> Result<(), Message> {
        let budget = CheckBudget::new(nodes, Duration::from_secs(seconds.clamp(1, MAX_SECONDS)));
        let (position, rules) = (query.position()?, query.rules()?);
        let Some(turn) = self.search.begin(None) else { return Ok(()) };
        *self.done.locked() = None;
        let [hash, megabytes] = CheckSettings::memory_shares(CheckSettings::USUAL_MEGABYTES);
        let mut searcher = self.search.context.searcher(Options { rules, ..Options::default() }, hash)?;
        // A composition is a position: what was played before it does not count.
        let start = Position::from_fen(&position.fen()).map_err(Message::from_value)?;
        let problem = Composition::new(&start);
        let (session, events, mut told) = (Arc::clone(self), Arc::clone(&self.search.events), 0);
        let check = move |control: &Arc<Control>| {
            let settings = CheckSettings { megabytes, ..CheckSettings::default() };
            // A check that goes on begins again: what was told is not told once more.
            let mut publish = |moves: u32| {
                if moves > told {
                    told = moves;
                    events.publish("solution", || SolveProgress { number, ruled_out: moves, result: None });
                }
            };
            composition::check(&problem, &mut searcher, &settings, budget, control, &mut publish)
        };
        let (mut check, mut known) = (Some(check), None);
        turn.search("solve", JobPriority::Review, move |turn, control| {
            let Some(run) = &mut check else { return true };
            let report = known.take().filter(|_| turn.control.stopped()).unwrap_or_else(|| run(control));
            if control.stopped() && !turn.control.stopped() {
                known = Some(report);
                return false;
            }
            // The tables are given back before another search may begin.
            check = None;
            session.finish(report, number, turn);
            true
        })
    }

    /// Publishes a report, unless another check has begun.
    fn finish(&self, report: CheckReport, number: u64, turn: &SearchTurn) {
        let mut done = self.done.locked();
        if !turn.is_current() {
            return;
        }
        let result = || Some(SolutionDto::of(&report));
        self.search.events.publish("solution", || SolveProgress {
            number,
            ruled_out: report.ruled_out,
            result: result(),
        });
        *done = Some(Arc::new(report));
    }

    /// The last solution as a tree of moves with comments: against the longest defence, or with all defences.
    pub fn tree(&self, all: bool) -> Result<GameTree, Message> {
        let nothing = || message!("There is no solution yet.");
        let report = self.done.locked().clone().ok_or_else(nothing)?;
        let report = if all { report } else { Arc::new(report.with_main_line_alone()) };
        let game = annotated_game(&report, default_notation()).ok_or_else(nothing)?;
        GameTree::of(&game)
    }
}
