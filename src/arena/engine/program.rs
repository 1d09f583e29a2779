//! Another program as a participant: the handshake, the options, and a question with a deadline.

use super::diagnostics::Diagnostics;
use super::dialect::{self, BestMove, EngineDialect};
use super::options::{self, EngineOption};
use super::process::{Process, ProcessEvent};
use super::watchdog::ProcessRegistry;
use super::{EngineAnswer, EngineFault, EngineInfo, EngineStartError, MoveRequest};
use crate::arena::spec::{EngineProtocol, ProgramSpec, RankBase, RefereeSpec};
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
    premises: Arc<ProcessRegistry>,
    /// The running child and how to talk to it; none before the first game and after a fault.
    running: Option<(Process, EngineDialect)>,
    /// What to send between games.
    new_game: String,
    /// The move that it expects, while it thinks about what comes then.
    pondering: Option<Move>,
    /// What was found when it failed.
    evidence: Option<Diagnostics>,
}

/// What a program tells about itself at the start.
#[derive(Default)]
struct Handshake {
    id: String,
    options: Vec<EngineOption>,
}

impl Program {
    /// A program that has not been started yet.
    pub fn new(name: &str, spec: &ProgramSpec, referee: &RefereeSpec, premises: &Arc<ProcessRegistry>) -> Program {
        Program {
            name: name.to_string(),
            spec: spec.clone(),
            start_limit: referee.start_timeout,
            ponders: referee.ponder,
            premises: Arc::clone(premises),
            running: None,
            new_game: String::new(),
            pondering: None,
            evidence: None,
        }
    }

    /// Starts the program before the first game, to find out whether it can take part as it was described.
    pub fn introduce(&mut self) -> Result<EngineInfo, EngineStartError> {
        self.start().map_err(|fault| {
            let evidence = self.evidence.take().unwrap_or_default();
            EngineStartError::Unfit {
                name: self.name.clone(),
                what: describe_failure(&self.spec.command, &fault, &evidence),
            }
        })
    }

    fn spawn(&self) -> Result<Process, EngineFault> {
        let mut command = Command::new(&self.spec.command);
        command.args(&self.spec.arguments);
        if let Some(directory) = &self.spec.directory {
            command.current_dir(directory);
        }
        Process::spawn(command, &self.name, &self.premises).map_err(|error| {
            EngineFault::NotStarted(tr!("'{path}': {source}", path = self.spec.command, source = reason(&error)))
        })
    }

    /// Starts a child, shakes hands with it and sets its options.
    fn start(&mut self) -> Result<EngineInfo, EngineFault> {
        let process = self.spawn()?;
        let (mut process, protocol, greeting) = match self.spec.protocol {
            Some(protocol) => self.handshake(process, protocol)?,
            // Whoever does not answer to the first name is started anew and called by the second.
            None => match self.handshake(process, EngineProtocol::Ucci) {
                Ok(asked) => asked,
                Err(_) => {
                    let process = self.spawn()?;
                    self.handshake(process, EngineProtocol::Uci)?
                }
            },
        };
        options::check_settings(&greeting.options, &self.spec.options).map_err(EngineFault::Option)?;
        self.spec.protocol = Some(protocol);
        let dialect = self.dialect(protocol, &greeting.options);
        let known = |name: &str| options::find(&greeting.options, name).is_some();
        let mut text = String::new();
        if protocol == EngineProtocol::Ucci && dialect.milliseconds {
            text.push_str(&dialect.setoption_command("usemillisec", Some("true")));
        }
        if let Some(option) = options::find(&greeting.options, "ponder").filter(|_| self.ponders) {
            text.push_str(&dialect.setoption_command(&option.name, Some("true")));
        }
        for (name, value) in &self.spec.options {
            let value = Some(value.as_str()).filter(|value| !value.is_empty());
            text.push_str(&dialect.setoption_command(name, value));
        }
        self.new_game = match protocol {
            EngineProtocol::Uci => "ucinewgame\n".to_string(),
            EngineProtocol::Ucci if known("newgame") => dialect.setoption_command("newgame", None),
            EngineProtocol::Ucci => String::new(),
        };
        process.discard_pending();
        let set =
            if process.write(&text) { await_ready(&mut process, self.start_limit) } else { Err(crashed(&process)) };
        if let Err(fault) = set {
            self.evidence = Some(process.evidence());
            return Err(fault);
        }
        let introduction = EngineInfo { id: greeting.id, messages: process.remarks() };
        self.running = Some((process, dialect));
        Ok(introduction)
    }

