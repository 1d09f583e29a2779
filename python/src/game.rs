//! A game: tags, a start position, a tree of moves with comments and marks, a result.

use crate::arguments::{self, Items, notation, parse, rules};
use crate::errors::{Exception, guarded, value_error};
use crate::moves;
use crate::node::PyNode;
use crate::position::PyPosition;
use chuhe::cli::judge::Ruling;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde::Serialize;
use std::collections::HashMap;
use xiangqi::Move;
use xiangqi_record::{Encoding, Game, GameCursor, GameResult, Nag, NodeId, Notation, OutputFormat, ParsedGame, pgn};

/// A game: tags, a start, a tree of moves with comments and marks, a result.
///
/// `Game()` begins at the start position; a `Position` brings the moves that led to it. `print` shows it as PGN. Two games
/// are equal if their tags, start, result and tree with its comments and marks are.
#[pyclass(name = "Game", module = "chuhe")]
#[derive(Clone)]
pub struct PyGame {
    pub inner: Game,
    /// What was wrong in the file, with its place; empty if all was readable.
    #[pyo3(get)]
    pub errors: Vec<String>,
    /// Whether the main line was read to its end.
    #[pyo3(get)]
    pub is_complete: bool,
    /// Where moves were added last, so that adding a line does not walk it for each move.
    cursor: Option<GameCursor>,
}

/// A node for `pickle`: the number of its parent, the move, the comment and the marks.
type PickledNode = (usize, Option<u16>, String, Items<u8>);

/// A game for `pickle`: start, variant, tags, result, nodes, errors, whether it is complete.
type PickledGame = (String, bool, Items<(String, String)>, String, Items<PickledNode>, Items<String>, bool);

impl PyGame {
    pub fn of(inner: Game) -> PyGame {
        PyGame { inner, errors: Vec::new(), is_complete: true, cursor: None }
    }

    /// The game, and a cursor at a node.
    pub fn cursor_at(&mut self, id: NodeId) -> (&mut Game, &mut GameCursor) {
        let cursor = self.cursor.get_or_insert_with(|| GameCursor::new(&self.inner));
        cursor.go_to(&self.inner, id);
        (&mut self.inner, cursor)
    }

    pub fn of_parsed(parsed: ParsedGame) -> PyGame {
        let is_complete = !parsed.errors.iter().any(|error| error.ends_main_line);
        let errors = parsed.errors.iter().map(ToString::to_string).collect();
        PyGame { errors, is_complete, ..PyGame::of(parsed.game) }
    }

