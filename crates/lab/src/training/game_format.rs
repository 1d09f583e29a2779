//! A self-play game and its formats: bytes (about six per ply) and a line of text.
//!
//! In bytes, a ply is its move in two bytes (from and to, 0 to 89, seven bits each), the score plus the score of the
//! ply before as a zigzag varint of one to three bytes, and since version 2 nodes × 32 + depth as a varint, usually of
//! two bytes: depth 31 means that the rest of the depth follows, 0 that the effort is unknown.
//!
//! As text:
//! `FEN | result of red: 1, 0.5 or 0 | end reason | move:score:depth:nodes …`
//! (`move:score` if depth and nodes are unknown)

use chuhe_engine::score::Score;
use chuhe_support::language::tr;
use std::fmt::{self, Write as _};
use thiserror::Error;
use xiangqi::{IllegalMove, Move, Position, Reason, Square, fen::FenError};

/// Maximum length of a stored game; bounds the length read from a file.
const MAX_PLIES: usize = 1 << 20;

/// Why a game was over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum EndReason {
    /// Adjudicated as a win by score.
    Score,
    /// Adjudicated as a draw by score.
    Drawish,
    /// The maximum length was reached.
    Length,
    Mate,
    Stalemate,
    /// Lost by perpetual check.
    PerpetualCheck,
    /// Lost by perpetual chase.
    PerpetualChase,
    Repetition,
    /// Drawn by the natural move limit.
    NaturalLimit,
    Material,
}

impl EndReason {
    /// All reasons, by number.
    pub const ALL: [EndReason; 10] = [
        EndReason::Score,
        EndReason::Drawish,
        EndReason::Length,
        EndReason::Mate,
        EndReason::Stalemate,
        EndReason::PerpetualCheck,
        EndReason::PerpetualChase,
        EndReason::Repetition,
        EndReason::NaturalLimit,
        EndReason::Material,
    ];

    /// Converts the reason of the rules; `None` while the game goes on.
    pub fn of(reason: Reason) -> Option<EndReason> {
        Some(match reason {
            Reason::Ongoing => return None,
            Reason::Mate => EndReason::Mate,
            Reason::Stalemate => EndReason::Stalemate,
            Reason::PerpetualCheck => EndReason::PerpetualCheck,
            Reason::GameLength => EndReason::NaturalLimit,
            Reason::Repetition => EndReason::Repetition,
            Reason::NaturalLimit => EndReason::NaturalLimit,
            Reason::Material => EndReason::Material,
            // Perpetual chase; other forbidden repetitions count as one.
            _ => EndReason::PerpetualChase,
        })
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Versions of the byte format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum FormatVersion {
    /// Moves and scores.
    One = 1,
    /// Also the effort of each search.
    Two = 2,
}

impl FormatVersion {
    /// The version that is written.
    pub const NEWEST: FormatVersion = FormatVersion::Two;

    /// The version of this number.
    pub fn of(number: u16) -> Option<FormatVersion> {
        [FormatVersion::One, FormatVersion::Two].into_iter().find(|version| *version as u16 == number)
    }
}

/// The effort of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchEffort {
    /// Depth of the last completed iteration; 0 if there is none, or if the score is not a training target.
    pub depth: u32,
    /// At least 1.
    pub nodes: u64,
}

impl SearchEffort {
    /// Marks a score that is not a training target.
    pub const UNTRUSTED: SearchEffort = SearchEffort { depth: 0, nodes: 1 };
}

/// Depths from here on are stored in a second varint.
const DEPTH_ESCAPE: u64 = 31;

/// A move with the score of the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelledMove {
    pub mv: Move,
    /// From the side to move, a minor piece = 400.
    pub score: Score,
    /// `None` if not recorded.
    pub effort: Option<SearchEffort>,
}

impl LabelledMove {
    /// Whether the score may be used in training.
    pub fn is_training_target(&self) -> bool {
        self.effort.is_none_or(|effort| effort.depth > 0)
    }
}

