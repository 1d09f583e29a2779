//! Writing to the host: whole lines, flushed one by one, from whichever thread has something to say.

use super::heading::heading;
use super::splitting;
use super::voice::Voice;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The way to the host, shared by the session and its search.
pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    /// In which characters it is written.
    voice: Mutex<Voice>,
    log: Mutex<Option<File>>,
    /// What the host said last.
    last_heard: Mutex<String>,
    born: Instant,
    closed: AtomicBool,
    /// A person may be reading: colours are welcome.
    pub is_terminal: bool,
}

impl Output {
    pub fn new(writer: Box<dyn Write + Send>, is_terminal: bool) -> Output {
        Output {
            writer: Mutex::new(writer),
            voice: Mutex::default(),
            log: Mutex::new(None),
            last_heard: Mutex::default(),
            born: Instant::now(),
            closed: AtomicBool::new(false),
            is_terminal,
        }
    }

    /// Says some lines, nothing between them, and sends them off at once.
    pub fn say(&self, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let mut text = lines.join("\n");
        text.push('\n');
        self.record('<', &text);
        let voice = *locked(&self.voice);
        let mut writer = locked(&self.writer);
        if writer.write_all(&voice.bytes(&text)).and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Writes in these characters from now on.
    pub fn speak(&self, voice: Voice) {
        *locked(&self.voice) = voice;
    }

    /// True when nobody listens any more: the session ends then.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Writes the conversation down from now on, at the end of this file, the line included that asked for it; an
    /// empty path ends that.
    pub fn log_to(&self, path: &Path) -> io::Result<()> {
        *locked(&self.log) = None;
        if path.as_os_str().is_empty() {
            return Ok(());
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{}", heading("a conversation"))?;
        *locked(&self.log) = Some(file);
        self.write_down('>', &locked(&self.last_heard));
        Ok(())
    }

    /// Writes down what the host said.
    pub fn heard(&self, line: &[u8]) {
        let text = splitting::text(line);
        self.record('>', &text);
        *locked(&self.last_heard) = text.into_owned();
    }

    /// Writes lines down: in the program's log, if one is kept, and in the host's.
    fn record(&self, direction: char, text: &str) {
        for line in text.lines() {
            log::debug!("{direction} {}", line.trim_end());
        }
        self.write_down(direction, text);
    }

    /// Writes lines into the host's log. A full disk is no reason to stop playing: the log ends then.
    fn write_down(&self, direction: char, text: &str) {
        let mut log = locked(&self.log);
        let Some(file) = log.as_mut() else { return };
        let seconds = self.born.elapsed().as_secs_f64();
        let entry: String =
            text.lines().map(|line| format!("{seconds:10.3} {direction} {}\n", line.trim_end())).collect();
        if file.write_all(entry.as_bytes()).is_err() {
            *log = None;
        }
    }
}

/// A lock that another thread left in a panic still guards a usable writer.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
