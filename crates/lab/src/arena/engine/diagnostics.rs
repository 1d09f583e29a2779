//! Diagnostics of a failed engine (exit status, last lines of standard error and of the conversation), and transcripts
//! of whole conversations with times.

use chuhe_support::files::open_regular_with;
use chuhe_support::language::{print_error, reason, tr};
use std::collections::VecDeque;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::Instant;

/// Bytes of the conversation or of standard error that are kept.
const TAIL_BYTES: usize = 8 << 10;
/// Maximum lines shown.
const SHOWN_LINES: usize = 12;
/// Maximum characters of a line shown.
const SHOWN_LINE_WIDTH: usize = 160;

/// The last bytes of an output.
#[derive(Clone, Debug, Default)]
pub struct OutputTail(Vec<u8>);

impl OutputTail {
    /// Appends bytes read from a pipe.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        if self.0.len() > 2 * TAIL_BYTES {
            self.0.drain(..self.0.len() - TAIL_BYTES);
        }
    }

    /// Appends sent lines, each marked `> ` and on its own line.
    pub fn push_sent(&mut self, text: &str) {
        for line in text.lines() {
            if self.0.last().is_some_and(|&byte| byte != b'\n') {
                self.0.push(b'\n');
            }
            self.0.extend_from_slice(b"> ");
            self.push(line.as_bytes());
            self.0.push(b'\n');
        }
    }

    /// The last lines, long ones shortened in the middle.
    pub fn lines(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0);
        let mut last: VecDeque<String> = VecDeque::new();
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            last.push_back(shortened(line));
            if last.len() > SHOWN_LINES {
                last.pop_front();
            }
        }
        last.into()
    }
}

/// The line, with its middle left out if it is longer than `SHOWN_LINE_WIDTH`.
fn shortened(line: &str) -> String {
    let letters: Vec<char> = line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if letters.len() <= SHOWN_LINE_WIDTH {
        return letters.into_iter().collect();
    }
    let half = SHOWN_LINE_WIDTH / 2 - 2;
    let (head, tail) = (&letters[..half], &letters[letters.len() - half..]);
    head.iter().chain(&[' ', '…', ' ']).chain(tail).collect()
}

/// Diagnostics of a failed engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    /// The last commands, marked `> `, and answers.
    pub talk: Vec<String>,
}

impl fmt::Display for Diagnostics {
    /// An indented block; empty if there are no lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, lines) in [("its standard error", &self.stderr), ("last words", &self.talk)] {
            if !lines.is_empty() {
                writeln!(f, "    {title}:")?;
                lines.iter().try_for_each(|line| writeln!(f, "      {line}"))?;
            }
        }
        Ok(())
    }
}

/// `exit code 3` or `signal 11`.
pub fn describe_exit_status(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal_name(signal) {
            Some(name) => format!("signal {signal}, {name}"),
            None => format!("signal {signal}"),
        };
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

/// The name of a signal that ends a program abnormally.
#[cfg(unix)]
fn signal_name(signal: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let names = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::ILL, "SIGILL"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
    ];
    names.iter().find(|(number, _)| number.as_raw() == signal).map(|(_, name)| *name)
}

/// The transcript file of a conversation, shared with the thread that reads standard error.
pub struct Transcript {
    path: PathBuf,
    begun: Instant,
    /// `None` after a write error, which has been reported.
    file: Mutex<Option<BufWriter<File>>>,
}

impl Transcript {
    /// Opens the file of this process; creates the folder if needed.
    pub fn open(folder: &Path, engine: &str, process: u32) -> io::Result<Transcript> {
        chuhe_support::files::make_folder(folder)?;
        let file_name_letter =
            |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
        let engine: String = engine.chars().map(file_name_letter).take(80).collect();
        let path = folder.join(format!("{engine}-{process}.txt"));
        let file = open_regular_with(OpenOptions::new().append(true).create(true), &path)?;
        Ok(Transcript { path, begun: Instant::now(), file: Mutex::new(Some(BufWriter::new(file))) })
    }

    /// Writes lines with the time since the process was started; the mark is `>` for input, `<` for output, `!` for
    /// standard error, `=` for a remark.
    pub fn write_lines(&self, mark: char, lines: &str) {
        let mut held = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(file) = held.as_mut() else { return };
        let time = self.begun.elapsed().as_secs_f64();
        let written = lines.lines().try_for_each(|line| writeln!(file, "{time:12.6} {mark} {line}"));
        // Flushed at once, so that the file is complete if the arena crashes.
        if let Err(error) = written.and_then(|()| file.flush()) {
            *held = None;
            let file = self.path.display();
            print_error(|| tr!("{file}: {cause}; the rest of this conversation is lost", file, cause = reason(&error)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_tail_keeps_last_lines_and_shortens_long_ones_in_the_middle() {
        let mut tail = OutputTail::default();
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        tail.push(b"without an end");
        tail.push_sent(&format!("position fen x moves {}\ngo nodes 5\n", "a0a1 ".repeat(100)));
        tail.push("\u{70ae}\r\n".as_bytes());
        let lines = tail.lines();
        assert_eq!(lines.len(), SHOWN_LINES);
        assert_eq!(lines[SHOWN_LINES - 1], "炮");
        assert_eq!(lines[SHOWN_LINES - 2], "> go nodes 5");
        assert!(
            lines[SHOWN_LINES - 3].starts_with("> position fen x moves a0a1 ")
                && lines[SHOWN_LINES - 3].ends_with("a0a1")
        );
        assert!(lines[SHOWN_LINES - 3].contains(" … ") && lines[SHOWN_LINES - 3].chars().count() <= SHOWN_LINE_WIDTH);
        assert_eq!(lines[SHOWN_LINES - 4], "without an end");
        assert_eq!(lines[SHOWN_LINES - 5], "line 9999");
    }
}