#[derive(Clone)]
pub struct SelfplayGame {
    /// Its number in the run; with the run's seed it determines the start of the game.
    pub number: u64,
    pub start: Position,
    pub plies: Vec<LabelledMove>,
    /// Red's half points: 0, 1 or 2.
    pub red_half_points: u8,
    pub end: EndReason,
}

/// Why bytes or text are not a valid game.
#[derive(Debug, Error)]
pub enum GameError {
    /// The input is incomplete.
    #[error("{}", tr!("it ends in the middle of a game"))]
    UnexpectedEnd,
    /// The start position is invalid.
    #[error("{}", tr!("start: {source}", source = _0))]
    Start(#[from] FenError),
    /// A move is illegal.
    #[error("{}", tr!("ply {ply}: {source}", ply, source))]
    Move {
        /// The ply, from 1.
        ply: usize,
        source: IllegalMove,
    },
    /// Another error.
    #[error("{0}")]
    Invalid(String),
}

impl SelfplayGame {
    /// Red's result, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.red_half_points) / 2.0
    }

    /// Appends the game's bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let fen = self.start.fen();
        write_varint(out, self.number);
        write_varint(out, fen.len() as u64);
        out.extend_from_slice(fen.as_bytes());
        out.push(self.red_half_points << 4 | self.end as u8);
        write_varint(out, self.plies.len() as u64);
        let mut last = 0;
        for ply in &self.plies {
            let bits = ply.mv.from().dense() as u16 | (ply.mv.to().dense() as u16) << 7;
            out.extend_from_slice(&bits.to_le_bytes());
            write_varint(out, zigzag(ply.score + last));
            last = ply.score;
            write_effort(out, ply.effort);
        }
    }

    /// Reads a game from the front of `bytes` and advances them. Checks that every move is legal.
    pub fn read(bytes: &mut &[u8], version: FormatVersion) -> Result<SelfplayGame, GameError> {
        let number = read_varint(bytes)?;
        let length = read_varint(bytes)? as usize;
        let fen = std::str::from_utf8(take(bytes, length)?)
            .map_err(|_| GameError::Invalid("the start is no text".to_string()))?;
        let start = Position::from_fen(fen)?;
        let summary = take(bytes, 1)?[0];
        let (red_half_points, end) = (summary >> 4, EndReason::ALL.get(usize::from(summary & 15)));
        let Some(&end) = end.filter(|_| red_half_points <= 2) else {
            return Err(GameError::Invalid(format!("no game ends like {summary:#04x}")));
        };
        let count = read_varint(bytes)? as usize;
        let mut plies = Vec::with_capacity(count.min(4096));
        let mut last = 0;
        for _ in 0..count {
            let bits = u16::from_le_bytes([take(bytes, 1)?[0], take(bytes, 1)?[0]]);
            let squares = (square(bits & 127), square(bits >> 7));
            let (Some(from), Some(to)) = squares else {
                return Err(GameError::Invalid(format!("{bits:#06x} is no move")));
            };
            let score = unzigzag(read_varint(bytes)?) - last;
            last = score;
            let effort = if version == FormatVersion::One { None } else { read_effort(bytes)? };
            plies.push(LabelledMove { mv: Move::new(from, to), score, effort });
        }
        let game = SelfplayGame { number, start, plies, red_half_points, end };
        game.check()?;
        Ok(game)
    }

    /// Checks that every move is legal and that there are at most `MAX_PLIES`.
    pub fn check(&self) -> Result<(), GameError> {
        if self.plies.len() > MAX_PLIES {
            return Err(GameError::Invalid(format!("no game has {} plies", self.plies.len())));
        }
        let mut position = self.start.clone();
        for (index, ply) in self.plies.iter().enumerate() {
            position.play(ply.mv).map_err(|source| GameError::Move { ply: index + 1, source })?;
        }
        Ok(())
    }
}

fn square(dense: u16) -> Option<Square> {
    (dense < 90).then(|| Square::new((dense % 9) as u8, (dense / 9) as u8))
}

