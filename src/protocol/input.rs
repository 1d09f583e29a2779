//! Reading what the host sends: bytes into lines, on a thread of its own, so that no search ever waits for input.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::Sender;
use std::time::Instant;

/// Longest line that is obeyed; a game of a hundred thousand moves is shorter.
pub const LONGEST_LINE: usize = 4 << 20;

/// What wakes the session.
pub enum Event {
    /// A line of the host, without its end, and when it was heard.
    Line(Vec<u8>, Instant),
    /// A line longer than any command; it has been dropped.
    TooLong,
    /// The host says no more.
    End,
    /// The job of this number has ended.
    Finished(u64),
}

/// Sends every line of the input, then `End`. Ends early if nobody listens any more.
pub fn read_lines(mut input: impl Read, events: &Sender<Event>) {
    let mut buffer = vec![0; 1 << 16];
    let mut lines = Lines::default();
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                for event in lines.feed(&buffer[..count]) {
                    if events.send(event).is_err() {
                        return;
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    for event in [lines.last(), Some(Event::End)].into_iter().flatten() {
        if events.send(event).is_err() {
            return;
        }
    }
}

/// Bytes on their way to becoming lines.
#[derive(Default)]
struct Lines {
    begun: Vec<u8>,
    too_long: bool,
}

impl Lines {
    /// Takes bytes in; answers the lines that end in them.
    fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut pieces = bytes.split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            if self.begun.len() + piece.len() > LONGEST_LINE {
                self.too_long = true;
                self.begun.clear();
            } else if !self.too_long {
                self.begun.extend_from_slice(piece);
            }
            if pieces.peek().is_some() {
                events.push(self.end_line());
            }
        }
        events
    }

    /// What came after the last line end, if anything did.
    fn last(&mut self) -> Option<Event> {
        (self.too_long || !self.begun.is_empty()).then(|| self.end_line())
    }

    fn end_line(&mut self) -> Event {
        let line = std::mem::take(&mut self.begun);
        if std::mem::take(&mut self.too_long) {
            Event::TooLong
        } else {
            Event::Line(without_mark(line), Instant::now())
        }
    }
}

/// Editors on Windows begin a file with a byte order mark.
fn without_mark(line: Vec<u8>) -> Vec<u8> {
    match line.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => rest.to_vec(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn lines_of(input: &[u8]) -> Vec<Option<String>> {
        let (sender, receiver) = mpsc::channel();
        read_lines(input, &sender);
        drop(sender);
        receiver
            .iter()
            .filter_map(|event| match event {
                Event::Line(line, _) => Some(Some(String::from_utf8_lossy(&line).into_owned())),
                Event::TooLong => Some(None),
                Event::End | Event::Finished(_) => None,
            })
            .collect()
    }

    fn some(list: &[&str]) -> Vec<Option<String>> {
        list.iter().map(|line| Some(line.to_string())).collect()
    }

    #[test]
    fn lines_end_at_line_feeds_and_at_the_end_of_input() {
        assert_eq!(lines_of(b"a\n\nb c\nd"), some(&["a", "", "b c", "d"]));
        assert_eq!(lines_of(b"a\n"), some(&["a"]));
        assert_eq!(lines_of(b""), some(&[]));
        assert_eq!(lines_of(b"\xEF\xBB\xBFucci\n"), some(&["ucci"]));
    }

    #[test]
    fn an_endless_line_is_dropped_and_the_next_one_is_not() {
        let mut input = vec![b'x'; LONGEST_LINE + 1];
        input.extend_from_slice(b"\nquit\n");
        assert_eq!(lines_of(&input), vec![None, Some("quit".to_string())]);
        let mut input = vec![b'x'; LONGEST_LINE];
        input.extend_from_slice(b"\nquit");
        assert_eq!(lines_of(&input).len(), 2);
        assert!(lines_of(&input)[0].is_some());
    }
}
