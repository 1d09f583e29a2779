//! What the engine thinks while a page looks: one question at a time, told as it is answered, given up when the next one comes.

use super::bilingual::Bilingual;
use super::events::Events;
use crate::analyse::{Analysis, Equipment, Line, Outlook, Pool, Query, Ticket, Word};
use crate::review::score_text;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Moves of a line that are shown.
const MOST_MOVES: usize = 16;

pub struct AnalysisSession {
    equipment: Equipment,
    events: Arc<Events>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    /// The engine, which is there from the first question on.
    pool: Option<Pool>,
    ticket: Option<Ticket>,
    /// The number of the last word of the page. Requests may overtake each other: an older one is not heard.
    number: u64,
}

impl Work {
    fn give_up(&mut self) {
        if let (Some(ticket), Some(pool)) = (self.ticket.take(), &self.pool) {
            pool.give_up(ticket);
        }
    }

    /// Whether this is the last word of the page, and what was asked before is given up.
    fn hears(&mut self, number: u64) -> bool {
        let is_new = number > self.number;
        if is_new {
            self.number = number;
            self.give_up();
        }
        is_new
    }
}

impl AnalysisSession {
    pub fn new(equipment: Equipment, events: Arc<Events>) -> AnalysisSession {
        AnalysisSession { equipment, events, work: Mutex::default() }
    }

    pub fn equipment(&self) -> &Equipment {
        &self.equipment
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks about a position; what is told bears this number.
    pub fn begin(&self, query: Query, number: u64) -> Result<(), Bilingual> {
        let mut work = self.work();
        if !work.hears(number) {
            return Ok(());
        }
        if work.pool.is_none() {
            let pool = Pool::open(1, &self.equipment);
            work.pool = Some(pool.map_err(Bilingual::told)?);
        }
        let events = Arc::clone(&self.events);
        let asker = move |word: Word| {
            let (Word::Partial(analysis) | Word::Final(analysis)) = &word;
            events.tell("thoughts", &Told::of(number, matches!(word, Word::Final(_)), analysis));
        };
        work.ticket = work.pool.as_ref().map(|pool| pool.ask(query, 0, Box::new(asker)));
        Ok(())
    }

    /// The page does not want to know any more.
    pub fn end(&self, number: u64) {
        self.work().hears(number);
    }

    /// Nobody is there who could want to know.
    pub fn rest(&self) {
        self.work().give_up();
    }

    pub fn is_searching(&self) -> bool {
        self.work().pool.as_ref().is_some_and(|pool| pool.open_queries() > 0)
    }
}

/// An analysis as the page is told it.
#[derive(Serialize)]
struct Told {
    number: u64,
    #[serde(rename = "final")]
    is_final: bool,
    depth: u32,
    nodes: u64,
    speed: u64,
    /// Red's chance.
    chance: Option<f64>,
    lines: Vec<Seen>,
}

#[derive(Serialize)]
struct Seen {
    moves: Vec<String>,
    names: Bilingual<Vec<String>>,
    score: String,
    chance: f64,
    depth: u32,
    /// What the judge says of its end.
    end: Option<Bilingual>,
}

impl Told {
    fn of(number: u64, is_final: bool, analysis: &Analysis) -> Told {
        let position = &analysis.position;
        Told {
            number,
            is_final,
            depth: analysis.depth,
            nodes: analysis.nodes,
            speed: analysis.speed(),
            chance: analysis.standing.map(|standing| standing.from_red(position.side()).chance),
            lines: analysis.lines.iter().map(|line| Seen::of(line, position)).collect(),
        }
    }
}

impl Seen {
    fn of(line: &Line, position: &Position) -> Seen {
        let moves = line.moves.get(..MOST_MOVES).unwrap_or(&line.moves);
        let side = position.side();
        let (red, bound) = (line.standing.from_red(side), line.bound.from_red(side));
        Seen {
            moves: moves.iter().map(ToString::to_string).collect(),
            names: Bilingual::of_line(position, moves),
            score: format!("{}{}", bound.sign(), score_text(red.score)),
            chance: red.chance,
            depth: line.depth,
            end: line.outlook.as_ref().map(judged),
        }
    }
}

/// The judge's word on the end of a line.
fn judged(outlook: &Outlook) -> Bilingual {
    Bilingual::of(|| {
        let verdict = outlook.verdict.told();
        match outlook.cycle {
            0 => tr!("after {moves} moves: {verdict}", moves = outlook.plies, verdict),
            _ => tr!("if this is repeated: {verdict}", verdict),
        }
    })
}
