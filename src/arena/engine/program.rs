//! Another program as a participant: the handshake, the options, and a question with a deadline.

use super::dialect::{self, Dialect};
use super::process::{Event, Process};
use super::{Answer, Fault, StartError, Turn};
use crate::arena::spec::{ProgramSpec, Protocol, Ranks};
use std::process::Command;
use std::time::{Duration, Instant};

/// A program at the board, restarted after each fault.
pub struct Program {
    name: String,
    spec: ProgramSpec,
    start_limit: Duration,
    /// The running child and how to talk to it; none before the first game and after a fault.
    running: Option<(Process, Dialect)>,
    /// What to send between games.
    new_game: String,
}

/// What a program told about itself at the start.
#[derive(Default)]
struct Introduction {
    option_lines: Vec<String>,
}

impl Introduction {
    /// The declaration of an option, if there is one of this name, in whichever case.
    fn option(&self, name: &str) -> Option<&str> {
        self.option_lines.iter().map(String::as_str).find(|line| {
            let text = line.strip_prefix("option").unwrap_or("").trim_start();
            let text = text.strip_prefix("name ").unwrap_or(text);
            text.split(" type ").next().is_some_and(|found| found.trim().eq_ignore_ascii_case(name))
        })
    }
}

impl Program {
    /// Starts the program for the first time, to find out whether it can be started at all.
    pub fn new(name: &str, spec: &ProgramSpec, start_limit: Duration) -> Result<Program, StartError> {
        let mut program = Program {
            name: name.to_string(),
            spec: spec.clone(),
            start_limit,
            running: None,
            new_game: String::new(),
        };
        let process = program.spawn()?;
        // A failed handshake is a lost game, not the end of the tournament.
        let _ = program.greet(process);
        Ok(program)
    }

    /// True for an engine that knows `banmoves`.
    pub fn heeds_bans(&self) -> bool {
        self.running.as_ref().is_some_and(|(_, dialect)| dialect.protocol == Protocol::Ucci)
    }

    fn spawn(&self) -> Result<Process, StartError> {
        let mut command = Command::new(&self.spec.command);
        command.args(&self.spec.arguments);
        if let Some(directory) = &self.spec.directory {
            command.current_dir(directory);
        }
        Process::spawn(command).map_err(|source| StartError::Spawn {
            name: self.name.clone(),
            command: self.spec.command.clone(),
            source,
        })
    }

    /// Shakes hands with a fresh child and sets its options.
    fn greet(&mut self, process: Process) -> Result<(), Fault> {
        let (mut process, protocol, introduction) = match self.spec.protocol {
            Some(protocol) => self.ask(process, protocol)?,
            // Whoever does not answer to the first name is started anew and called by the second.
            None => self.ask(process, Protocol::Ucci).or_else(|_| {
                let process = self.spawn().map_err(|_| Fault::NotReady)?;
                self.ask(process, Protocol::Uci)
            })?,
        };
        self.spec.protocol = Some(protocol);
        let dialect = self.dialect(protocol, &introduction);
        let mut text = String::new();
        if protocol == Protocol::Ucci && dialect.milliseconds {
            text.push_str(&dialect.option("usemillisec", Some("true")));
        }
        for (name, value) in &self.spec.options {
            if introduction.option(name).is_none() {
                log::warn!("engine '{}' has no option '{name}'", self.name);
            }
            text.push_str(
                &dialect.option(name, Some(value).filter(|value| !value.is_empty()).map(String::as_str)),
            );
        }
        self.new_game = match protocol {
            Protocol::Uci => "ucinewgame\n".to_string(),
            Protocol::Ucci if introduction.option("newgame").is_some() => dialect.option("newgame", None),
            Protocol::Ucci => String::new(),
        };
        if !process.write(&text) {
            return Err(Fault::Crashed);
        }
        self.running = Some((process, dialect));
        Ok(())
    }

