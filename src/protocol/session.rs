//! The session: its state, and the effect of each command.
//!
//! It is idle, or thinking while a `Job` runs; the first word of the host only chooses the dialect. A command that
//! needs an idle engine ends the search first, with its answer, so that no answer is ever lost.

use super::command::{self, CommandError, HostCommand};
use super::dialect::{Dialect, pop_hash};
use super::host_io::{HostOutput, InputEvent, MessageEncoding};
use super::settings::Settings;
use super::thinking::Job;
use super::{options, terminal};
use chuhe_engine::instant::Instant;
use chuhe_engine::nnue::explain;
use chuhe_engine::search::{self, HashSizeError, Poll};
use chuhe_study::player::Player;
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;
use xiangqi::{Move, Position, Rules};
use xiangqi_record::{PositionSpec, PositionSpecError, RankBase};

/// Why a session cannot start.
#[derive(Debug, Error)]
pub enum SessionError {
    #[error("{}", .0.localized())]
    Table(#[from] HashSizeError),
    #[error("{}", tr!("no thread to think on: {cause}", cause = reason(_0)))]
    Thread(#[from] io::Error),
}

/// Whether to continue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// The position to search, as set by the host.
pub(super) struct PositionState {
    /// How the position was set up, to read it again when the variant changes; and in which rank base.
    pub(super) setup: (PositionSpec, RankBase),
    /// The rank base of the host, as far as known.
    pub(super) ranks: RankBase,
    pub(super) position: Position,
    /// Root moves banned in this position.
    pub(super) bans: Vec<Move>,
    /// The host has sent another one since, which was refused: no move is an answer to that.
    pub(super) is_refused: bool,
}

impl Default for PositionState {
    fn default() -> PositionState {
        let (setup, ranks) = Default::default();
        PositionState { setup: (setup, ranks), ranks, position: Position::start(), bans: Vec::new(), is_refused: false }
    }
}

/// The state of a conversation.
pub(super) struct Session {
    pub(super) output: Arc<HostOutput>,
    /// Takes in lines while a search runs.
    pub(super) poll: Arc<dyn Poll>,
    pub(super) dialect: Dialect,
    pub(super) settings: Settings,
    pub(super) player: Player,
    pub(super) position_state: PositionState,
    pub(super) job: Option<Job>,
    /// No line is read until the running job has ended.
    pub(super) is_input_blocked: bool,
    /// When the current command was received.
    pub(super) last_command_at: Instant,
    /// When the last job ended.
    pub(super) idle_since: Instant,
    /// The network file in use; empty = the embedded one.
    pub(super) eval_file: PathBuf,
    pub(super) log_file: PathBuf,
    /// The rules that were reported last.
    pub(super) reported_rules: Option<Rules>,
}

impl Session {
    pub(super) fn new(output: Arc<HostOutput>, poll: Arc<dyn Poll>) -> Result<Session, SessionError> {
        let settings = options::default_settings();
        let (player, now) = (Player::new(settings.search_options(), settings.effective_hash_mb())?, Instant::now());
        Ok(Session {
            output,
            poll,
            dialect: Dialect::Ucci,
            settings,
            player,
            position_state: PositionState::default(),
            job: None,
            is_input_blocked: false,
            last_command_at: now,
            idle_since: now,
            eval_file: PathBuf::new(),
            log_file: PathBuf::new(),
            reported_rules: None,
        })
    }

    pub(super) fn handle(&mut self, event: InputEvent) -> Flow {
        // Messages to hosts are English, whatever the system's language, unless another one is asked for.
        let language = self.message_encoding().language();
        let next = language.with(|| match event {
            InputEvent::Line(line, received_at) => {
                self.last_command_at = received_at;
                self.handle_line(&line)
            }
            InputEvent::TooLong => {
                self.send_message(&tr!("a line of more than 4 MB was dropped"));
                Flow::Continue
            }
            InputEvent::JobFinished(_) => Flow::Continue,
            InputEvent::EndOfInput => {
                self.end_of_input();
                Flow::Quit
            }
        });
        if next == Flow::Continue { self.flow() } else { next }
    }

    /// The session is over when the host has closed the output.
    pub(super) fn flow(&self) -> Flow {
        if self.output.is_closed() { Flow::Quit } else { Flow::Continue }
    }

    fn handle_line(&mut self, line: &[u8]) -> Flow {
        if !self.settings.host_sends_gbk && command::is_gbk_only(line) {
            self.settings.host_sends_gbk = true;
            self.output.set_encoding(self.message_encoding());
        }
        self.output.log_received(&command::line_text(line, self.settings.host_sends_gbk));
        match command::parse(line) {
            Ok(Some(HostCommand::Quit)) => {
                self.stop_and_finish();
                self.send(self.dialect.quit_reply().into_iter().map(String::from).collect());
                return Flow::Quit;
            }
            Ok(Some(command)) => self.dispatch(command),
            Ok(None) => {}
            Err(CommandError::Unknown(command)) if self.output.is_terminal => {
                self.send_message(&tr!(
                    "unknown command '{command}' (`help` lists the commands, `chuhe play` plays a game)",
                    command
                ));
            }
            Err(error) => {
                self.position_state.is_refused |= error.is_about_position();
                self.send_message(&error.to_string());
            }
        }
        Flow::Continue
    }

    fn dispatch(&mut self, command: HostCommand) {
        match command {
            HostCommand::Ucci => self.set_dialect(Dialect::Ucci),
            HostCommand::Uci => self.set_dialect(Dialect::Uci),
            HostCommand::IsReady => {
                self.player.wait_for_hash();
                self.send(vec![String::from("readyok")]);
            }
            HostCommand::SetOption { name, value } => self.set_option(&name, &value),
            HostCommand::Debug(on) => self.settings.debug = on,
            HostCommand::NewGame => self.new_game(),
            HostCommand::Position(setup) => self.set_position(setup),
            HostCommand::BanMoves(list) => self.ban(&list),
            HostCommand::Go(go) => self.go(&go),
            HostCommand::PonderHit { draw } => self.ponder_hit(draw),
            HostCommand::Stop if self.is_thinking() => self.stop_and_finish(),
            HostCommand::Stop => self.send(self.dialect.idle_stop_reply().into_iter().map(String::from).collect()),
            HostCommand::Probe(setup) => self.probe(&setup),
            HostCommand::Display => self.display(),
            HostCommand::Evaluate => self.evaluate(),
            HostCommand::Perft(depth) => self.start_perft(depth),
            HostCommand::Help => self.send(terminal::help(self.output.is_terminal)),
            HostCommand::Quit => {}
        }
    }

    fn is_thinking(&self) -> bool {
        self.job.is_some()
    }

    // ---- output ----------------------------------------------------------------------------------------

    pub(super) fn send(&self, lines: Vec<String>) {
        self.output.send(&lines);
    }

    /// Sends a message for people, in ASCII unless another encoding was asked for: hosts decode output in different
    /// ways.
    pub(super) fn send_message(&self, text: &str) {
        self.send(vec![self.dialect.message(&self.message_encoding().sanitize(text))]);
    }

    /// The encoding of messages: the one that was asked for, or else the user's own at a terminal.
    pub(super) fn message_encoding(&self) -> MessageEncoding {
        match self.settings.message_encoding {
            MessageEncoding::Ascii if self.output.is_terminal => MessageEncoding::Terminal,
            MessageEncoding::Ascii if self.settings.host_sends_gbk => MessageEncoding::EnglishGbk,
            encoding => encoding,
        }
    }

    fn set_dialect(&mut self, dialect: Dialect) {
        self.stop_and_finish();
        self.dialect = dialect;
        self.send(dialect.greeting(options::all_options().filter_map(|option| option.declaration(dialect))));
    }

    pub(super) fn new_game(&mut self) {
        self.stop_and_finish();
        self.settings.new_game = true;
        self.apply_options();
    }

    // ---- the position ----------------------------------------------------------------------------------

    pub(super) fn set_position(&mut self, setup: PositionSpec) {
        self.stop_and_finish();
        let set_up = self.set_up(&setup);
        self.position_state.is_refused = set_up.is_err();
        match set_up {
            Ok(position) => {
                self.position_state.position = position;
                self.position_state.setup = (setup, self.position_state.ranks);
                self.position_state.bans.clear();
            }
            Err(error) => {
                self.send_message(&tr!("position refused, the old one stays: {error}", error = error.localized()))
            }
        }
    }

    /// Sets up a position, and detects the rank base from its moves.
    fn set_up(&mut self, setup: &PositionSpec) -> Result<Position, PositionSpecError> {
        let (promotion, chosen) = (self.settings.promotion, self.settings.ranks);
        let (position, ranks) = detect_rank_base(setup, promotion, chosen, self.position_state.ranks)?;
        self.set_rank_base(ranks);
        Ok(position)
    }

    /// Sets the rank base.
    fn set_rank_base(&mut self, ranks: RankBase) {
        if ranks != self.position_state.ranks {
            self.position_state.ranks = ranks;
            self.send_message(&tr!("ranks are counted {ranks} from now on, as this host does", ranks = ranks.name()));
        }
    }

    /// Splits the moves of a host into legal and other ones.
    pub(super) fn legal_moves(&mut self, list: &[String]) -> (Vec<Move>, Vec<String>) {
        self.set_rank_base(rank_base_of_moves(
            list,
            &self.position_state.position,
            self.settings.ranks,
            self.position_state.ranks,
        ));
        command::legal_moves(list, &self.position_state.position, self.position_state.ranks)
    }

    fn ban(&mut self, list: &[String]) {
        let (moves, others) = self.legal_moves(list);
        self.position_state.bans.extend(moves);
        if !others.is_empty() {
            self.send_message(&tr!("banmoves: not legal here: {moves}", moves = others.join(" ")));
        }
        if self.is_thinking() {
            self.send_message(&tr!("banmoves: holds from the next 'go' on"));
        }
    }

    fn probe(&mut self, setup: &PositionSpec) {
        match self.set_up(setup) {
            Ok(position) => {
                let entry = self.transposition_table().and_then(|table| search::probe_hash(table, &position));
                self.send(vec![pop_hash(entry, self.position_state.ranks)]);
            }
            Err(error) => {
                self.send_message(&tr!("probe: {error}", error));
                self.send(vec![pop_hash(None, self.position_state.ranks)]);
            }
        }
    }

    fn display(&self) {
        let PositionState { position, ranks, .. } = &self.position_state;
        self.send(terminal::board(position, &self.settings.rules(), *ranks, self.output.is_terminal));
    }

    fn evaluate(&self) {
        self.send(
            explain(&self.settings.search.network, &self.position_state.position)
                .localized()
                .lines()
                .map(String::from)
                .collect(),
        );
    }
}

// ---- the rank base -----------------------------------------------------------------------------------------
//
// No option settles it: hosts of both kinds send the same `UCI_Variant`. The count changes only where it cannot be
// wrong: when the moves are legal in the other count and not in the current one.

/// The position, and the rank base in which its moves are legal. `chosen` is the base set by option, if any; `so_far`
/// the one detected earlier.
fn detect_rank_base(
    setup: &PositionSpec,
    promotion: bool,
    chosen: Option<RankBase>,
    so_far: RankBase,
) -> Result<(Position, RankBase), PositionSpecError> {
    let in_count = |ranks| setup.position_with(promotion, ranks).map(|position| (position, ranks));
    match in_count(so_far) {
        Err(error) if chosen.is_none() => in_count(so_far.other()).map_err(|_| error),
        read => read,
    }
}

/// The rank base of a list of moves to search or to ban. An illegal move there proves nothing; only one that does not
/// exist in the current base does.
fn rank_base_of_moves(list: &[String], position: &Position, chosen: Option<RankBase>, so_far: RankBase) -> RankBase {
    let other = so_far.other();
    let is_strange = list.iter().any(|word| so_far.parse_move(word).is_none());
    let is_proof = chosen.is_none() && is_strange && command::legal_moves(list, position, other).1.is_empty();
    if is_proof { other } else { so_far }
}
