//! An analyst: a searcher with tablebases and books that answers one query after the other, and the collector that
//! turns search info into an [`Analysis`].

use super::analysis::{Analysis, AnalysisLine, line_verdict};
use super::query::{Query, QueryTask};
use crate::book::{Book, BookMove};
use crate::review::{Assessment, final_score};
use chuhe_engine::score::{self, Score};
use chuhe_engine::search::{
    Bound, Control, HashSizeError, Info, MateProgress, Options, Reporter, SearchResult, Searcher,
};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Move, Position};

/// The resources of an analyst. Tablebases and books are shared.
#[derive(Clone)]
pub struct AnalystResources {
    /// The program version written to reports.
    pub version: &'static str,
    pub threads: usize,
    /// Size of the hash table in megabytes.
    pub hash_mb: usize,
    pub tablebases: Arc<Tablebase>,
    /// The opening books in order of priority.
    pub books: Vec<Arc<dyn Book>>,
}

impl AnalystResources {
    /// The moves of the first book that knows the position. A book that fails counts as empty.
    pub fn book_moves(&self, position: &Position) -> Vec<BookMove> {
        let asked = self.books.iter().map(|book| book.moves(position).unwrap_or_default());
        asked.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default()
    }
}

pub struct Analyst {
    searcher: Searcher,
    resources: AnalystResources,
}

impl Analyst {
    pub fn new(resources: &AnalystResources) -> Result<Analyst, HashSizeError> {
        // No move overhead: no host measures this clock.
        let options = Options { threads: resources.threads, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, resources.hash_mb)?;
        searcher.tablebase = Some(Arc::clone(&resources.tablebases));
        Ok(Analyst { searcher, resources: resources.clone() })
    }

    /// Answers a query and calls `report` with partial results at the interval that the query sets. If the control
    /// stops it, it returns the current result at once. Call it on a thread of `search::thread`.
    pub fn analyse(
        &mut self,
        query: &Arc<Query>,
        control: &Control,
        report: &mut (dyn FnMut(&Analysis) + Send),
    ) -> Analysis {
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
        let tablebase = self.searcher.tablebase.clone();
        let mut collector = InfoCollector::new(analysis, tablebase.as_deref(), report);
        let outcome = self.searcher.search(&position, &query.limits(), control, &mut collector);
        collector.finish(&outcome, control.stopped())
    }

    /// The part of the analysis that needs no search.
    fn without_search(&self, query: &Arc<Query>) -> Analysis {
        let mut analysis = Analysis::empty(query);
        let position = &analysis.position;
        analysis.verdict = query.rules.judge(position);
        analysis.losing_moves = query.rules.losing_moves(position);
        analysis.tablebase = self.searcher.tablebase.as_ref().and_then(|tablebase| tablebase.probe(position));
        analysis.book = self.resources.book_moves(position);
        analysis
    }

    /// The score if the game is over here. A game that continued after its end is searched as it was played.
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

/// A line as the search reports it.
#[derive(Clone)]
struct RawLine {
    moves: Vec<Move>,
    score: Score,
    bound: Bound,
    depth: u32,
    seldepth: u32,
}

/// Receives search info and builds the analysis.
pub struct InfoCollector<'a> {
    /// The analysis so far.
    pub analysis: Analysis,
    pub tablebase: Option<&'a Tablebase>,
    lines: Vec<RawLine>,
    /// Search time of the last report.
    last_reported: Option<Duration>,
    report: &'a mut (dyn FnMut(&Analysis) + Send),
}

impl<'a> InfoCollector<'a> {
    pub fn new(
        analysis: Analysis,
        tablebase: Option<&'a Tablebase>,
        tell: &'a mut (dyn FnMut(&Analysis) + Send),
    ) -> InfoCollector<'a> {
        InfoCollector { analysis, tablebase, lines: Vec::new(), last_reported: None, report: tell }
    }

    /// Builds the final analysis. The reported line belongs to the last complete iteration; the result may come from an
    /// interrupted one with a shorter PV, and is used only if its first move differs or its score is decisive.
    pub fn finish(mut self, outcome: &SearchResult, given_up: bool) -> Analysis {
        let reported = self.lines.first().filter(|line| line.moves.first() == outcome.pv.first());
        let says_more = |line: &RawLine| score::is_decisive(outcome.score) && !score::is_decisive(line.score);
        if !outcome.pv.is_empty() && reported.is_none_or(says_more) {
            let line = RawLine {
                moves: outcome.pv.clone(),
                score: outcome.score,
                bound: Bound::Exact,
                depth: outcome.depth,
                seldepth: reported.map_or(outcome.depth, |line| line.seldepth),
            };
            self.set_line(0, line);
        }
        self.build_lines();
        self.analysis.complete = !given_up;
        self.analysis
    }

    /// Puts a line at its index. Another line with the same first move is swapped out.
    fn set_line(&mut self, place: usize, line: RawLine) {
        let duplicate = self.lines.iter().position(|other| other.moves.first() == line.moves.first());
        match duplicate {
            Some(duplicate) if duplicate > place => self.lines[place..=duplicate].rotate_right(1),
            Some(duplicate) if duplicate < place => return,
            _ => {}
        }
        if place < self.lines.len() {
            self.lines[place] = line;
        } else {
            self.lines.push(line);
        }
        self.lines.truncate(self.analysis.query.lines.max(1));
    }

    /// Converts the reported lines into [`AnalysisLine`]s.
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
                tablebase: self.tablebase.and_then(|tablebase| tablebase_answer(tablebase, position, raw.moves[0])),
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
        self.last_reported.is_none_or(|last| self.analysis.time >= last + every)
    }

    fn report_if_due(&mut self) {
        if self.is_due() {
            self.build_lines();
            self.last_reported = Some(self.analysis.time);
            (self.report)(&self.analysis);
        }
    }
}

/// The tablebase result of a move, for the side that makes it.
fn tablebase_answer(tablebase: &Tablebase, position: &Position, mv: Move) -> Option<ProbeResult> {
    let mut next = position.clone();
    next.play(mv).ok()?;
    let longer = |plies: Option<u16>| plies.map(|plies| plies + 1);
    Some(match tablebase.probe(&next)? {
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
        // The lines of an iteration are reported one after the other.
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
