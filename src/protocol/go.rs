//! The command `go`: its words, and the limits that they mean.
//!
//! The words of both dialects are accepted in both, because hosts mix them. Unreadable words are skipped with a
//! warning; a search is refused only if no usable limit remains.

use super::words;
use chuhe_engine::score::MAX_PLY;
use chuhe_engine::search::{Clock, Limits};
use chuhe_support::language::tr;
use std::time::Duration;
use thiserror::Error;
use xiangqi::{Color, perft::MAX_PERFT};

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
                _ => reader.warnings.push(GoWarning::Unknown(words::shortened(&word))),
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
        Some(words::lowercase(first))
    }

    /// Takes the next word if it is this one.
    fn skip(&mut self, word: &str) -> bool {
        let found = self.rest.first().is_some_and(|next| words::lowercase(next) == word);
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
            let (word, value) = (word.to_string(), words::shortened(&value));
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
        moves.iter().map(|word| words::lowercase(word)).collect()
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
