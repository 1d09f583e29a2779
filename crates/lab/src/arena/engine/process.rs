//! A child process with line-based input and output. The caller reads the pipe itself; a watchdog kills the child at
//! the deadline.
//!
//! The owner of a child reads its pipe with blocking reads: a reader thread in between would cost a context switch per
//! line, which at a thousand nodes per move exceeds all other work of the arena. At the deadline the watchdog thread
//! kills the child, which ends its output and thus the read. The thread sleeps until the deadline it knows; moving the
//! deadline later does not wake it. The registry kills all processes of a tournament.

use super::diagnostics::{Diagnostics, OutputTail, Transcript, describe_exit_status};
use chuhe_support::language::sanitize;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Maximum output between two requests. Real engines stay below a thousandth of it.
const MAX_OUTPUT_BYTES: u64 = 32 << 20;
/// Maximum length of a line.
const MAX_LINE_LENGTH: usize = 1 << 20;
/// Bytes that fit into a pipe that is not being read.
const PIPE_CAPACITY: usize = if cfg!(windows) { 3 << 10 } else { 48 << 10 };
/// First words of the lines a host waits for; other lines except `info` are ignored.
const RELEVANT_WORDS: [&str; 8] = ["bestmove", "nobestmove", "readyok", "ucciok", "uciok", "id", "option", "bye"];
/// How long a process may take to exit after `quit`, or after its output ended.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);
/// Maximum `info string` messages kept between two requests.
const MAX_MESSAGES: usize = 8;

/// What reading from a process returned.
#[derive(Debug, PartialEq, Eq)]
pub enum ProcessEvent {
    /// A line that begins with one of `RELEVANT_WORDS`, and when it was read.
    Line(String, Instant),
    /// It wrote too much; its output is no longer read.
    TooMuchOutput,
    End,
    /// It was silent until the deadline and was killed.
    TimedOut,
}

pub struct Process {
    watchdog: Watchdog,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    buffer: Vec<u8>,
    /// An incomplete line.
    pending: Vec<u8>,
    /// Lines that were read but not returned yet.
    lines: VecDeque<(String, Instant)>,
    /// The last `info` line with an exact score of the first PV.
    info: Vec<u8>,
    /// Bytes read since the last request.
    bytes: u64,
    /// Bytes written since the child last answered.
    unacknowledged: usize,
    /// `info string` and `info message` texts since the last request.
    remarks: Vec<String>,
    /// The last lines of the conversation.
    transcript_tail: OutputTail,
    stderr: Arc<Mutex<OutputTail>>,
    stderr_reader: Option<JoinHandle<()>>,
    transcript: Option<Arc<Transcript>>,
}

