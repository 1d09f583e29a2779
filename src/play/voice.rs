//! What a person hears: in his language, in lines that his terminal has room for.

use crate::terminal;
use chuhe_engine::language::printable;
use chuhe_toolkit::draw::Ink;
use chuhe_toolkit::text;
use std::io::{self, Write};

/// Whoever speaks to the person.
pub struct Voice<'a> {
    out: &'a mut dyn Write,
    is_terminal: bool,
}

impl<'a> Voice<'a> {
    pub fn new(out: &'a mut dyn Write, is_terminal: bool) -> Voice<'a> {
        Voice { out, is_terminal }
    }

    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let text = text::wrapped(&printable(text), self.width());
        writeln!(self.out, "{text}")
    }

    pub fn say_all(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.say(line.trim_end()))
    }

    /// Shows lines as they are: those of a board, or what is to be copied in one piece.
    pub fn show(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| writeln!(self.out, "{}", line.trim_end()))
    }

    /// Begins a question that is answered by yes or no, and hands out its last line: an editor of lines wants a prompt of
    /// one line.
    pub fn ask(&mut self, question: &str, usual: bool) -> io::Result<String> {
        let answers = if usual { "Y/n" } else { "y/N" };
        let question = format!("{question} [{answers}]");
        let question = text::wrapped(&question, self.width().saturating_sub(2));
        let (before, last) = question.rsplit_once('\n').unwrap_or(("", &question));
        if !before.is_empty() {
            writeln!(self.out, "{before}")?;
        }
        self.out.flush()?;
        Ok(format!("{last} "))
    }

    /// What was said is out.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Columns of the terminal, which may change at any time.
    pub fn width(&self) -> usize {
        terminal::width(self.is_terminal)
    }

    /// Whether it shows colours.
    pub fn ink(&self) -> Ink {
        Ink::of(self.is_terminal)
    }
}
