//! Another program as a participant: handshake, options, move requests with a deadline.

use super::diagnostics::Diagnostics;
use super::dialect::{self, BestMove, EngineDialect, EngineOption, check_settings, find_option};
use super::process::{Process, ProcessEvent, ProcessRegistry};
use super::{EngineAnswer, EngineFault, EngineInfo, EngineStartError, MoveRequest};
use crate::arena::spec::{EngineProtocol, ProgramSpec, RankBase, RefereeSpec};
use chuhe_support::language::{reason, tr};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use xiangqi::Move;

/// An engine program, restarted after each fault.
pub struct Program {
    name: String,
    spec: ProgramSpec,
    start_limit: Duration,
    /// Pondering is on; the option `ponder` is set if the engine has it.
    ponders: bool,
    registry: Arc<ProcessRegistry>,
    /// The running child; `None` before the first game and after a fault.
    running: Option<(Process, EngineDialect)>,
    /// The command to send between games.
    new_game: String,
    /// The expected move while pondering.
    pondering: Option<Move>,
    /// Collected when it failed.
    diagnostics: Option<Diagnostics>,
}

/// The engine's answer to `ucci` or `uci`.
#[derive(Default)]
struct Handshake {
    id: String,
    options: Vec<EngineOption>,
}

impl Program {
    /// Creates a program that is not started yet.
    pub fn new(name: &str, spec: &ProgramSpec, referee: &RefereeSpec, registry: &Arc<ProcessRegistry>) -> Program {
        Program {
            name: name.to_string(),
            spec: spec.clone(),
            start_limit: referee.start_timeout,
            ponders: referee.ponder,
            registry: Arc::clone(registry),
            running: None,
            new_game: String::new(),
            pondering: None,
            diagnostics: None,
        }
    }

    /// Starts the program before the first game, to check its specification.
    pub fn introduce(&mut self) -> Result<EngineInfo, EngineStartError> {
        self.start().map_err(|fault| {
            let diagnostics = self.diagnostics.take().unwrap_or_default();
            EngineStartError::Unfit {
                name: self.name.clone(),
                what: describe_failure(&self.spec.command, &fault, &diagnostics),
            }
        })
    }

    fn spawn(&self) -> Result<Process, EngineFault> {
        let mut command = Command::new(&self.spec.command);
        command.args(&self.spec.arguments);
        if let Some(directory) = &self.spec.directory {
            command.current_dir(directory);
        }
        Process::spawn(command, &self.name, &self.registry).map_err(|error| {
            EngineFault::NotStarted(tr!("'{path}': {source}", path = self.spec.command, source = reason(&error)))
        })
    }

    /// Starts a child, performs the handshake and sets the options.
    fn start(&mut self) -> Result<EngineInfo, EngineFault> {
        let (mut process, protocol, handshake) = match self.spec.protocol {
            Some(protocol) => self.handshake(protocol)?,
            // If UCCI fails, restart and try UCI.
            None => match self.handshake(EngineProtocol::Ucci) {
                Err(fault) if !matches!(fault, EngineFault::NotStarted(_)) => self.handshake(EngineProtocol::Uci)?,
                asked => asked?,
            },
        };
        check_settings(&handshake.options, &self.spec.options).map_err(EngineFault::Option)?;
        self.spec.protocol = Some(protocol);
        let dialect = self.dialect(protocol, &handshake.options);
        let known = |name: &str| find_option(&handshake.options, name).is_some();
        let mut text = String::new();
        if protocol == EngineProtocol::Ucci && dialect.milliseconds {
            text.push_str(&dialect.setoption_command("usemillisec", Some("true")));
        }
        if let Some(option) = find_option(&handshake.options, "ponder").filter(|_| self.ponders) {
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
        let ready = send(&mut process, &text).and_then(|()| await_ready(&mut process, self.start_limit));
        if let Err(fault) = ready {
            self.diagnostics = Some(process.diagnostics());
            return Err(fault);
        }
        let info = EngineInfo { id: handshake.id, messages: process.remarks() };
        self.running = Some((process, dialect));
        Ok(info)
    }

    /// Starts a child and performs the handshake in one protocol.
    fn handshake(&mut self, protocol: EngineProtocol) -> Result<(Process, EngineProtocol, Handshake), EngineFault> {
        let mut process = self.spawn()?;
        // While probing, `isready` detects an engine that does not know the protocol without a timeout.
        let probing = self.spec.protocol.is_none();
        match run_handshake(&mut process, protocol, probing, Instant::now() + self.start_limit) {
            Ok(handshake) => Ok((process, protocol, handshake)),
            Err(fault) => {
                self.diagnostics = Some(process.diagnostics());
                Err(fault)
            }
        }
    }

    fn dialect(&self, protocol: EngineProtocol, announced: &[EngineOption]) -> EngineDialect {
        // Engines of several variants number ranks from 1 as in chess; xiangqi engines from 0.
        let variants = find_option(announced, "UCI_Variant").map_or(&[][..], EngineOption::choices);
        let has_chess_variants = variants.len() > 1 && variants.iter().any(|variant| variant == "xiangqi");
        let ranks = self.spec.ranks.unwrap_or(match protocol {
            EngineProtocol::Uci if has_chess_variants => RankBase::One,
            _ => RankBase::Zero,
        });
        // Engines derived from chess engines use milliseconds without declaring it.
        let milliseconds =
            protocol == EngineProtocol::Uci || has_chess_variants || find_option(announced, "usemillisec").is_some();
        EngineDialect { protocol, ranks, milliseconds }
    }

    /// Starts the child if needed and prepares it for a new game.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        let outcome = self.prepare();
        self.stop_on_fault(outcome)
    }

