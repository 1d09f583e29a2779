//! An analyst: a searcher with endgame tables and books, who answers queries one after the other.
//!
//! What a search reports, gathered into an analysis and passed on as often as somebody wants to hear of it.

use super::analysis::{Analysis, AnalysisLine, line_verdict};
use super::query::{Query, QueryTask};
use crate::book::{Book, BookMove};
use crate::review::{Assessment, final_score};
use chuhe_engine::board::Position;
use chuhe_engine::search::{
    Bound, Control, HashSizeError, Info, MateProgress, Options, Reporter, SearchResult, Searcher,
};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use chuhe_engine::types::{Move, Score, score};
use std::sync::Arc;
use std::time::Duration;

/// What an analyst works with. Tables and books are shared by all.
#[derive(Clone)]
pub struct AnalystResources {
    /// The version of the program, as reports tell it.
    pub version: &'static str,
    /// How many threads search.
    pub threads: usize,
    /// Megabytes of the hash table.
    pub hash_mb: usize,
    pub tablebases: Arc<Tablebase>,
    /// Books, of which the first is asked that knows the position.
    pub books: Vec<Arc<dyn Book>>,
}

impl AnalystResources {
    /// What the first book plays that knows the position. One that does not answer any more says nothing.
    pub fn book_moves(&self, position: &Position) -> Vec<BookMove> {
        let asked = self.books.iter().map(|book| book.moves(position).unwrap_or_default());
        asked.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default()
    }
}

pub struct Analyst {
    searcher: Searcher,
    equipment: AnalystResources,
}

impl Analyst {
    pub fn new(equipment: &AnalystResources) -> Result<Analyst, HashSizeError> {
        // No host waits behind this clock.
        let options = Options { threads: equipment.threads, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, equipment.hash_mb)?;
        searcher.tablebase = Some(Arc::clone(&equipment.tablebases));
        Ok(Analyst { searcher, equipment: equipment.clone() })
    }

    /// Answers a query, and tells meanwhile what is known so far, as often as the query wants it. Stopped by the control
    /// it answers at once with what it has. To be called on a thread of `search::thread`.
    pub fn analyse(&mut self, query: &Arc<Query>, control: &Control, tell: &mut dyn FnMut(&Analysis)) -> Analysis {
        let mut analysis = self.without_search(query);
        if control.stopped() {
            return analysis;
        }
        if let Some(score) = self.final_score(&analysis) {
            return finished(analysis, score);
        }
        if query.clear_hash {
            self.searcher.new_game();
        }
        self.searcher.options.rules = query.rules;
        self.searcher.options.multi_pv = query.lines.max(1);
        if query.task == QueryTask::Evaluate {
            let score = self.searcher.evaluate(&analysis.position);
            analysis.evaluation = Some(score);
            return finished(analysis, score);
        }
        let position = analysis.position.clone();
        let shelf = self.searcher.tablebase.clone();
        let mut gatherer = InfoCollector::new(analysis, shelf.as_deref(), tell);
        let outcome = self.searcher.search(&position, &query.limits(), control, &mut gatherer);
        gatherer.finish(&outcome, control.stopped())
    }

    /// What is known without a search.
    fn without_search(&self, query: &Arc<Query>) -> Analysis {
        let mut analysis = Analysis::empty(query);
        let position = &analysis.position;
        analysis.verdict = query.rules.judge(position);
        analysis.losing_moves = query.rules.losing_moves(position);
        analysis.tablebase = self.searcher.tablebase.as_ref().and_then(|shelf| shelf.probe(position));
        analysis.book = self.equipment.book_moves(position);
        analysis
    }

    /// What the game is worth if it is over here. One that went on all the same is looked at as it was played.
    fn final_score(&self, analysis: &Analysis) -> Option<Score> {
        let ending = analysis.verdict.ending?;
        let is_last = !analysis.query.position.has_next() || !analysis.position.has_legal_move();
        is_last.then(|| final_score(ending, analysis.verdict.reason, analysis.position.side()))
    }
}

fn finished(analysis: Analysis, score: Score) -> Analysis {
    let standing = Some(Assessment::of(score, &analysis.position));
    Analysis { assessment: standing, complete: true, ..analysis }
}

/// A line as the search tells it.
#[derive(Clone)]
struct RawLine {
    moves: Vec<Move>,
    score: Score,
    bound: Bound,
    depth: u32,
    seldepth: u32,
}

