//! Work beside the session: a search, or perft that can be stopped. It runs on a thread of its own or, where there are no
//! threads, on the session's own, which then takes in lines while it works (see `inline_session`).

use super::dialect::{Dialect, InfoStyle};
use super::go::Go;
use super::host_io::{HostOutput, InputEvent};
use super::info_throttle::InfoThrottle;
use chuhe_engine::instant::Instant;
use chuhe_engine::search::{Control, Limits, Poll, SearchResult, Searcher, TranspositionTable};
use chuhe_study::player::BookAnswer;
use chuhe_support::language::{Language, tr};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::{io, thread};
use xiangqi::{Move, Position};
use xiangqi_record::RankBase;

/// The result of a finished job.
pub enum JobResult {
    /// A search: the searcher, which is handed back, and its result.
    Search(Box<Searcher>, SearchResult),
    /// A perft, already printed.
    Count,
}

/// The kind of a job.
pub enum JobKind {
    /// A search, and the context that its answer needs.
    Search(Box<SearchContext>),
    Count,
}

pub struct Job {
    /// Distinguishes its end from that of an earlier job.
    pub number: u64,
    pub control: Arc<Control>,
    pub kind: JobKind,
    /// The work has ended, and the answer waits for the host's `stop` or `ponderhit`.
    pub finished: bool,
    /// The transposition table, for `probe`; `None` if it is not in use.
    pub table: Option<Arc<TranspositionTable>>,
    done: Receiver<JobResult>,
}

/// The context that the answer to a search needs.
pub struct SearchContext {
    pub position: Position,
    pub begun: Instant,
    /// The answer must wait for `stop` or `ponderhit`.
    pub pondering: bool,
    /// No limit ends the search: the answer must wait for `stop`.
    pub infinite: bool,
    /// The search has a clock, as in a game.
    pub in_game: bool,
    /// How to print search info.
    pub style: InfoStyle,
    /// The opponent offered a draw.
    pub draw_offered: bool,
    /// The search was stopped early.
    pub stopped: bool,
    /// The book move to answer after `ponderhit`.
    pub book: Option<BookAnswer>,
}

