//! A position as a line of text: a FEN or `startpos`, and the moves played from there.
//!
//! This is the format of the protocols, of bench and arena output, and of all options that take a position.

use super::notation::{self, LetterEvidence, Letters, Notation, NotationError, ReadOptions, VietnameseWord};
use super::rank_base::RankBase;
use std::str::SplitWhitespace;
use xiangqi::words::Value;
use xiangqi::{IllegalMove, Move, ParseMoveError, Position, fen::FenError, fen::START_FEN, worded_error, words};

/// A start position and moves, not yet validated.
///
/// ```
/// use xiangqi_record::PositionSpec;
///
/// let position = PositionSpec::parse("startpos moves h2e2 h9g7").position()?;
/// assert_eq!(position.history_len(), 2);
/// assert!(PositionSpec::parse("startpos moves e0e5").position().is_err());
/// # Ok::<(), xiangqi_record::PositionSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PositionSpec {
    /// The FEN; `None` = the start position.
    pub fen: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// Why a position is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionSpecError {
    /// Invalid FEN.
    Fen(FenError),
    /// A word in the move list is not a move.
    NotAMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The word.
        error: ParseMoveError,
    },
    /// A move in WXF or Chinese notation is illegal.
    Notation {
        /// Its place in the list, from 1.
        number: usize,
        /// The move, and why it is illegal.
        source: NotationError,
    },
    /// A move in the list is illegal.
    Illegal {
        /// Its place in the list, from 1.
        number: usize,
        /// The rank base of the moves.
        ranks: RankBase,
        /// The move, and why it is illegal.
        source: IllegalMove,
    },
}

worded_error!(
    PositionSpecError,
    |error| match error {
        PositionSpecError::Fen(error) => error.words(),
        PositionSpecError::NotAMove { number, error } => words!("move {number}: {error}", number, error),
        PositionSpecError::Notation { number, source } => words!("move {number}: {error}", number, error = source),
        PositionSpecError::Illegal { number, ranks, source } => {
            let mut why = source.reason.words();
            if let Some(square) = source.reason.square() {
                why.values = vec![("square", Value::Text(ranks.format_square(square)))];
            }
            words!("move {number}: {mv} is not legal: {why}", number, mv = ranks.format_move(source.mv), why)
        }
    },
    Fen(FenError)
);

impl PositionSpec {
    /// Parses `FEN`, `startpos`, or either followed by `moves m1 m2 …`. An empty line is the start position.
    pub fn parse(line: &str) -> PositionSpec {
        let (fen, moves) = split(line);
        PositionSpec { fen, moves: moves.map(String::from).collect() }
    }

    /// Parses a line of a file: as above, or moves alone from the start position. A leading `position` is allowed; EPD
    /// operations (`bm …; id …;`) are skipped.
    pub fn parse_line(line: &str) -> PositionSpec {
        let (fen, moves) = split_line(line);
        PositionSpec { fen, moves: moves.map(String::from).collect() }
    }

    /// The same with these moves appended.
    pub fn with_moves(mut self, moves: &str) -> PositionSpec {
        self.moves.extend(moves.split_whitespace().map(String::from));
        self
    }

    /// The position before the moves, optionally of the promotion variant.
    pub fn start_position(&self, promotion: bool) -> Result<Position, PositionSpecError> {
        Ok(Position::from_fen_variant(self.fen.as_deref().unwrap_or(START_FEN), promotion)?)
    }

    /// Plays the moves, in any notation, and returns them. The options are a rank base, or say which notation was chosen.
    pub fn play_moves(
        &self,
        position: &mut Position,
        options: impl Into<ReadOptions>,
    ) -> Result<Vec<Move>, PositionSpecError> {
        let ReadOptions { ranks, notation } = options.into();
        let read = |of_word: &dyn Fn(&str) -> Letters| {
            let mut moves = Vec::new();
            let mut position = position.clone();
            for (index, text) in self.moves.iter().enumerate() {
                match play_word(&mut position, index + 1, text, ranks, of_word(text)) {
                    Ok(mv) => moves.push(mv),
                    Err(error) => return (position, moves, Some(error)),
                }
            }
            (position, moves, None)
        };
        let (played, moves, error) = match notation {
            Some(Notation::Wxf | Notation::Vietnamese) => read(&|text| Letters::of_word(text, notation)),
            _ => LetterEvidence::of(self.moves.iter().map(String::as_str)).read(
                |letters| read(&|_| letters),
                |(_, moves, error)| (error.is_none(), moves.len()),
                |(_, moves, _), (_, others, _)| moves == others,
            ),
        };
        *position = played;
        error.map_or(Ok(moves), Err)
    }

    /// The position after the moves, with its history.
    pub fn position(&self) -> Result<Position, PositionSpecError> {
        self.position_with(false, RankBase::Zero)
    }

    /// The same, optionally of the promotion variant, with a given rank base or notation.
    pub fn position_with(
        &self,
        promotion: bool,
        options: impl Into<ReadOptions>,
    ) -> Result<Position, PositionSpecError> {
        let mut position = self.start_position(promotion)?;
        self.play_moves(&mut position, options)?;
        Ok(position)
    }
}

/// Plays a word with this number in its list.
fn play_word(
    position: &mut Position,
    number: usize,
    text: &str,
    ranks: RankBase,
    letters: Letters,
) -> Result<Move, PositionSpecError> {
    let no_move = || PositionSpecError::NotAMove { number, error: ParseMoveError::of(text) };
    let mv = match ranks.parse_move(text) {
        Some(mv) => mv,
        // A move that is valid in the other rank base must not be reinterpreted.
        None if ranks.other().parse_move(text).is_some() => return Err(no_move()),
        None => notation::parse_word(position, text, ranks, letters).map_err(|source| match source.why {
            Some(_) => PositionSpecError::Notation { number, source },
            None => no_move(),
        })?,
    };
    position.play(mv).map_err(|source| PositionSpecError::Illegal { number, ranks, source })?;
    Ok(mv)
}

/// The FEN of a text, if it is not the start position, and the words of the moves behind it.
fn split(line: &str) -> (Option<String>, SplitWhitespace<'_>) {
    let mut words = line.split_whitespace();
    let head: Vec<&str> = words.by_ref().take_while(|word| !word.eq_ignore_ascii_case("moves")).collect();
    let is_start = head.is_empty() || head.len() == 1 && head[0].eq_ignore_ascii_case("startpos");
    ((!is_start).then(|| head.join(" ")), words)
}

/// The same of a line of a file, as [`PositionSpec::parse_line`] reads it.
pub(crate) fn split_line(line: &str) -> (Option<String>, SplitWhitespace<'_>) {
    let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
    let line = line.strip_prefix("fen ").unwrap_or(line).trim_start();
    let first = line.split_whitespace().next().unwrap_or_default();
    // `X1/1` goes back in Vietnamese notation.
    if first.contains('/') && VietnameseWord::read(first).is_none() {
        split(strip_epd_operations(line))
    } else if ["startpos", "moves"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        split(line)
    } else {
        (None, line.split_whitespace())
    }
}

/// The position fields of an EPD line, without the operations, which end with semicolons.
fn strip_epd_operations(line: &str) -> &str {
    let last = line.rfind(';').unwrap_or(0);
    let mut end = 0;
    for (index, word) in line.split(' ').enumerate() {
        let begins_operation =
            index >= 2 && word.starts_with(|letter: char| letter.is_ascii_alphabetic()) && end < last;
        if begins_operation {
            return line[..end].trim_end();
        }
        end += word.len() + 1;
    }
    line
}
