//! Another program as a participant: the handshake, the options, and a question with a deadline.

use super::dialect::{self, Dialect, Said};
use super::evidence::Evidence;
use super::options::{self, Announced};
use super::premises::Premises;
use super::process::{Event, Process};
use super::{Answer, Fault, Introduction, StartError, Turn};
use crate::arena::spec::{ProgramSpec, Protocol, Ranks, RefereeSpec};
use chuhe_engine::language::{reason, tr};
use chuhe_engine::types::Move;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A program at the board, restarted after each fault.
pub struct Program {
    name: String,
    spec: ProgramSpec,
    start_limit: Duration,
    /// It is to think on its opponent's time, and told so if it has an option for it.
    ponders: bool,
    premises: Arc<Premises>,
    /// The running child and how to talk to it; none before the first game and after a fault.
    running: Option<(Process, Dialect)>,
    /// What to send between games.
    new_game: String,
    /// The move that it expects, while it thinks about what comes then.
    pondering: Option<Move>,
    /// What was found when it failed.
    evidence: Option<Evidence>,
}

/// What a program tells about itself at the start.
#[derive(Default)]
struct Greeting {
    id: String,
    options: Vec<Announced>,
}

impl Program {
    /// A program that has not been started yet.
    pub fn new(name: &str, spec: &ProgramSpec, referee: &RefereeSpec, premises: &Arc<Premises>) -> Program {
        Program {
            name: name.to_string(),
            spec: spec.clone(),
            start_limit: referee.start_limit,
            ponders: referee.ponder,
            premises: Arc::clone(premises),
            running: None,
            new_game: String::new(),
            pondering: None,
            evidence: None,
        }
    }

    /// Starts the program before the first game, to find out whether it can take part as it was described.
    pub fn introduce(&mut self) -> Result<Introduction, StartError> {
        self.start().map_err(|fault| {
            let evidence = self.evidence.take().unwrap_or_default();
            StartError::Unfit {
                name: self.name.clone(),
                what: described(&self.spec.command, &fault, &evidence),
            }
        })
    }

    fn spawn(&self) -> Result<Process, Fault> {
        let mut command = Command::new(&self.spec.command);
        command.args(&self.spec.arguments);
        if let Some(directory) = &self.spec.directory {
            command.current_dir(directory);
        }
        Process::spawn(command, &self.name, &self.premises).map_err(|error| {
            Fault::NotStarted(tr!("'{path}': {source}", path = self.spec.command, source = reason(&error)))
        })
    }

    /// Starts a child, shakes hands with it and sets its options.
    fn start(&mut self) -> Result<Introduction, Fault> {
        let process = self.spawn()?;
        let (mut process, protocol, greeting) = match self.spec.protocol {
            Some(protocol) => self.ask(process, protocol)?,
            // Whoever does not answer to the first name is started anew and called by the second.
            None => match self.ask(process, Protocol::Ucci) {
                Ok(asked) => asked,
                Err(_) => {
                    let process = self.spawn()?;
                    self.ask(process, Protocol::Uci)?
                }
            },
        };
        options::check(&greeting.options, &self.spec.options).map_err(Fault::Option)?;
        self.spec.protocol = Some(protocol);
        let dialect = self.dialect(protocol, &greeting.options);
        let known = |name: &str| options::find(&greeting.options, name).is_some();
        let mut text = String::new();
        if protocol == Protocol::Ucci && dialect.milliseconds {
            text.push_str(&dialect.option("usemillisec", Some("true")));
        }
        if let Some(option) = options::find(&greeting.options, "ponder").filter(|_| self.ponders) {
            text.push_str(&dialect.option(&option.name, Some("true")));
        }
        for (name, value) in &self.spec.options {
            let value = Some(value.as_str()).filter(|value| !value.is_empty());
            text.push_str(&dialect.option(name, value));
        }
        self.new_game = match protocol {
            Protocol::Uci => "ucinewgame\n".to_string(),
            Protocol::Ucci if known("newgame") => dialect.option("newgame", None),
            Protocol::Ucci => String::new(),
        };
        process.forget();
        let set =
            if process.write(&text) { ready(&mut process, self.start_limit) } else { Err(crashed(&process)) };
        if let Err(fault) = set {
            self.evidence = Some(process.evidence());
            return Err(fault);
        }
        let introduction = Introduction { id: greeting.id, remarks: process.remarks() };
        self.running = Some((process, dialect));
        Ok(introduction)
    }

