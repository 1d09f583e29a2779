//! Work that runs beside the session, which stays free to listen: a search, or a count of move paths.
//!
//! Counting move paths in a way that can be stopped.
//! Showing a running search to the host.

use super::dialect::{Dialect, InfoStyle};
use super::go::Go;
use super::host_io::{HostOutput, InputEvent};
use chuhe_engine::board::Position;
use chuhe_engine::language::{Language, tr};
use chuhe_engine::search::{
    self, Control, Info, Limits, MateProgress, Reporter, SearchResult, Searcher, TranspositionTable,
};
use chuhe_engine::types::Move;
use chuhe_toolkit::player::BookAnswer;
use chuhe_toolkit::record::RankBase;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

/// What a finished job hands back.
pub enum JobResult {
    /// A search: the searcher, which was lent to it, and what it found.
    Search(Box<Searcher>, SearchResult),
    /// A count of move paths, printed already.
    Count,
}

/// What a job is about.
pub enum JobKind {
    /// A search, and what its answer depends on.
    Search(Box<SearchContext>),
    /// A count of move paths.
    Count,
}

pub struct Job {
    /// Tells its end from that of an earlier one.
    pub number: u64,
    pub control: Arc<Control>,
    /// What it is about.
    pub kind: JobKind,
    /// Whether it has ended, and the answer waits for the host's word.
    pub finished: bool,
    /// The hash table, to be probed meanwhile; `None` if it is not in use.
    pub table: Option<Arc<TranspositionTable>>,
    done: Receiver<JobResult>,
}

/// What a job's answer depends on.
pub struct SearchContext {
    pub position: Position,
    /// The root moves to choose from; empty = all of them.
    pub candidates: Vec<Move>,
    pub begun: Instant,
    /// The answer must wait for `stop` or `ponderhit`.
    pub pondering: bool,
    /// No limit ends it: the answer must wait for `stop`.
    pub infinite: bool,
    /// A game is played, on a clock.
    pub in_game: bool,
    /// How to show what is found.
    pub view: InfoStyle,
    /// The opponent offered a draw.
    pub draw_offered: bool,
    /// A stop cut it short.
    pub stopped: bool,
    /// What a book answers, once the pondered move was played.
    pub book: Option<BookAnswer>,
}

impl SearchContext {
    /// The terms that the host's words set.
    pub fn new(go: &Go, limits: &Limits, position: &Position, view: InfoStyle) -> SearchContext {
        SearchContext {
            position: position.clone(),
            candidates: limits.search_moves.clone(),
            begun: limits.started_at.unwrap_or_else(Instant::now),
            pondering: go.ponder,
            infinite: limits.is_unlimited(),
            in_game: go.has_clock(),
            view,
            draw_offered: go.draw,
            stopped: false,
            book: None,
        }
    }

    /// True if the answer must wait even when the search is done.
    fn must_wait(&self) -> bool {
        (self.pondering || self.infinite) && !self.stopped
    }
}

/// The way of a job to the outside.
pub struct JobContext {
    /// The number of the job.
    pub number: u64,
    /// Whom to tell of the end.
    pub events: Sender<InputEvent>,
    pub output: Arc<HostOutput>,
    pub dialect: &'static dyn Dialect,
    pub view: InfoStyle,
}

/// Who thinks, what about, and since when.
pub(super) struct JobState {
    pub(super) worker: JobThread,
    pub(super) job: Option<Job>,
    /// Numbers of jobs given out so far.
    pub(super) jobs: u64,
    /// When the line being obeyed was heard.
    pub(super) last_command_at: Instant,
    /// When the last job was done with.
    pub(super) idle_since: Instant,
}

impl JobState {
    /// Nothing yet.
    pub(super) fn start() -> io::Result<JobState> {
        let now = Instant::now();
        Ok(JobState { worker: JobThread::start()?, job: None, jobs: 0, last_command_at: now, idle_since: now })
    }
}

/// The thread that all jobs run on, one after the other.
pub struct JobThread {
    tasks: Sender<JobTask>,
}

type JobTask = Box<dyn FnOnce() + Send>;

impl JobThread {
    /// Starts the thread. It ends with the worker.
    pub fn start() -> io::Result<JobThread> {
        let (tasks, inbox) = mpsc::channel::<JobTask>();
        search::thread_builder("worker").spawn(move || inbox.into_iter().for_each(|task| task()))?;
        Ok(JobThread { tasks })
    }

    pub fn search(&self, around: JobContext, mut searcher: Box<Searcher>, limits: Limits, terms: SearchContext) -> Job {
        let position = terms.position.clone();
        let table = Arc::clone(searcher.transposition_table());
        let control = Control::new(limits.ponder);
        let errand = JobKind::Search(Box::new(terms));
        let mut job = self.spawn_job(around, control, errand, move |around, control| {
            let (dialect, view) = (around.dialect, around.view);
            let (output, shared) = (Arc::clone(&around.output), Arc::clone(control));
            let mut printer = InfoPrinter { dialect, view, output, control: shared };
            let outcome = searcher.search(&position, &limits, control, &mut printer);
            JobResult::Search(searcher, outcome)
        });
        job.table = Some(table);
        job
    }