    /// Says hello in one language and listens to the introduction.
    fn ask(
        &self,
        mut process: Process,
        protocol: Protocol,
    ) -> Result<(Process, Protocol, Introduction), Fault> {
        let (hello, done) = match protocol {
            Protocol::Ucci => ("ucci", "ucciok"),
            Protocol::Uci => ("uci", "uciok"),
        };
        // Who does not know the language, but knows this question, need not be waited for.
        let probing = self.spec.protocol.is_none();
        let text = if probing { format!("{hello}\nisready\n") } else { format!("{hello}\n") };
        if !process.write(&text) {
            return Err(Fault::Crashed);
        }
        let deadline = Instant::now() + self.start_limit;
        let mut introduction = Introduction::default();
        loop {
            match process.next(deadline) {
                Event::Line(line, _) => match line.split_whitespace().next() {
                    Some(word) if word == done => {
                        process.proved();
                        return Ok((process, protocol, introduction));
                    }
                    Some("option") => introduction.option_lines.push(line),
                    Some("readyok") if probing => return Err(Fault::NotReady),
                    _ => {}
                },
                Event::End => return Err(Fault::Crashed),
                Event::Flood => return Err(Fault::Flooded),
                Event::Late => return Err(Fault::NotReady),
            }
        }
    }

    fn dialect(&self, protocol: Protocol, introduction: &Introduction) -> Dialect {
        // An engine of many games counts ranks as chess does; one of xiangqi alone has no reason to.
        let variants = introduction.option("UCI_Variant").unwrap_or("");
        let grew_from_chess = variants.matches(" var ").count() > 1 && variants.contains(" xiangqi");
        let ranks = self.spec.ranks.unwrap_or(match protocol {
            Protocol::Uci if grew_from_chess => Ranks::FromOne,
            _ => Ranks::FromZero,
        });
        // Engines that count nothing but milliseconds do not always declare it, those with the
        // options of chess engines for one.
        let milliseconds =
            protocol == Protocol::Uci || grew_from_chess || introduction.option("usemillisec").is_some();
        Dialect { protocol, ranks, milliseconds }
    }

    /// Makes sure that a child runs and is ready for a new game.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        let outcome = self.prepare();
        if outcome.is_err() {
            self.running = None;
        }
        outcome
    }

    fn prepare(&mut self) -> Result<(), Fault> {
        if self.running.is_none() {
            let process = self.spawn().map_err(|_| Fault::NotReady)?;
            self.greet(process)?;
        }
        let (process, _) = self.running.as_mut().ok_or(Fault::NotReady)?;
        if !process.write(&self.new_game) {
            return Err(Fault::Crashed);
        }
        ready(process, self.start_limit)
    }

    /// Puts the question and waits for the answer, no longer than the deadline.
    pub fn play(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let outcome = self.ask_for_move(turn);
        if outcome.is_err() {
            self.running = None;
        }
        outcome
    }

    fn ask_for_move(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let start_limit = self.start_limit;
        let (process, dialect) = self.running.as_mut().ok_or(Fault::NotReady)?;
        let question = dialect.question(turn);
        if !process.trusts(question.len()) {
            ready(process, start_limit)?;
        }
        if let Some(line) = process.forget().filter(|line| dialect.answer(line).is_some()) {
            return Err(nonsense(&line));
        }
        let begun = Instant::now();
        let deadline = begun + turn.deadline;
        if !process.write(&question) {
            return Err(Fault::Crashed);
        }
        loop {
            match process.next(deadline) {
                Event::Line(line, heard) => match dialect.answer(&line) {
                    None => {}
                    Some(Err(line)) => return Err(nonsense(line)),
                    Some(Ok((choice, draw))) => {
                        let thought = dialect::thought(process.info());
                        let spent = heard.saturating_duration_since(begun);
                        return Ok(Answer { choice, draw, thought, spent });
                    }
                },
                Event::End => return Err(Fault::Crashed),
                Event::Flood => return Err(Fault::Flooded),
                Event::Late => return Err(Fault::Hung),
            }
        }
    }
}

/// Asks whether the child is there, which also proves that it reads.
fn ready(process: &mut Process, limit: Duration) -> Result<(), Fault> {
    process.forget();
    if !process.write("isready\n") {
        return Err(Fault::Crashed);
    }
    let deadline = Instant::now() + limit;
    loop {
        match process.next(deadline) {
            Event::Line(line, _) if line.starts_with("readyok") => {
                process.proved();
                return Ok(());
            }
            Event::Line(..) => {}
            Event::End => return Err(Fault::Crashed),
            Event::Flood => return Err(Fault::Flooded),
            Event::Late => return Err(Fault::NotReady),
        }
    }
}

/// The fault with enough of the line to recognise it.
fn nonsense(line: &str) -> Fault {
    Fault::Nonsense(line.chars().take(60).collect())
}