/// Listens to a search.
pub struct InfoCollector<'a> {
    /// What is known of the position whatever the search finds, and what it found last.
    pub analysis: Analysis,
    pub shelf: Option<&'a Tablebase>,
    lines: Vec<RawLine>,
    /// When somebody was told last, in the time of the search.
    last_reported: Option<Duration>,
    report: &'a mut dyn FnMut(&Analysis),
}

impl<'a> InfoCollector<'a> {
    pub fn new(
        analysis: Analysis,
        shelf: Option<&'a Tablebase>,
        tell: &'a mut dyn FnMut(&Analysis),
    ) -> InfoCollector<'a> {
        InfoCollector { analysis, shelf, lines: Vec::new(), last_reported: None, report: tell }
    }

    /// The end. What was told of the move that the search answers is its last whole iteration; the answer itself may come
    /// out of one that was broken off, with a line that ends early, and counts where it says something else.
    pub fn finish(mut self, outcome: &SearchResult, given_up: bool) -> Analysis {
        let told = self.lines.first().filter(|line| line.moves.first() == outcome.pv.first());
        let says_more = |line: &RawLine| score::is_decisive(outcome.score) && !score::is_decisive(line.score);
        if !outcome.pv.is_empty() && told.is_none_or(says_more) {
            let line = RawLine {
                moves: outcome.pv.clone(),
                score: outcome.score,
                bound: Bound::Exact,
                depth: outcome.depth,
                seldepth: told.map_or(outcome.depth, |line| line.seldepth),
            };
            self.set_line(0, line);
        }
        self.build_lines();
        self.analysis.complete = !given_up;
        self.analysis
    }

    /// Puts a line into its place. A line with the same first move that stands elsewhere makes room for the one that is
    /// pushed out.
    fn set_line(&mut self, place: usize, line: RawLine) {
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
    fn build_lines(&mut self) {
        let (position, rules) = (&self.analysis.position, &self.analysis.query.rules);
        let finished = |raw: &RawLine| {
            let outlook = line_verdict(position, &raw.moves, rules);
            let end = outlook.as_ref().map_or(raw.moves.len(), |outlook| outlook.plies);
            AnalysisLine {
                moves: raw.moves[..end].to_vec(),
                assessment: Assessment::of(raw.score, position),
                bound: raw.bound,
                depth: raw.depth,
                seldepth: raw.seldepth,
                tablebase: self.shelf.and_then(|shelf| tablebase_answer(shelf, position, raw.moves[0])),
                line_verdict: outlook,
            }
        };
        let lines: Vec<AnalysisLine> = self.lines.iter().map(finished).collect();
        if let Some(best) = lines.first() {
            self.analysis.assessment = Some(best.assessment);
            (self.analysis.depth, self.analysis.seldepth) = (best.depth, best.seldepth);
        }
        self.analysis.lines = lines;
    }

    fn is_due(&self) -> bool {
        let Some(every) = self.analysis.query.report_interval else { return false };
        self.last_reported.is_none_or(|told| self.analysis.time >= told + every)
    }

    fn report_if_due(&mut self) {
        if self.is_due() {
            self.build_lines();
            self.last_reported = Some(self.analysis.time);
            (self.report)(&self.analysis);
        }
    }
}

/// What a table says of a move, for the side that makes it.
fn tablebase_answer(shelf: &Tablebase, position: &Position, mv: Move) -> Option<ProbeResult> {
    let mut next = position.clone();
    next.play(mv).ok()?;
    let longer = |plies: Option<u16>| plies.map(|plies| plies + 1);
    Some(match shelf.probe(&next)? {
        ProbeResult::Win(plies) => ProbeResult::Loss(longer(plies)),
        ProbeResult::Loss(plies) => ProbeResult::Win(longer(plies)),
        even => even,
    })
}

impl Reporter for InfoCollector<'_> {
    fn info(&mut self, info: &Info) {
        (self.analysis.nodes, self.analysis.time) = (info.nodes, info.time);
        let line = RawLine {
            moves: info.pv.to_vec(),
            score: info.score,
            bound: info.bound,
            depth: info.depth,
            seldepth: info.seldepth,
        };
        self.set_line(info.multipv - 1, line);
        // The lines of an iteration are told one behind the other.
        if info.multipv >= self.lines.len() {
            self.report_if_due();
        }
    }

    fn mate_progress(&mut self, search: &MateProgress) {
        self.analysis.mate_search = Some(*search);
    }

    fn finished(&mut self, nodes: u64, time: Duration) {
        (self.analysis.nodes, self.analysis.time) = (nodes, time);
    }
}