    /// Says hello in one language and listens to the introduction.
    fn ask(
        &mut self,
        mut process: Process,
        protocol: Protocol,
    ) -> Result<(Process, Protocol, Greeting), Fault> {
        // Who does not know the language, but knows this question, need not be waited for.
        let probing = self.spec.protocol.is_none();
        match greet(&mut process, protocol, probing, Instant::now() + self.start_limit) {
            Ok(greeting) => Ok((process, protocol, greeting)),
            Err(fault) => {
                self.evidence = Some(process.evidence());
                Err(fault)
            }
        }
    }

    fn dialect(&self, protocol: Protocol, announced: &[Announced]) -> Dialect {
        // An engine of many games counts ranks as chess does; one of xiangqi alone has no reason to.
        let variants = options::find(announced, "UCI_Variant").map_or(&[][..], Announced::choices);
        let grew_from_chess = variants.len() > 1 && variants.iter().any(|variant| variant == "xiangqi");
        let ranks = self.spec.ranks.unwrap_or(match protocol {
            Protocol::Uci if grew_from_chess => Ranks::FromOne,
            _ => Ranks::FromZero,
        });
        // Engines that count nothing but milliseconds do not always declare it, those with the
        // options of chess engines for one.
        let milliseconds =
            protocol == Protocol::Uci || grew_from_chess || options::find(announced, "usemillisec").is_some();
        Dialect { protocol, ranks, milliseconds }
    }

    /// Makes sure that a child runs and is ready for a new game.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        let outcome = self.prepare();
        self.lay_down(outcome)
    }

    fn prepare(&mut self) -> Result<(), Fault> {
        if self.running.is_none() {
            self.evidence = None;
            let introduction = self.start()?;
            log::info!("engine '{}' is started: {}", self.name, introduction.id);
        }
        let (process, _) = self.running.as_mut().ok_or(Fault::NotReady)?;
        process.forget();
        if !process.write(&self.new_game) {
            return Err(crashed(process));
        }
        ready(process, self.start_limit)
    }

    /// Puts the question and waits for the answer, no longer than the deadline.
    pub fn play(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let outcome = match self.pondering.take() {
            Some(expected) if expected == turn.position.last_move() => self.tell_of_hit(turn),
            Some(_) => self.call_off().and_then(|()| self.ask_for_move(turn)),
            None => self.ask_for_move(turn),
        };
        self.lay_down(outcome)
    }

    /// Puts a question that need not be answered yet.
    pub fn ponder(&mut self, turn: &Turn) -> Result<(), Fault> {
        let outcome = self.put(turn).map(drop);
        self.pondering = outcome.is_ok().then_some(turn.position.last_move());
        self.lay_down(outcome)
    }

    /// Ends what it thinks on its opponent's time, if it does.
    pub fn rest(&mut self) {
        if self.pondering.take().is_some() {
            let outcome = self.call_off();
            // The game is over, and nobody's loss: whoever does not come back is started anew.
            if let Err(fault) = self.lay_down(outcome) {
                log::warn!("engine '{}' {fault} when its thoughts were called off", self.name);
            }
        }
    }

    /// After a failure, takes the evidence and lets the child go.
    fn lay_down<T>(&mut self, outcome: Result<T, Fault>) -> Result<T, Fault> {
        if outcome.is_err()
            && let Some((process, _)) = self.running.take()
        {
            self.evidence = Some(process.evidence());
        }
        outcome
    }

    /// What is known about what it did last.
    pub fn evidence(&mut self) -> Option<Evidence> {
        self.evidence.take().or(self.running.as_ref().map(|(process, _)| process.evidence()))
    }

    /// Notes in the record of the conversation, if one is kept, what comes next.
    pub fn remark(&self, text: &str) {
        if let Some((process, _)) = &self.running {
            process.remark(text);
        }
    }

    fn ask_for_move(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let begun = self.put(turn)?;
        self.listen(begun, turn.deadline)
    }

    /// The expected move was played: from now on it thinks on its own time.
    fn tell_of_hit(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let (process, dialect) = self.running.as_mut().ok_or(Fault::NotReady)?;
        let begun = Instant::now();
        if !process.write(dialect.hit(turn)) {
            return Err(crashed(process));
        }
        self.listen(begun, turn.deadline)
    }

    /// Another move was played: what it thought is of no use.
    fn call_off(&mut self) -> Result<(), Fault> {
        let (process, _) = self.running.as_mut().ok_or(Fault::NotReady)?;
        if !process.write("stop\n") {
            return Err(crashed(process));
        }
        self.listen(Instant::now(), self.start_limit).map(drop)
    }

    /// Puts a question; answers when.
    fn put(&mut self, turn: &Turn) -> Result<Instant, Fault> {
        let start_limit = self.start_limit;
        let (process, dialect) = self.running.as_mut().ok_or(Fault::NotReady)?;
        let question = dialect.question(turn);
        if !process.trusts(question.len()) {
            process.forget();
            ready(process, start_limit)?;
        }
        if let Some(line) = process.forget().filter(|line| dialect.answer(line).is_some()) {
            return Err(nonsense(&line));
        }
        let begun = Instant::now();
        if !process.write(&question) {
            return Err(crashed(process));
        }
        Ok(begun)
    }

    /// Waits for the answer to what was put then.
    fn listen(&mut self, begun: Instant, patience: Duration) -> Result<Answer, Fault> {
        let (process, dialect) = self.running.as_mut().ok_or(Fault::NotReady)?;
        let deadline = begun + patience;
        loop {
            match process.next(deadline) {
                Event::Line(line, heard) => match dialect.answer(&line) {
                    None => {}
                    Some(Err(line)) => return Err(nonsense(line)),
                    Some(Ok(Said { choice, draw, expects })) => {
                        let thought = dialect::thought(&process.info());
                        let spent = heard.saturating_duration_since(begun);
                        return Ok(Answer { choice, draw, expects, thought, spent });
                    }
                },
                Event::End => return Err(crashed(process)),
                Event::Flood => return Err(Fault::Flooded),
                Event::Late => return Err(Fault::Hung),
            }
        }
    }
}

