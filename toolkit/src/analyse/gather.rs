//! What a search reports, gathered into an analysis and passed on as often as somebody wants to hear of it.

use super::analysis::{Analysis, Line};
use super::outlook::outlook;
use crate::review::Standing;
use chuhe_engine::board::Position;
use chuhe_engine::search::{Bound, Info, MateSearch, Outcome, Reporter};
use chuhe_engine::tablebase::{Answer, Shelf};
use chuhe_engine::types::{Move, Score, score};
use std::time::Duration;

/// A line as the search tells it.
#[derive(Clone)]
struct Raw {
    moves: Vec<Move>,
    score: Score,
    bound: Bound,
    depth: u32,
    seldepth: u32,
}

/// Listens to a search.
pub struct Gatherer<'a> {
    /// What is known of the position whatever the search finds, and what it found last.
    pub analysis: Analysis,
    pub shelf: Option<&'a Shelf>,
    lines: Vec<Raw>,
    /// When somebody was told last, in the time of the search.
    told: Option<Duration>,
    tell: &'a mut dyn FnMut(&Analysis),
}

impl<'a> Gatherer<'a> {
    pub fn new(
        analysis: Analysis,
        shelf: Option<&'a Shelf>,
        tell: &'a mut dyn FnMut(&Analysis),
    ) -> Gatherer<'a> {
        Gatherer { analysis, shelf, lines: Vec::new(), told: None, tell }
    }

    /// The end. What was told of the move that the search answers is its last whole iteration; the answer itself may come
    /// out of one that was broken off, with a line that ends early, and counts where it says something else.
    pub fn conclude(mut self, outcome: &Outcome, given_up: bool) -> Analysis {
        let told = self.lines.first().filter(|line| line.moves.first() == outcome.pv.first());
        let says_more = |line: &Raw| score::is_known(outcome.score) && !score::is_known(line.score);
        if !outcome.pv.is_empty() && told.is_none_or(says_more) {
            let line = Raw {
                moves: outcome.pv.clone(),
                score: outcome.score,
                bound: Bound::Exact,
                depth: outcome.depth,
                seldepth: told.map_or(outcome.depth, |line| line.seldepth),
            };
            self.put(0, line);
        }
        self.settle();
        self.analysis.complete = !given_up;
        self.analysis
    }

    /// Puts a line into its place. A line with the same first move that stands elsewhere makes room for the one that is
    /// pushed out.
    fn put(&mut self, place: usize, line: Raw) {
        let twin = self.lines.iter().position(|other| other.moves.first() == line.moves.first());
        match twin {
            Some(twin) if twin > place => self.lines[place..=twin].rotate_right(1),
            Some(twin) if twin < place => return,
            _ => {}
        }
        if place < self.lines.len() {
            self.lines[place] = line;
        } else {
            self.lines.push(line);
        }
        self.lines.truncate(self.analysis.query.lines.max(1));
    }

    /// Makes of the lines as they were told what a reader wants to know of them.
    fn settle(&mut self) {
        let (position, rules) = (&self.analysis.position, &self.analysis.query.rules);
        let finished = |raw: &Raw| {
            let outlook = outlook(position, &raw.moves, rules);
            let end = outlook.as_ref().map_or(raw.moves.len(), |outlook| outlook.plies);
            Line {
                moves: raw.moves[..end].to_vec(),
                standing: Standing::of(raw.score, position),
                bound: raw.bound,
                depth: raw.depth,
                seldepth: raw.seldepth,
                table: self.shelf.and_then(|shelf| answer_to(shelf, position, raw.moves[0])),
                outlook,
            }
        };
        let lines: Vec<Line> = self.lines.iter().map(finished).collect();
        if let Some(best) = lines.first() {
            self.analysis.standing = Some(best.standing);
            (self.analysis.depth, self.analysis.seldepth) = (best.depth, best.seldepth);
        }
        self.analysis.lines = lines;
    }

    fn is_due(&self) -> bool {
        let Some(every) = self.analysis.query.every else { return false };
        self.told.is_none_or(|told| self.analysis.time >= told + every)
    }

    fn tell_if_due(&mut self) {
        if self.is_due() {
            self.settle();
            self.told = Some(self.analysis.time);
            (self.tell)(&self.analysis);
        }
    }
}

/// What a table says of a move, for the side that makes it.
fn answer_to(shelf: &Shelf, position: &Position, mv: Move) -> Option<Answer> {
    let mut next = position.clone();
    next.play(mv).ok()?;
    let longer = |plies: Option<u16>| plies.map(|plies| plies + 1);
    Some(match shelf.probe(&next)? {
        Answer::Win(plies) => Answer::Loss(longer(plies)),
        Answer::Loss(plies) => Answer::Win(longer(plies)),
        even => even,
    })
}

impl Reporter for Gatherer<'_> {
    fn info(&mut self, info: &Info) {
        (self.analysis.nodes, self.analysis.time) = (info.nodes, info.time);
        let line = Raw {
            moves: info.pv.to_vec(),
            score: info.score,
            bound: info.bound,
            depth: info.depth,
            seldepth: info.seldepth,
        };
        self.put(info.multipv - 1, line);
        // The lines of an iteration are told one behind the other.
        if info.multipv >= self.lines.len() {
            self.tell_if_due();
        }
    }

    fn mate_search(&mut self, search: &MateSearch) {
        self.analysis.mate_search = Some(*search);
    }

    fn ended(&mut self, nodes: u64, time: Duration) {
        (self.analysis.nodes, self.analysis.time) = (nodes, time);
    }
}
