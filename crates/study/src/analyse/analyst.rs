//! An analyst: a searcher with tablebases and books that answers one query after the other, and the collector that
//! turns search info into an [`Analysis`].

use super::query::{Query, QueryTask};
use crate::book::{Book, BookMove};
use crate::reader::NamedVerdict;
use crate::review::{Assessment, final_score};
use chuhe_engine::score::{self, Score};
use chuhe_engine::search::{
    Bound, Control, HashSizeError, Info, MateProgress, Options, Reporter, SearchResult, Searcher,
};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use chuhe_support::language::NoThread;
use chuhe_support::messages::Localize;
use chuhe_support::with_values;
use chuhe_support::work_queue::WorkQueue;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;
use xiangqi::rules::MoveExplanation;
use xiangqi::{Move, Position, Reason, Rules, Verdict};

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

// The analysis of a position, partial or final.
//
// Also judges the end of a line of moves: the verdict if the line ends the game, or the verdict if a repetition at its
// end continued. The search scores a repetition as soon as it begins (§8); this explains why.

/// A line of play from the position.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisLine {
    /// Its moves, at least one, cut where the game ends by the rules.
    pub moves: Vec<Move>,
    /// The score for the side to move.
    pub assessment: Assessment,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Depth and selective depth of the search.
    pub depth: u32,
    pub seldepth: u32,
    /// The tablebase result of its first move, for the side that makes it.
    pub tablebase: Option<ProbeResult>,
    /// How the game ends at the end of the line, if it does.
    pub line_verdict: Option<LineVerdict>,
}

with_values! {
    /// The result of a query.
    #[derive(Clone)]
    pub struct Analysis {
        pub query: Arc<Query> = Arc::clone(query),
        /// The analysed position, with its history.
        pub position: Position = query.position.position(),
        /// Whether the query ran to its limits; no further update follows.
        pub complete: bool = false,
        /// The score for the side to move; `None` if not known yet.
        pub assessment: Option<Assessment> = None,
        /// The best lines, the best first.
        pub lines: Vec<AnalysisLine> = Vec::new(),
        pub depth: u32 = 0,
        pub seldepth: u32 = 0,
        pub nodes: u64 = 0,
        pub time: Duration = Duration::ZERO,
        /// The verdict of the rules on the position itself.
        pub verdict: Verdict = Verdict::ONGOING,
        /// Moves that lose at once by the rules of repetition.
        pub losing_moves: Vec<Move> = Vec::new(),
        /// The tablebase result, for the side to move.
        pub tablebase: Option<ProbeResult> = None,
        /// The book moves of the position.
        pub book: Vec<BookMove> = Vec::new(),
        /// The static evaluation for the side to move, if requested.
        pub evaluation: Option<Score> = None,
        /// The progress of the mate search, if requested.
        pub mate_search: Option<MateProgress> = None,
    }
    /// An analysis before any search.
    pub(super) fn empty(query: &Arc<Query>);
}

impl Analysis {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-3)) as u64
    }
}

/// How often a repetition is played out until the rules decide: some rules need a full count.
const MAX_CYCLES: usize = 16;

/// How the game ends at the end of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct LineVerdict {
    /// The number of plies after which the game ends; the rest of the line is void.
    pub plies: usize,
    pub judgement: NamedVerdict,
    /// The length of the repeated cycle in plies; 0 if the line itself ends the game.
    pub cycle: usize,
    /// What each move of the repetition does, if there is one.
    pub move_facts: Vec<MoveExplanation>,
}

/// Judges the end of a line from this position; `None` if the game continues after it.
pub fn line_verdict(position: &Position, line: &[Move], rules: &Rules) -> Option<LineVerdict> {
    let mut position = position.clone();
    for (index, &mv) in line.iter().enumerate() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            let (judgement, move_facts) = (NamedVerdict::new(verdict, &position), rules.explain(&position));
            return Some(LineVerdict { plies: index + 1, judgement, cycle: 0, move_facts });
        }
    }
    let cycle = position.repetition_distance().filter(|_| !line.is_empty())?;
    let moves: Option<Vec<Move>> = (0..cycle).rev().map(|back| position.move_before(back).map(|(mv, _)| mv)).collect();
    let moves = moves?;
    for mv in std::iter::repeat_n(moves, MAX_CYCLES).flatten() {
        position.play(mv).ok()?;
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            let by_repetition = !matches!(verdict.reason, Reason::NaturalLimit | Reason::Material);
            return by_repetition.then(|| LineVerdict {
                plies: line.len(),
                judgement: NamedVerdict::new(verdict, &position),
                cycle,
                move_facts: rules.explain(&position),
            });
        }
    }
    None
}

