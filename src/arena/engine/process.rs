//! A child process that talks in lines: a thread of its own reads what it says, so that nobody ever polls.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes a process may write between two questions. Real engines stay below a thousandth of it.
const FLOOD: u64 = 32 << 20;
/// The longest line that is taken for one.
const LONGEST_LINE: usize = 1 << 20;
/// Bytes that surely fit into a pipe whose other end is not read.
const PIPE: usize = if cfg!(windows) { 3 << 10 } else { 48 << 10 };
/// Words that a host waits for; everything else that is not `info` is chatter.
const WORDS: [&str; 8] = ["bestmove", "nobestmove", "readyok", "ucciok", "uciok", "id", "option", "bye"];
/// Lines of these words that a process may write between two questions.
const MOST_WORDS: u64 = 10_000;
/// How long a process may take to leave after it was told to.
const FAREWELL: Duration = Duration::from_millis(300);

/// What a process says.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// A line with one of the words that matter, and when it was read.
    Line(String, Instant),
    /// It wrote too much and is no longer listened to.
    Flood,
    /// Its output ended.
    End,
}

/// What the reader keeps for whoever asks.
#[derive(Default)]
struct Heard {
    /// Bytes since the last question.
    bytes: AtomicU64,
    /// Lines passed on since the last question.
    words: AtomicU64,
    /// The last `info` line with an exact score of the best line.
    info: Mutex<String>,
}

/// A running child.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    heard: Arc<Heard>,
    /// Bytes written since the child last proved that it reads.
    unproven: usize,
}

impl Process {
    /// Starts a program, leader of its own process group.
    pub fn spawn(mut command: Command) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(|| std::io::Error::other("no pipe from the child"))?;
        let heard = Arc::new(Heard::default());
        let (sender, events) = mpsc::channel();
        let ears = Arc::clone(&heard);
        std::thread::spawn(move || listen(stdout, &ears, &sender));
        Ok(Process { child, stdin, events, heard, unproven: 0 })
    }

    /// Writes text, lines ended, in one piece. False if the child is gone.
    ///
    /// A pipe that nobody reads takes only so much before it blocks; see `trusts`.
    pub fn write(&mut self, text: &str) -> bool {
        self.unproven += text.len();
        let Some(stdin) = &mut self.stdin else { return false };
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// Whether this much can be written without a proof that the child reads.
    pub fn trusts(&self, bytes: usize) -> bool {
        self.unproven == 0 || self.unproven + bytes <= PIPE
    }

    /// The child has answered something that only a reader of its input can know.
    pub fn proved(&mut self) {
        self.unproven = 0;
    }

    /// Drops what was said before, and says if there was something.
    pub fn forget(&mut self) -> Option<Event> {
        self.heard.bytes.store(0, Ordering::Relaxed);
        self.heard.words.store(0, Ordering::Relaxed);
        self.info().clear();
        let mut first = None;
        while let Ok(event) = self.events.try_recv() {
            first.get_or_insert(event);
        }
        first
    }

    /// The next event; `None` at the deadline.
    pub fn next(&mut self, deadline: Instant) -> Option<Event> {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End),
        }
    }

    /// The last `info` line with a score.
    pub fn info(&self) -> std::sync::MutexGuard<'_, String> {
        self.heard.info.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the child and everything it started, at once.
    fn kill(&mut self) {
        // A wrapper script dies without its engine; the group holds both.
        #[cfg(unix)]
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.child.id())])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
    }

    /// Waits for the output to end.
    fn gone_within(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            match self.next(deadline) {
                Some(Event::Line(..)) => {}
                Some(Event::End) => return true,
                Some(Event::Flood) | None => return false,
            }
        }
    }
}

impl Drop for Process {
    /// A polite word, a short wait, then force.
    fn drop(&mut self) {
        let polite = self.trusts(8) && self.write("quit\n");
        self.stdin = None;
        if !polite || !self.gone_within(FAREWELL) {
            self.kill();
        }
        let _ = self.child.wait();
    }
}

/// Reads until the end, or until it is too much.
fn listen(mut stdout: ChildStdout, heard: &Heard, sender: &Sender<Event>) {
    let mut buffer = vec![0u8; 16 << 10];
    let mut pending: Vec<u8> = Vec::new();
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let now = Instant::now();
        let total = heard.bytes.fetch_add(count as u64, Ordering::Relaxed) + count as u64;
        if total > FLOOD || pending.len() > LONGEST_LINE {
            let _ = sender.send(Event::Flood);
            return;
        }
        pending.extend_from_slice(&buffer[..count]);
        let Some(end) = pending.iter().rposition(|&byte| byte == b'\n') else { continue };
        for line in pending[..end].split(|&byte| byte == b'\n') {
            if !hear(line, now, heard, sender) {
                return;
            }
        }
        pending.drain(..=end);
    }
    // What was said without a line end before the pipe closed.
    hear(&pending, Instant::now(), heard, sender);
    let _ = sender.send(Event::End);
}

/// Keeps or passes on one line. False if nobody listens any more.
fn hear(line: &[u8], now: Instant, heard: &Heard, sender: &Sender<Event>) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return true;
    }
    let line = String::from_utf8_lossy(line);
    if line.starts_with("info") {
        let other_line = line.contains(" multipv ") && !line.contains(" multipv 1 ");
        let bound = line.contains("bound ");
        if line.contains(" score ") && !other_line && !bound {
            let mut info = heard.info.lock().unwrap_or_else(PoisonError::into_inner);
            info.clear();
            info.push_str(&line);
        }
        return true;
    }
    if !line.split_whitespace().next().is_some_and(|word| WORDS.contains(&word)) {
        return true;
    }
    if heard.words.fetch_add(1, Ordering::Relaxed) > MOST_WORDS {
        let _ = sender.send(Event::Flood);
        return false;
    }
    sender.send(Event::Line(line.into_owned(), now)).is_ok()
}
