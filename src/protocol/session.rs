//! The session: what state it is in, and what each command does in it.
//!
//! It is idle, or thinking while a `Job` runs; the first word of the host only chooses the dialect. A command that
//! needs a quiet engine ends the search first, with its answer, so that nothing is ever dropped in silence.

use super::command::{self, Command, CommandError};
use super::dialect::{Dialect, pop_hash};
use super::input::{Event, read_lines};
use super::job::Thinking;
use super::options::{self, Column};
use super::output::Output;
use super::settings::Settings;
use super::ucci::Ucci;
use super::uci::Uci;
use super::voice::Voice;
use super::{foreign, ranks, splitting, terminal};
use chuhe_engine::board::Position;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::nnue::{Network, explain, large_network};
use chuhe_engine::search::{self, TableSizeError};
use chuhe_engine::types::Move;
use chuhe_toolkit::player::Player;
use chuhe_toolkit::record::{Ranks, Setup, SetupError};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use thiserror::Error;

/// Why there can be no session.
#[derive(Debug, Error)]
pub enum StartError {
    /// Not even the smallest table fits.
    #[error(transparent)]
    Table(#[from] TableSizeError),
    /// The system gives no thread.
    #[error("{}", tr!("no thread to think on: {cause}", cause = reason(_0)))]
    Thread(#[from] io::Error),
}

/// Talks to a host until it says `quit`, says no more, or does not listen any more.
///
/// `is_terminal` tells that a person types and reads, who may like colours, and type moves.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    is_terminal: bool,
) -> Result<(), StartError> {
    let (events, inbox) = mpsc::channel();
    let sender = events.clone();
    thread::Builder::new().name(String::from("input")).spawn(move || read_lines(input, &sender))?;
    let output = Output::new(Box::new(output), is_terminal);
    let mut session = Session::new(Arc::new(output), events)?;
    session.serve(&inbox);
    Ok(())
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Listen,
    Leave,
}

/// What the host wants to be thought about.
pub(super) struct Question {
    /// How the position came about, to read it again when the variant changes; and in which count of ranks.
    pub(super) setup: (Setup, Ranks),
    /// How the host counts ranks, as far as is known.
    pub(super) ranks: Ranks,
    pub(super) position: Position,
    /// Root moves that are forbidden in this position.
    pub(super) bans: Vec<Move>,
}

impl Default for Question {
    fn default() -> Question {
        let (setup, ranks) = Default::default();
        Question { setup: (setup, ranks), ranks, position: Position::start(), bans: Vec::new() }
    }
}

/// All that a conversation is about.
pub(super) struct Session {
    pub(super) output: Arc<Output>,
    pub(super) events: Sender<Event>,
    pub(super) dialect: &'static dyn Dialect,
    pub(super) settings: Settings,
    pub(super) player: Player,
    pub(super) question: Question,
    pub(super) thinking: Thinking,
    /// The file of the network that is evaluated by; empty = the embedded one.
    eval_file: PathBuf,
    log_file: PathBuf,
}

impl Session {
    fn new(output: Arc<Output>, events: Sender<Event>) -> Result<Session, StartError> {
        let settings = Settings::default();
        let player = Player::new(settings.search_options(), settings.table_mb())?;
        Ok(Session {
            output,
            events,
            dialect: &Ucci,
            settings,
            player,
            question: Question::default(),
            thinking: Thinking::start()?,
            eval_file: PathBuf::new(),
            log_file: PathBuf::new(),
        })
    }

    fn serve(&mut self, inbox: &Receiver<Event>) {
        // The session holds a sender itself, so that the inbox is never closed: the conversation ends at `End`.
        while let Ok(event) = inbox.recv() {
            // Hosts are told in English, whatever their user speaks, unless they ask for something else.
            let language = self.voice().language();
            let next = language.with(|| match event {
                Event::Line(line, heard) => {
                    self.thinking.heard = heard;
                    self.obey(&line)
                }
                Event::TooLong => {
                    self.remark(&tr!("a line of more than 4 MB was dropped"));
                    Next::Listen
                }
                Event::Finished(number) => {
                    self.job_ended(number);
                    Next::Listen
                }
                Event::End => {
                    self.end_of_input();
                    Next::Leave
                }
            });
            if next == Next::Leave || self.output.is_closed() {
                break;
            }
        }
        // Whoever does not listen any more needs no answer, but the search must not outlive the session.
        self.interrupt();
    }

