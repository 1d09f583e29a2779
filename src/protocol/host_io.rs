//! Input and output of the session: the input thread that splits bytes into lines, so that no search blocks on input;
//! the output, whole lines flushed one by one from any thread; the log of the conversation; and the language and
//! encoding of messages.

use super::dialect::{NAME, VERSION};
use chuhe_engine::instant::Instant;
use chuhe_support::date;
use chuhe_support::files::open_regular_with;
use chuhe_support::language::Language;
use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SendError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use xiangqi_record::legacy_text::{encode_gb18030, is_in_gbk};

/// The first line of a log: program, subject and time, without its line end.
pub fn log_heading(what: &str) -> String {
    format!("=== {NAME} {VERSION}, process {}, {}: {what}", std::process::id(), date::now())
}

/// The longest accepted line; a game of a hundred thousand moves is shorter.
pub const MAX_LINE_LENGTH: usize = 4 << 20;

/// Events of the session's inbox.
pub enum InputEvent {
    /// A line of the host, without its end, and when it was received.
    Line(Vec<u8>, Instant),
    /// A line over the maximum length; it was dropped.
    TooLong,
    EndOfInput,
    /// The job of this number has ended.
    JobFinished(u64),
}

impl InputEvent {
    /// What it adds to the backlog.
    pub fn size(&self) -> usize {
        if let InputEvent::Line(line, _) = self { line.len() + LINE_OVERHEAD } else { 0 }
    }
}

/// So many bytes of lines may wait for their turn, or for their answers: who writes faster waits.
const MAX_BACKLOG: usize = 16 << 20;
/// What a line counts besides its text.
const LINE_OVERHEAD: usize = 1 << 10;

/// The lines that are read and not yet dealt with, in bytes.
#[derive(Default)]
pub struct Backlog {
    bytes: Mutex<usize>,
    changed: Condvar,
}

impl Backlog {
    /// Waits until there is room for another line.
    fn wait_for_room(&self) {
        let is_full = |bytes: &mut usize| *bytes > MAX_BACKLOG;
        drop(self.changed.wait_while(lock(&self.bytes), is_full).unwrap_or_else(PoisonError::into_inner));
    }

    pub fn add(&self, bytes: usize) {
        *lock(&self.bytes) += bytes;
    }

    pub fn remove(&self, bytes: usize) {
        *lock(&self.bytes) -= bytes;
        self.changed.notify_all();
    }
}

/// Reads lines on a thread of its own, which may block for ever and is not joined. Whoever deals with an event removes
/// it from the backlog.
pub fn read_in_background(input: impl Read + Send + 'static, events: Sender<InputEvent>) -> io::Result<Arc<Backlog>> {
    let backlog = Arc::new(Backlog::default());
    let shared = Arc::clone(&backlog);
    let send = move |event: InputEvent| {
        shared.add(event.size());
        events.send(event)?;
        shared.wait_for_room();
        Ok(())
    };
    thread::Builder::new().name(String::from("input")).spawn(move || read_lines(input, send))?;
    Ok(backlog)
}

/// Sends every line of the input, then `EndOfInput`. Ends early if the receiver is gone.
fn read_lines(mut input: impl Read, send: impl Fn(InputEvent) -> Result<(), SendError<InputEvent>>) {
    let mut buffer = vec![0; 1 << 16];
    let mut lines = LineSplitter::default();
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                for event in lines.feed(&buffer[..count]) {
                    if send(event).is_err() {
                        return;
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    for event in [lines.finish(), Some(InputEvent::EndOfInput)].into_iter().flatten() {
        if send(event).is_err() {
            return;
        }
    }
}

/// Splits bytes into lines.
#[derive(Default)]
pub struct LineSplitter {
    partial: Vec<u8>,
    too_long: bool,
}

impl LineSplitter {
    /// Consumes bytes; returns the lines that end in them.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<InputEvent> {
        let mut events = Vec::new();
        let mut pieces = bytes.split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            if self.partial.len() + piece.len() > MAX_LINE_LENGTH {
                self.too_long = true;
                self.partial.clear();
            } else if !self.too_long {
                self.partial.extend_from_slice(piece);
            }
            if pieces.peek().is_some() {
                events.push(self.end_line());
            }
        }
        events
    }

    /// The rest after the last line end, if any.
    pub fn finish(&mut self) -> Option<InputEvent> {
        (self.too_long || !self.partial.is_empty()).then(|| self.end_line())
    }

    fn end_line(&mut self) -> InputEvent {
        let line = std::mem::take(&mut self.partial);
        if std::mem::take(&mut self.too_long) {
            InputEvent::TooLong
        } else {
            InputEvent::Line(strip_bom(line), Instant::now())
        }
    }
}

/// Editors on Windows begin a file with a byte order mark.
fn strip_bom(line: Vec<u8>) -> Vec<u8> {
    match line.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => rest.to_vec(),
        None => line,
    }
}

/// The output to the host, shared by the session and its search.
pub struct HostOutput {
    writer: Mutex<Box<dyn Write + Send>>,
    /// The encoding of messages.
    message_encoding: Mutex<MessageEncoding>,
    log: Mutex<Option<File>>,
    /// The last line of the host.
    last_command: Mutex<String>,
    started: Instant,
    closed: AtomicBool,
    /// Standard output is a terminal: colours are used.
    pub is_terminal: bool,
}

