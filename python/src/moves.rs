//! A move. There is one object for each, so that a list of moves costs no more than its pointers.

use crate::errors::guarded;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use xiangqi::Move;

/// The squares of a board.
const SQUARES: usize = 90;

/// The objects made so far, by origin and target.
static MOVES: [PyOnceLock<Py<PyMove>>; SQUARES * SQUARES] = [const { PyOnceLock::new() }; SQUARES * SQUARES];

/// A move from a square to another, such as `h2e2`. It need not be legal in any position.
#[pyclass(name = "Move", module = "chuhe", frozen, eq, hash, ord)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PyMove(pub Move);

/// The object of a move.
pub fn object(py: Python<'_>, mv: Move) -> PyResult<Bound<'_, PyMove>> {
    let place = &MOVES[mv.from().dense() * SQUARES + mv.to().dense()];
    Ok(place.get_or_try_init(py, || Py::new(py, PyMove(mv)))?.bind(py).clone())
}

/// The class of a list of moves.
static MOVE_LIST: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The objects of moves, as a list in which texts of moves are found.
pub fn list(py: Python<'_>, moves: impl IntoIterator<Item = Move>) -> PyResult<Bound<'_, PyAny>> {
    MOVE_LIST.import(py, "chuhe._moves", "MoveList")?.call1((objects(py, moves)?,))
}

/// The objects of moves.
pub fn objects(py: Python<'_>, moves: impl IntoIterator<Item = Move>) -> PyResult<Vec<Bound<'_, PyMove>>> {
    moves.into_iter().map(|mv| object(py, mv)).collect()
}

#[pymethods]
impl PyMove {
    #[new]
    fn new(text: &str) -> PyResult<PyMove> {
        guarded(|| text.parse().map(PyMove).map_err(|error| crate::errors::Exception::Move.with(error)))
    }

    /// The square that the piece leaves.
    #[getter(from_square)]
    fn origin(&self) -> String {
        self.0.from().to_string()
    }

    /// The square that the piece goes to.
    #[getter(to_square)]
    fn target(&self) -> String {
        self.0.to().to_string()
    }

    /// The left-right mirror image.
    fn mirrored<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        object(py, self.0.mirror())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<PyMove>(), (self.0.to_string(),))
    }
}