    /// Encodes it in a format.
    pub fn encode(&self, format: OutputFormat, notation: Notation, encoding: Encoding) -> PyResult<Vec<u8>> {
        format.write(&self.inner, notation, encoding).map_err(|error| Exception::Record.with(error))
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (position = None, moves = None, *, tags = None, result = "*"))]
    fn new(
        position: Option<&Bound<'_, PyAny>>,
        moves: Option<&Bound<'_, PyAny>>,
        tags: Option<HashMap<String, String>>,
        result: &str,
    ) -> PyResult<PyGame> {
        guarded(|| {
            let given = position.map_or_else(|| Ok(xiangqi::Position::start()), arguments::position)?;
            let (start, played) = crate::position::start_and_moves(&given);
            let mut game = Game::from_moves(&start, played).map_err(|error| Exception::Move.with(error))?;
            let mut cursor = GameCursor::new(&game);
            cursor.go_to(&game, game.last());
            moves.map_or(Ok(()), |moves| {
                arguments::each(moves, |mv| {
                    let mv = arguments::legal_move(cursor.position(), &mv)?;
                    cursor.play(&mut game, mv).map_err(|error| Exception::Move.with(error))?;
                    Ok(())
                })
            })?;
            let mut tags: Vec<_> = tags.unwrap_or_default().into_iter().collect();
            tags.sort();
            game.tags = tags;
            game.result = self::result(result)?;
            Ok(PyGame::of(game))
        })
    }

    /// The tags in their order, by PGN names. Assign a dict to change them: the one that is read is a copy.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.inner.tags {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    #[setter]
    fn set_tags(&mut self, tags: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = PyDict::new(tags.py());
        given.update(tags.cast()?)?;
        self.inner.tags =
            given.iter().map(|(name, value)| Ok((name.extract()?, value.extract()?))).collect::<PyResult<_>>()?;
        Ok(())
    }

    /// The value of a tag; of `Red` also that of `White`.
    fn tag(&self, name: &str) -> Option<&str> {
        self.inner.tag(name)
    }

    /// Sets a tag, or appends it.
    fn set_tag(&mut self, name: &str, value: String) {
        self.inner.set_tag(name, value);
    }

    /// The result in the record: 1-0, 0-1, 1/2-1/2, or * if there is none.
    #[getter]
    fn result(&self) -> &'static str {
        self.inner.result.token()
    }

    #[setter]
    fn set_result(&mut self, text: &str) -> PyResult<()> {
        self.inner.result = result(text)?;
        Ok(())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::of(self.inner.start().clone())
    }

    /// The moves of the main line.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        moves::list(py, self.inner.moves())
    }

    /// The root of the tree, before the first move.
    #[getter]
    fn root(slf: Bound<'_, Self>) -> PyNode {
        PyNode::new(slf.unbind(), NodeId::ROOT)
    }

    /// The last node of the main line.
    #[getter]
    fn end(slf: Bound<'_, Self>) -> PyNode {
        let last = slf.borrow().inner.last();
        PyNode::new(slf.unbind(), last)
    }

    /// The position of the main line after so many plies, or the last one, with the moves that led there.
    #[pyo3(signature = (ply = None))]
    fn position(&self, ply: Option<usize>) -> PyResult<PyPosition> {
        guarded(|| {
            let line: Vec<NodeId> = std::iter::once(NodeId::ROOT).chain(self.inner.main_line()).collect();
            let there = line.len() - 1;
            let asked = ply.unwrap_or(there);
            let node = line.get(asked).ok_or_else(|| {
                let text = format!("there is no position after {asked} plies: the game has {there}");
                pyo3::exceptions::PyIndexError::new_err(text)
            })?;
            Ok(PyPosition::of(self.inner.position_at(*node)))
        })
    }

    /// The nodes of the main line, without the root.
    fn main_line(slf: Bound<'_, Self>) -> Vec<PyNode> {
        let line: Vec<NodeId> = slf.borrow().inner.main_line().collect();
        line.into_iter().map(|id| PyNode::new(slf.clone().unbind(), id)).collect()
    }

    /// All nodes, the root first; parents come before their children.
    fn nodes(slf: Bound<'_, Self>) -> Vec<PyNode> {
        let all = slf.borrow().inner.nodes();
        all.map(|id| PyNode::new(slf.clone().unbind(), id)).collect()
    }

    /// The game in a format, as the bytes of a file.
    #[pyo3(signature = (format = "pgn", *, notation = "ICCS", encoding = "utf-8"))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        notation: &str,
        encoding: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| {
            let bytes = self.encode(parse(format)?, self::notation(notation)?, parse(encoding)?)?;
            Ok(PyBytes::new(py, &bytes))
        })
    }

    /// The game as PGN.
    #[pyo3(signature = (notation = "ICCS"))]
    fn pgn(&self, notation: &str) -> PyResult<String> {
        guarded(|| Ok(pgn::write(&self.inner, self::notation(notation)?)))
    }

    /// A copy, which has nodes of its own.
    fn copy(&self) -> PyGame {
        self.clone()
    }

    fn __copy__(&self) -> PyGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.clone()
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        guarded(|| {
            let position = self.inner.position_at(self.inner.last());
            let last = position.last_move();
            Ok(xiangqi_draw::BoardPicture { last, ..xiangqi_draw::BoardPicture::new(&position) }.svg())
        })
    }

    fn __str__(&self) -> PyResult<String> {
        self.pgn("ICCS")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGame>().is_ok_and(|other| has_same_content(&self.inner, &other.borrow().inner))
    }

    fn __repr__(&self) -> String {
        format!("<Game {}>", label(&self.inner))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PickledGame,))> {
        let game = &self.inner;
        let number: HashMap<NodeId, usize> = game.nodes().zip(0..).collect();
        let node = |id: NodeId| {
            let node = &game[id];
            let marks = Items(node.marks.iter().map(|mark| mark.0).collect());
            (number[&node.parent()], node.mv().map(Move::bits), node.comment.clone(), marks)
        };
        let (fen, promotion) = (game.start().fen(), game.start().promotion());
        let nodes = Items(game.nodes().map(node).collect());
        let state = (
            fen,
            promotion,
            Items(game.tags.clone()),
            game.result.token().to_string(),
            nodes,
            Items(self.errors.clone()),
            self.is_complete,
        );
        Ok((py.get_type::<PyGame>().getattr("_restore")?, (state,)))
    }

    /// What `pickle` calls.
    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: PickledGame) -> PyResult<PyGame> {
        guarded(|| {
            let damaged = || value_error("expected a game, found other data");
            let (fen, promotion, tags, result, nodes, errors, is_complete) = state;
            let mut game = Game::new(&arguments::position_of_text(&fen, promotion)?);
            let (mut cursor, mut ids) = (GameCursor::new(&game), Vec::with_capacity(nodes.0.len()));
            for (parent, bits, comment, marks) in nodes.0 {
                let id = match bits {
                    None => NodeId::ROOT,
                    Some(bits) => {
                        cursor.go_to(&game, *ids.get(parent).ok_or_else(damaged)?);
                        let mv = Move::from_bits(bits).ok_or_else(damaged)?;
                        cursor.play(&mut game, mv).map_err(|error| Exception::Move.with(error))?
                    }
                };
                game[id].comment = comment;
                game[id].marks = marks.0.into_iter().map(Nag).collect();
                ids.push(id);
            }
            game.tags = tags.0;
            game.result = self::result(&result)?;
            Ok(PyGame { errors: errors.0, is_complete, ..PyGame::of(game) })
        })
    }
}

