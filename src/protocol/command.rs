//! Parses a line of a host into a command, without knowledge of the position or the options.

use super::go::Go;
use super::words::{after_words, join_words, lowercase, shortened, split_words, word_text};
use chuhe_support::language::tr;
use thiserror::Error;
use xiangqi::{Move, Position, perft::MAX_PERFT};
use xiangqi_record::{PositionSpec, RankBase};

/// A command of a host in either dialect, or of a user at a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostCommand {
    /// Switch to UCCI.
    Ucci,
    /// Switch to UCI.
    Uci,
    /// Answer `readyok`.
    IsReady,
    SetOption {
        /// The name, with single blanks between its words.
        name: String,
        /// The value, in the bytes that the host sent.
        value: Vec<u8>,
    },
    /// UCI's switch for more output.
    Debug(bool),
    NewGame,
    Position(PositionSpec),
    /// These root moves are forbidden until the next position.
    BanMoves(Vec<String>),
    Go(Go),
    /// The pondered move was played; `draw`: with a draw offer.
    PonderHit {
        draw: bool,
    },
    Stop,
    /// Look a position up in the transposition table.
    Probe(PositionSpec),
    Quit,
    Display,
    /// Explain the static evaluation.
    Evaluate,
    Perft(u32),
    Help,
}

impl HostCommand {
    /// Whether a running search is ended before this command is carried out.
    pub fn needs_idle_engine(&self) -> bool {
        matches!(
            self,
            HostCommand::Ucci
                | HostCommand::Uci
                | HostCommand::NewGame
                | HostCommand::Position(_)
                | HostCommand::Go(_)
                | HostCommand::Stop
                | HostCommand::Perft(_)
                | HostCommand::Quit
        )
    }
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("{}", tr!("unknown command '{command}' (try 'help')", command = _0))]
    Unknown(String),
    #[error("{}", tr!("{command}: expected 'fen ...' or 'startpos'", command = _0))]
    NoPosition(&'static str),
    #[error("{}", tr!("{command}: 'fen' without a FEN", command = _0))]
    EmptyFen(&'static str),
    #[error("{}", tr!("{command}: '{word}' where 'moves' was expected", command, word))]
    NotMoves { command: &'static str, word: String },
    #[error("{}", tr!("perft: expected a depth from 0 to {deepest}", deepest = MAX_PERFT))]
    PerftDepth,
    #[error("{}", tr!("debug: expected 'on' or 'off'"))]
    Debug,
}

impl CommandError {
    /// Whether it is the position to search that cannot be read.
    pub fn is_about_position(&self) -> bool {
        use CommandError::{EmptyFen, NoPosition, NotMoves};
        matches!(self, NoPosition("position") | EmptyFen("position") | NotMoves { command: "position", .. })
    }
}

/// Parses a line. `None` for a line without words.
pub fn parse(line: &[u8]) -> Result<Option<HostCommand>, CommandError> {
    let all = split_words(line);
    let Some((first, rest)) = all.split_first() else { return Ok(None) };
    let command = match lowercase(first).as_str() {
        "ucci" => HostCommand::Ucci,
        "uci" => HostCommand::Uci,
        "isready" => HostCommand::IsReady,
        "setoption" => parse_setoption(line, rest),
        "debug" => HostCommand::Debug(parse_switch(rest)?),
        // UCCI uses an option instead; hosts of both protocols have commands of their own.
        "ucinewgame" | "uccinewgame" | "uxinewgame" => HostCommand::NewGame,
        "position" => HostCommand::Position(parse_position("position", rest)?),
        // UCI-Cyclone omits the word `position`.
        "fen" | "startpos" => HostCommand::Position(parse_position("position", &all)?),
        "banmoves" => HostCommand::BanMoves(to_strings(rest)),
        "go" => HostCommand::Go(Go::parse(rest)),
        "ponderhit" => HostCommand::PonderHit { draw: rest.iter().any(|word| lowercase(word) == "draw") },
        "stop" => HostCommand::Stop,
        "probe" => HostCommand::Probe(parse_position("probe", rest)?),
        "quit" | "exit" | "q" => HostCommand::Quit,
        "d" => HostCommand::Display,
        "eval" => HostCommand::Evaluate,
        "perft" => HostCommand::Perft(parse_perft_depth(rest)?),
        "help" | "?" => HostCommand::Help,
        _ => return Err(CommandError::Unknown(shortened(&word_text(first)))),
    };
    Ok(Some(command))
}

/// The arguments of `position` or `probe`.
fn parse_position(command: &'static str, rest: &[&[u8]]) -> Result<PositionSpec, CommandError> {
    let (kind, rest) = rest.split_first().ok_or(CommandError::NoPosition(command))?;
    let moves_at = rest.iter().position(|word| lowercase(word) == "moves");
    let (head, moves) = match moves_at {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[][..]),
    };
    let fen = match lowercase(kind).as_str() {
        "fen" if head.is_empty() => return Err(CommandError::EmptyFen(command)),
        "fen" => Some(join_words(head)),
        "startpos" => match head.first() {
            None => None,
            Some(word) => {
                return Err(CommandError::NotMoves { command, word: shortened(&word_text(word)) });
            }
        },
        _ => return Err(CommandError::NoPosition(command)),
    };
    Ok(PositionSpec { fen, moves: to_strings(moves) })
}

/// UCI writes `name N N value V V`, UCCI `N V V`; both are accepted in either dialect. The value is copied verbatim:
/// file names may contain blanks, even several in a row.
fn parse_setoption(line: &[u8], rest: &[&[u8]]) -> HostCommand {
    let (name, words_before) = match rest.split_first() {
        Some((first, long)) if lowercase(first) == "name" => {
            let at = long.iter().position(|word| lowercase(word) == "value").unwrap_or(long.len());
            (&long[..at], 3 + at)
        }
        _ => (&rest[..rest.len().min(1)], 2),
    };
    // UCI's way to write an empty text.
    let value = match after_words(line, words_before) {
        b"<empty>" => Vec::new(),
        value => value.to_vec(),
    };
    HostCommand::SetOption { name: join_words(name), value }
}

fn to_strings(list: &[&[u8]]) -> Vec<String> {
    list.iter().map(|word| word_text(word).into_owned()).collect()
}

fn parse_switch(rest: &[&[u8]]) -> Result<bool, CommandError> {
    match rest.first().map(|word| lowercase(word)).as_deref() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err(CommandError::Debug),
    }
}

fn parse_perft_depth(rest: &[&[u8]]) -> Result<u32, CommandError> {
    let depth = rest.first().and_then(|word| word_text(word).parse().ok());
    depth.filter(|&depth| depth <= MAX_PERFT).ok_or(CommandError::PerftDepth)
}

/// Splits words into the legal moves and the others, shortened.
pub fn legal_moves(words: &[String], position: &Position, ranks: RankBase) -> (Vec<Move>, Vec<String>) {
    let legal = position.legal_moves();
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    for word in words {
        match ranks.parse_move(word) {
            Some(mv) if legal.contains(&mv) => moves.push(mv),
            _ => others.push(shortened(word)),
        }
    }
    (moves, others)
}