impl SearchContext {
    /// The context for the words of `go`.
    pub fn new(go: &Go, limits: &Limits, position: &Position, style: InfoStyle) -> SearchContext {
        SearchContext {
            position: position.clone(),
            begun: limits.started_at.unwrap_or_else(Instant::now),
            pondering: go.ponder,
            infinite: limits.is_unlimited(),
            in_game: go.has_clock(),
            style,
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

/// What a job needs to report to the session and the host.
pub struct JobContext {
    pub number: u64,
    /// Receives the end of the job.
    pub events: Sender<InputEvent>,
    pub output: Arc<HostOutput>,
    pub dialect: &'static dyn Dialect,
    pub style: InfoStyle,
}

/// The job thread, the running job, and its timing.
pub(super) struct JobState {
    pub(super) worker: SessionWorker,
    pub(super) job: Option<Job>,
    /// Numbers of jobs given out so far.
    pub(super) jobs: u64,
    /// When the current command was received.
    pub(super) last_command_at: Instant,
    /// When the last job ended.
    pub(super) idle_since: Instant,
}

impl JobState {
    pub(super) fn new(worker: SessionWorker) -> JobState {
        let now = Instant::now();
        JobState { worker, job: None, jobs: 0, last_command_at: now, idle_since: now }
    }
}

/// Does the work of a session: one task at a time, which is waited for. (The jobs of the board's pages wait for each other
/// in a queue instead, and may be run again.)
pub enum SessionWorker {
    /// On a thread, which ends when this is dropped.
    Thread(Sender<JobTask>),
    /// On the session's thread.
    Inline(InlineTask),
}

pub type JobTask = Box<dyn FnOnce() + Send>;

/// The work of a session without threads: a task waits until the session has handled the line that asked for it.
pub struct InlineTask {
    poll: Arc<dyn Poll>,
    waiting: Option<JobTask>,
    /// A task is running now, and polls for lines.
    running: bool,
    /// No line is read until the running task has ended.
    input_blocked: bool,
}

impl SessionWorker {
    /// Starts a thread.
    pub fn thread() -> io::Result<SessionWorker> {
        let (tasks, inbox) = mpsc::channel::<JobTask>();
        thread::Builder::new().name("worker".to_string()).spawn(move || inbox.into_iter().for_each(|task| task()))?;
        Ok(SessionWorker::Thread(tasks))
    }

    /// Runs jobs on this thread; they take in lines by `poll`.
    pub fn inline(poll: Arc<dyn Poll>) -> SessionWorker {
        SessionWorker::Inline(InlineTask { poll, waiting: None, running: false, input_blocked: false })
    }

    /// The task that is to be run now, on this thread; then `task_ended` must be called.
    pub fn take_task(&mut self) -> Option<JobTask> {
        let SessionWorker::Inline(jobs) = self else { return None };
        let task = jobs.waiting.take();
        jobs.running |= task.is_some();
        task
    }

    pub fn task_ended(&mut self) {
        if let SessionWorker::Inline(jobs) = self {
            (jobs.running, jobs.input_blocked) = (false, false);
        }
    }

    /// Makes sure that the job's end can be waited for; false if the caller is called by the job itself.
    pub fn can_be_joined(&mut self) -> bool {
        let SessionWorker::Inline(jobs) = self else { return true };
        jobs.input_blocked = jobs.running;
        if let Some(task) = jobs.waiting.take() {
            // The session is busy meanwhile, and takes in no lines.
            task();
        }
        !jobs.running
    }

    /// Whether the running task takes in no more lines.
    pub fn is_input_blocked(&self) -> bool {
        matches!(self, SessionWorker::Inline(jobs) if jobs.input_blocked)
    }

    fn control(&self, ponder: bool) -> Control {
        match self {
            SessionWorker::Thread(_) => Control::new(ponder),
            SessionWorker::Inline(jobs) => Control::with_poll(ponder, Arc::clone(&jobs.poll)),
        }
    }

    pub fn search(
        &mut self,
        context: JobContext,
        mut searcher: Box<Searcher>,
        limits: Limits,
        search_context: SearchContext,
    ) -> Job {
        let position = search_context.position.clone();
        let table = Arc::clone(searcher.transposition_table());
        let control = self.control(limits.ponder);
        let kind = JobKind::Search(Box::new(search_context));
        let mut job = self.spawn_job(context, control, kind, move |context, control| {
            let (dialect, style) = (context.dialect, context.style);
            let (output, shared) = (Arc::clone(&context.output), Arc::clone(control));
            let mut reporter = InfoThrottle::new(dialect, style, output, shared);
            let outcome = searcher.search(&position, &limits, control, &mut reporter);
            drop(reporter);
            JobResult::Search(searcher, outcome)
        });
        job.table = Some(table);
        job
    }

    /// Starts a perft.
    pub fn count(&mut self, context: JobContext, position: &Position, depth: u32) -> Job {
        let mut counted = position.clone();
        self.spawn_job(context, self.control(false), JobKind::Count, move |context, control| {
            print_perft(&mut counted, depth, control, &context.output, context.dialect, context.style.ranks);
            JobResult::Count
        })
    }

    fn submit(&mut self, task: JobTask) {
        match self {
            SessionWorker::Thread(tasks) => tasks.send(task).expect("the worker lives as long as the session"),
            SessionWorker::Inline(jobs) => jobs.waiting = Some(task),
        }
    }

    fn spawn_job(
        &mut self,
        context: JobContext,
        control: Control,
        kind: JobKind,
        work: impl FnOnce(&JobContext, &Arc<Control>) -> JobResult + Send + 'static,
    ) -> Job {
        let number = context.number;
        let control = Arc::new(control);
        let shared = Arc::clone(&control);
        let (sender, done) = mpsc::channel();
        let language = Language::current();
        let task = Box::new(move || {
            // Neither send can fail while the session waits for it; later the result is unused.
            let _ = sender.send(language.with(|| work(&context, &shared)));
            let _ = context.events.send(InputEvent::JobFinished(number));
        });
        self.submit(task);
        Job { number, control, kind, finished: false, table: None, done }
    }
}

impl Job {
    /// Signals the job to stop.
    pub fn stop(&mut self) {
        if let JobKind::Search(context) = &mut self.kind {
            context.stopped = true;
        }
        self.control.stop();
    }

    /// True if its answer must wait for the host even when the work is done.
    pub fn must_wait(&self) -> bool {
        matches!(&self.kind, JobKind::Search(context) if context.must_wait())
    }

    /// Handles `ponderhit`. False if the job is not pondering.
    pub fn ponder_hit(&mut self, draw_offered: bool) -> bool {
        let JobKind::Search(context) = &mut self.kind else { return false };
        let hit = std::mem::take(&mut context.pondering);
        if hit {
            context.draw_offered |= draw_offered;
            self.control.ponderhit();
        }
        hit
    }

    /// Whether a book has the answer.
    pub fn has_book_answer(&self) -> bool {
        matches!(&self.kind, JobKind::Search(context) if context.book.is_some())
    }

    /// Stops the job if a book has the answer; true if so.
    pub fn stop_if_book_answers(&mut self) -> bool {
        let answered = self.has_book_answer();
        if answered {
            self.control.stop();
        }
        answered
    }

    /// Waits for the end of the job. A panic of the worker is propagated, so that bugs are not hidden.
    pub fn join(self) -> (JobResult, JobKind) {
        (self.done.recv().expect("the worker has not panicked"), self.kind)
    }
}

/// Prints the count below each move, then the sum.
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
    let roots: Vec<Move> = if depth == 0 { Vec::new() } else { position.legal_moves().to_vec() };
    for mv in roots {
        position.play_unchecked(mv);
        let count = position.perft_until_stopped(depth - 1, &|| {
            control.poll();
            control.stopped()
        });
        position.undo();
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