fn write_effort(out: &mut Vec<u8>, effort: Option<SearchEffort>) {
    let Some(SearchEffort { depth, nodes }) = effort else { return write_varint(out, 0) };
    let depth = u64::from(depth);
    write_varint(out, nodes << 5 | depth.min(DEPTH_ESCAPE));
    if depth >= DEPTH_ESCAPE {
        write_varint(out, depth - DEPTH_ESCAPE);
    }
}

fn read_effort(bytes: &mut &[u8]) -> Result<Option<SearchEffort>, GameError> {
    let number = read_varint(bytes)?;
    let (nodes, mut depth) = (number >> 5, number & 31);
    if depth == DEPTH_ESCAPE {
        depth = depth.saturating_add(read_varint(bytes)?);
    }
    let depth = u32::try_from(depth).map_err(|_| GameError::Invalid(format!("no search is {depth} deep")))?;
    Ok((nodes > 0).then_some(SearchEffort { depth, nodes }))
}

fn zigzag(value: i32) -> u64 {
    u64::from(((value << 1) ^ (value >> 31)) as u32)
}

fn unzigzag(bits: u64) -> i32 {
    let bits = bits as u32;
    (bits >> 1) as i32 ^ -((bits & 1) as i32)
}

/// What `write_varint` has written.
/// Appends a number: seven bits a byte, the lowest first; the highest bit says that more bytes follow.
fn write_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_varint(bytes: &mut &[u8]) -> Result<u64, GameError> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)?[0];
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(GameError::Invalid("a number that never ends".to_string()))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], GameError> {
    let (head, tail) = bytes.split_at_checked(count).ok_or(GameError::UnexpectedEnd)?;
    *bytes = tail;
    Ok(head)
}

/// The game as a line of text, without the line end.
pub fn write(game: &SelfplayGame) -> String {
    let mut line = format!("{} | {} | {} |", game.start.fen(), game.result(), game.end);
    for ply in &game.plies {
        let _ = write!(line, " {}:{}", ply.mv, ply.score);
        if let Some(SearchEffort { depth, nodes }) = ply.effort {
            let _ = write!(line, ":{depth}:{nodes}");
        }
    }
    line
}

/// Parses a line of text; `number` becomes the number of the game.
pub fn read(line: &str, number: u64) -> Result<SelfplayGame, GameError> {
    let mut fields = line.split('|').map(str::trim);
    let mut field = || fields.next().ok_or(GameError::UnexpectedEnd);
    let start = Position::from_fen(field()?)?;
    let red_half_points = match field()? {
        "0" => 0,
        "0.5" => 1,
        "1" => 2,
        other => return Err(GameError::Invalid(format!("{other:?} is no result"))),
    };
    let name = field()?;
    let end = EndReason::ALL.into_iter().find(|end| end.to_string() == name);
    let end = end.ok_or_else(|| GameError::Invalid(format!("no game ends by {name:?}")))?;
    let plies = field()?.split_whitespace().map(parse_ply).collect::<Result<Vec<LabelledMove>, GameError>>()?;
    let game = SelfplayGame { number, start, plies, red_half_points, end };
    game.check()?;
    Ok(game)
}

fn parse_ply(word: &str) -> Result<LabelledMove, GameError> {
    let parts: Vec<&str> = word.split(':').collect();
    let ply = match parts[..] {
        [mv, score] => parse_scored_move(mv, score),
        [mv, score, depth, nodes] => parse_scored_move(mv, score).and_then(|ply| {
            Some(LabelledMove { effort: Some(parse_effort(depth.parse().ok()?, nodes.parse().ok()?)?), ..ply })
        }),
        _ => None,
    };
    ply.ok_or_else(|| GameError::Invalid(format!("{word:?} is no move with a score")))
}

fn parse_scored_move(mv: &str, score: &str) -> Option<LabelledMove> {
    let score = score.parse().ok().filter(|score: &i32| score.abs() <= 30_000)?;
    Some(LabelledMove { mv: mv.parse::<Move>().ok()?, score, effort: None })
}

/// Checks depth and nodes for plausibility.
fn parse_effort(depth: u32, nodes: u64) -> Option<SearchEffort> {
    (depth <= 1000 && (1..=1 << 56).contains(&nodes)).then_some(SearchEffort { depth, nodes })
}
