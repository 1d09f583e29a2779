//! Parses a line of a host into a command, without knowledge of the position or the options. Lines are bytes, in which
//! only the white space between words is assumed.
//!
//! The words of both dialects are accepted in both, because hosts mix them. Unreadable words of `go` are skipped with a
//! warning; a search is refused only if no usable limit remains.

use chuhe_engine::score::MAX_PLY;
use chuhe_engine::search::{Clock, Limits};
use chuhe_support::language::{excerpt, tr};
use std::borrow::Cow;
use std::time::Duration;
use thiserror::Error;
use xiangqi::perft::MAX_PERFT;
use xiangqi::{Color, Move, Position};
use xiangqi_record::legacy_text::LegacyEncoding;
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

/// `go` with all its words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Go {
    /// Search on the opponent's time.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// Maximum depth; 0 asks for the static evaluation.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Time for this move in milliseconds, UCI's unit: UCCI has no such word.
    pub move_time: Option<u64>,
    /// Find a mate within this number of moves.
    pub mate: Option<u32>,
    /// Run perft instead.
    pub perft: Option<u32>,
    /// Moves to the time control, as both dialects say it.
    pub moves_to_go: Option<u32>,
    /// UCCI's clock: of the side to move and of its opponent, in the host's unit.
    pub relative: [ClockWords; 2],
    /// UCI's clock: of red and black, in milliseconds.
    pub absolute: [ClockWords; 2],
    pub search_moves: Option<Vec<String>>,
    /// The words that were not understood.
    pub warnings: Vec<GoWarning>,
}

/// Time and increment as the host wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClockWords {
    pub time: Option<u64>,
    /// Added after each move.
    pub increment: Option<u64>,
}

/// What is wrong with a word of `go`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoWarning {
    #[error("{}", tr!("go: unknown word '{word}' left out", word = _0))]
    Unknown(String),
    #[error("{}", tr!("go: '{word}' without a number left out", word = _0))]
    Missing(String),
    #[error("{}", tr!("go: '{word} {value}' left out: expected a number from {least}", word, value, least))]
    BadNumber { word: String, value: String, least: i64 },
}

const MILLISECOND: Duration = Duration::from_millis(1);
/// The longest clock time, eleven days: larger values could overflow arithmetic on times.
const MAX_CLOCK_TIME: Duration = Duration::from_secs(1_000_000);

impl Go {
    /// Parses the words after `go`.
    pub fn parse(rest: &[&[u8]]) -> Go {
        let mut go = Go::default();
        let mut reader = GoParser { rest, warnings: Vec::new() };
        while let Some(word) = reader.word() {
            match word.as_str() {
                "ponder" => go.ponder = true,
                "draw" => go.draw = true,
                "infinite" => go.infinite = true,
                "depth" if reader.skip("infinite") => go.infinite = true,
                "depth" => go.depth = reader.number(&word, 0).map(|depth| clamp_u32(depth).min(MAX_PLY as u32)),
                "nodes" => go.nodes = reader.number(&word, 1),
                "mate" => go.mate = reader.number(&word, 1).map(clamp_u32),
                "perft" => go.perft = reader.number(&word, 0).map(|depth| clamp_u32(depth).min(MAX_PERFT)),
                "movetime" => go.move_time = reader.time(&word),
                "movestogo" => go.moves_to_go = reader.number(&word, 0).map(clamp_u32).filter(|&moves| moves > 0),
                // The opponent's moves to go are parsed and ignored.
                "oppmovestogo" | "oppomovestogo" => drop(reader.number(&word, 0)),
                "time" => go.relative[0].time = reader.time(&word),
                "increment" => go.relative[0].increment = reader.time(&word),
                // Some hosts misspell these.
                "opptime" | "oppotime" => go.relative[1].time = reader.time(&word),
                "oppincrement" | "oppoincrement" => go.relative[1].increment = reader.time(&word),
                "wtime" => go.absolute[0].time = reader.time(&word),
                "winc" => go.absolute[0].increment = reader.time(&word),
                "btime" => go.absolute[1].time = reader.time(&word),
                "binc" => go.absolute[1].increment = reader.time(&word),
                "searchmoves" => go.search_moves = Some(reader.moves()),
                _ => reader.warnings.push(GoWarning::Unknown(shortened(&word))),
            }
        }
        go.warnings = reader.warnings;
        go
    }

    /// The limits of the search. `unit` is the unit of UCCI's clock.
    pub fn limits(&self, side: Color, unit: Duration) -> Limits {
        let mut limits = Limits { ponder: self.ponder, ..Limits::default() };
        if self.infinite {
            return limits;
        }
        limits.depth = self.depth.map(|depth| depth.max(1));
        limits.nodes = self.nodes;
        limits.mate = self.mate;
        limits.move_time = self.move_time.map(|time| duration(time.max(1), MILLISECOND));
        limits.clock = self.clock(side, unit);
        limits
    }

    /// Whether a clock is given, as in a game.
    pub fn has_clock(&self) -> bool {
        let clocks = self.relative.iter().chain(&self.absolute);
        !self.infinite && clocks.into_iter().any(|clock| clock.time.is_some())
    }

