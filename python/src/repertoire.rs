//! Opening repertoires: made of lines or of a player's games, what is missing in them, and where games leave them.

use crate::arguments::{self, collected, color, instance};
use crate::errors::{Exception, guarded, value_error};
use crate::game::{PyGame, as_objects};
use crate::moves;
use crate::record_io::games_of;
use chuhe::cli::repertoire::{departure_json, gap_json, repertoire_json};
use chuhe_study::book::open_book;
use chuhe_study::repertoire::{GapOptions, MAX_LINE, OpeningCounts, Repertoire, colour_of};
use chuhe_study::review::PlayerNames;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use xiangqi::{Color, Move, Position};
use xiangqi_record::Game;

/// The moves that a player wants to play with one colour, and the answers that they are for.
///
/// It is read from games with variations, given by a path or as `Game` objects, or begins empty; the colour is that of the
/// games where they tell it. Other orders of moves and mirror images are joined.
#[pyclass(name = "Repertoire", module = "chuhe", frozen)]
pub struct PyRepertoire {
    inner: Mutex<Repertoire>,
}

impl PyRepertoire {
    fn of(inner: Repertoire) -> PyRepertoire {
        PyRepertoire { inner: Mutex::new(inner) }
    }

    /// Nothing that holds it runs Python.
    fn inner(&self) -> MutexGuard<'_, Repertoire> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyRepertoire {
    #[new]
    #[pyo3(signature = (games = None, *, colour = None))]
    fn new(games: Option<&Bound<'_, PyAny>>, colour: Option<&str>) -> PyResult<PyRepertoire> {
        guarded(|| {
            let mut all: Vec<Game> = Vec::new();
            games.map_or(Ok(()), |games| {
                each_game(games, |game| {
                    all.push(game.clone());
                    Ok(())
                })
            })?;
            let told = colour.map(color).transpose()?.or_else(|| colour_of(&all));
            let unknown = || value_error("colour: expected red or black, as the games do not tell it");
            let mut inner = Repertoire::new(told.ok_or_else(unknown)?);
            if games.is_some() {
                inner.add_games(&all).map_err(|error| Exception::Record.with(error))?;
            }
            Ok(PyRepertoire::of(inner))
        })
    }

    /// A repertoire of the games of a player (one name or several of the same person): moves and answers that were played in
    /// `least` games or more, up to so many plies.
    #[classmethod]
    #[pyo3(signature = (games, player, colour, *, least = 2, plies = 24))]
    fn of_player(
        _class: &Bound<'_, PyType>,
        games: &Bound<'_, PyAny>,
        player: &Bound<'_, PyAny>,
        colour: &str,
        least: u64,
        plies: usize,
    ) -> PyResult<PyRepertoire> {
        guarded(|| {
            let (player, colour) = (Some(names(player)?), color(colour)?);
            let counts = counted(games, player.as_ref(), colour, plies)?;
            if counts.games() == 0 {
                return Err(value_error("player: no game of this player with this colour"));
            }
            let made = Repertoire::of_games(colour, &counts, least).map_err(value_error)?;
            Ok(PyRepertoire::of(made))
        })
    }

    /// The side whose moves they are: red or black.
    #[getter]
    fn colour(&self) -> String {
        self.inner().colour().to_string()
    }

    /// The number of positions with a move of the player.
    #[getter]
    fn positions(&self) -> usize {
        self.inner().own_positions()
    }

