//! The analysis of a page: one query at a time, cancelled when the next one begins.

use super::events::Events;
use super::job_runner::{JobOutcome, JobPriority, JobRunner, JobWorker};
use super::preferences::Preferences;
use chuhe_engine::search::Control;
use chuhe_study::analyse::{Analysis, AnalysisLine, Analyst, AnalystResources, LineVerdict, Query};
use chuhe_study::reader::line_names;
use chuhe_study::review::{default_notation, score_text};
use chuhe_support::language::{Message, tr};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xiangqi::Position;

/// The maximum number of moves shown of a line.
const MAX_LINE_MOVES: usize = 16;

pub struct AnalysisSession {
    resources: AnalystResources,
    preferences: Arc<Preferences>,
    events: Arc<Events>,
    runner: JobRunner,
    work: Mutex<AnalysisWork>,
}

#[derive(Default)]
struct AnalysisWork {
    /// The worker, opened with the first query.
    worker: Option<JobWorker>,
    /// Its analyst, with the threads and the megabytes that it has; another one when others are chosen.
    analyst: Option<(Arc<Mutex<Analyst>>, [usize; 2])>,
    /// Stops the running query, which holds it until it is done.
    control: Option<Arc<Control>>,
    /// The number of the latest request. Requests may arrive out of order; older ones are ignored.
    number: u64,
}

impl AnalysisWork {
    fn cancel(&mut self) {
        if let Some(control) = self.control.take() {
            control.stop();
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
    pub fn new(
        resources: AnalystResources,
        preferences: Arc<Preferences>,
        events: Arc<Events>,
        runner: JobRunner,
    ) -> AnalysisSession {
        AnalysisSession { resources, preferences, events, runner, work: Mutex::default() }
    }

    pub fn resources(&self) -> &AnalystResources {
        &self.resources
    }

    fn work(&self) -> MutexGuard<'_, AnalysisWork> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a query; its updates carry this number.
    pub fn begin(&self, query: Query, number: u64) -> Result<(), Message> {
        let mut work = self.work();
        if !work.is_newest(number) {
            return Ok(());
        }
        let resources = self.preferences.chosen_room(&self.resources);
        let room = [resources.threads, resources.hash_mb];
        if work.analyst.as_ref().is_none_or(|(_, own)| *own != room) {
            // The other table is given back first.
            work.analyst = None;
            let analyst = Analyst::new(&resources).map_err(Message::from_value)?;
            work.analyst = Some((Arc::new(Mutex::new(analyst)), room));
        }
        if work.worker.is_none() {
            let worker = self.runner.worker("analysis", JobPriority::Analysis).map_err(Message::from_error)?;
            work.worker = Some(worker);
        }
        let (Some(worker), Some((analyst, _))) = (&work.worker, &work.analyst) else { return Ok(()) };
        let (analyst, own, events) = (Arc::clone(analyst), Arc::new(Control::new(false)), Arc::clone(&self.events));
        let (query, stop, mut depth) = (Arc::new(query), Arc::clone(&own), 0);
        worker.submit(move |control| {
            if own.stopped() {
                return JobOutcome::Done;
            }
            let control = control.as_ref().unwrap_or(&own);
            let mut analyst = analyst.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = analyst.analyse(&query, control, &mut |analysis| {
                // What was shown already is not shown again.
                if analysis.depth >= depth {
                    depth = analysis.depth;
                    events.publish("analysis", || AnalysisDto::of(number, false, analysis));
                }
            });
            if control.stopped() && !own.stopped() {
                return JobOutcome::Interrupted;
            }
            events.publish("analysis", || AnalysisDto::of(number, true, &answer));
            JobOutcome::Done
        });
        work.control = Some(stop);
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
        self.work().control.as_ref().is_some_and(|control| Arc::strong_count(control) > 1)
    }
}

/// An analysis in the form sent to the page.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Analysis"))]
pub struct AnalysisDto {
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "AnalysisLine"))]
struct LineDto {
    moves: Vec<String>,
    names: Vec<String>,
    score: String,
    chance: f64,
    depth: u32,
    /// How the game ends at the end of the line.
    end: Option<String>,
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
            names: line_names(position, moves),
            score: format!("{}{}", bound.sign(), score_text(red.score)),
            chance: red.chance,
            depth: line.depth,
            end: line.line_verdict.as_ref().map(line_end),
        }
    }
}

/// Describes how the game ends at the end of a line.
fn line_end(line_verdict: &LineVerdict) -> String {
    {
        let verdict = line_verdict.judgement.sentence(default_notation());
        match line_verdict.cycle {
            0 => tr!("after {moves} moves: {verdict}", moves = line_verdict.plies, verdict),
            _ => tr!("if this is repeated: {verdict}", verdict),
        }
    }
}