impl Process {
    /// Starts the engine as leader of its own process group.
    pub fn spawn(mut command: Command, engine: &str, registry: &ProcessRegistry) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let number = child.id();
        let stdin = child.stdin.take();
        let (stdout, errors) = (child.stdout.take(), child.stderr.take());
        let watchdog = Watchdog::new(child, registry)?;
        let stdout = stdout.ok_or_else(|| std::io::Error::other("no pipe from the child"))?;
        let transcript = registry.transcript_folder.as_ref().map(|folder| Transcript::open(folder, engine, number));
        let transcript = transcript.transpose()?.map(Arc::new);
        let stderr = Arc::new(Mutex::new(OutputTail::default()));
        let stderr_reader = errors.map(|errors| capture_stderr(errors, Arc::clone(&stderr), transcript.clone()));
        let stderr_reader = stderr_reader.transpose()?;
        Ok(Process {
            watchdog,
            stdin,
            stdout,
            buffer: vec![0; 16 << 10],
            pending: Vec::new(),
            lines: VecDeque::new(),
            info: Vec::new(),
            bytes: 0,
            unacknowledged: 0,
            remarks: Vec::new(),
            transcript_tail: OutputTail::default(),
            stderr,
            stderr_reader,
            transcript,
        })
    }

    /// Writes a remark to the transcript, if one is kept.
    pub fn remark(&self, text: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.write_lines('=', text);
        }
    }

    /// Writes complete lines in one piece. False if the child is gone.
    ///
    /// The write blocks when the pipe is full and the child does not read; see `can_write`.
    pub fn write(&mut self, text: &str) -> bool {
        self.unacknowledged += text.len();
        self.transcript_tail.push_sent(text);
        if let Some(transcript) = &self.transcript {
            transcript.write_lines('>', text);
        }
        let Some(stdin) = &mut self.stdin else { return false };
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// Whether this many bytes can be written without blocking.
    pub fn can_write(&self, bytes: usize) -> bool {
        self.unacknowledged == 0 || self.unacknowledged + bytes <= PIPE_CAPACITY
    }

    /// Notes that the child has read all input.
    pub fn acknowledge(&mut self) {
        self.unacknowledged = 0;
    }

    /// Discards unread output before a request; returns the first discarded line.
    pub fn discard_pending(&mut self) -> Option<String> {
        self.bytes = 0;
        self.info.clear();
        self.remarks.clear();
        let first = self.lines.pop_front().map(|(line, _)| line);
        self.lines.clear();
        first
    }

    /// The last `info` line with a score.
    pub fn info(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.info)
    }

    /// Takes the messages since the last request.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// The exit status of a child whose output ended; `None` if it still runs.
    pub fn exit(&self) -> Option<String> {
        self.watchdog.status(EXIT_TIMEOUT).map(describe_exit_status)
    }

    /// The last lines of standard error and of the conversation.
    pub fn diagnostics(&self) -> Diagnostics {
        // After an exit the last output may still be in the pipe.
        if self.watchdog.status(Duration::ZERO).is_some() {
            let deadline = Instant::now() + EXIT_TIMEOUT;
            let is_reading = || self.stderr_reader.as_ref().is_some_and(|reader| !reader.is_finished());
            while is_reading() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines();
        Diagnostics { stderr, talk: self.transcript_tail.lines() }
    }

    /// Waits for the next relevant line. A child that is silent until the deadline is killed.
    pub fn next(&mut self, deadline: Instant) -> ProcessEvent {
        if self.lines.is_empty() {
            self.watchdog.set(deadline);
            let end = self.read_until_line();
            if self.watchdog.clear() {
                return ProcessEvent::TimedOut;
            }
            if let Some(event) = end {
                return event;
            }
        }
        match self.lines.pop_front() {
            Some((line, when)) => ProcessEvent::Line(line, when),
            None => ProcessEvent::End,
        }
    }

    /// Reads until a relevant line comes; otherwise returns why none will come.
    fn read_until_line(&mut self) -> Option<ProcessEvent> {
        while self.lines.is_empty() {
            let count = match self.stdout.read(&mut self.buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Ok(count) => count,
                Err(_) => 0,
            };
            let now = Instant::now();
            if count == 0 {
                // The last line may have no line end.
                let rest = std::mem::take(&mut self.pending);
                self.handle_line(&rest, now);
                return self.lines.is_empty().then_some(ProcessEvent::End);
            }
            self.bytes += count as u64;
            if self.bytes > MAX_OUTPUT_BYTES || self.pending.len() > MAX_LINE_LENGTH {
                return Some(ProcessEvent::TooMuchOutput);
            }
            self.split_lines(count, now);
        }
        None
    }

    /// Splits the bytes read into lines.
    fn split_lines(&mut self, count: usize, now: Instant) {
        self.transcript_tail.push(&self.buffer[..count]);
        self.pending.extend_from_slice(&self.buffer[..count]);
        let Some(end) = self.pending.iter().rposition(|&byte| byte == b'\n') else { return };
        let mut lines = std::mem::take(&mut self.pending);
        if let Some(transcript) = &self.transcript {
            transcript.write_lines('<', &String::from_utf8_lossy(&lines[..end]));
        }
        for line in lines[..end].split(|&byte| byte == b'\n') {
            self.handle_line(line, now);
        }
        lines.drain(..=end);
        self.pending = lines;
    }

    /// Stores a line if it is relevant.
    fn handle_line(&mut self, line: &[u8], now: Instant) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"info") {
            if is_exact_score_line(line) {
                self.info.clear();
                self.info.extend_from_slice(line);
            } else if self.remarks.len() < MAX_MESSAGES {
                let remark = line.strip_prefix(b"info string ").or(line.strip_prefix(b"info message "));
                self.remarks.extend(remark.map(|text| sanitize(&String::from_utf8_lossy(text)).into_owned()));
            }
            return;
        }
        let line = String::from_utf8_lossy(line);
        if line.split_whitespace().next().is_some_and(|word| RELEVANT_WORDS.contains(&word)) {
            self.lines.push_back((sanitize(&line).into_owned(), now));
        }
    }

    /// Waits for the output to end, at most `EXIT_TIMEOUT`.
    fn await_exit(&mut self) {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while matches!(self.next(deadline), ProcessEvent::Line(..)) && Instant::now() < deadline {}
    }
}

impl Drop for Process {
    /// Sends `quit` and waits a little; then the watchdog kills the child.
    fn drop(&mut self) {
        if self.can_write(8) && self.write("quit\n") {
            self.stdin = None;
            self.await_exit();
        }
    }
}