    fn clock(&self, side: Color, unit: Duration) -> Option<Clock> {
        let ([own, other], unit) = match (self.relative[0].time, self.absolute[side].time) {
            (Some(_), _) => (self.relative, unit),
            (None, Some(_)) => ([self.absolute[side], self.absolute[!side]], MILLISECOND),
            (None, None) => return None,
        };
        Some(Clock {
            time: duration(own.time?, unit).max(MILLISECOND),
            increment: duration(own.increment.unwrap_or(0), unit),
            moves_to_go: self.moves_to_go,
            opponent_time: other.time.map(|time| duration(time, unit)),
        })
    }

    /// True if words of `go` were unreadable and nothing that ends a search is left.
    pub fn has_no_usable_limit(&self, limits: &Limits) -> bool {
        let asks_nothing = Limits { ponder: limits.ponder, ..Limits::default() } == *limits;
        !self.infinite && !self.warnings.is_empty() && asks_nothing && self.perft.is_none()
    }
}

fn duration(time: u64, unit: Duration) -> Duration {
    unit.saturating_mul(clamp_u32(time)).min(MAX_CLOCK_TIME)
}

fn clamp_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Takes words from the front of the rest of the line.
struct GoParser<'a> {
    rest: &'a [&'a [u8]],
    warnings: Vec<GoWarning>,
}

impl GoParser<'_> {
    fn word(&mut self) -> Option<String> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(lowercase(first))
    }

    /// Takes the next word if it is this one.
    fn skip(&mut self, word: &str) -> bool {
        let found = self.rest.first().is_some_and(|next| lowercase(next) == word);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// The number after `word`; the least valid one is `least`.
    fn integer(&mut self, word: &str, least: i64) -> Option<i64> {
        let value = self.value(word)?;
        let number = integer(&value).filter(|&number| number >= least);
        if number.is_none() {
            let (word, value) = (word.to_string(), shortened(&value));
            self.warnings.push(GoWarning::BadNumber { word, value, least });
        }
        number
    }

    /// A count after `word`; `least` is not negative.
    fn number(&mut self, word: &str, least: i64) -> Option<u64> {
        self.integer(word, least).map(i64::unsigned_abs)
    }

    /// A time after `word`. Hosts send negative ones for a clock that has run out.
    fn time(&mut self, word: &str) -> Option<u64> {
        self.integer(word, -MAX_NUMBER).map(|time| time.max(0).unsigned_abs())
    }

    fn value(&mut self, word: &str) -> Option<String> {
        let value = self.word();
        if value.is_none() {
            self.warnings.push(GoWarning::Missing(word.to_string()));
        }
        value
    }

    /// Everything up to the next word that does not look like a move.
    fn moves(&mut self) -> Vec<String> {
        let looks_like_move = |word: &[u8]| word.len() >= 4 && word[1].is_ascii_digit();
        let count = self.rest.iter().take_while(|word| looks_like_move(word)).count();
        let (moves, rest) = self.rest.split_at(count);
        self.rest = rest;
        moves.iter().map(|word| lowercase(word)).collect()
    }
}

/// Larger numbers are clamped to this.
const MAX_NUMBER: i64 = i64::MAX;

/// Parses an integer of any length, clamped to `MAX_NUMBER`.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(MAX_NUMBER);
    Some(if negative { -size } else { size })
}

/// The words of a line. White space is ASCII, which never occurs inside a UTF-8 or GBK character.
pub fn split_words(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()).collect()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// A word as text; invalid UTF-8 is replaced.
pub fn word_text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

/// Whether a line is text in GBK that is not UTF-8.
pub fn is_gbk_only(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_err() && !LegacyEncoding::Gb18030.decode(line).contains(char::REPLACEMENT_CHARACTER)
}

/// A line as text, in the encoding of the host.
pub fn line_text(line: &[u8], is_gbk: bool) -> Cow<'_, str> {
    if is_gbk { Cow::Owned(LegacyEncoding::Gb18030.decode(line)) } else { word_text(line) }
}

/// Several words as one text, joined by single blanks.
pub fn join_words(words: &[&[u8]]) -> String {
    words.iter().map(|word| word_text(word)).collect::<Vec<_>>().join(" ")
}

/// The rest of a line after this number of words, verbatim but for the white space around it.
pub fn after_words(line: &[u8], count: usize) -> &[u8] {
    let mut rest = line;
    for skipped in 0..=count {
        let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        rest = &rest[blanks..];
        if skipped < count {
            let letters = rest.iter().take_while(|byte| !is_blank(**byte)).count();
            rest = &rest[letters..];
        }
    }
    let blanks = rest.iter().rev().take_while(|byte| is_blank(**byte)).count();
    &rest[..rest.len() - blanks]
}

/// A word in lower case, for matching commands and option names.
pub fn lowercase(word: &[u8]) -> String {
    word_text(word).to_lowercase()
}

/// The beginning of a word for a message, without characters that control a terminal.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut clipped = excerpt(word, LONGEST);
    if word.chars().nth(LONGEST).is_some() {
        clipped.push_str("...");
    }
    clipped
}
