//! A child process with line-based input and output. The caller reads the pipe itself; a watchdog kills the child at
//! the deadline.

use super::diagnostics::{Diagnostics, OutputTail, Transcript, describe_exit_status};
use super::watchdog::{ProcessRegistry, Watchdog};
use chuhe_support::language::sanitize;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
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
