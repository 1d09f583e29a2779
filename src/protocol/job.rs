//! Work that runs beside the session, which stays free to listen: a search, or a count of move paths.

use super::dialect::{Dialect, View};
use super::go::Go;
use super::input::Event;
use super::output::Output;
use super::paths;
use super::reporter::Printer;
use chuhe_engine::board::Position;
use chuhe_engine::language::Language;
use chuhe_engine::search::{self, Control, Limits, Outcome, Searcher, Table};
use chuhe_engine::types::Move;
use chuhe_toolkit::player::BookAnswer;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

/// What a finished job hands back.
pub enum Done {
    /// A search: the searcher, which was lent to it, and what it found.
    Search(Box<Searcher>, Outcome),
    /// A count of move paths, printed already.
    Count,
}

/// What a job is about.
pub enum Errand {
    /// A search, and what its answer depends on.
    Search(Box<Terms>),
    /// A count of move paths.
    Count,
}

pub struct Job {
    /// Tells its end from that of an earlier one.
    pub number: u64,
    pub control: Arc<Control>,
    /// What it is about.
    pub errand: Errand,
    /// Whether it has ended, and the answer waits for the host's word.
    pub ended: bool,
    /// The hash table, to be probed meanwhile; `None` if it is not in use.
    pub table: Option<Arc<Table>>,
    done: Receiver<Done>,
}

/// What a job's answer depends on.
pub struct Terms {
    pub position: Position,
    /// The root moves to choose from; empty = all of them.
    pub candidates: Vec<Move>,
    pub begun: Instant,
    /// The answer must wait for `stop` or `ponderhit`.
    pub pondering: bool,
    /// No limit ends it: the answer must wait for `stop`.
    pub endless: bool,
    /// A game is played, on a clock.
    pub in_game: bool,
    /// How to show what is found.
    pub view: View,
    /// The opponent offered a draw.
    pub draw_offered: bool,
    /// A stop cut it short.
    pub stopped: bool,
    /// What a book answers, once the pondered move was played.
    pub book: Option<BookAnswer>,
}

impl Terms {
    /// The terms that the host's words set.
    pub fn of(go: &Go, limits: &Limits, position: &Position, view: View) -> Terms {
        Terms {
            position: position.clone(),
            candidates: limits.only.clone(),
            begun: limits.begun.unwrap_or_else(Instant::now),
            pondering: go.ponder,
            endless: limits.are_none(),
            in_game: go.has_clock(),
            view,
            draw_offered: go.draw,
            stopped: false,
            book: None,
        }
    }

    /// True if the answer must wait even when the search is done.
    fn waits(&self) -> bool {
        (self.pondering || self.endless) && !self.stopped
    }
}

/// The way of a job to the outside.
pub struct Surroundings {
    /// The number of the job.
    pub number: u64,
    /// Whom to tell of the end.
    pub events: Sender<Event>,
    pub output: Arc<Output>,
    pub dialect: &'static dyn Dialect,
    pub view: View,
}

/// Who thinks, what about, and since when.
pub(super) struct Thinking {
    pub(super) worker: Worker,
    pub(super) job: Option<Job>,
    /// Numbers of jobs given out so far.
    pub(super) jobs: u64,
    /// When the line being obeyed was heard.
    pub(super) heard: Instant,
    /// When the last job was done with.
    pub(super) free_since: Instant,
}

impl Thinking {
    /// Nothing yet.
    pub(super) fn start() -> io::Result<Thinking> {
        let now = Instant::now();
        Ok(Thinking { worker: Worker::start()?, job: None, jobs: 0, heard: now, free_since: now })
    }
}

/// The thread that all jobs run on, one after the other.
pub struct Worker {
    tasks: Sender<Task>,
}

type Task = Box<dyn FnOnce() + Send>;

impl Worker {
    /// Starts the thread. It ends with the worker.
    pub fn start() -> io::Result<Worker> {
        let (tasks, inbox) = mpsc::channel::<Task>();
        search::thread("worker").spawn(move || inbox.into_iter().for_each(|task| task()))?;
        Ok(Worker { tasks })
    }

    pub fn search(
        &self,
        around: Surroundings,
        mut searcher: Box<Searcher>,
        limits: Limits,
        terms: Terms,
    ) -> Job {
        let position = terms.position.clone();
        let table = Arc::clone(searcher.table());
        let control = Control::new(limits.ponder);
        let errand = Errand::Search(Box::new(terms));
        let mut job = self.assign(around, control, errand, move |around, control| {
            let (dialect, view) = (around.dialect, around.view);
            let (output, shared) = (Arc::clone(&around.output), Arc::clone(control));
            let mut printer = Printer { dialect, view, output, control: shared };
            let outcome = searcher.search(&position, &limits, control, &mut printer);
            Done::Search(searcher, outcome)
        });
        job.table = Some(table);
        job
    }

    /// Starts counting move paths.
    pub fn count(&self, around: Surroundings, position: &Position, depth: u32) -> Job {
        let mut counted = position.clone();
        self.assign(around, Control::new(false), Errand::Count, move |around, control| {
            paths::print(&mut counted, depth, control, &around.output, around.dialect, around.view.ranks);
            Done::Count
        })
    }

    fn send(&self, task: Task) {
        self.tasks.send(task).expect("the worker lives as long as the session");
    }

    fn assign(
        &self,
        around: Surroundings,
        control: Control,
        errand: Errand,
        work: impl FnOnce(&Surroundings, &Arc<Control>) -> Done + Send + 'static,
    ) -> Job {
        let number = around.number;
        let control = Arc::new(control);
        let shared = Arc::clone(&control);
        let (sender, done) = mpsc::channel();
        let language = Language::of_reader();
        let task = Box::new(move || {
            // Neither message can fail while the session waits for it, and later nobody misses it.
            let _ = sender.send(language.with(|| work(&around, &shared)));
            let _ = around.events.send(Event::Finished(number));
        });
        self.send(task);
        Job { number, control, errand, ended: false, table: None, done }
    }
}

impl Job {
    /// Asks it to end.
    pub fn stop(&mut self) {
        if let Errand::Search(terms) = &mut self.errand {
            terms.stopped = true;
        }
        self.control.stop();
    }

    /// True if its answer must wait for the host's word even when the work is done.
    pub fn waits(&self) -> bool {
        matches!(&self.errand, Errand::Search(terms) if terms.waits())
    }

    /// The pondered move was played. False if this is not pondering.
    pub fn ponder_hit(&mut self, draw_offered: bool) -> bool {
        let Errand::Search(terms) = &mut self.errand else { return false };
        let hit = std::mem::take(&mut terms.pondering);
        if hit {
            terms.draw_offered |= draw_offered;
            self.control.ponder_hit();
        }
        hit
    }

    /// True if a book has the answer: then it is asked to end.
    pub fn rests_on_book(&mut self) -> bool {
        let rests = matches!(&self.errand, Errand::Search(terms) if terms.book.is_some());
        if rests {
            self.control.stop();
        }
        rests
    }

    /// Waits for its end. If the worker died of a panic, so must the session: a bug is not to be hidden.
    pub fn join(self) -> (Done, Errand) {
        (self.done.recv().expect("the worker has not panicked"), self.errand)
    }
}
