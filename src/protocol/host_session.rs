//! Runs a session: lines are handled on one thread, and so are the searches that they ask for, which take in further
//! lines while they run. It needs no threads, so that it also runs where there are none.
//!
//! A line that would end the search waits until it has ended; the search is told to stop meanwhile. All others are
//! handled at once.

use super::command::{self, HostCommand};
use super::host_io::{Backlog, HostOutput, InputEvent, LineSplitter, lock, read_in_background};
use super::session::{Flow, Session, SessionError};
use chuhe_engine::search::{Control, Poll};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;
use std::{fmt, thread};

/// Where the input comes from while the engine thinks.
pub trait InputSource: Send + Sync {
    /// What has come since, if anything. Asked some thousand times a second.
    fn next(&self) -> Option<Input>;

    /// Waits until something comes, or for this long.
    fn wait(&self, time: Duration);

    /// An event of this size has been dealt with.
    fn handled(&self, _size: usize) {}
}

/// What a host sends.
pub enum Input {
    /// A part of its lines.
    Bytes(Vec<u8>),
    Event(InputEvent),
    /// There will be nothing more.
    End,
}

/// Runs a session until `quit`, the end of the input, or closed output.
///
/// `is_terminal`: a user types and reads, with colours and moves as input.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    is_terminal: bool,
) -> Result<(), SessionError> {
    let (events, inbox) = mpsc::channel();
    let backlog = read_in_background(input, events)?;
    let source = Arc::new(ReadInput { inbox: Mutex::new((inbox, None)), backlog });
    let session = HostSession::new(output, Arc::clone(&source), is_terminal)?;
    while source.wait_for_event().is_some_and(|event| session.handle(Input::Event(event))) {}
    Ok(())
}

/// The lines that a thread reads, and the next of them if it has been waited for.
struct ReadInput {
    inbox: Mutex<(Receiver<InputEvent>, Option<InputEvent>)>,
    backlog: Arc<Backlog>,
}

impl ReadInput {
    fn wait_for_event(&self) -> Option<InputEvent> {
        let (inbox, next) = &mut *lock(&self.inbox);
        next.take().or_else(|| inbox.recv().ok())
    }
}

impl InputSource for Arc<ReadInput> {
    fn next(&self) -> Option<Input> {
        let (inbox, next) = &mut *lock(&self.inbox);
        next.take().or_else(|| inbox.try_recv().ok()).map(Input::Event)
    }

    fn wait(&self, time: Duration) {
        let (inbox, next) = &mut *lock(&self.inbox);
        match next {
            None => match inbox.recv_timeout(time) {
                Ok(event) => *next = Some(event),
                Err(RecvTimeoutError::Disconnected) => thread::sleep(time),
                Err(RecvTimeoutError::Timeout) => {}
            },
            // It is not taken before the search has ended.
            Some(_) => thread::sleep(time),
        }
    }

    fn handled(&self, size: usize) {
        self.backlog.remove(size);
    }
}

/// A session with its host.
pub struct HostSession(Arc<Shared>);

/// What the session and its search share.
struct Shared {
    /// Locked while a line is handled, but not during a search. Empty only at the beginning and at the end.
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
            Input::Event(event) => self.events.push_back(event),
            Input::End => {
                self.events.extend(self.lines.finish());
                self.events.push_back(InputEvent::EndOfInput);
            }
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostSession")
    }
}

impl HostSession {
    /// A session that writes to `output`, at a terminal if `is_terminal`; while it thinks it reads from `source`.
    pub fn new(
        output: impl Write + Send + 'static,
        source: impl InputSource + 'static,
        is_terminal: bool,
    ) -> Result<HostSession, SessionError> {
        let shared =
            Arc::new(Shared { session: Mutex::default(), received: Mutex::default(), source: Box::new(source) });
        let output = Arc::new(HostOutput::new(Box::new(output), is_terminal));
        let poll: Arc<dyn Poll> = Arc::<Shared>::clone(&shared);
        *lock(&shared.session) = Some(Session::new(output, poll)?);
        Ok(HostSession(shared))
    }

    /// Handles what the host sent, with the searches that it asks for. False when the session is over.
    pub fn handle(&self, input: Input) -> bool {
        let shared = &self.0;
        lock(&shared.received).add(input);
        loop {
            // What came during a search may have ended it, and is handled before its end.
            let is_blocked = shared.with_session(|session| session.is_input_blocked) == Some(true);
            let event = if is_blocked { None } else { lock(&shared.received).events.pop_front() };
            let mut next = match event {
                Some(event) => shared.with_session(|session| shared.pass_on(session, event)),
                None if shared.with_session(|session| session.has_unheard_end()) == Some(true) => {
                    shared.with_session(Session::job_ended)
                }
                None => return true,
            };
            if next == Some(Flow::Continue)
                && let Some(Some(task)) = shared.with_session(Session::begin_task)
            {
                let result = task();
                next = shared.with_session(|session| session.end_task(result));
            }
            if next != Some(Flow::Continue) {
                shared.with_session(Session::stop_and_finish);
                *lock(&shared.session) = None;
                return false;
            }
        }
    }
}

/// The session holds what asks it for lines.
impl Drop for HostSession {
    fn drop(&mut self) {
        *lock(&self.0.session) = None;
    }
}

impl Shared {
    fn with_session<T>(&self, work: impl FnOnce(&mut Session) -> T) -> Option<T> {
        lock(&self.session).as_mut().map(work)
    }

    fn pass_on(&self, session: &mut Session, event: InputEvent) -> Flow {
        let size = event.size();
        let next = session.handle(event);
        self.source.handled(size);
        next
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
        let Some(session) = session.as_mut() else { return };
        session.send_due_info();
        if session.is_input_blocked {
            return;
        }
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
                    if event.is_some_and(|event| self.pass_on(session, event) == Flow::Quit) {
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
    let Some(job) = &session.job else { return Effect::Waits };
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