/// The players of a game, its length and its result.
pub fn label(game: &Game) -> String {
    let name = |tag| game.tag(tag).unwrap_or("?");
    format!("{} - {}, {} plies, {}", name("Red"), name("Black"), game.moves().count(), game.result)
}

/// Whether tags, start, result and the tree with its comments and marks are the same.
fn has_same_content(game: &Game, other: &Game) -> bool {
    let nodes = |game: &Game| -> Vec<_> {
        let number: HashMap<NodeId, usize> = game.nodes().zip(0..).collect();
        let nodes = game.nodes().map(|id| (number[&game[id].parent()], &game[id]));
        nodes.map(|(parent, node)| (parent, node.mv(), node.comment.clone(), node.marks.clone())).collect()
    };
    let head = |game: &Game| (game.start().fen(), game.start().promotion(), game.tags.clone(), game.result);
    head(game) == head(other) && nodes(game) == nodes(other)
}

/// A result in any of the usual forms.
fn result(text: &str) -> PyResult<GameResult> {
    let expected = || value_error("expected a result: 1-0, 0-1, 1/2-1/2 or *");
    GameResult::from_words(text).ok_or_else(expected)
}

/// What a rule set says of a game: where it was decided and why, with the fields of `chuhe judge --json`.
#[pyfunction]
#[pyo3(signature = (game, rules = "asian", *, natural_limit = None))]
pub fn judge<'py>(game: &Bound<'py, PyAny>, rules: &str, natural_limit: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let rules = self::rules(rules, natural_limit)?;
        let (position, game_of) = match game.cast::<PyGame>() {
            Ok(game) => {
                let game = game.borrow().inner.clone();
                (game.position_at(game.last()), Some(game))
            }
            Err(_) => (arguments::position(game)?, None),
        };
        let ruling = Ruling::of(rules, &position, Some(Notation::Uci));
        as_objects(game.py(), &ruling.json(game_of.as_ref()))
    })
}

/// Python's reading of a JSON text.
pub fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((text,))
}

/// A value as the dicts and lists that Python makes of its JSON.
pub fn as_objects<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    from_json(py, &serde_json::to_string(value).map_err(|error| Exception::Internal.with(error))?)
}
