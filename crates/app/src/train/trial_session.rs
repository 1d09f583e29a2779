//! Judges the move that a page has tried, on a thread of its own if there are threads, and publishes what it finds.

use super::opening_trial::OpeningChoice;
use super::views::{NamedMove, named_line, reasons_of_move};
use crate::events::Events;
use crate::job_runner::JobRunner;
use crate::page_search::{PageSearch, SearchTurn};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::analyse::AnalystResources;
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::reasons::Reason;
use chuhe_study::train::{Card, Trial, TrialError, judge};
use chuhe_support::language::Message;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Move;

/// The nodes of a position; without threads it may be a phone.
const NODES: u64 = 150_000;
const INLINE_NODES: u64 = 40_000;

pub struct TrialSession {
    events: Arc<Events>,
    resources: AnalystResources,
    runner: JobRunner,
    search: Arc<PageSearch>,
}

/// What is told of a move.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrainTrial"))]
pub struct TrialView {
    id: String,
    number: u64,
    right: bool,
    best: bool,
    lost: Option<f64>,
    reply: Vec<NamedMove>,
    reason: Option<String>,
    line: Vec<NamedMove>,
    error: Option<String>,
}

impl TrialView {
    fn of(card: &Card, mv: Move, number: u64, trial: Result<Trial, TrialError>, reasons: &[Reason]) -> TrialView {
        let view = TrialView { id: card.id.to_string(), number, ..TrialView::default() };
        match (trial, card.position()) {
            (Ok(trial), Some(position)) => {
                let line: Vec<Move> = std::iter::once(mv).chain(trial.reply.iter().copied()).collect();
                let line = named_line(&position, &line);
                let reply = if trial.is_right { Vec::new() } else { line[1..].to_vec() };
                let reason = reasons_of_move(reasons, &position, mv);
                let lost = Some(trial.lost);
                TrialView { right: trial.is_right, best: trial.is_best, lost, reply, reason, line, ..view }
            }
            (Err(error), _) => TrialView { error: Some(error.to_string()), ..view },
            (Ok(_), None) => TrialView { error: Some(TrialError::BadCard.to_string()), ..view },
        }
    }
}

impl TrialSession {
    pub fn new(resources: AnalystResources, events: Arc<Events>, runner: JobRunner) -> TrialSession {
        TrialSession { events, resources, runner, search: Arc::default() }
    }

    /// The owner of the running search.
    pub fn search(&self) -> &PageSearch {
        &self.search
    }

    /// Judges a move; what is published carries this number.
    pub fn begin(
        self: &Arc<TrialSession>,
        card: Card,
        mv: Move,
        opening: Option<OpeningChoice>,
        number: u64,
    ) -> Result<(), Message> {
        let Some(turn) = self.search.begin(&self.runner) else { return Ok(()) };
        let options = Options { threads: 1, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, SMALL_HASH_MB).map_err(Message::from_value)?;
        searcher.tablebase = Some(Arc::clone(&self.resources.tablebases));
        let session = Arc::clone(self);
        let nodes = if self.runner.has_threads() { NODES } else { INLINE_NODES };
        // Whether it is done.
        let go_on = move |_: &SearchTurn, control: &Arc<Control>| {
            if let Some(opening) = &opening {
                let Some((trial, judged)) = opening.judge(&card, &mut searcher, nodes, control) else { return false };
                session.events.publish("trial", || TrialView {
                    reason: opening.told(&judged),
                    ..TrialView::of(&card, mv, number, Ok(trial), &[])
                });
                return true;
            }
            let Some(trial) = judge(&card, mv, &mut searcher, nodes, control).transpose() else { return false };
            let mut reasons = Vec::new();
            if let Ok(Trial { is_right: false, reply, .. }) = &trial {
                let tables = searcher.tablebase.as_deref();
                let is_known = card.played == Some(mv);
                reasons = if is_known { card.reasons.clone() } else { card.find_reasons(mv, reply, tables, control) };
                if control.stopped() {
                    return false;
                }
            }
            session.events.publish("trial", || TrialView::of(&card, mv, number, trial, &reasons));
            true
        };
        turn.search(&self.runner, "trial", go_on)
    }
}
