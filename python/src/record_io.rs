//! Files of games: read one game after the other on a thread of their own, written whole or not at all.

use crate::arguments::{notation, parse};
use crate::errors::{Exception, guarded, os_error, value_error};
use crate::game::PyGame;
use crate::input::content;
use crate::waiting::received;
use chuhe_support::files::{MAX_INPUT_SIZE, write_atomic};
use pyo3::exceptions::PyFileExistsError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyString, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use xiangqi::Position;
use xiangqi_record::{Game, OutputFormat, ParsedGame, RecordError, RecordFile, RecordFileError};

/// So many games are read ahead.
const READ_AHEAD: usize = 64;

type ReadGame = Result<ParsedGame, RecordError>;

/// The games of a file, one after the other.
#[pyclass(name = "GameReader", module = "chuhe", frozen)]
pub struct GameReader {
    games: Mutex<Receiver<ReadGame>>,
    format: String,
    strict: bool,
}

#[pymethods]
impl GameReader {
    /// The format that was found: PGN, XQF, UBB, FEN, WXF, CBR, CBL, CBF or text.
    #[getter]
    fn format(&self) -> &str {
        &self.format
    }

    fn __repr__(&self) -> String {
        format!("<GameReader of {}>", self.format)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyGame>> {
        guarded(|| {
            match received(py, &self.games)? {
                None => Ok(None),
                Some(Ok(parsed)) if self.strict && !parsed.errors.is_empty() => {
                    Err(Exception::Record.with(&parsed.errors[0]))
                }
                Some(Ok(parsed)) => Ok(Some(PyGame::of_parsed(parsed))),
                Some(Err(error)) if self.strict => Err(Exception::Record.with(error)),
                // A game whose start cannot be read: empty, with the reason.
                Some(Err(error)) => {
                    let mut game = PyGame::of(Game::new(&Position::start()));
                    (game.errors, game.is_complete) = (vec![error.to_string()], false);
                    Ok(Some(game))
                }
            }
        })
    }
}

/// Reads the games of a path, a text, bytes or an open file, of any format and encoding.
///
/// A game is kept as far as it can be read, and its `errors` tell the rest; with `strict` the first error is raised.
#[pyfunction]
#[pyo3(signature = (source, *, strict = false))]
pub fn read_games(source: &Bound<'_, PyAny>, strict: bool) -> PyResult<GameReader> {
    guarded(|| {
        let bytes = content(source)?;
        let ((format_sender, format), (sender, games)) = (mpsc::sync_channel(1), mpsc::sync_channel(READ_AHEAD));
        // It ends when the iterator is gone.
        let read = move || {
            let file = RecordFile::read(bytes);
            let mut games = file.games().peekable();
            if games.peek().is_some() && format_sender.send(file.format().to_string()).is_ok() {
                games.all(|game| sender.send(game).is_ok());
            }
        };
        std::thread::Builder::new().name("games".to_string()).spawn(read)?;
        match received(source.py(), &Mutex::new(format))? {
            Some(format) => Ok(GameReader { games: Mutex::new(games), format, strict }),
            None => Err(Exception::Record.with(RecordFileError::NoGame)),
        }
    })
}

/// Writes games to a file, whole or not at all, and returns how many. The ending of its name tells the format.
#[pyfunction]
#[pyo3(signature = (path, games, format = None, *, notation = "ICCS", encoding = "utf-8", overwrite = false))]
pub fn write_games(
    py: Python<'_>,
    path: PathBuf,
    games: &Bound<'_, PyAny>,
    format: Option<&str>,
    notation: &str,
    encoding: &str,
    overwrite: bool,
) -> PyResult<usize> {
    guarded(|| {
        let format = match format {
            Some(name) => parse(name)?,
            None => OutputFormat::from_path(&path).map_err(value_error)?.unwrap_or(OutputFormat::Pgn),
        };
        let (notation, encoding) = (self::notation(notation)?, parse(encoding)?);
        refuse_to_overwrite(&path, overwrite)?;
        let (mut bytes, mut count) = (Vec::new(), 0);
        let mut add = |game: &PyGame| {
            if count > 0 && format == OutputFormat::Xqf {
                return Err(value_error("an XQF file holds one game"));
            }
            bytes.extend(game.encode(format, notation, encoding)?);
            if bytes.len() as u64 > MAX_INPUT_SIZE {
                return Err(value_error(format_args!("more than {} MB of games", MAX_INPUT_SIZE >> 20)));
            }
            py.check_signals()?;
            count += 1;
            Ok(())
        };
        match games.cast::<PyGame>() {
            Ok(game) => add(&*game.try_borrow()?)?,
            Err(_) => games.try_iter()?.try_for_each(|game| add(&*game?.cast::<PyGame>()?.try_borrow()?))?,
        }
        write(py, &path, &bytes, overwrite)?;
        Ok(count)
    })
}

fn refuse_to_overwrite(path: &Path, overwrite: bool) -> PyResult<()> {
    if !overwrite && path.exists() {
        let text = format!("{} exists; overwrite=True writes over it", path.display());
        return Err(PyFileExistsError::new_err(text));
    }
    Ok(())
}

/// Writes a file whole or not at all.
pub fn write(py: Python<'_>, path: &Path, bytes: &[u8], overwrite: bool) -> PyResult<()> {
    refuse_to_overwrite(path, overwrite)?;
    py.detach(|| write_atomic(path, bytes)).map_err(|error| os_error(py, &error, path))
}

/// The games of a path, a text, bytes or an open file, or of an iterable of `Game` objects, or one of them.
pub fn games_of<'py>(games: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if games.is_instance_of::<PyGame>() {
        return PyTuple::new(games.py(), [games])?.try_iter();
    }
    let is_file = games.is_instance_of::<PyString>() || games.is_instance_of::<PyBytes>();
    if is_file || games.hasattr("__fspath__")? || games.hasattr("read")? {
        return Bound::new(games.py(), read_games(games, false)?)?.try_iter();
    }
    games.try_iter()
}