/// Whether an `info` line has an exact score of the first PV. Called for every line, so parsing stops at the moves.
fn is_exact_score_line(line: &[u8]) -> bool {
    let mut words = line.split(|&byte| byte == b' ');
    let mut scored = false;
    while let Some(word) = words.next() {
        match word {
            b"score" => scored = true,
            b"multipv" if words.next() != Some(b"1") => return false,
            b"lowerbound" | b"upperbound" => return false,
            b"pv" | b"string" | b"message" => break,
            _ => {}
        }
    }
    scored
}

/// Starts a thread that reads the standard error to its end and keeps the last lines.
fn capture_stderr(
    mut errors: ChildStderr,
    tail: Arc<Mutex<OutputTail>>,
    transcript: Option<Arc<Transcript>>,
) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = errors.read(&mut buffer) {
            tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..count]);
            if let Some(transcript) = &transcript {
                transcript.write_lines('!', &String::from_utf8_lossy(&buffer[..count]));
            }
        }
    })
}

/// A child process with a deadline.
pub struct Watchdog {
    shared: Arc<WatchdogShared>,
}

struct WatchdogShared {
    watch: Mutex<WatchState>,
    wakeup: Condvar,
    child: Mutex<Child>,
}

#[derive(Default)]
struct WatchState {
    /// When the child must have answered; `None` while no answer is expected.
    deadline: Option<Instant>,
    /// When the watchdog thread wakes next; `None` while it waits for a notification.
    next_check: Option<Instant>,
    /// The deadline passed and the child was killed.
    timed_out: bool,
    /// The `Watchdog` was dropped.
    closed: bool,
}

impl Watchdog {
    /// Starts watching a child and registers it.
    pub fn new(child: Child, registry: &ProcessRegistry) -> io::Result<Watchdog> {
        let shared =
            Arc::new(WatchdogShared { watch: Mutex::default(), wakeup: Condvar::new(), child: Mutex::new(child) });
        registry.register(&shared);
        let watchdog = Watchdog { shared };
        let watched = Arc::clone(&watchdog.shared);
        std::thread::Builder::new().spawn(move || watched.run())?;
        Ok(watchdog)
    }

    /// Sets the deadline.
    pub fn set(&self, deadline: Instant) {
        let mut watch = self.shared.watch();
        watch.deadline = Some(deadline);
        if watch.next_check.is_none_or(|next_check| deadline < next_check) {
            self.shared.wakeup.notify_one();
        }
    }

    /// Removes the deadline. True if the child was killed for being late.
    pub fn clear(&self) -> bool {
        let mut watch = self.shared.watch();
        watch.deadline = None;
        watch.timed_out
    }

    /// The exit status, if the child exits by itself within this time.
    pub fn status(&self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.shared.child().try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {}
                _ => return None,
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Watchdog {
    /// Ends the watchdog thread and kills the whole process group, even if the child itself has exited.
    fn drop(&mut self) {
        self.shared.watch().closed = true;
        self.shared.wakeup.notify_one();
        self.shared.kill();
        let _ = self.shared.child().wait();
    }
}

impl Killable for WatchdogShared {
    fn kill(&self) {
        self.kill();
    }
}

impl WatchdogShared {
    fn watch(&self) -> MutexGuard<'_, WatchState> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until the deadline or until the owner is done.
    fn run(&self) {
        let mut watch = self.watch();
        while !watch.closed {
            watch.next_check = watch.deadline;
            let Some(deadline) = watch.deadline else {
                watch = self.wakeup.wait(watch).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                watch.timed_out = true;
                drop(watch);
                return self.kill();
            }
            watch = self.wakeup.wait_timeout(watch, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn kill(&self) {
        let mut child = self.child();
        // Killing a wrapper script leaves its engine running; killing the process group ends both.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }
}

/// Something that can be aborted from another thread.
pub trait Killable: Send + Sync {
    fn kill(&self);
}

/// All running engines of a tournament, and the folder for their transcripts.
#[derive(Default)]
pub struct ProcessRegistry {
    /// The folder for transcripts, if they are kept.
    pub transcript_folder: Option<PathBuf>,
    processes: Mutex<Vec<Weak<dyn Killable>>>,
}

impl ProcessRegistry {
    /// Creates a registry that keeps transcripts in this folder.
    pub fn new(transcript_folder: Option<PathBuf>) -> ProcessRegistry {
        ProcessRegistry { transcript_folder, ..ProcessRegistry::default() }
    }

    /// Registers something to kill, for as long as it lives.
    pub fn register(&self, process: &Arc<impl Killable + 'static>) {
        let mut all = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        let process: Weak<dyn Killable> = Arc::downgrade(process) as Weak<dyn Killable>;
        all.push(process);
    }

    /// Kills everything that is still registered.
    pub fn kill_all(&self) {
        let all = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).for_each(|process| process.kill());
    }
}
