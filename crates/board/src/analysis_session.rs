//! The analysis of a page: one query at a time, cancelled when the next one begins.

use super::bilingual::Bilingual;
use super::events::Events;
use super::job_runner::{InlineJobs, JobOutcome, JobPriority, JobRunner};
use chuhe_study::analyse::{
    Analysis, AnalysisLine, AnalysisUpdate, Analyst, AnalystPool, AnalystResources, LineVerdict, Query, QueryId,
};
use chuhe_study::review::{default_notation, score_text};
use chuhe_support::language::tr;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xiangqi::Position;

/// The maximum number of moves shown of a line.
const MAX_LINE_MOVES: usize = 16;

pub struct AnalysisSession {
    resources: AnalystResources,
    events: Arc<Events>,
    runner: JobRunner,
    work: Mutex<AnalysisWork>,
}

#[derive(Default)]
struct AnalysisWork {
    /// Opened with the first query.
    pool: Option<AnalystPool>,
    ticket: Option<QueryId>,
    /// The same without threads. The running query is cancelled by its flag.
    analyst: Option<Arc<Mutex<Analyst>>>,
    cancelled: Arc<AtomicBool>,
    /// The number of the latest request. Requests may arrive out of order; older ones are ignored.
    number: u64,
}

impl AnalysisWork {
    fn cancel(&mut self) {
        if let (Some(ticket), Some(pool)) = (self.ticket.take(), &self.pool) {
            pool.cancel(ticket);
        }
        std::mem::take(&mut self.cancelled).store(true, Ordering::Relaxed);
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
    pub fn new(resources: AnalystResources, events: Arc<Events>, runner: JobRunner) -> AnalysisSession {
        AnalysisSession { resources, events, runner, work: Mutex::default() }
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
        if let JobRunner::Inline(jobs) = &self.runner {
            return self.begin_inline(&mut work, jobs, query, number);
        }
        if work.pool.is_none() {
            let pool = AnalystPool::open(1, &self.resources);
            work.pool = Some(pool.map_err(Bilingual::from_error)?);
        }
        let events = Arc::clone(&self.events);
        let asker = move |word: AnalysisUpdate| {
            let (AnalysisUpdate::Partial(analysis) | AnalysisUpdate::Final(analysis)) = &word;
            events.publish("analysis", &AnalysisDto::of(number, matches!(word, AnalysisUpdate::Final(_)), analysis));
        };
        work.ticket = work.pool.as_ref().map(|pool| pool.submit(query, 0, Box::new(asker)));
        Ok(())
    }

    /// The same without threads: when a request comes, the search ends, and goes on over its hash table.
    fn begin_inline(
        &self,
        work: &mut AnalysisWork,
        jobs: &Arc<InlineJobs>,
        query: Query,
        number: u64,
    ) -> Result<(), Bilingual> {
        if work.analyst.is_none() {
            let analyst = Analyst::new(&self.resources).map_err(Bilingual::from_value)?;
            work.analyst = Some(Arc::new(Mutex::new(analyst)));
        }
        let Some(analyst) = work.analyst.clone() else { return Ok(()) };
        let (cancelled, events) = (Arc::clone(&work.cancelled), Arc::clone(&self.events));
        let (query, jobs, mut depth) = (Arc::new(query), Arc::clone(jobs), 0);
        Arc::clone(&jobs).submit(JobPriority::Analysis, move || {
            if cancelled.load(Ordering::Relaxed) {
                return JobOutcome::Done;
            }
            let mut analyst = analyst.lock().unwrap_or_else(PoisonError::into_inner);
            let control = jobs.control();
            let answer = analyst.analyse(&query, &control, &mut |analysis| {
                // What was shown already is not shown again.
                if analysis.depth >= depth {
                    depth = analysis.depth;
                    events.publish("analysis", &AnalysisDto::of(number, false, analysis));
                }
            });
            if control.stopped() {
                return JobOutcome::Interrupted;
            }
            events.publish("analysis", &AnalysisDto::of(number, true, &answer));
            JobOutcome::Done
        });
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
        let work = self.work();
        // Without threads the job holds the flag as long as it is not done.
        work.pool.as_ref().is_some_and(|pool| pool.pending() > 0) || Arc::strong_count(&work.cancelled) > 1
    }
}

/// An analysis in the form sent to the page.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Analysis"))]
pub(crate) struct AnalysisDto {
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AnalysisLine"))]
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
        let verdict = line_verdict.judgement.sentence(default_notation());
        match line_verdict.cycle {
            0 => tr!("after {moves} moves: {verdict}", moves = line_verdict.plies, verdict),
            _ => tr!("if this is repeated: {verdict}", verdict),
        }
    })
}
