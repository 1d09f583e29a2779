//! What is known about a failure: how the program ended, what it wrote to its standard error, and what was said last.

use std::collections::VecDeque;
use std::fmt;
use std::process::ExitStatus;

/// Bytes of a conversation, or of a standard error, that are kept for the case of a failure.
const KEPT: usize = 8 << 10;
/// Lines of them that are shown.
const SHOWN: usize = 12;
/// Letters of a line that are shown.
const WIDTH: usize = 160;

/// The end of something that may be long, as it was read.
#[derive(Clone, Debug, Default)]
pub struct Tail(Vec<u8>);

impl Tail {
    /// Adds text as it came from a pipe.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        if self.0.len() > 2 * KEPT {
            self.0.drain(..self.0.len() - KEPT);
        }
    }

    /// Adds a line that was sent, marked as such, on a line of its own.
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

    /// The last lines, long ones cut in the middle.
    pub fn lines(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0);
        let mut last: VecDeque<String> = VecDeque::new();
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            last.push_back(shortened(line));
            if last.len() > SHOWN {
                last.pop_front();
            }
        }
        last.into()
    }
}

/// A line with its middle left out if it is too long to be looked at.
fn shortened(line: &str) -> String {
    let letters: Vec<char> =
        line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if letters.len() <= WIDTH {
        return letters.into_iter().collect();
    }
    let half = WIDTH / 2 - 2;
    let (head, tail) = (&letters[..half], &letters[letters.len() - half..]);
    head.iter().chain(&[' ', '…', ' ']).chain(tail).collect()
}

/// All that is known about the failure of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    /// The last commands, marked `> `, and answers.
    pub talk: Vec<String>,
}

impl fmt::Display for Evidence {
    /// An indented block; nothing if nothing is known.
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
pub fn told(status: ExitStatus) -> String {
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

/// The names of the signals by which programs end that did not mean to.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut_in_the_middle() {
        let mut tail = Tail::default();
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        tail.push(b"without an end");
        tail.push_sent(&format!("position fen x moves {}\ngo nodes 5\n", "a0a1 ".repeat(100)));
        tail.push("\u{70ae}\r\n".as_bytes());
        let lines = tail.lines();
        assert_eq!(lines.len(), SHOWN);
        assert_eq!(lines[SHOWN - 1], "炮");
        assert_eq!(lines[SHOWN - 2], "> go nodes 5");
        assert!(
            lines[SHOWN - 3].starts_with("> position fen x moves a0a1 ")
                && lines[SHOWN - 3].ends_with("a0a1")
        );
        assert!(lines[SHOWN - 3].contains(" … ") && lines[SHOWN - 3].chars().count() <= WIDTH);
        assert_eq!(lines[SHOWN - 4], "without an end");
        assert_eq!(lines[SHOWN - 5], "line 9999");
    }
}