// A pool of analysts with a priority queue. A query can be cancelled whether it is queued or running. Every submitted
// query gets exactly one final update.

/// An update of a query.
#[derive(Clone)]
pub enum AnalysisUpdate {
    /// A partial result.
    Partial(Analysis),
    /// The final result; the last update of the query.
    Final(Analysis),
}

/// Identifies a query of a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryId(usize);

/// Receives the updates of a query. It is called by one thread at a time and may block only its own query.
pub type UpdateHandler = Box<dyn FnMut(AnalysisUpdate) + Send>;

/// Why a pool cannot be opened.
#[derive(Debug, Error)]
pub enum PoolError {
    /// Out of memory.
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// A query that waits, and how it is stopped.
struct Job {
    query: Arc<Query>,
    handler: UpdateHandler,
    control: Arc<Control>,
}

#[derive(Default)]
struct PoolShared {
    queue: WorkQueue<Job>,
    unanswered: Mutex<Unanswered>,
}

/// The queries without a final update.
#[derive(Default)]
struct Unanswered {
    controls: BTreeMap<QueryId, Arc<Control>>,
    submitted: usize,
}

impl PoolShared {
    fn unanswered(&self) -> MutexGuard<'_, Unanswered> {
        self.unanswered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The analysts and their queue. Dropping it cancels all queries.
pub struct AnalystPool {
    shared: Arc<PoolShared>,
    workers: Vec<JoinHandle<()>>,
}

impl AnalystPool {
    /// Opens a pool with this number of analysts.
    pub fn open(analysts: usize, resources: &AnalystResources) -> Result<AnalystPool, PoolError> {
        let mut pool = AnalystPool { shared: Arc::default(), workers: Vec::new() };
        for number in 0..analysts.max(1) {
            let mut analyst = Analyst::new(resources)?;
            let shared = Arc::clone(&pool.shared);
            let work = move || {
                while let Some((number, job)) = shared.queue.next() {
                    job.answer(&mut analyst);
                    shared.unanswered().controls.remove(&QueryId(number));
                }
            };
            let thread = std::thread::Builder::new().name(format!("analyst-{number}"));
            pool.workers.push(thread.spawn(work).map_err(NoThread)?);
        }
        Ok(pool)
    }

    /// Submits a query; a higher priority is served earlier.
    pub fn submit(&self, query: Query, priority: i64, handler: UpdateHandler) -> QueryId {
        let control = Arc::new(Control::new(false));
        let mut unanswered = self.shared.unanswered();
        let id = QueryId(unanswered.submitted);
        unanswered.submitted += 1;
        unanswered.controls.insert(id, Arc::clone(&control));
        drop(unanswered);
        self.shared.queue.push(priority, id.0, Job { query: Arc::new(query), handler, control });
        id
    }

    /// Cancels a query; its final update follows at once. Returns false if it was already answered.
    pub fn cancel(&self, id: QueryId) -> bool {
        let mut unanswered = self.shared.unanswered();
        let Some(control) = unanswered.controls.get(&id) else { return false };
        control.stop();
        if let Some(Job { query, mut handler, .. }) = self.shared.queue.take(id.0) {
            unanswered.controls.remove(&id);
            // Unlock first: the handler may submit another query.
            drop(unanswered);
            handler(AnalysisUpdate::Final(Analysis::empty(&query)));
        }
        true
    }

    /// Cancels all queries submitted so far.
    pub fn cancel_all(&self) {
        let ids: Vec<QueryId> = self.shared.unanswered().controls.keys().copied().collect();
        for id in ids {
            self.cancel(id);
        }
    }
}

impl Drop for AnalystPool {
    fn drop(&mut self) {
        self.cancel_all();
        self.shared.queue.close();
        for worker in self.workers.drain(..) {
            // A worker that panicked needs no further handling.
            let _ = worker.join();
        }
    }
}

impl Job {
    fn answer(mut self, analyst: &mut Analyst) {
        let Job { query, handler, control } = &mut self;
        let report = &mut |analysis: &Analysis| handler(AnalysisUpdate::Partial(analysis.clone()));
        let answer = analyst.analyse(query, control, report);
        handler(AnalysisUpdate::Final(answer));
    }
}
