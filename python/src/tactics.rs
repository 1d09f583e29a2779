//! Tactics: those of the program or of a file, what an answer to one is worth, and tactics that games have.

use crate::arguments::{self, collected, instance};
use crate::errors::{Exception, guarded, value_error};
use crate::game::{PyGame, as_objects};
use crate::input::bytes_or_file;
use crate::moves::{self, PyMove};
use crate::position::PyPosition;
use crate::record_io::{games_of, write};
use crate::waiting::{locked, searched};
use chuhe_engine::search::{Options, Searcher};
use chuhe_study::tactics::{
    self, GameToMine, Miner, Tactic, TacticSelection, TacticTrial, Twins, counts, embedded, read_file, try_move,
};
use chuhe_support::messages::Localize;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice, PyString, PyType};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use xiangqi::{Move, Position};

/// Megabytes of the hash table of an answer that is judged.
const HASH_MB: usize = 8;

/// A position with one best move at each step of its solution.
#[pyclass(name = "Tactic", module = "chuhe", frozen, eq)]
#[derive(Clone, PartialEq)]
pub struct PyTactic(Tactic);

#[pymethods]
impl PyTactic {
    /// The position as a FEN.
    #[getter]
    fn fen(&self) -> &str {
        &self.0.fen
    }

    /// The position, with the solver to move.
    #[getter]
    fn position(&self) -> PyResult<PyPosition> {
        guarded(|| arguments::position_of_text(&self.0.fen, false).map(PyPosition::of))
    }

    /// The solution with the answers of the other side: the solver has the first move and the last.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        moves::list(py, self.0.moves.iter().copied())
    }

    /// The names of what it shows, such as `fork`, the most telling ones first.
    #[getter]
    fn themes(&self) -> Vec<&'static str> {
        self.0.themes.iter().map(|theme| theme.name()).collect()
    }

    /// How hard it is, from about 600 to 2400.
    #[getter]
    fn difficulty(&self) -> u16 {
        self.0.difficulty
    }

    /// What an answer is worth: the first move of the solver, or his moves up to the one that is asked about.
    ///
    /// `state` is `right` (the other side answers with `reply`), `solved`, `as-good` (another move that is worth as much) or
    /// `wrong` (`refutation` shows why). A move that is not of the solution is searched with so many nodes.
    #[pyo3(signature = (moves, *, nodes = 60_000))]
    fn check<'py>(&self, py: Python<'py>, moves: &Bound<'py, PyAny>, nodes: u64) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let is_one = moves.is_instance_of::<PyString>() || moves.is_instance_of::<PyMove>();
            let given = if is_one { vec![moves.clone()] } else { collected(moves, Ok)? };
            let steps = self.0.moves.len().div_ceil(2);
            if given.is_empty() || given.len() > steps {
                return Err(value_error(format_args!(
                    "moves: expected 1 to {steps} of the solver, found {}",
                    given.len()
                )));
            }
            let mut step = 0;
            loop {
                let damaged = || Exception::Fen.with("the position of this tactic is damaged");
                let before = self.0.position_at(2 * step).ok_or_else(damaged)?;
                let mv = arguments::legal_move(&before, &given[step])?;
                if step + 1 == given.len() {
                    return answer(py, &self.0, step, mv, nodes);
                }
                if self.0.moves[2 * step] != mv {
                    return Err(value_error(format_args!(
                        "moves: {mv} is not of the solution, and another one follows it"
                    )));
                }
                step += 1;
            }
        })
    }

    /// Its fields, as a line of a file has them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| as_objects(py, &self.0))
    }

    fn __repr__(&self) -> String {
        format!("<Tactic: {}, {}>", self.0.difficulty, self.0.fen)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(xiangqi_draw::BoardPicture::new(&self.position()?.inner).svg())
    }
}

/// A line of JSON for each.
fn lines(tactics: &[Tactic]) -> PyResult<String> {
    let line = |tactic| Ok(serde_json::to_string(tactic).map_err(|error| Exception::Internal.with(error))? + "\n");
    tactics.iter().map(line).collect()
}