    /// Says hello in one language and listens to the introduction.
    fn handshake(
        &mut self,
        mut process: Process,
        protocol: EngineProtocol,
    ) -> Result<(Process, EngineProtocol, Handshake), EngineFault> {
        // Who does not know the language, but knows this question, need not be waited for.
        let probing = self.spec.protocol.is_none();
        match run_handshake(&mut process, protocol, probing, Instant::now() + self.start_limit) {
            Ok(greeting) => Ok((process, protocol, greeting)),
            Err(fault) => {
                self.evidence = Some(process.evidence());
                Err(fault)
            }
        }
    }

    fn dialect(&self, protocol: EngineProtocol, announced: &[EngineOption]) -> EngineDialect {
        // An engine of many games counts ranks as chess does; one of xiangqi alone has no reason to.
        let variants = options::find(announced, "UCI_Variant").map_or(&[][..], EngineOption::choices);
        let grew_from_chess = variants.len() > 1 && variants.iter().any(|variant| variant == "xiangqi");
        let ranks = self.spec.ranks.unwrap_or(match protocol {
            EngineProtocol::Uci if grew_from_chess => RankBase::One,
            _ => RankBase::Zero,
        });
        // Engines that count nothing but milliseconds do not always declare it, those with the
        // options of chess engines for one.
        let milliseconds =
            protocol == EngineProtocol::Uci || grew_from_chess || options::find(announced, "usemillisec").is_some();
        EngineDialect { protocol, ranks, milliseconds }
    }

    /// Makes sure that a child runs and is ready for a new game.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        let outcome = self.prepare();
        self.stop_on_fault(outcome)
    }

    fn prepare(&mut self) -> Result<(), EngineFault> {
        if self.running.is_none() {
            self.evidence = None;
            let introduction = self.start()?;
            log::info!("engine '{}' is started: {}", self.name, introduction.id);
        }
        let (process, _) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        process.discard_pending();
        if !process.write(&self.new_game) {
            return Err(crashed(process));
        }
        await_ready(process, self.start_limit)
    }

    /// Puts the question and waits for the answer, no longer than the deadline.
    pub fn play(&mut self, turn: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        let outcome = match self.pondering.take() {
            Some(expected) if expected == turn.position.last_move() => self.send_ponderhit(turn),
            Some(_) => self.stop_pondering().and_then(|()| self.request_move(turn)),
            None => self.request_move(turn),
        };
        self.stop_on_fault(outcome)
    }

    /// Puts a question that need not be answered yet.
    pub fn ponder(&mut self, turn: &MoveRequest) -> Result<(), EngineFault> {
        let outcome = self.send_request(turn).map(drop);
        self.pondering = outcome.is_ok().then_some(turn.position.last_move());
        self.stop_on_fault(outcome)
    }

    /// Ends what it thinks on its opponent's time, if it does.
    pub fn rest(&mut self) {
        if self.pondering.take().is_some() {
            let outcome = self.stop_pondering();
            // The game is over, and nobody's loss: whoever does not come back is started anew.
            if let Err(fault) = self.stop_on_fault(outcome) {
                log::warn!("engine '{}' {fault} when its thoughts were called off", self.name);
            }
        }
    }

    /// After a failure, takes the evidence and lets the child go.
    fn stop_on_fault<T>(&mut self, outcome: Result<T, EngineFault>) -> Result<T, EngineFault> {
        if outcome.is_err()
            && let Some((process, _)) = self.running.take()
        {
            self.evidence = Some(process.evidence());
        }
        outcome
    }

    /// What is known about what it did last.
    pub fn evidence(&mut self) -> Option<Diagnostics> {
        self.evidence.take().or(self.running.as_ref().map(|(process, _)| process.evidence()))
    }

    /// Notes in the record of the conversation, if one is kept, what comes next.
    pub fn remark(&self, text: &str) {
        if let Some((process, _)) = &self.running {
            process.remark(text);
        }
    }

    fn request_move(&mut self, turn: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        let begun = self.send_request(turn)?;
        self.await_answer(begun, turn.deadline)
    }

    /// The expected move was played: from now on it thinks on its own time.
    fn send_ponderhit(&mut self, turn: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        let (process, dialect) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        let begun = Instant::now();
        if !process.write(dialect.ponderhit_command(turn)) {
            return Err(crashed(process));
        }
        self.await_answer(begun, turn.deadline)
    }

    /// Another move was played: what it thought is of no use.
    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        let (process, _) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        if !process.write("stop\n") {
            return Err(crashed(process));
        }
        self.await_answer(Instant::now(), self.start_limit).map(drop)
    }

    /// Puts a question; answers when.
    fn send_request(&mut self, turn: &MoveRequest) -> Result<Instant, EngineFault> {
        let start_limit = self.start_limit;
        let (process, dialect) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        let question = dialect.position_and_go(turn);
        if !process.can_write(question.len()) {
            process.discard_pending();
            await_ready(process, start_limit)?;
        }
        if let Some(line) = process.discard_pending().filter(|line| dialect.parse_best_move(line).is_some()) {
            return Err(invalid_answer(&line));
        }
        let begun = Instant::now();
        if !process.write(&question) {
            return Err(crashed(process));
        }
        Ok(begun)
    }

    /// Waits for the answer to what was put then.
    fn await_answer(&mut self, begun: Instant, patience: Duration) -> Result<EngineAnswer, EngineFault> {
        let (process, dialect) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        let deadline = begun + patience;
        loop {
            match process.next(deadline) {
                ProcessEvent::Line(line, heard) => match dialect.parse_best_move(&line) {
                    None => {}
                    Some(Err(line)) => return Err(invalid_answer(line)),
                    Some(Ok(BestMove { choice, draw, expects })) => {
                        let thought = dialect::parse_info(&process.info());
                        let spent = heard.saturating_duration_since(begun);
                        return Ok(EngineAnswer { choice, draw, ponder: expects, thought, elapsed: spent });
                    }
                },
                ProcessEvent::End => return Err(crashed(process)),
                ProcessEvent::TooMuchOutput => return Err(EngineFault::TooMuchOutput),
                ProcessEvent::TimedOut => return Err(EngineFault::Hung),
            }
        }
    }
}