    fn obey(&mut self, line: &[u8]) -> Next {
        self.output.heard(line);
        match command::parse(line) {
            Ok(Some(Command::Quit)) => {
                self.interrupt();
                self.say(self.dialect.goodbye().into_iter().map(String::from).collect());
                return Next::Leave;
            }
            Ok(Some(command)) => self.perform(command),
            Ok(None) => {}
            Err(CommandError::Unknown(command)) if self.output.is_terminal => {
                self.remark(&tr!(
                    "unknown command '{command}' (`help` lists the commands, `chuhe play` plays a game)",
                    command
                ));
            }
            Err(error) => self.remark(&error.to_string()),
        }
        Next::Listen
    }

    fn perform(&mut self, command: Command) {
        match command {
            Command::Ucci => self.speak(&Ucci),
            Command::Uci => self.speak(&Uci),
            Command::IsReady => self.say(vec![String::from("readyok")]),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Debug(on) => self.settings.debug = on,
            Command::NewGame => self.new_game(),
            Command::Position(setup) => self.set_position(setup),
            Command::BanMoves(list) => self.ban(&list),
            Command::Go(go) => self.go(&go),
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::Stop if self.is_thinking() => self.interrupt(),
            Command::Stop => self.say(self.dialect.nothing_to_stop().into_iter().map(String::from).collect()),
            Command::Probe(setup) => self.probe(&setup),
            Command::Display => self.display(),
            Command::Evaluate => self.evaluate(),
            Command::Perft(depth) => self.count_paths(depth),
            Command::Help => self.say(terminal::help(self.output.is_terminal)),
            Command::Quit => {}
        }
    }

    fn is_thinking(&self) -> bool {
        self.thinking.job.is_some()
    }

    // ---- speaking --------------------------------------------------------------------------------------

    pub(super) fn say(&self, lines: Vec<String>) {
        self.output.say(&lines);
    }

    /// Says something for people, in ASCII whatever it quotes if nothing else was asked for: hosts decode what they read in
    /// all sorts of ways.
    pub(super) fn remark(&self, text: &str) {
        self.say(vec![self.dialect.message(&self.voice().cleaned(text))]);
    }

    /// How people are told things: as the host asked for, or as a person at a terminal reads who asked for nothing else.
    fn voice(&self) -> Voice {
        match self.settings.voice {
            Voice::Plain if self.output.is_terminal => Voice::Person,
            voice => voice,
        }
    }

    fn speak(&mut self, dialect: &'static dyn Dialect) {
        self.interrupt();
        self.dialect = dialect;
        self.say(dialect.greeting());
    }

    // ---- options ---------------------------------------------------------------------------------------

    fn set_option(&mut self, name: &str, value: &[u8]) {
        let (promotion, ranks) = (self.settings.promotion, self.settings.ranks);
        match options::set(self.dialect.column(), name, value, &mut self.settings) {
            Err(error) => return self.remark(&error.to_string()),
            Ok(false) => match foreign::set(name, value, &mut self.settings) {
                None if self.output.is_terminal => {
                    return self.remark(&terminal::no_such_option(self.dialect.column(), name));
                }
                None => return,
                Some(Err(error)) => return self.remark(&error.to_string()),
                Some(Ok(remark)) => remark.iter().for_each(|remark| self.remark(remark)),
            },
            Ok(true) => {}
        }
        if self.settings.promotion != promotion {
            self.change_variant();
        }
        if self.settings.ranks != ranks {
            self.question.ranks = self.settings.ranks.unwrap_or_default();
        }
        self.output.speak(self.settings.voice);
        if self.settings.log_file != self.log_file {
            self.change_log();
        }
        if self.settings.eval_file != self.eval_file {
            self.change_network();
        }
        self.settle();
    }

    /// Evaluates by another network from the next search on; if there is none in the file, by the same as before.
    fn change_network(&mut self) {
        let file = self.settings.eval_file.clone();
        let read = if file.as_os_str().is_empty() {
            Ok(large_network())
        } else {
            Network::open(&file).map(Arc::new)
        };
        match read {
            Ok(network) => {
                self.settings.play.network = network;
                self.eval_file = file;
            }
            Err(error) => {
                self.settings.eval_file = self.eval_file.clone();
                self.remark(&tr!("evalfile: {error}; the evaluation stays as it is", error));
            }
        }
    }

    /// Does what the settings ask for, now if the engine is at rest, or when it comes to rest.
    pub(super) fn settle(&mut self) {
        let Some(searcher) = self.player.searcher().filter(|_| self.thinking.job.is_none()) else { return };
        searcher.options = self.settings.search_options();
        if std::mem::take(&mut self.settings.new_game) {
            self.player.new_game();
        }
        self.resize_table();
        self.choose_tables();
        self.choose_books();
    }

    /// Opens the books that the settings ask for, if they are others than before.
    pub(super) fn choose_books(&mut self) {
        if self.uses_books() {
            self.player.openings.choose(&self.settings.book_files);
            self.player.openings.take_remarks().iter().for_each(|remark| self.remark(remark));
        }
    }

