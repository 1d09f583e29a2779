//! What games say about positions: questions to an index of games, and games that are added to it.

use crate::arguments::{collected, color, parse, position, type_name};
use crate::errors::{Exception, guarded, value_error};
use crate::game::as_objects;
use chuhe_study::explorer::{Added, GameFilter, GameIndex, GameSource, IndexError, IndexWriter};
use chuhe_study::review::PlayerNames;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;
use xiangqi::Position;
use xiangqi_record::GameResult;

/// The most games of an answer.
const MAX_LISTED: usize = 100_000;

/// An index of games: a folder that keeps the first 30 plies of every game that was added.
#[pyclass(name = "Explorer", module = "chuhe", frozen)]
pub struct Explorer {
    folder: PathBuf,
}

#[pymethods]
impl Explorer {
    /// Opens an index, or makes one.
    #[new]
    fn new(py: Python<'_>, index: PathBuf) -> PyResult<Explorer> {
        guarded(|| {
            py.detach(|| match GameIndex::open(&index) {
                Err(IndexError::Missing(_)) => IndexWriter::open(&index).and_then(|mut index| index.create()),
                opened => opened.map(drop),
            })
            .map_err(exception)?;
            Ok(Explorer { folder: index })
        })
    }

    /// Adds what is new in files of games, given by a path or several; returns how many games were new.
    ///
    /// What cannot be read of a game is left out. A file that has grown is read from its first new game on.
    fn add(&self, py: Python<'_>, files: &Bound<'_, PyAny>) -> PyResult<u64> {
        guarded(|| {
            let files = paths(files)?;
            let mut index = py.detach(|| IndexWriter::open(&self.folder)).map_err(exception)?;
            let mut games = 0;
            let mut interrupt = Ok(());
            for file in &files {
                let mut go_on = |_: u64| {
                    interrupt = Python::attach(|py| py.check_signals());
                    interrupt.is_ok()
                };
                let added = py.detach(|| {
                    let source = GameSource::open(file).map_err(IndexError::from)?;
                    index.add_file(source, &mut |_| {}, &mut go_on)
                });
                let Added { games: new, .. } = added.map_err(exception)?;
                games += new;
                if interrupt.is_err() {
                    break;
                }
            }
            py.detach(|| index.finish()).map_err(exception)?;
            interrupt.map(|()| games)
        })
    }

    /// What the games say about a position, the start position if none is given: as `chuhe explore --json`.
    #[pyo3(signature = (position = None, *, player = None, colour = None, since = None, until = None, result = None, source = None, games = 0))]
    #[expect(clippy::too_many_arguments, reason = "each is a name of the caller")]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        position: Option<&Bound<'py, PyAny>>,
        player: Option<String>,
        colour: Option<&str>,
        since: Option<&str>,
        until: Option<&str>,
        result: Option<&str>,
        source: Option<String>,
        games: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let position = position.map_or_else(|| Ok(Position::start()), self::position)?;
            if games > MAX_LISTED {
                return Err(value_error(format_args!("games: at most {MAX_LISTED} are listed")));
            }
            let known = |text: &str| {
                let known = GameResult::from_token(text);
                known.ok_or_else(|| value_error("result: expected 1-0, 0-1, 1/2-1/2 or *"))
            };
            let filter = GameFilter {
                player: player.map(|name| PlayerNames::new(&[name])).transpose().map_err(value_error)?,
                colour: colour.map(color).transpose()?,
                since: since.map(parse).transpose()?,
                until: until.map(parse).transpose()?,
                results: result.map(known).transpose()?.into_iter().collect(),
                source,
            };
            let ask = || GameIndex::open(&self.folder)?.ask(&position, &filter, games);
            let answer = py.detach(ask).map_err(exception)?;
            as_objects(py, &answer.to_json(&position))
        })
    }

    /// The number of games.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        guarded(|| {
            let games = py.detach(|| GameIndex::open(&self.folder)?.len()).map_err(exception)?;
            Ok(usize::try_from(games).unwrap_or(usize::MAX))
        })
    }

    fn __repr__(&self) -> String {
        format!("<Explorer of {}>", self.folder.display())
    }
}

fn exception(error: IndexError) -> PyErr {
    match error {
        IndexError::File(error) if error.source.kind() != std::io::ErrorKind::InvalidData => {
            let (code, text) = (error.source.raw_os_error(), error.source.to_string());
            pyo3::exceptions::PyOSError::new_err((code, text, error.path.display().to_string()))
        }
        other => Exception::Record.with(other),
    }
}

/// A path, or several.
fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
        return Ok(vec![value.extract()?]);
    }
    collected(value, |path| {
        let kind = type_name(&path);
        path.extract().map_err(|_| PyTypeError::new_err(format!("expected a path, found {kind}")))
    })
}