/// Says hello and listens to the introduction.
fn greet(
    process: &mut Process,
    protocol: Protocol,
    probing: bool,
    deadline: Instant,
) -> Result<Greeting, Fault> {
    let (hello, done) = match protocol {
        Protocol::Ucci => ("ucci", "ucciok"),
        Protocol::Uci => ("uci", "uciok"),
    };
    if !process.write(&if probing { format!("{hello}\nisready\n") } else { format!("{hello}\n") }) {
        return Err(crashed(process));
    }
    let mut greeting = Greeting::default();
    loop {
        match process.next(deadline) {
            Event::Line(line, _) => match line.split_whitespace().next() {
                Some(word) if word == done => {
                    process.proved();
                    return Ok(greeting);
                }
                Some("option") => greeting.options.extend(Announced::read(&line, protocol)),
                Some("id") => {
                    // UCCI tells the version apart from the name.
                    let told = line.trim_start_matches("id").trim_start();
                    let told = told.strip_prefix("name ").or(told.strip_prefix("version "));
                    if let Some(told) = told {
                        let blank = if greeting.id.is_empty() { "" } else { " " };
                        greeting.id.push_str(&format!("{blank}{}", told.trim()));
                    }
                }
                Some("readyok") if probing => return Err(Fault::NotReady),
                _ => {}
            },
            Event::End => return Err(crashed(process)),
            Event::Flood => return Err(Fault::Flooded),
            Event::Late => return Err(Fault::NotReady),
        }
    }
}

/// Asks whether the child is there, which also proves that it reads.
fn ready(process: &mut Process, limit: Duration) -> Result<(), Fault> {
    if !process.write("isready\n") {
        return Err(crashed(process));
    }
    let deadline = Instant::now() + limit;
    loop {
        match process.next(deadline) {
            Event::Line(line, _) if line.starts_with("readyok") => {
                process.proved();
                return Ok(());
            }
            Event::Line(..) => {}
            Event::End => return Err(crashed(process)),
            Event::Flood => return Err(Fault::Flooded),
            Event::Late => return Err(Fault::NotReady),
        }
    }
}

/// The fault of a child that is gone, with how it went.
fn crashed(process: &Process) -> Fault {
    Fault::Crashed(process.exit().unwrap_or_else(|| "its output ended".to_string()))
}

/// The fault with enough of the line to recognise it.
fn nonsense(line: &str) -> Fault {
    Fault::Nonsense(line.chars().take(60).collect())
}

/// A failed start in one line, with the last word of the program if it had one.
fn described(command: &str, fault: &Fault, evidence: &Evidence) -> String {
    let mut text = match fault {
        Fault::NotStarted(_) => return fault.to_string(),
        Fault::Option(misfit) => return misfit.to_string(),
        Fault::NotReady => {
            tr!("'{command}' did not greet in UCCI or UCI, or did not get ready, in time", command)
        }
        Fault::Crashed(how) => tr!("'{command}' left before it was ready ({how})", command, how),
        other => tr!("'{command}' {fault}", command, fault = other),
    };
    if let Some(last) = evidence.stderr.last() {
        text = tr!("{what}; its standard error ends with: {last}", what = text, last);
    }
    text
}
