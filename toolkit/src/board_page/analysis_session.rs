//! The analysis of a page: one query at a time, cancelled when the next one begins.

use super::bilingual::Bilingual;
use super::events::Events;
use crate::analyse::{
    Analysis, AnalysisLine, AnalysisUpdate, AnalystPool, AnalystResources, LineVerdict, Query, QueryId,
};
use crate::review::score_text;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of moves shown of a line.
const MAX_LINE_MOVES: usize = 16;

pub struct AnalysisSession {
    resources: AnalystResources,
    events: Arc<Events>,
    work: Mutex<AnalysisWork>,
}

#[derive(Default)]
struct AnalysisWork {
    /// Opened with the first query.
    pool: Option<AnalystPool>,
    ticket: Option<QueryId>,
    /// The number of the latest request. Requests may arrive out of order; older ones are ignored.
    number: u64,
}

impl AnalysisWork {
    fn cancel(&mut self) {
        if let (Some(ticket), Some(pool)) = (self.ticket.take(), &self.pool) {
            pool.cancel(ticket);
        }
    }

    /// Records the number; if it is the newest, cancels the running query and returns true.
    fn is_newest(&mut self, number: u64) -> bool {
        let is_new = number > self.number;
        if is_new {
            self.number = number;
            self.cancel();
        }
        is_new
    }
}

impl AnalysisSession {
    pub fn new(resources: AnalystResources, events: Arc<Events>) -> AnalysisSession {
        AnalysisSession { resources, events, work: Mutex::default() }
    }

    pub fn resources(&self) -> &AnalystResources {
        &self.resources
    }

    fn work(&self) -> MutexGuard<'_, AnalysisWork> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a query; its updates carry this number.
    pub fn begin(&self, query: Query, number: u64) -> Result<(), Bilingual> {
        let mut work = self.work();
        if !work.is_newest(number) {
            return Ok(());
        }
        if work.pool.is_none() {
            let pool = AnalystPool::open(1, &self.resources);
            work.pool = Some(pool.map_err(Bilingual::from_error)?);
        }
        let events = Arc::clone(&self.events);
        let asker = move |word: AnalysisUpdate| {
            let (AnalysisUpdate::Partial(analysis) | AnalysisUpdate::Final(analysis)) = &word;
            events.publish("thoughts", &AnalysisDto::of(number, matches!(word, AnalysisUpdate::Final(_)), analysis));
        };
        work.ticket = work.pool.as_ref().map(|pool| pool.submit(query, 0, Box::new(asker)));
        Ok(())
    }

    /// Ends the analysis on request of the page.
    pub fn stop(&self, number: u64) {
        self.work().is_newest(number);
    }

    /// Cancels the analysis because the page is gone.
    pub fn cancel_all(&self) {
        self.work().cancel();
    }

    pub fn is_searching(&self) -> bool {
        self.work().pool.as_ref().is_some_and(|pool| pool.pending() > 0)
    }
}

/// An analysis in the form sent to the page.
#[derive(Serialize)]
struct AnalysisDto {
    number: u64,
    #[serde(rename = "final")]
    is_final: bool,
    depth: u32,
    nodes: u64,
    speed: u64,
    /// Red's expected score.
    chance: Option<f64>,
    lines: Vec<LineDto>,
}

#[derive(Serialize)]
struct LineDto {
    moves: Vec<String>,
    names: Bilingual<Vec<String>>,
    score: String,
    chance: f64,
    depth: u32,
    /// How the game ends at the end of the line.
    end: Option<Bilingual>,
}

impl AnalysisDto {
    fn of(number: u64, is_final: bool, analysis: &Analysis) -> AnalysisDto {
        let position = &analysis.position;
        AnalysisDto {
            number,
            is_final,
            depth: analysis.depth,
            nodes: analysis.nodes,
            speed: analysis.speed(),
            chance: analysis.assessment.map(|standing| standing.from_red(position.side()).chance),
            lines: analysis.lines.iter().map(|line| LineDto::of(line, position)).collect(),
        }
    }
}

impl LineDto {
    fn of(line: &AnalysisLine, position: &Position) -> LineDto {
        let moves = line.moves.get(..MAX_LINE_MOVES).unwrap_or(&line.moves);
        let side = position.side();
        let (red, bound) = (line.assessment.from_red(side), line.bound.from_red(side));
        LineDto {
            moves: moves.iter().map(ToString::to_string).collect(),
            names: Bilingual::from_line(position, moves),
            score: format!("{}{}", bound.sign(), score_text(red.score)),
            chance: red.chance,
            depth: line.depth,
            end: line.line_verdict.as_ref().map(line_end),
        }
    }
}

/// Describes how the game ends at the end of a line.
fn line_end(line_verdict: &LineVerdict) -> Bilingual {
    Bilingual::of(|| {
        let verdict = line_verdict.verdict.sentence();
        match line_verdict.cycle {
            0 => tr!("after {moves} moves: {verdict}", moves = line_verdict.plies, verdict),
            _ => tr!("if this is repeated: {verdict}", verdict),
        }
    })
}