/// Says hello and listens to the introduction.
fn run_handshake(
    process: &mut Process,
    protocol: EngineProtocol,
    probing: bool,
    deadline: Instant,
) -> Result<Handshake, EngineFault> {
    let (hello, done) = match protocol {
        EngineProtocol::Ucci => ("ucci", "ucciok"),
        EngineProtocol::Uci => ("uci", "uciok"),
    };
    if !process.write(&if probing { format!("{hello}\nisready\n") } else { format!("{hello}\n") }) {
        return Err(crashed(process));
    }
    let mut greeting = Handshake::default();
    loop {
        match process.next(deadline) {
            ProcessEvent::Line(line, _) => match line.split_whitespace().next() {
                Some(word) if word == done => {
                    process.acknowledge();
                    return Ok(greeting);
                }
                Some("option") => greeting.options.extend(EngineOption::parse(&line, protocol)),
                Some("id") => {
                    // UCCI tells the version apart from the name.
                    let told = line.trim_start_matches("id").trim_start();
                    let told = told.strip_prefix("name ").or(told.strip_prefix("version "));
                    if let Some(told) = told {
                        let blank = if greeting.id.is_empty() { "" } else { " " };
                        greeting.id.push_str(&format!("{blank}{}", told.trim()));
                    }
                }
                Some("readyok") if probing => return Err(EngineFault::NotReady),
                _ => {}
            },
            ProcessEvent::End => return Err(crashed(process)),
            ProcessEvent::TooMuchOutput => return Err(EngineFault::TooMuchOutput),
            ProcessEvent::TimedOut => return Err(EngineFault::NotReady),
        }
    }
}

/// Asks whether the child is there, which also proves that it reads.
fn await_ready(process: &mut Process, limit: Duration) -> Result<(), EngineFault> {
    if !process.write("isready\n") {
        return Err(crashed(process));
    }
    let deadline = Instant::now() + limit;
    loop {
        match process.next(deadline) {
            ProcessEvent::Line(line, _) if line.starts_with("readyok") => {
                process.acknowledge();
                return Ok(());
            }
            ProcessEvent::Line(..) => {}
            ProcessEvent::End => return Err(crashed(process)),
            ProcessEvent::TooMuchOutput => return Err(EngineFault::TooMuchOutput),
            ProcessEvent::TimedOut => return Err(EngineFault::NotReady),
        }
    }
}

/// The fault of a child that is gone, with how it went.
fn crashed(process: &Process) -> EngineFault {
    EngineFault::Crashed(process.exit().unwrap_or_else(|| "its output ended".to_string()))
}

/// The fault with enough of the line to recognise it.
fn invalid_answer(line: &str) -> EngineFault {
    EngineFault::InvalidAnswer(line.chars().take(60).collect())
}

/// A failed start in one line, with the last word of the program if it had one.
fn describe_failure(command: &str, fault: &EngineFault, evidence: &Diagnostics) -> String {
    let mut text = match fault {
        EngineFault::NotStarted(_) => return fault.to_string(),
        EngineFault::Option(misfit) => return misfit.to_string(),
        EngineFault::NotReady => {
            tr!("'{command}' did not greet in UCCI or UCI, or did not get ready, in time", command)
        }
        EngineFault::Crashed(how) => tr!("'{command}' left before it was ready ({how})", command, how),
        other => tr!("'{command}' {fault}", command, fault = other),
    };
    if let Some(last) = evidence.stderr.last() {
        text = tr!("{what}; its standard error ends with: {last}", what = text, last);
    }
    text
}
