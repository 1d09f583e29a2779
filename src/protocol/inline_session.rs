//! A session without threads, for hosts that cannot have any: lines are handled on the caller's thread, and so are the
//! searches that they ask for, which take in further lines while they run.
//!
//! A line that would end the search waits until it has ended; the search is told to stop meanwhile. All others are
//! handled at once.

use super::command::{self, HostCommand};
use super::host_io::{HostOutput, InputEvent, LineSplitter};
use super::job::SessionWorker;
use super::session::{Flow, Session, SessionError};
use chuhe_engine::search::{Control, Poll};
use std::collections::VecDeque;
use std::fmt;
use std::io::Write;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// Where the input comes from while the engine thinks.
pub trait InputSource: Send + Sync {
    /// What has come since, if anything. Asked some thousand times a second.
    fn next(&self) -> Option<Input>;

    /// Waits until something comes, or for this long.
    fn wait(&self, time: Duration);
}

/// What a host sends.
pub enum Input {
    /// A part of its lines.
    Bytes(Vec<u8>),
    /// There will be nothing more.
    End,
}

/// A session without threads.
pub struct InlineSession {
    shared: Arc<Shared>,
    /// The ends of jobs.
    inbox: Receiver<InputEvent>,
}

/// What the session and its search share.
struct Shared {
    /// Locked while a line is handled, but not during a search that takes in lines. Empty only at the beginning and at
    /// the end.
    session: Mutex<Option<Session>>,
    received: Mutex<Received>,
    source: Box<dyn InputSource>,
}

/// The input that has come.
#[derive(Default)]
struct Received {
    lines: LineSplitter,
    /// What has not been handled yet.
    events: VecDeque<InputEvent>,
}

impl Received {
    fn add(&mut self, input: Input) {
        match input {
            Input::Bytes(bytes) => self.events.extend(self.lines.feed(&bytes)),
            Input::End => {
                self.events.extend(self.lines.finish());
                self.events.push_back(InputEvent::EndOfInput);
            }
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InlineSession")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InlineSession {
    /// A session that writes to `output`, at a terminal if `is_terminal`; while it thinks it reads from `source`.
    pub fn new(
        output: impl Write + Send + 'static,
        source: impl InputSource + 'static,
        is_terminal: bool,
    ) -> Result<InlineSession, SessionError> {
        let shared =
            Arc::new(Shared { session: Mutex::default(), received: Mutex::default(), source: Box::new(source) });
        let (events, inbox) = mpsc::channel();
        let output = Arc::new(HostOutput::new(Box::new(output), is_terminal));
        let poll: Arc<dyn Poll> = Arc::<Shared>::clone(&shared);
        *lock(&shared.session) = Some(Session::new(output, events, SessionWorker::inline(poll))?);
        Ok(InlineSession { shared, inbox })
    }

    /// Handles what the host sent, with the searches that it asks for. False when the session is over.
    pub fn handle(&self, input: Input) -> bool {
        lock(&self.shared.received).add(input);
        loop {
            // What came during a search may have ended it, and is handled before its end.
            let event = lock(&self.shared.received).events.pop_front();
            let Some(event) = event.or_else(|| self.inbox.try_recv().ok()) else { return true };
            if self.shared.with_session(|session| session.handle(event)) != Some(Flow::Continue) {
                self.shared.with_session(Session::stop_and_finish);
                *lock(&self.shared.session) = None;
                return false;
            }
            if let Some(Some(task)) = self.shared.with_session(|session| session.jobs.worker.take_task()) {
                task();
                self.shared.with_session(|session| session.jobs.worker.task_ended());
            }
        }
    }
}

/// The session holds what asks it for lines.
impl Drop for InlineSession {
    fn drop(&mut self) {
        *lock(&self.shared.session) = None;
    }
}

impl Shared {
    fn with_session<T>(&self, work: impl FnOnce(&mut Session) -> T) -> Option<T> {
        lock(&self.session).as_mut().map(work)
    }
}

impl Poll for Shared {
    fn poll(&self, control: &Control) {
        let mut session = match self.session.try_lock() {
            Ok(session) => session,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            // The session waits for this search.
            Err(TryLockError::WouldBlock) => return,
        };
        let Some(session) = session.as_mut().filter(|session| !session.jobs.worker.is_input_blocked()) else { return };
        let mut received = lock(&self.received);
        if received.events.is_empty()
            && let Some(input) = self.source.next()
        {
            received.add(input);
        }
        while let Some(event) = received.events.front() {
            match effect_on_search(session, event) {
                Effect::None => {
                    let event = received.events.pop_front();
                    if event.is_some_and(|event| session.handle(event) == Flow::Quit) {
                        return control.stop();
                    }
                }
                Effect::Waits => return,
                Effect::Ends => return control.stop(),
            }
        }
    }

    fn wait(&self, time: Duration) {
        self.source.wait(time);
    }
}

/// What a running search has to do with an event.
enum Effect {
    None,
    /// The event waits for its end.
    Waits,
    /// The event waits, and the search ends at once.
    Ends,
}

fn effect_on_search(session: &Session, event: &InputEvent) -> Effect {
    let Some(job) = &session.jobs.job else { return Effect::Waits };
    match event {
        InputEvent::Line(line, _) => match command::parse(line) {
            Ok(Some(HostCommand::PonderHit { .. })) if job.has_book_answer() => Effect::Ends,
            Ok(Some(command)) if command.needs_idle_engine() => Effect::Ends,
            _ => Effect::None,
        },
        InputEvent::EndOfInput if job.must_wait() => Effect::Ends,
        InputEvent::EndOfInput => Effect::Waits,
        InputEvent::TooLong | InputEvent::JobFinished(_) => Effect::None,
    }
}