    /// Starts counting move paths.
    pub fn count(&self, around: JobContext, position: &Position, depth: u32) -> Job {
        let mut counted = position.clone();
        self.spawn_job(around, Control::new(false), JobKind::Count, move |around, control| {
            print_perft(&mut counted, depth, control, &around.output, around.dialect, around.view.ranks);
            JobResult::Count
        })
    }

    fn submit(&self, task: JobTask) {
        self.tasks.send(task).expect("the worker lives as long as the session");
    }

    fn spawn_job(
        &self,
        around: JobContext,
        control: Control,
        errand: JobKind,
        work: impl FnOnce(&JobContext, &Arc<Control>) -> JobResult + Send + 'static,
    ) -> Job {
        let number = around.number;
        let control = Arc::new(control);
        let shared = Arc::clone(&control);
        let (sender, done) = mpsc::channel();
        let language = Language::current();
        let task = Box::new(move || {
            // Neither message can fail while the session waits for it, and later nobody misses it.
            let _ = sender.send(language.with(|| work(&around, &shared)));
            let _ = around.events.send(InputEvent::JobFinished(number));
        });
        self.submit(task);
        Job { number, control, kind: errand, finished: false, table: None, done }
    }
}

impl Job {
    /// Asks it to end.
    pub fn stop(&mut self) {
        if let JobKind::Search(terms) = &mut self.kind {
            terms.stopped = true;
        }
        self.control.stop();
    }

    /// True if its answer must wait for the host's word even when the work is done.
    pub fn must_wait(&self) -> bool {
        matches!(&self.kind, JobKind::Search(terms) if terms.must_wait())
    }

    /// The pondered move was played. False if this is not pondering.
    pub fn ponder_hit(&mut self, draw_offered: bool) -> bool {
        let JobKind::Search(terms) = &mut self.kind else { return false };
        let hit = std::mem::take(&mut terms.pondering);
        if hit {
            terms.draw_offered |= draw_offered;
            self.control.ponderhit();
        }
        hit
    }

    /// True if a book has the answer: then it is asked to end.
    pub fn stop_if_book_answers(&mut self) -> bool {
        let rests = matches!(&self.kind, JobKind::Search(terms) if terms.book.is_some());
        if rests {
            self.control.stop();
        }
        rests
    }

    /// Waits for its end. If the worker died of a panic, so must the session: a bug is not to be hidden.
    pub fn join(self) -> (JobResult, JobKind) {
        (self.done.recv().expect("the worker has not panicked"), self.kind)
    }
}

/// The count below each move, then the sum.
pub fn print_perft(
    position: &mut Position,
    depth: u32,
    control: &Control,
    output: &HostOutput,
    dialect: &dyn Dialect,
    ranks: RankBase,
) {
    let begun = Instant::now();
    let mut sum = u64::from(depth == 0);
    let roots: Vec<Move> = if depth == 0 { Vec::new() } else { position.legal_moves().moves().collect() };
    for mv in roots {
        position.make_unchecked(mv);
        let count = position.perft_until_stopped(depth - 1, &|| control.stopped());
        position.unmake();
        let Some(count) = count else {
            output.send(&[dialect.message(&tr!("perft: stopped"))]);
            return;
        };
        sum += count;
        output.send(&[format!("{}: {count}", ranks.format_move(mv))]);
        if output.is_closed() {
            return;
        }
    }
    output.send(&[dialect.search_totals(begun.elapsed(), sum), format!("Nodes searched: {sum}")]);
}

/// Prints what a search tells, as it is told.
pub struct InfoPrinter {
    pub dialect: &'static dyn Dialect,
    pub view: InfoStyle,
    pub output: Arc<HostOutput>,
    /// To end the search when nobody listens any more.
    pub control: Arc<Control>,
}

impl InfoPrinter {
    fn send(&self, lines: &[String]) {
        self.output.send(lines);
        if self.output.is_closed() {
            self.control.stop();
        }
    }
}

impl Reporter for InfoPrinter {
    fn info(&mut self, info: &Info) {
        self.send(&self.dialect.info(info, &self.view));
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.send(&[self.dialect.current_move(depth, mv, number, self.view.ranks)]);
    }

    fn mate_progress(&mut self, search: &MateProgress) {
        self.send(&[self.dialect.message(&describe_mate_search(search))]);
    }
}

/// What is known about the mate that was asked for.
fn describe_mate_search(search: &MateProgress) -> String {
    let &MateProgress { asked, found, ruled_out, finished: over } = search;
    let moves = |count: u32| if count == 1 { tr!("1 move") } else { tr!("{count} moves", count) };
    match found {
        Some(found) if ruled_out + 1 >= found => {
            tr!("mate in {moves}, and there is no shorter one", moves = moves(found))
        }
        Some(found) if over => tr!(
            "mate in {moves}; none in {fewer}, between them not searched out",
            moves = moves(found),
            fewer = moves(ruled_out)
        ),
        _ if ruled_out >= asked => tr!("there is no mate in {moves}", moves = moves(asked)),
        _ if over => tr!("no mate found; there is none in {moves}", moves = moves(ruled_out)),
        _ => tr!("there is no mate in {moves}", moves = moves(ruled_out)),
    }
}