fn answer<'py>(py: Python<'py>, tactic: &Tactic, step: usize, mv: Move, nodes: u64) -> PyResult<Bound<'py, PyDict>> {
    if nodes == 0 {
        return Err(value_error("nodes: expected 1 or more"));
    }
    let mut searcher = Searcher::new(Options::default(), HASH_MB).map_err(|error| value_error(error.localized()))?;
    let trial = searched(py, |control| try_move(tactic, step, mv, &mut searcher, nodes, control))?;
    let trial = trial.ok_or_else(|| Exception::Internal.with("the search has failed"))?;
    let answer = PyDict::new(py);
    let (state, reply, refutation) = match trial {
        TacticTrial::Solved => ("solved", None, Vec::new()),
        TacticTrial::Right(reply) => ("right", Some(reply), Vec::new()),
        TacticTrial::AsGood => ("as-good", None, Vec::new()),
        TacticTrial::Wrong(line) => ("wrong", None, line),
    };
    answer.set_item("state", state)?;
    answer.set_item("reply", reply.map(|reply| moves::object(py, reply)).transpose()?)?;
    answer.set_item("refutation", moves::objects(py, refutation)?)?;
    Ok(answer)
}

/// Tactics: those of the program, or of a file that `save` or `chuhe tactics` has written, given by a path or its bytes.
#[pyclass(name = "Tactics", module = "chuhe", frozen)]
pub struct PyTactics {
    all: Arc<Vec<Tactic>>,
}

#[pymethods]
impl PyTactics {
    #[new]
    #[pyo3(signature = (source = None))]
    fn new(source: Option<&Bound<'_, PyAny>>) -> PyResult<PyTactics> {
        guarded(|| {
            let all = match source {
                None => embedded().to_vec(),
                Some(source) if source.is_instance_of::<PyList>() => tactics_of(source)?,
                Some(source) => {
                    let bytes = bytes_or_file(source)?;
                    read_file(&bytes).map_err(|error| Exception::Record.with(error))?
                }
            };
            Ok(PyTactics { all: Arc::new(all) })
        })
    }