    /// The moves of the repertoire in a position, the main one first; empty if it does not know it.
    fn moves<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let at = arguments::position(position)?;
            let found = self.inner().moves(&at);
            moves::list(position.py(), found)
        })
    }

    /// Adds a line of moves from the start position, and returns how many of them are new.
    fn add(&self, line: &Bound<'_, PyAny>) -> PyResult<usize> {
        guarded(|| {
            let mut at = Position::start();
            let mut played: Vec<Move> = Vec::new();
            let mut add = |mv: &Bound<'_, PyAny>| {
                let mv = arguments::legal_move(&at, mv)?;
                at.play_unchecked(mv);
                played.push(mv);
                Ok(())
            };
            if line.is_instance_of::<PyString>() {
                for word in line.extract::<String>()?.split_whitespace() {
                    add(PyString::new(line.py(), word).as_any())?;
                }
            } else {
                arguments::each(line, |mv| add(&mv))?;
            }
            if played.len() > MAX_LINE {
                return Err(value_error(format_args!("a line has at most {MAX_LINE} moves")));
            }
            self.inner().add_line(&played).map_err(value_error)
        })
    }

    /// Its lines from the start position to their ends, or to a position that another line goes on from.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        guarded(|| {
            let mut ends: Vec<Vec<Move>> = Vec::new();
            self.inner().walk(&mut |place| {
                if !place.line.is_empty() && (place.moves.is_empty() || place.is_known) {
                    ends.push(place.line.to_vec());
                }
            });
            ends.into_iter().map(|line| moves::list(py, line)).collect()
        })
    }

    /// Answers that have no move yet, the most frequent first: those that came in `least` games, and in this share of the
    /// games in their position; or that a book gives this weight. Without games and book, the book of the program. Fields are
    /// those of `chuhe repertoire gaps --json`.
    #[pyo3(signature = (games = None, *, player = None, book = None, share = 0.1, least = 2, plies = 24))]
    #[expect(clippy::too_many_arguments, reason = "each is a name of the caller")]
    fn gaps<'py>(
        &self,
        py: Python<'py>,
        games: Option<&Bound<'py, PyAny>>,
        player: Option<&Bound<'py, PyAny>>,
        book: Option<PathBuf>,
        share: f64,
        least: u64,
        plies: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            if !(share > 0.0 && share <= 1.0) {
                return Err(value_error("share: expected a part of 1"));
            }
            let repertoire = self.inner().clone();
            let player = player.map(names).transpose()?;
            let counts = match games {
                Some(games) => counted(games, player.as_ref(), repertoire.colour(), plies)?,
                None => OpeningCounts::new(plies),
            };
            let usual = games.is_none().then(|| PathBuf::from(chuhe_study::book::EMBEDDED_BOOK_NAME));
            let book = book.or(usual).map(|path| open_book(&path)).transpose().map_err(value_error)?;
            let options = GapOptions { least_share: share, least_games: least, plies };
            let gaps = repertoire.gaps(&counts, book.as_deref(), &options).map_err(value_error)?;
            let all: Vec<serde_json::Value> = gaps.iter().map(gap_json).collect();
            as_objects(py, &all)
        })
    }

    /// Where a game leaves it: `departure` is `never`, `end` (it has no moves there), `mine` (the player plays another move)
    /// or `other` (the other side does); None if the game does not begin in the start position.
    fn follow<'py>(&self, py: Python<'py>, game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let game = instance::<PyGame>(game, "a Game")?.try_borrow()?.inner.clone();
            let followed = self.inner().follow(&game);
            as_objects(py, &followed.map(|followed| departure_json(&followed)))
        })
    }

    /// It as a game with variations, which `write_games` writes.
    fn game(&self) -> PyGame {
        PyGame::of(self.inner().to_game())
    }

    /// Each position once, with its moves: as `chuhe repertoire show --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let all = repertoire_json(&self.inner(), None);
            as_objects(py, &all)
        })
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.inner().len()
    }

    fn __repr__(&self) -> String {
        let inner = self.inner();
        format!("<Repertoire of {}: {} moves>", inner.colour(), inner.len())
    }
}

/// The names of a person.
fn names(player: &Bound<'_, PyAny>) -> PyResult<PlayerNames> {
    let is_one = player.is_instance_of::<PyString>();
    let all = if is_one { vec![player.extract()?] } else { collected(player, |name| name.extract::<String>())? };
    PlayerNames::new(&all).map_err(value_error)
}

fn each_game(games: &Bound<'_, PyAny>, mut take: impl FnMut(&Game) -> PyResult<()>) -> PyResult<()> {
    for game in games_of(games)? {
        let game = game?;
        take(&instance::<PyGame>(&game, "a Game")?.try_borrow()?.inner)?;
        games.py().check_signals()?;
    }
    Ok(())
}

/// What was played in the games in which the player had the colour; in all of them without a player.
fn counted(
    games: &Bound<'_, PyAny>,
    player: Option<&PlayerNames>,
    colour: Color,
    plies: usize,
) -> PyResult<OpeningCounts> {
    if !(1..=80).contains(&plies) {
        return Err(value_error("plies: expected 1 to 80"));
    }
    let mut counts = OpeningCounts::new(plies);
    each_game(games, |game| {
        if player.is_none_or(|player| player.sides(game).contains(&colour)) {
            counts.add(game);
        }
        Ok(())
    })?;
    Ok(counts)
}
