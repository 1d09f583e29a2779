//! A node of a game: a move with its comment, its marks and what follows; or the root.

use crate::arguments::{self, Items};
use crate::errors::{Exception, guarded, value_error};
use crate::game::PyGame;
use crate::moves::{self, PyMove};
use crate::position::PyPosition;
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use xiangqi_record::{GameNode, Nag, NodeId, notation};

/// A move in the tree of a game, or its root.
#[pyclass(name = "Node", module = "chuhe", frozen)]
pub struct PyNode {
    game: Py<PyGame>,
    id: NodeId,
}

impl PyNode {
    pub fn new(game: Py<PyGame>, id: NodeId) -> PyNode {
        PyNode { game, id }
    }

    fn read<T>(&self, py: Python<'_>, read: impl FnOnce(&GameNode) -> T) -> PyResult<T> {
        Ok(read(&self.game.try_borrow(py)?.inner[self.id]))
    }

    fn other(&self, py: Python<'_>, id: NodeId) -> PyNode {
        PyNode { game: self.game.clone_ref(py), id }
    }
}

#[pymethods]
impl PyNode {
    /// The game that it belongs to.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyGame> {
        self.game.clone_ref(py)
    }

    /// The move; None at the root.
    #[getter(r#move)]
    fn mv<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.read(py, GameNode::mv)?.map(|mv| moves::object(py, mv)).transpose()
    }

    /// The number of moves from the start of the game.
    #[getter]
    fn ply(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, GameNode::ply)
    }

    /// The comment after the move; empty if there is none.
    #[getter]
    fn comment(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |node| node.comment.clone())
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, text: String) -> PyResult<()> {
        self.game.try_borrow_mut(py)?.inner[self.id].comment = text;
        Ok(())
    }

    /// The marks of the move: !, ?, !!, ??, !?, ?!, or a number of PGN such as $10.
    #[getter]
    fn marks(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let text = |mark: &Nag| mark.symbol().map_or_else(|| mark.to_string(), String::from);
        self.read(py, |node| node.marks.iter().map(text).collect())
    }

    #[setter]
    fn set_marks(&self, py: Python<'_>, marks: Items<String>) -> PyResult<()> {
        let read = |text: &String| {
            let number = || text.strip_prefix('$').and_then(|number| number.parse().ok()).map(Nag);
            let expected = || value_error("expected marks such as !, ?, !!, ??, !?, ?! or $10");
            Nag::from_sign(text).or_else(number).ok_or_else(expected)
        };
        let marks = marks.0.iter().map(read).collect::<PyResult<_>>()?;
        if self.id == NodeId::ROOT {
            return Err(value_error("the root has no move to mark"));
        }
        self.game.try_borrow_mut(py)?.inner[self.id].marks = marks;
        Ok(())
    }

    /// The node before; None at the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<PyNode>> {
        let parent = self.read(py, GameNode::parent)?;
        Ok((self.id != NodeId::ROOT).then(|| self.other(py, parent)))
    }

    /// What follows: the move of the line, and then its alternatives.
    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<PyNode>> {
        let ids = self.read(py, |node| node.children().to_vec())?;
        Ok(ids.into_iter().map(|id| self.other(py, id)).collect())
    }

    /// The next move of the line.
    #[getter]
    fn next(&self, py: Python<'_>) -> PyResult<Option<PyNode>> {
        Ok(self.read(py, |node| node.children().first().copied())?.map(|id| self.other(py, id)))
    }

    /// Whether it is the root or a move of the main line.
    #[getter]
    fn is_main_line(&self, py: Python<'_>) -> PyResult<bool> {
        let game = self.game.try_borrow(py)?;
        let line = game.inner.line_to(self.id);
        Ok(line.iter().all(|&id| game.inner[game.inner[id].parent()].children().first() == Some(&id)))
    }

    /// The position after the move, with the moves that led there.
    fn position(&self, py: Python<'_>) -> PyResult<PyPosition> {
        guarded(|| Ok(PyPosition::of(self.game.try_borrow(py)?.inner.position_at(self.id))))
    }

    /// The move in a notation; empty at the root.
    #[pyo3(signature = (notation = "Chinese"))]
    fn text(&self, py: Python<'_>, notation: &str) -> PyResult<String> {
        guarded(|| {
            let notation = arguments::notation(notation)?;
            let mut game = self.game.try_borrow_mut(py)?;
            let node = &game.inner[self.id];
            let (Some(mv), parent) = (node.mv(), node.parent()) else { return Ok(String::new()) };
            Ok(notation::format(game.cursor_at(parent).1.position(), mv, notation))
        })
    }

    /// Adds a legal move after this one, as the last alternative, and returns its node; one that is there stays.
    #[pyo3(signature = (mv, *, comment = ""))]
    fn add(&self, mv: &Bound<'_, PyAny>, comment: &str) -> PyResult<PyNode> {
        let py = mv.py();
        guarded(|| {
            let mut game = self.game.try_borrow_mut(py)?;
            let (game, cursor) = game.cursor_at(self.id);
            let mv = arguments::legal_move(cursor.position(), mv)?;
            if let Some(&there) = game[self.id].children().iter().find(|&&id| game[id].mv() == Some(mv)) {
                game[there].append_comment(comment);
                return Ok(self.other(py, there));
            }
            let id = cursor.play(game, mv).map_err(|error| Exception::Move.with(error))?;
            game[id].comment = comment.to_string();
            Ok(self.other(py, id))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyNode>().is_ok_and(|other| self.game.is(&other.get().game) && self.id == other.get().id)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game.as_ptr() as usize, self.id).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (mv, ply) = self.read(py, |node| (node.mv(), node.ply()))?;
        Ok(mv.map_or_else(|| String::from("<Node: the root>"), |mv| format!("<Node {mv}, ply {ply}>")))
    }
}