    /// How often each theme comes, the most frequent first.
    #[getter]
    fn themes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut found: Vec<(usize, &str)> =
            counts(&self.all).into_iter().map(|(theme, count)| (count, theme.name())).collect();
        found.sort_by_key(|&(count, name)| (std::cmp::Reverse(count), name));
        let themes = PyDict::new(py);
        found.into_iter().try_for_each(|(count, name)| themes.set_item(name, count))?;
        Ok(themes)
    }

    /// Those with a theme (or one of several), of a difficulty, so many: drawn at random, or the hardest ones first.
    #[pyo3(signature = (theme = None, *, least = 0, most = 9999, count = None, hardest = false, seed = 1))]
    fn filter(
        &self,
        theme: Option<&Bound<'_, PyAny>>,
        least: u16,
        most: u16,
        count: Option<usize>,
        hardest: bool,
        seed: u64,
    ) -> PyResult<PyTactics> {
        guarded(|| {
            let named = |name: Bound<'_, PyAny>| tactics::theme(&name.extract::<String>()?).map_err(value_error);
            let themes = match theme {
                None => Vec::new(),
                Some(name) if name.is_instance_of::<PyString>() => vec![named(name.clone())?],
                Some(names) => collected(names, named)?,
            };
            let is_none = theme.is_some() && themes.is_empty();
            let selection = TacticSelection { themes, difficulty: least..=most, hardest, count, seed };
            let all = if is_none { Vec::new() } else { selection.of(self.all.to_vec()) };
            Ok(PyTactics { all: Arc::new(all) })
        })
    }

    /// Finds tactics in games, given by a path or as `Game` objects: an iterator, which looks through the next game when it is
    /// asked and leaves out what is a twin of an earlier one. What is found is checked with ten times as many nodes.
    #[classmethod]
    #[pyo3(signature = (games, *, nodes = 10_000))]
    fn mine(_class: &Bound<'_, PyType>, games: &Bound<'_, PyAny>, nodes: u64) -> PyResult<TacticMiner> {
        guarded(|| {
            if !(1_000..=100_000_000).contains(&nodes) {
                return Err(value_error("nodes: expected 1000 to 100000000"));
            }
            let miner = Miner::new(nodes).map_err(|error| value_error(error.localized()))?;
            let state = MinerState {
                games: Some(games_of(games)?.unbind()),
                miner,
                twins: Twins::default(),
                found: VecDeque::new(),
                looked_through: 0,
            };
            Ok(TacticMiner { state: Mutex::new(state) })
        })
    }

    /// Writes them to a file, a line of JSON each, and returns how many there are.
    #[pyo3(signature = (path, *, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<usize> {
        guarded(|| {
            write(py, &path, lines(&self.all)?.as_bytes(), overwrite)?;
            Ok(self.all.len())
        })
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let part = slice.indices(self.all.len() as isize)?;
            let places = (0..part.slicelength).map(|place| (part.start + place as isize * part.step) as usize);
            let all = places.map(|place| self.all[place].clone()).collect();
            return Ok(Bound::new(py, PyTactics { all: Arc::new(all) })?.into_any());
        }
        let index: isize = index.extract()?;
        let at = if index < 0 { index + self.all.len() as isize } else { index };
        let found = usize::try_from(at).ok().and_then(|at| self.all.get(at));
        let tactic = found.cloned().map(PyTactic).ok_or_else(|| PyIndexError::new_err("there is no such tactic"))?;
        Ok(Bound::new(py, tactic)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let all = self.all.iter().map(|tactic| Py::new(py, PyTactic(tactic.clone())));
        PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("<Tactics: {}>", self.all.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Vec<u8>,))> {
        Ok((py.get_type::<PyTactics>(), (lines(&self.all)?.into_bytes(),)))
    }
}

fn tactics_of(list: &Bound<'_, PyAny>) -> PyResult<Vec<Tactic>> {
    collected(list, |item| Ok(instance::<PyTactic>(&item, "a Tactic")?.get().0.clone()))
}

/// Looking through games for tactics: an iterator.
#[pyclass(name = "TacticMiner", module = "chuhe", frozen)]
pub struct TacticMiner {
    state: Mutex<MinerState>,
}

struct MinerState {
    games: Option<Py<PyIterator>>,
    miner: Miner,
    twins: Twins,
    found: VecDeque<Tactic>,
    looked_through: usize,
}

#[pymethods]
impl TacticMiner {
    /// The number of games that were looked through.
    #[getter]
    fn games(&self) -> PyResult<usize> {
        Ok(locked(&self.state)?.looked_through)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyTactic>> {
        guarded(|| {
            let state = &mut *locked(&self.state)?;
            loop {
                if let Some(tactic) = state.found.pop_front() {
                    return Ok(Some(PyTactic(tactic)));
                }
                let Some(games) = &state.games else { return Ok(None) };
                let Some(game) = games.bind(py).clone().next() else {
                    state.games = None;
                    return Ok(None);
                };
                let game = game_to_mine(&game?)?;
                let miner = &mut state.miner;
                let found = searched(py, |control| miner.mine(&game, control))?.unwrap_or_default();
                state.looked_through += 1;
                let twins = &mut state.twins;
                state.found.extend(found.into_iter().filter(|tactic| twins.add(tactic)));
            }
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<TacticMiner: {} games looked through>", locked(&self.state)?.looked_through))
    }
}

fn game_to_mine(game: &Bound<'_, PyAny>) -> PyResult<GameToMine> {
    let game = instance::<PyGame>(game, "a Game")?.try_borrow()?;
    let start: Position = game.inner.start().clone();
    Ok(GameToMine { start, moves: game.inner.moves().collect(), scores: None })
}