    fn prepare(&mut self) -> Result<(), EngineFault> {
        if self.running.is_none() {
            self.diagnostics = None;
            let info = self.start()?;
            log::info!("engine '{}' is started: {}", self.name, info.id);
        }
        let (process, _) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        process.discard_pending();
        send(process, &self.new_game)?;
        await_ready(process, self.start_limit)
    }

    /// Asks for a move and waits for the answer until the deadline.
    pub fn play(&mut self, request: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        let outcome = match self.pondering.take() {
            Some(expected) if Some(expected) == request.position.last_move() => self.send_ponderhit(request),
            Some(_) => self.stop_pondering().and_then(|()| self.request_move(request)),
            None => self.request_move(request),
        };
        self.stop_on_fault(outcome)
    }

    /// Starts pondering.
    pub fn ponder(&mut self, request: &MoveRequest) -> Result<(), EngineFault> {
        let outcome = self.send_request(request).map(drop);
        self.pondering = request.position.last_move().filter(|_| outcome.is_ok());
        self.stop_on_fault(outcome)
    }

    /// Stops pondering, if it does.
    pub fn rest(&mut self) {
        if self.pondering.take().is_some() {
            let outcome = self.stop_pondering();
            // The game is over, so a fault costs nothing; the engine is restarted.
            if let Err(fault) = self.stop_on_fault(outcome) {
                log::warn!("engine '{}' {fault} when its thoughts were called off", self.name);
            }
        }
    }

    /// After a fault, collects the diagnostics and drops the child.
    fn stop_on_fault<T>(&mut self, outcome: Result<T, EngineFault>) -> Result<T, EngineFault> {
        if outcome.is_err()
            && let Some((process, _)) = self.running.take()
        {
            self.diagnostics = Some(process.diagnostics());
        }
        outcome
    }

    /// The last lines of its standard error and of its conversation.
    pub fn diagnostics(&mut self) -> Option<Diagnostics> {
        self.diagnostics.take().or(self.running.as_ref().map(|(process, _)| process.diagnostics()))
    }

    /// Writes a remark to the transcript, if one is kept.
    pub fn remark(&self, text: &str) {
        if let Some((process, _)) = &self.running {
            process.remark(text);
        }
    }

    fn request_move(&mut self, request: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        let begun = self.send_request(request)?;
        self.await_answer(begun, request.deadline)
    }

    /// The expected move was played: sends ponderhit and waits for the answer.
    fn send_ponderhit(&mut self, request: &MoveRequest) -> Result<EngineAnswer, EngineFault> {
        let (process, dialect) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        let begun = Instant::now();
        send(process, dialect.ponderhit_command(request))?;
        self.await_answer(begun, request.deadline)
    }

