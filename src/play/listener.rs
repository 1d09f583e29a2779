//! How a person is listened to: with a line that can be edited, a history and completion at a terminal, line by line
//! from anything else.

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::io::{self, BufRead, StdinLock};

pub enum Heard {
    Line(String),
    Interrupt,
    /// Nothing, and nothing will follow.
    End,
}

pub enum Listener {
    /// To a person who types.
    Editor(Box<Editor<Words, MemHistory>>),
    Lines(StdinLock<'static>),
}

impl Listener {
    /// Listens to standard input.
    pub fn new(is_terminal: bool) -> Result<Listener, ReadlineError> {
        if !is_terminal {
            return Ok(Listener::Lines(io::stdin().lock()));
        }
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = Editor::with_history(config.clone(), MemHistory::with_config(&config))?;
        editor.set_helper(Some(Words::default()));
        Ok(Listener::Editor(Box::new(editor)))
    }

    pub fn is_person(&self) -> bool {
        matches!(self, Listener::Editor(_))
    }

    /// Waits for a line. `words` are what Tab may complete.
    pub fn listen(&mut self, prompt: &str, words: Vec<String>) -> Result<Heard, ReadlineError> {
        match self {
            Listener::Editor(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.words = words;
                }
                match editor.readline(prompt) {
                    Ok(line) => Ok(Heard::Line(line)),
                    Err(ReadlineError::Interrupted) => Ok(Heard::Interrupt),
                    Err(ReadlineError::Eof) => Ok(Heard::End),
                    // The window has another size: nothing was said.
                    Err(ReadlineError::Signal(_)) => Ok(Heard::Line(String::new())),
                    Err(error) => Err(error),
                }
            }
            Listener::Lines(lines) => {
                let mut bytes = Vec::new();
                match lines.read_until(b'\n', &mut bytes)? {
                    0 => Ok(Heard::End),
                    _ => Ok(Heard::Line(chuhe_toolkit::record::decode(&bytes))),
                }
            }
        }
    }
}

/// What may be typed: commands and the moves of the position.
#[derive(Default)]
pub struct Words {
    words: Vec<String>,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> Result<(usize, Vec<String>), ReadlineError> {
        let begun = &line[..at];
        let fits = |word: &&String| !begun.is_empty() && word.starts_with(begun);
        Ok((0, self.words.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