impl HostOutput {
    pub fn new(writer: Box<dyn Write + Send>, is_terminal: bool) -> HostOutput {
        HostOutput {
            writer: Mutex::new(writer),
            message_encoding: Mutex::default(),
            log: Mutex::new(None),
            last_command: Mutex::default(),
            started: Instant::now(),
            closed: AtomicBool::new(false),
            is_terminal,
        }
    }

    /// Sends lines in one piece, and flushes.
    pub fn send(&self, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let mut text = lines.join("\n");
        text.push('\n');
        self.log_lines('<', &text);
        let encoding = *lock(&self.message_encoding);
        let mut writer = lock(&self.writer);
        if writer.write_all(&encoding.encode(&text)).and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Sets the encoding of messages.
    pub fn set_encoding(&self, encoding: MessageEncoding) {
        *lock(&self.message_encoding) = encoding;
    }

    /// True when the host has closed the output: the session ends then.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Appends the conversation to this file from now on, beginning with the line that asked for it; an empty path ends
    /// the log.
    pub fn log_to(&self, path: &Path) -> io::Result<()> {
        *lock(&self.log) = None;
        if path.as_os_str().is_empty() {
            return Ok(());
        }
        let mut file = open_regular_with(OpenOptions::new().create(true).append(true), path)?;
        writeln!(file, "{}", log_heading("a conversation"))?;
        *lock(&self.log) = Some(file);
        self.append_to_log('>', &lock(&self.last_command));
        Ok(())
    }

    /// Logs a line of the host.
    pub fn log_received(&self, line: &str) {
        self.log_lines('>', line);
        *lock(&self.last_command) = line.to_string();
    }

    /// Logs lines: in the program's log, if one is open, and in the host's.
    fn log_lines(&self, direction: char, text: &str) {
        for line in text.lines() {
            log::debug!("{direction} {}", line.trim_end());
        }
        self.append_to_log(direction, text);
    }

    /// Appends lines to the host's log. On a write error the log is closed and play continues.
    fn append_to_log(&self, direction: char, text: &str) {
        let mut log = lock(&self.log);
        let Some(file) = log.as_mut() else { return };
        let seconds = self.started.elapsed().as_secs_f64();
        let entry: String =
            text.lines().map(|line| format!("{seconds:10.3} {direction} {}\n", line.trim_end())).collect();
        if file.write_all(entry.as_bytes()).is_err() {
            *log = None;
        }
    }
}

/// A lock poisoned by a panic still guards a usable writer.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of the option `language`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MessageEncoding {
    /// English in ASCII, which every host can show.
    #[default]
    Ascii,
    /// English with file names in GBK, for hosts that have sent it.
    EnglishGbk,
    /// Chinese in GBK, for older hosts.
    Gbk,
    Utf8,
    /// At a terminal without a host: the user's own language.
    Terminal,
}

/// The words of the option, in the order of the values.
pub const MESSAGE_ENCODING_WORDS: &[&str] = &["auto", "zh-gbk", "zh-utf8"];
pub const MESSAGE_ENCODINGS: [MessageEncoding; 3] =
    [MessageEncoding::Ascii, MessageEncoding::Gbk, MessageEncoding::Utf8];

impl MessageEncoding {
    pub fn language(self) -> Language {
        match self {
            MessageEncoding::Ascii | MessageEncoding::EnglishGbk => Language::ENGLISH,
            MessageEncoding::Gbk | MessageEncoding::Utf8 => Language::CHINESE,
            MessageEncoding::Terminal => Language::program_language(),
        }
    }

    /// Replaces the characters that the reader's encoding may lack, quoted text included.
    pub fn sanitize(self, text: &str) -> String {
        let is_known = |letter: char| match self {
            MessageEncoding::Ascii => letter.is_ascii(),
            MessageEncoding::Gbk | MessageEncoding::EnglishGbk => is_in_gbk(letter),
            MessageEncoding::Utf8 | MessageEncoding::Terminal => true,
        };
        text.chars().map(|letter| if is_known(letter) { letter } else { '?' }).collect()
    }

    /// Lines in this encoding.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            MessageEncoding::Gbk | MessageEncoding::EnglishGbk => Cow::Owned(encode_gb18030(text)),
            _ => Cow::Borrowed(text.as_bytes()),
        }
    }
}

#[cfg(test)]
mod input_tests {
    use super::*;
    use std::sync::mpsc;

    fn lines_of(input: &[u8]) -> Vec<Option<String>> {
        let (sender, receiver) = mpsc::channel();
        read_lines(input, |event| sender.send(event));
        drop(sender);
        receiver
            .iter()
            .filter_map(|event| match event {
                InputEvent::Line(line, _) => Some(Some(String::from_utf8_lossy(&line).into_owned())),
                InputEvent::TooLong => Some(None),
                InputEvent::EndOfInput | InputEvent::JobFinished(_) => None,
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
    fn line_over_the_limit_is_dropped_and_the_next_one_kept() {
        let mut input = vec![b'x'; MAX_LINE_LENGTH + 1];
        input.extend_from_slice(b"\nquit\n");
        assert_eq!(lines_of(&input), vec![None, Some("quit".to_string())]);
        let mut input = vec![b'x'; MAX_LINE_LENGTH];
        input.extend_from_slice(b"\nquit");
        assert_eq!(lines_of(&input).len(), 2);
        assert!(lines_of(&input)[0].is_some());
    }
}
