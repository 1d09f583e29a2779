//! What callers write, as types of the crates: positions, moves, squares, rules, notations.

use crate::errors::{Exception, value_error};
use crate::moves::PyMove;
use crate::position::PyPosition;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{IntoPyObjectExt, PyTypeCheck};
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;
use xiangqi::{Color, Move, Piece, Position, RuleSet, Rules, Square};
use xiangqi_record::{Notation, PositionSpec, intended_move};

/// Reads a text as a value whose error is a `ValueError`.
pub fn parse<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(value_error)
}

/// `red` or `black`.
pub fn color(text: &str) -> PyResult<Color> {
    let found = Color::ALL.into_iter().find(|color| color.to_string() == text);
    found.ok_or_else(|| value_error(format_args!("'{}' is not a side: expected red or black", excerpt(text))))
}

/// A letter of a piece, as in a FEN.
pub fn piece(text: &str) -> PyResult<Piece> {
    let mut letters = text.chars();
    let found = letters.next().filter(|_| letters.next().is_none()).and_then(Piece::from_letter);
    found.ok_or_else(|| {
        value_error(format_args!("'{}' is not a piece: expected a letter as in a FEN, such as R or r", excerpt(text)))
    })
}

pub fn square(text: &str) -> PyResult<Square> {
    parse(text)
}

pub fn notation(text: &str) -> PyResult<Notation> {
    parse(text)
}

pub fn rules(set: &str, natural_limit: Option<usize>) -> PyResult<Rules> {
    Ok(Rules::with_limit(parse::<RuleSet>(set)?, natural_limit))
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(16).collect()
}

/// A position from `FEN`, `startpos`, either with `moves …` behind it, or moves alone.
pub fn position_of_text(text: &str, promotion: bool) -> PyResult<Position> {
    let spec = PositionSpec::parse_line(text);
    let position = spec.position_with(promotion, xiangqi_record::RankBase::Zero).map_err(|error| match error {
        xiangqi_record::PositionSpecError::Fen(_) => {
            Exception::Fen.with(no_position(text).unwrap_or(error.to_string()))
        }
        _ => match no_position(text) {
            Some(sentence) => Exception::Fen.with(sentence),
            None => Exception::Move.with(error),
        },
    })?;
    // What is parsed has room for a thousand moves; a copy has as much as it needs.
    Ok(position.clone())
}

/// What a text is that is neither a FEN nor moves: the name of a file, or nothing that is understood.
fn no_position(text: &str) -> Option<String> {
    let text = text.trim();
    let ending = Path::new(text).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let shown = excerpt(text);
    match ending.as_deref() {
        Some("png" | "jpg" | "jpeg" | "webp" | "gif" | "bmp" | "heic" | "tif" | "tiff") => {
            return Some(format!("'{shown}' is the name of a picture: Position.from_picture reads pictures"));
        }
        Some("pgn" | "xqf" | "ubb" | "wxf" | "cbr" | "cbl" | "cbf" | "epd" | "fen") => {
            return Some(format!("'{shown}' is the name of a file of games: read_games reads them"));
        }
        _ => {}
    }
    let first = text.split_whitespace().next().filter(|word| !["startpos", "fen", "position"].contains(word))?;
    let is_understood = |word: &str| {
        let read = intended_move::parse(&Position::start(), word);
        !matches!(read, Err(intended_move::MoveTextError::NotUnderstood(_)))
    };
    (!text.contains('/') && !is_understood(first))
        .then(|| format!("'{shown}' is no position: expected a FEN, startpos, or moves such as h2e2 or 炮二平五"))
}

/// A position, or the text of one.
pub fn position(value: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(position) = value.cast::<PyPosition>() {
        return Ok(position.try_borrow()?.inner.clone());
    }
    let text = text_of(value, "a Position")?;
    position_of_text(&text, false)
}

fn text_of(value: &Bound<'_, PyAny>, or: &str) -> PyResult<String> {
    let wrong = || PyTypeError::new_err(format!("expected {or} or its text, found {}", type_name(value)));
    value.extract::<String>().map_err(|_| wrong())
}

/// A legal move: a `Move`, or a text in any notation.
pub fn legal_move(position: &Position, value: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(mv) = value.cast::<PyMove>() {
        let mv = mv.get().0;
        if position.is_pseudo_legal(mv) && position.is_legal(mv) {
            return Ok(mv);
        }
        return read_move(position, &mv.to_string(), None);
    }
    let text = text_of(value, "a Move")?;
    read_move(position, &text, None)
}

/// A legal move in any notation; the one that was chosen decides between WXF and Vietnamese. The error says why another
/// is not legal.
pub fn read_move(position: &Position, text: &str, chosen: Option<Notation>) -> PyResult<Move> {
    intended_move::parse_with(position, text, chosen).map_err(|error| Exception::Move.with(error))
}

/// The most values of one argument.
const MAX_ITEMS: usize = 100_000;

/// Takes the values of an iterable one by one, as what it says of its length may be anything, and Ctrl-C is heard.
pub fn each<'py>(values: &Bound<'py, PyAny>, mut take: impl FnMut(Bound<'py, PyAny>) -> PyResult<()>) -> PyResult<()> {
    for (index, value) in values.try_iter()?.enumerate() {
        if index == MAX_ITEMS {
            return Err(value_error(format_args!("more than {MAX_ITEMS} values")));
        }
        if index % 256 == 0 {
            values.py().check_signals()?;
        }
        take(value?)?;
    }
    Ok(())
}

/// What becomes of each value of an iterable.
pub fn collected<'py, T>(
    values: &Bound<'py, PyAny>,
    take: impl Fn(Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    each(values, |value| {
        all.push(take(value)?);
        Ok(())
    })?;
    Ok(all)
}

/// The values of an iterable that is no text.
pub struct Items<T>(pub Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for Items<T> {
    type Error = PyErr;

    fn extract(values: Borrowed<'_, 'py, PyAny>) -> PyResult<Items<T>> {
        if values.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("expected several values, found one text"));
        }
        collected(&values, |value| value.extract::<T>().map_err(Into::into)).map(Items)
    }
}

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Items<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.into_bound_py_any(py)
    }
}

/// Legal first moves.
pub fn legal_moves(position: &Position, values: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
    // A text is a sequence of letters, which is not what is meant.
    if let Ok(text) = values.extract::<String>() {
        return text.split_whitespace().map(|word| read_move(position, word, None)).collect();
    }
    collected(values, |value| legal_move(position, &value))
}

/// A value as an object of a class.
pub fn instance<'a, 'py, T: PyTypeCheck>(value: &'a Bound<'py, PyAny>, class: &str) -> PyResult<&'a Bound<'py, T>> {
    value.cast::<T>().map_err(|_| PyTypeError::new_err(format!("expected {class}, found {}", type_name(value))))
}

pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| String::from("something else"), |name| name.to_string())
}