    /// Whether books are asked: each protocol has a word of its own for it.
    pub(super) fn uses_books(&self) -> bool {
        match self.dialect.column() {
            Column::Ucci => self.settings.use_book,
            Column::Uci => self.settings.own_book,
        }
    }

    /// Opens the endgame tables that the settings ask for, if they are others than before.
    fn choose_tables(&mut self) {
        let remarks = self.player.choose_tables(self.settings.use_tables, &self.settings.table_paths);
        remarks.iter().for_each(|remark| self.remark(remark));
    }

    fn resize_table(&mut self) {
        if let Err(error) = self.player.resize_table(self.settings.table_mb()) {
            self.settings.hash_mb = self.player.hash_mb();
            self.remark(&tr!("{error}; it stays at {size} MB", error, size = self.settings.hash_mb));
        }
    }

    /// The position means something else in the other variant: it is read again, if it exists there.
    fn change_variant(&mut self) {
        let (setup, ranks) = &self.question.setup;
        match setup.position_of(self.settings.promotion, *ranks) {
            Ok(position) => self.question.position = position,
            Err(error) => self.remark(&tr!("the position stays as it was: {error}", error)),
        }
    }

    fn change_log(&mut self) {
        match self.output.log_to(&self.settings.log_file) {
            Ok(()) => self.log_file.clone_from(&self.settings.log_file),
            Err(error) => {
                self.log_file.clear();
                let path = std::mem::take(&mut self.settings.log_file);
                self.remark(&tr!(
                    "no log in '{path}': {error}",
                    path = path.display(),
                    error = reason(&error)
                ));
            }
        }
    }

    pub(super) fn new_game(&mut self) {
        self.interrupt();
        self.settings.new_game = true;
        self.settle();
    }

    // ---- the position ----------------------------------------------------------------------------------

    pub(super) fn set_position(&mut self, setup: Setup) {
        self.interrupt();
        match self.place(&setup) {
            Ok(position) => {
                self.question.position = position;
                self.question.setup = (setup, self.question.ranks);
                self.question.bans.clear();
            }
            Err(error) => self.remark(&tr!("position refused, the old one stays: {error}", error)),
        }
    }

    /// Sets a position up, and learns from its moves how the host counts ranks.
    fn place(&mut self, setup: &Setup) -> Result<Position, SetupError> {
        let (promotion, chosen) = (self.settings.promotion, self.settings.ranks);
        let (position, ranks) = ranks::place(setup, promotion, chosen, self.question.ranks)?;
        self.count_ranks(ranks);
        Ok(position)
    }

    /// From now on ranks are counted like this.
    fn count_ranks(&mut self, ranks: Ranks) {
        if ranks != self.question.ranks {
            self.question.ranks = ranks;
            self.remark(&tr!(
                "ranks are counted {ranks} from now on, as this host does",
                ranks = ranks.name()
            ));
        }
    }

    /// Sorts moves that the host names into those that are legal here and those that are none.
    pub(super) fn legal_moves(&mut self, list: &[String]) -> (Vec<Move>, Vec<String>) {
        self.count_ranks(ranks::of_list(
            list,
            &self.question.position,
            self.settings.ranks,
            self.question.ranks,
        ));
        splitting::legal_moves(list, &self.question.position, self.question.ranks)
    }

    fn ban(&mut self, list: &[String]) {
        let (moves, others) = self.legal_moves(list);
        self.question.bans.extend(moves);
        if !others.is_empty() {
            self.remark(&tr!("banmoves: not legal here: {moves}", moves = others.join(" ")));
        }
        if self.is_thinking() {
            self.remark(&tr!("banmoves: holds from the next 'go' on"));
        }
    }

    fn probe(&mut self, setup: &Setup) {
        match self.place(setup) {
            Ok(position) => {
                let away = self.thinking.job.as_ref().and_then(|job| job.table.as_ref());
                let table = self.player.searcher().map(|searcher| searcher.table()).or(away);
                let fact = table.and_then(|table| search::probe(table, &position));
                self.say(vec![pop_hash(fact, self.question.ranks)]);
            }
            Err(error) => {
                self.remark(&tr!("probe: {error}", error));
                self.say(vec![pop_hash(None, self.question.ranks)]);
            }
        }
    }

    fn display(&self) {
        self.say(terminal::board(&self.question.position, &self.settings.rules(), self.output.is_terminal));
    }

    fn evaluate(&self) {
        self.say(
            explain(&self.settings.play.network, &self.question.position)
                .to_string()
                .lines()
                .map(String::from)
                .collect(),
        );
    }
}
