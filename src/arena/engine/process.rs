//! A child process that talks in lines. Whoever waits for it reads its pipe himself; a watchdog ends the wait.

use super::diagnostics::{Diagnostics, OutputTail, Transcript, describe_exit_status};
use super::watchdog::{ProcessRegistry, Watchdog};
use chuhe_engine::language::sanitize;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Bytes a process may write between two questions. Real engines stay below a thousandth of it.
const MAX_OUTPUT_BYTES: u64 = 32 << 20;
/// The longest line that is taken for one.
const MAX_LINE_LENGTH: usize = 1 << 20;
/// Bytes that surely fit into a pipe whose other end is not read.
const PIPE_CAPACITY: usize = if cfg!(windows) { 3 << 10 } else { 48 << 10 };
/// Words that a host waits for; everything else that is not `info` is chatter.
const RELEVANT_WORDS: [&str; 8] = ["bestmove", "nobestmove", "readyok", "ucciok", "uciok", "id", "option", "bye"];
/// How long a process may take to leave after it was told to, or after its output ended.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);
/// Remarks of an engine that are kept between two questions.
const MAX_MESSAGES: usize = 8;

/// What a process says.
#[derive(Debug, PartialEq, Eq)]
pub enum ProcessEvent {
    /// A line with one of the words that matter, and when it was read.
    Line(String, Instant),
    /// It wrote too much and is no longer listened to.
    TooMuchOutput,
    End,
    /// It was silent too long, and was ended.
    TimedOut,
}

pub struct Process {
    watchdog: Watchdog,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    buffer: Vec<u8>,
    /// The beginning of a line whose end has not come yet.
    pending: Vec<u8>,
    /// Lines that have been read and not asked for.
    lines: VecDeque<(String, Instant)>,
    /// The last `info` line with an exact score of the best line, as it came.
    info: Vec<u8>,
    /// Bytes since the last question.
    bytes: u64,
    /// Bytes written since the child last proved that it reads.
    unacknowledged: usize,
    /// What it said in `info string` and `info message` since the last question.
    remarks: Vec<String>,
    /// The end of the conversation.
    transcript_tail: OutputTail,
    stderr: Arc<Mutex<OutputTail>>,
    /// Reads the standard error to its end.
    stderr_reader: Option<JoinHandle<()>>,
    transcript: Option<Arc<Transcript>>,
}

impl Process {
    /// Starts the program of an engine, leader of its own process group.
    pub fn spawn(mut command: Command, engine: &str, premises: &ProcessRegistry) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let number = child.id();
        let stdin = child.stdin.take();
        let (stdout, errors) = (child.stdout.take(), child.stderr.take());
        let watchdog = Watchdog::new(child, premises);
        let stdout = stdout.ok_or_else(|| std::io::Error::other("no pipe from the child"))?;
        let traffic = premises.transcript_folder.as_ref().map(|folder| Transcript::open(folder, engine, number));
        let traffic = traffic.transpose()?.map(Arc::new);
        let stderr = Arc::new(Mutex::new(OutputTail::default()));
        let listener = errors.map(|errors| capture_stderr(errors, Arc::clone(&stderr), traffic.clone()));
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
            stderr_reader: listener,
            transcript: traffic,
        })
    }

    /// Notes in the record of the conversation, if one is kept, what comes next.
    pub fn remark(&self, text: &str) {
        if let Some(traffic) = &self.transcript {
            traffic.write_lines('=', text);
        }
    }

    /// Writes text, lines ended, in one piece. False if the child is gone.
    ///
    /// A pipe that nobody reads takes only so much before it blocks; see `can_write`.
    pub fn write(&mut self, text: &str) -> bool {
        self.unacknowledged += text.len();
        self.transcript_tail.push_sent(text);
        if let Some(traffic) = &self.transcript {
            traffic.write_lines('>', text);
        }
        let Some(stdin) = &mut self.stdin else { return false };
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// Whether this much can be written without a proof that the child reads.
    pub fn can_write(&self, bytes: usize) -> bool {
        self.unacknowledged == 0 || self.unacknowledged + bytes <= PIPE_CAPACITY
    }

    /// The child has answered something that only a reader of its input can know.
    pub fn acknowledge(&mut self) {
        self.unacknowledged = 0;
    }

    /// Drops what has been heard before a question, and gives the first of it.
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

    /// What it has remarked since the last question.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// How a child whose output has ended left; nothing if it has not.
    pub fn exit(&self) -> Option<String> {
        self.watchdog.status(EXIT_TIMEOUT).map(describe_exit_status)
    }

    /// What is known of the last minute.
    pub fn evidence(&self) -> Diagnostics {
        // Whoever has ended has written its last word, which may still be on its way.
        if self.watchdog.status(Duration::ZERO).is_some() {
            let deadline = Instant::now() + EXIT_TIMEOUT;
            let listens = || self.stderr_reader.as_ref().is_some_and(|listener| !listener.is_finished());
            while listens() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines();
        Diagnostics { stderr, talk: self.transcript_tail.lines() }
    }

    /// Waits for the next line that matters. A child that is silent until the deadline is ended.
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

    /// Reads until there is a line that matters; otherwise says why there will be none.
    fn read_until_line(&mut self) -> Option<ProcessEvent> {
        while self.lines.is_empty() {
            let count = match self.stdout.read(&mut self.buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Ok(count) => count,
                Err(_) => 0,
            };
            let now = Instant::now();
            if count == 0 {
                // What was said without a line end before the pipe closed.
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

    /// Cuts what was read into lines.
    fn split_lines(&mut self, count: usize, now: Instant) {
        self.transcript_tail.push(&self.buffer[..count]);
        self.pending.extend_from_slice(&self.buffer[..count]);
        let Some(end) = self.pending.iter().rposition(|&byte| byte == b'\n') else { return };
        let mut lines = std::mem::take(&mut self.pending);
        if let Some(traffic) = &self.transcript {
            traffic.write_lines('<', &String::from_utf8_lossy(&lines[..end]));
        }
        for line in lines[..end].split(|&byte| byte == b'\n') {
            self.handle_line(line, now);
        }
        lines.drain(..=end);
        self.pending = lines;
    }

    /// Keeps one line, if it is worth it.
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

    /// Waits for the output to end, but not for ever.
    fn await_exit(&mut self) {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while matches!(self.next(deadline), ProcessEvent::Line(..)) && Instant::now() < deadline {}
    }
}

impl Drop for Process {
    /// A polite word, a short wait; then the watchdog uses force.
    fn drop(&mut self) {
        if self.can_write(8) && self.write("quit\n") {
            self.stdin = None;
            self.await_exit();
        }
    }
}

/// Whether an `info` line has an exact score of the best line. Every line of an engine comes here: what follows the score
/// is looked at no further than to the moves.
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

/// Keeps the end of a standard error, on a thread that lives as long as somebody can write to it.
fn capture_stderr(
    mut errors: ChildStderr,
    tail: Arc<Mutex<OutputTail>>,
    traffic: Option<Arc<Transcript>>,
) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = errors.read(&mut buffer) {
            tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..count]);
            if let Some(traffic) = &traffic {
                traffic.write_lines('!', &String::from_utf8_lossy(&buffer[..count]));
            }
        }
    })
}
