//! What a host may say, read from a line and nothing else: no command here knows a position or an option.

use super::go::Go;
use super::splitting;
use chuhe_engine::board::MAX_PERFT;
use chuhe_engine::language::tr;
use chuhe_toolkit::record::Setup;
use thiserror::Error;

/// One command of a host, of either dialect, or of a person at a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Talk UCCI from now on.
    Ucci,
    /// Talk UCI from now on.
    Uci,
    /// Say `readyok`.
    IsReady,
    SetOption {
        /// Its name, blanks between its words.
        name: String,
        /// Its new value, in the bytes that the host sent.
        value: Vec<u8>,
    },
    /// UCI's switch for more output.
    Debug(bool),
    /// A new game begins.
    NewGame,
    /// Set up a position.
    Position(Setup),
    /// These root moves are forbidden until the next position.
    BanMoves(Vec<String>),
    Go(Go),
    /// The move pondered on was played; `draw`: with a draw offer.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    Stop,
    /// What does the hash table know of a position?
    Probe(Setup),
    Quit,
    Display,
    /// Explain the static evaluation.
    Evaluate,
    Perft(u32),
    Help,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word means nothing here.
    #[error("{}", tr!("unknown command '{command}' (try 'help')", command = _0))]
    Unknown(String),
    /// Neither `fen` nor `startpos`.
    #[error("{}", tr!("{command}: expected 'fen ...' or 'startpos'", command = _0))]
    NoPosition(&'static str),
    /// `fen` without a FEN.
    #[error("{}", tr!("{command}: 'fen' without a FEN", command = _0))]
    EmptyFen(&'static str),
    /// A word after the position that is not `moves`.
    #[error("{}", tr!("{command}: '{word}' where 'moves' was expected", command, word))]
    NotMoves { command: &'static str, word: String },
    /// `perft` wants a depth.
    #[error("{}", tr!("perft: expected a depth from 0 to {deepest}", deepest = MAX_PERFT))]
    PerftDepth,
    /// `debug` wants `on` or `off`.
    #[error("{}", tr!("debug: expected 'on' or 'off'"))]
    Debug,
}

/// Reads a line. `None` for a line without words.
pub fn parse(line: &[u8]) -> Result<Option<Command>, CommandError> {
    let all = splitting::split(line);
    let Some((first, rest)) = all.split_first() else { return Ok(None) };
    let command = match splitting::lower(first).as_str() {
        "ucci" => Command::Ucci,
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "setoption" => read_option(line, rest),
        "debug" => Command::Debug(read_switch(rest)?),
        // UCCI has an option for it; hosts that speak both languages have words of their own.
        "ucinewgame" | "uccinewgame" | "uxinewgame" => Command::NewGame,
        "position" => Command::Position(read_setup("position", rest)?),
        // UCI-Cyclone leaves the word `position` out.
        "fen" | "startpos" => Command::Position(read_setup("position", &all)?),
        "banmoves" => Command::BanMoves(texts(rest)),
        "go" => Command::Go(Go::parse(rest)),
        "ponderhit" => Command::PonderHit { draw: rest.iter().any(|word| splitting::lower(word) == "draw") },
        "stop" => Command::Stop,
        "probe" => Command::Probe(read_setup("probe", rest)?),
        "quit" | "exit" | "q" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Evaluate,
        "perft" => Command::Perft(read_perft_depth(rest)?),
        "help" | "?" => Command::Help,
        _ => return Err(CommandError::Unknown(splitting::clip(&splitting::text(first)))),
    };
    Ok(Some(command))
}

/// What stands behind `position` or `probe`.
fn read_setup(command: &'static str, rest: &[&[u8]]) -> Result<Setup, CommandError> {
    let (kind, rest) = rest.split_first().ok_or(CommandError::NoPosition(command))?;
    let moves_at = rest.iter().position(|word| splitting::lower(word) == "moves");
    let (head, moves) = match moves_at {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &[][..]),
    };
    let fen = match splitting::lower(kind).as_str() {
        "fen" if head.is_empty() => return Err(CommandError::EmptyFen(command)),
        "fen" => Some(splitting::join(head)),
        "startpos" => match head.first() {
            None => None,
            Some(word) => {
                return Err(CommandError::NotMoves {
                    command,
                    word: splitting::clip(&splitting::text(word)),
                });
            }
        },
        _ => return Err(CommandError::NoPosition(command)),
    };
    Ok(Setup { fen, moves: texts(moves) })
}

/// UCI writes `name N N value V V`, UCCI `N V V`; both are understood whichever is spoken. A value is taken as it stands in
/// the line: file names have blanks in them, sometimes two in a row.
fn read_option(line: &[u8], rest: &[&[u8]]) -> Command {
    let (name, words_before) = match rest.split_first() {
        Some((first, long)) if splitting::lower(first) == "name" => {
            let at = long.iter().position(|word| splitting::lower(word) == "value").unwrap_or(long.len());
            (&long[..at], 3 + at)
        }
        _ => (&rest[..rest.len().min(1)], 2),
    };
    // UCI's way to write a text of no length.
    let value = match splitting::behind(line, words_before) {
        b"<empty>" => Vec::new(),
        value => value.to_vec(),
    };
    Command::SetOption { name: splitting::join(name), value }
}

fn texts(list: &[&[u8]]) -> Vec<String> {
    list.iter().map(|word| splitting::text(word).into_owned()).collect()
}

fn read_switch(rest: &[&[u8]]) -> Result<bool, CommandError> {
    match rest.first().map(|word| splitting::lower(word)).as_deref() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err(CommandError::Debug),
    }
}

fn read_perft_depth(rest: &[&[u8]]) -> Result<u32, CommandError> {
    let depth = rest.first().and_then(|word| splitting::text(word).parse().ok());
    depth.filter(|&depth| depth <= MAX_PERFT).ok_or(CommandError::PerftDepth)
}
