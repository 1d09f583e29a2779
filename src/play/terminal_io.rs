//! Input and output of `chuhe play`: a line editor with history and completion at a terminal, plain lines otherwise;
//! messages in the user's language, wrapped to the width of the terminal.

use super::PlayError;
use crate::protocol::terminal::colour_mode;
use chuhe_support::files::{At, read_line};
use chuhe_support::language::sanitize;
use chuhe_support::{terminal, text_width};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::io::{self, StdinLock, Write};
use std::path::Path;
use xiangqi_draw::ColourMode;

/// The longest line, a FEN with the moves of a game.
const MAX_LINE: u64 = 1 << 20;

pub enum InputLine {
    Line(String),
    Interrupt,
    /// The end of the input.
    End,
}

pub enum LineReader {
    /// At a terminal.
    Editor(Box<Editor<CompletionWords, MemHistory>>),
    Lines(StdinLock<'static>),
}

impl LineReader {
    /// Reads standard input.
    pub fn new(is_terminal: bool) -> Result<LineReader, ReadlineError> {
        if !is_terminal {
            return Ok(LineReader::Lines(io::stdin().lock()));
        }
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = Editor::with_history(config.clone(), MemHistory::with_config(&config))?;
        editor.set_helper(Some(CompletionWords::default()));
        Ok(LineReader::Editor(Box::new(editor)))
    }

    pub fn is_interactive(&self) -> bool {
        matches!(self, LineReader::Editor(_))
    }

    /// Reads a line. `words` are the completions for Tab.
    pub fn read_line(&mut self, prompt: &str, words: Vec<String>) -> Result<InputLine, PlayError> {
        match self {
            LineReader::Editor(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.words = words;
                }
                match editor.readline(prompt) {
                    Ok(line) => Ok(InputLine::Line(line)),
                    Err(ReadlineError::Interrupted) => Ok(InputLine::Interrupt),
                    Err(ReadlineError::Eof) => Ok(InputLine::End),
                    // The window was resized; no line was entered.
                    Err(ReadlineError::Signal(_)) => Ok(InputLine::Line(String::new())),
                    Err(error) => Err(error.into()),
                }
            }
            LineReader::Lines(lines) => {
                let line = read_line(lines, MAX_LINE).at(Path::new("-")).map_err(io::Error::other)?;
                Ok(line.map_or(InputLine::End, |bytes| InputLine::Line(xiangqi_record::decode(&bytes))))
            }
        }
    }
}

/// The completions: commands and the moves of the position.
#[derive(Default)]
pub struct CompletionWords {
    words: Vec<String>,
}

impl Completer for CompletionWords {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>), ReadlineError> {
        let begun = &line[..at];
        let fits = |word: &&String| !begun.is_empty() && word.starts_with(begun);
        Ok((0, self.words.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for CompletionWords {
    type Hint = String;
}
impl Highlighter for CompletionWords {}
impl Validator for CompletionWords {}
impl Helper for CompletionWords {}

/// Writes messages to the user.
pub struct TerminalWriter<'a> {
    out: &'a mut dyn Write,
    is_terminal: bool,
}

impl<'a> TerminalWriter<'a> {
    pub fn new(out: &'a mut dyn Write, is_terminal: bool) -> TerminalWriter<'a> {
        TerminalWriter { out, is_terminal }
    }

    pub fn write_wrapped(&mut self, text: &str) -> io::Result<()> {
        let text = text_width::wrap(&sanitize(text), self.width());
        writeln!(self.out, "{text}")
    }

    pub fn write_all_wrapped(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.write_wrapped(line.trim_end()))
    }

    /// Writes lines without wrapping: a board, or text to be copied.
    pub fn write_lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| writeln!(self.out, "{}", line.trim_end()))
    }

    /// Writes all but the last line of a yes-or-no question and returns that line: the line editor needs a prompt of
    /// one line.
    pub fn write_question(&mut self, question: &str, usual: bool) -> io::Result<String> {
        let answers = if usual { "Y/n" } else { "y/N" };
        let question = format!("{question} [{answers}]");
        let question = text_width::wrap(&question, self.width().saturating_sub(2));
        let (before, last) = question.rsplit_once('\n').unwrap_or(("", &question));
        if !before.is_empty() {
            writeln!(self.out, "{before}")?;
        }
        self.out.flush()?;
        Ok(format!("{last} "))
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The width of the terminal, which may change at any time.
    pub fn width(&self) -> usize {
        terminal::terminal_width(self.is_terminal)
    }

    /// Whether to use colours.
    pub fn colour_mode(&self) -> ColourMode {
        colour_mode(self.is_terminal)
    }
}
