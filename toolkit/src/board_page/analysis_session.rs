//! What the engine thinks while a page looks: one question at a time, told as it is answered, given up when the next one comes.

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

/// Moves of a line that are shown.
const MAX_LINE_MOVES: usize = 16;

pub struct AnalysisSession {
    equipment: AnalystResources,
    events: Arc<Events>,
    work: Mutex<AnalysisWork>,
}

#[derive(Default)]
struct AnalysisWork {
    /// The engine, which is there from the first question on.
    pool: Option<AnalystPool>,
    ticket: Option<QueryId>,
    /// The number of the last word of the page. Requests may overtake each other: an older one is not heard.
    number: u64,
}

impl AnalysisWork {
    fn cancel(&mut self) {
        if let (Some(ticket), Some(pool)) = (self.ticket.take(), &self.pool) {
            pool.cancel(ticket);
        }
    }

    /// Whether this is the last word of the page, and what was asked before is given up.
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
    pub fn new(equipment: AnalystResources, events: Arc<Events>) -> AnalysisSession {
        AnalysisSession { equipment, events, work: Mutex::default() }
    }

    pub fn equipment(&self) -> &AnalystResources {
        &self.equipment
    }

    fn work(&self) -> MutexGuard<'_, AnalysisWork> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks about a position; what is told bears this number.
    pub fn begin(&self, query: Query, number: u64) -> Result<(), Bilingual> {
        let mut work = self.work();
        if !work.is_newest(number) {
            return Ok(());
        }
        if work.pool.is_none() {
            let pool = AnalystPool::open(1, &self.equipment);
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

    /// The page does not want to know any more.
    pub fn stop(&self, number: u64) {
        self.work().is_newest(number);
    }

    /// Nobody is there who could want to know.
    pub fn cancel_all(&self) {
        self.work().cancel();
    }

    pub fn is_searching(&self) -> bool {
        self.work().pool.as_ref().is_some_and(|pool| pool.pending() > 0)
    }
}

/// An analysis as the page is told it.
#[derive(Serialize)]
struct AnalysisDto {
    number: u64,
    #[serde(rename = "final")]
    is_final: bool,
    depth: u32,
    nodes: u64,
    speed: u64,
    /// Red's chance.
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
    /// What the judge says of its end.
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

/// The judge's word on the end of a line.
fn line_end(outlook: &LineVerdict) -> Bilingual {
    Bilingual::of(|| {
        let verdict = outlook.verdict.sentence();
        match outlook.cycle {
            0 => tr!("after {moves} moves: {verdict}", moves = outlook.plies, verdict),
            _ => tr!("if this is repeated: {verdict}", verdict),
        }
    })
}