    /// Another move was played: sends `stop` and discards the answer.
    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        let (process, _) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        send(process, "stop\n")?;
        self.await_answer(Instant::now(), self.start_limit).map(drop)
    }

    /// Sends a request; returns the time it was sent.
    fn send_request(&mut self, request: &MoveRequest) -> Result<Instant, EngineFault> {
        let start_limit = self.start_limit;
        let (process, dialect) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        let question = dialect.position_and_go(request);
        if !process.can_write(question.len()) {
            process.discard_pending();
            await_ready(process, start_limit)?;
        }
        if let Some(line) = process.discard_pending().filter(|line| dialect.parse_best_move(line).is_some()) {
            return Err(invalid_answer(&line));
        }
        let begun = Instant::now();
        send(process, &question).map(|()| begun)
    }

    /// Waits for the answer to a request sent at `begun`.
    fn await_answer(&mut self, begun: Instant, timeout: Duration) -> Result<EngineAnswer, EngineFault> {
        let (process, dialect) = self.running.as_mut().ok_or(EngineFault::NotReady)?;
        let dialect = *dialect;
        let (BestMove { choice, draw, expects }, heard) =
            read_until(process, begun + timeout, EngineFault::Hung, |line, heard| {
                let best = dialect.parse_best_move(line)?;
                Some(best.map(|best| (best, heard)).map_err(invalid_answer))
            })?;
        let (engine_score, elapsed) = (dialect::parse_info(&process.info()), heard.saturating_duration_since(begun));
        Ok(EngineAnswer { choice, draw, ponder: expects, engine_score, elapsed })
    }
}

/// Sends `ucci` or `uci` and reads the answer.
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
    send(process, &if probing { format!("{hello}\nisready\n") } else { format!("{hello}\n") })?;
    let mut handshake = Handshake::default();
    read_until(process, deadline, EngineFault::NotReady, |line, _| {
        match line.split_whitespace().next()? {
            word if word == done => return Some(Ok(())),
            "option" => handshake.options.extend(EngineOption::parse(line, protocol)),
            "id" => {
                // UCCI sends name and version on separate lines.
                let value = line.trim_start_matches("id").trim_start();
                if let Some(value) = value.strip_prefix("name ").or(value.strip_prefix("version ")) {
                    let blank = if handshake.id.is_empty() { "" } else { " " };
                    handshake.id.push_str(&format!("{blank}{}", value.trim()));
                }
            }
            "readyok" if probing => return Some(Err(EngineFault::NotReady)),
            _ => {}
        }
        None
    })?;
    process.acknowledge();
    Ok(handshake)
}

/// Sends `isready` and waits for `readyok`, which also shows that all input was read.
fn await_ready(process: &mut Process, limit: Duration) -> Result<(), EngineFault> {
    send(process, "isready\n")?;
    let is_ready = |line: &str, _| line.starts_with("readyok").then_some(Ok(()));
    read_until(process, Instant::now() + limit, EngineFault::NotReady, is_ready)?;
    process.acknowledge();
    Ok(())
}

fn send(process: &mut Process, text: &str) -> Result<(), EngineFault> {
    if process.write(text) { Ok(()) } else { Err(crashed(process)) }
}

/// Reads lines up to the one that has what is looked for. `silent` is the fault of an engine that is late.
fn read_until<T>(
    process: &mut Process,
    deadline: Instant,
    silent: EngineFault,
    mut look: impl FnMut(&str, Instant) -> Option<Result<T, EngineFault>>,
) -> Result<T, EngineFault> {
    loop {
        match process.next(deadline) {
            ProcessEvent::Line(line, heard) => {
                if let Some(found) = look(&line, heard) {
                    return found;
                }
            }
            ProcessEvent::End => return Err(crashed(process)),
            ProcessEvent::TooMuchOutput => return Err(EngineFault::TooMuchOutput),
            ProcessEvent::TimedOut => return Err(silent),
        }
    }
}

/// The fault of a child that is gone, with its exit status.
fn crashed(process: &Process) -> EngineFault {
    EngineFault::Crashed(process.exit().unwrap_or_else(|| "its output ended".to_string()))
}

/// The fault with the first 60 characters of the line.
fn invalid_answer(line: &str) -> EngineFault {
    EngineFault::InvalidAnswer(line.chars().take(60).collect())
}

/// A failed start in one line, with the last line of the program's standard error.
fn describe_failure(command: &str, fault: &EngineFault, diagnostics: &Diagnostics) -> String {
    let mut text = match fault {
        EngineFault::NotStarted(_) => return fault.to_string(),
        EngineFault::Option(misfit) => return misfit.to_string(),
        EngineFault::NotReady => {
            tr!("'{command}' did not greet in UCCI or UCI, or did not get ready, in time", command)
        }
        EngineFault::Crashed(how) => tr!("'{command}' left before it was ready ({how})", command, how),
        other => tr!("'{command}' {fault}", command, fault = other),
    };
    if let Some(last) = diagnostics.stderr.last() {
        text = tr!("{what}; its standard error ends with: {last}", what = text, last);
    }
    text
}
