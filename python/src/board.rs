//! Pictures of a position: SVG for notebooks, PNG, text.

use crate::arguments::{self, Items, collected, square};
use crate::errors::{guarded, value_error};
use crate::position::PyPosition;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use xiangqi::Move;
use xiangqi_draw::{ArrowKind, BoardColours, BoardPicture, BoardStyle, Coordinates, PieceSet, TerminalBoard};

/// The widths of pictures that are written.
const WIDTHS: std::ops::RangeInclusive<u32> = 100..=4_000;

/// The letters beside a board take no room in a notebook.
const TEXT_COLUMNS: usize = 42;

/// The picture with the options of a call.
fn picture<'p>(
    position: &'p PyPosition,
    arrows: Option<&Bound<'_, PyAny>>,
    marked: Option<Items<String>>,
    flipped: bool,
    pieces: &str,
    board: &str,
    coordinates: &str,
) -> PyResult<BoardPicture<'p>> {
    let position = &position.inner;
    let mut picture = BoardPicture { last: position.last_move(), flipped, ..BoardPicture::new(position) };
    if let Some(arrows) = arrows {
        picture.arrows = collected(arrows, |arrow| Ok((arrow_move(&arrow)?, ArrowKind::Best)))?;
    }
    picture.marked = marked.iter().flat_map(|marked| &marked.0).map(|text| square(text)).collect::<PyResult<_>>()?;
    picture.style = BoardStyle {
        pieces: choice(pieces, PieceSet::ALL, PieceSet::name)?,
        board: choice(board, BoardColours::ALL, BoardColours::name)?,
        coordinates: choice(coordinates, Coordinates::ALL, Coordinates::name)?,
        ..BoardStyle::default()
    };
    Ok(picture)
}

/// A move to draw, which need not be legal.
fn arrow_move(value: &Bound<'_, PyAny>) -> PyResult<Move> {
    match value.cast::<crate::moves::PyMove>() {
        Ok(mv) => Ok(mv.get().0),
        Err(_) => arguments::parse(&value.extract::<String>()?),
    }
}

/// The value with this name.
fn choice<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> PyResult<T> {
    let found = all.iter().copied().find(|&value| name(value) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
        value_error(format_args!("'{text}': expected one of {}", names.join(", ")))
    })
}

#[pymethods]
impl PyPosition {
    /// A picture as SVG: with arrows for moves, rings on squares, seen from black's side.
    #[pyo3(signature = (*, arrows = None, marked = None, flipped = false, pieces = "wood", board = "wood", coordinates = "chinese"))]
    fn svg(
        &self,
        arrows: Option<&Bound<'_, PyAny>>,
        marked: Option<Items<String>>,
        flipped: bool,
        pieces: &str,
        board: &str,
        coordinates: &str,
    ) -> PyResult<String> {
        guarded(|| Ok(picture(self, arrows, marked, flipped, pieces, board, coordinates)?.svg()))
    }

    /// The same picture as a PNG of this width.
    #[pyo3(signature = (width = 480, *, arrows = None, marked = None, flipped = false, pieces = "wood", board = "wood", coordinates = "chinese"))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python method")]
    fn png<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        arrows: Option<&Bound<'_, PyAny>>,
        marked: Option<Items<String>>,
        flipped: bool,
        pieces: &str,
        board: &str,
        coordinates: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| {
            if !WIDTHS.contains(&width) {
                return Err(value_error(format_args!("expected a width from {} to {}", WIDTHS.start(), WIDTHS.end())));
            }
            let picture = picture(self, arrows, marked, flipped, pieces, board, coordinates)?;
            Ok(PyBytes::new(py, &picture.png(width)))
        })
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        guarded(|| Ok(BoardPicture { last: self.inner.last_move(), ..BoardPicture::new(&self.inner) }.svg()))
    }

    fn __str__(&self) -> PyResult<String> {
        guarded(|| {
            let board =
                TerminalBoard { last: self.inner.last_move(), width: TEXT_COLUMNS, ..TerminalBoard::new(&self.inner) };
            Ok(board.lines().join("\n"))
        })
    }
}
