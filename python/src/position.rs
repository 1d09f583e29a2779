//! A position with the moves that led to it.

use crate::arguments::{self, Items, color, each, notation, piece, rules, square};
use crate::errors::{Exception, guarded};
use crate::input::bytes_or_file;
use crate::moves::{self, PyMove};
use crate::waiting::perft;
use chuhe_study::analyse::GamePosition;
use chuhe_study::picture::read_bytes;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use xiangqi::rules::{MoveExplanation, can_anyone_win};
use xiangqi::{Move, Piece, Position, Reason, Setup, Square, perft::MAX_PERFT};
use xiangqi_picture::Options;
use xiangqi_record::{GameResult, notation as notations};

/// A position: the pieces, the side to move, and the moves that led to it.
///
/// `Position()` is the start. Otherwise it takes a FEN or `startpos`, either with `moves …` behind it, or moves alone, in
/// any notation. Two positions are equal, and have the same hash, if their pieces, the side to move and the variant are:
/// counters and earlier moves do not count. A position changes with `push` and `pop`; keep a `copy()` in sets and dicts.
#[pyclass(name = "Position", module = "chuhe")]
#[derive(Clone)]
pub struct PyPosition {
    pub inner: Position,
    /// The points of the picture that may be something else: the square, what it is read as, what it may be instead, and
    /// the chances of both. Empty unless the position comes from `from_picture`.
    #[pyo3(get)]
    doubts: Vec<Doubted>,
}

/// A point that may be something else: what it is read as, what it may be instead, and the chances of both.
type Doubted = (String, Option<char>, Option<char>, f32, f32);

/// What `pickle` keeps: the start, the moves from there, and the variant.
type Pickled = (String, Vec<u16>, bool);

impl PyPosition {
    pub fn of(inner: Position) -> PyPosition {
        PyPosition { inner, doubts: Vec::new() }
    }
}

/// The start of a position, and the moves from there.
pub fn start_and_moves(position: &Position) -> (Position, Vec<Move>) {
    let game = GamePosition::from_position(position);
    (game.start().clone(), game.played().to_vec())
}

/// The class of `legal_moves`.
static LEGAL_MOVES: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// How often, and after what time, another thread is asked for a position that it reads.
const TRIES: usize = 200;
const RETRY_AFTER: Duration = Duration::from_millis(5);

/// Changes a position. A thread that reads it is waited for; the change itself runs no Python, which would run other threads.
fn changed<T>(position: &Bound<'_, PyPosition>, change: impl FnOnce(&mut Position) -> T) -> PyResult<T> {
    for _ in 0..TRIES {
        if let Ok(mut position) = position.try_borrow_mut() {
            return Ok(change(&mut position.inner));
        }
        position.py().detach(|| std::thread::sleep(RETRY_AFTER));
    }
    let text = "this position is in use: give each thread a copy() of its own";
    Err(pyo3::exceptions::PyRuntimeError::new_err(text))
}

/// A dataclass of the package.
fn record<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("chuhe._records")?.getattr(name)
}

/// What a move of a repetition did.
fn explained_move<'py>(py: Python<'py>, facts: &MoveExplanation) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("side", facts.mover.to_string())?;
    fields.set_item("move", moves::object(py, facts.mv)?)?;
    fields.set_item("check", facts.check)?;
    let chased: Vec<_> =
        facts.newly_chased.iter().map(|(piece, square)| (piece.letter(), square.to_string())).collect();
    fields.set_item("chased", chased)?;
    fields.set_item("nature", facts.nature.as_ref().map(ToString::to_string))?;
    fields.set_item("text", facts.to_string())?;
    record(py, "MoveExplanation")?.call((), Some(&fields))
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (position = "startpos", *, promotion = false))]
    fn new(position: &str, promotion: bool) -> PyResult<PyPosition> {
        guarded(|| arguments::position_of_text(position, promotion).map(PyPosition::of))
    }

    /// A position from its pieces: letters as in a FEN (red's are capitals) by their squares, as `pieces()` gives them.
    #[classmethod]
    #[pyo3(signature = (pieces, turn = "red", *, promotion = false))]
    fn from_pieces(
        _class: &Bound<'_, PyType>,
        pieces: &Bound<'_, PyAny>,
        turn: &str,
        promotion: bool,
    ) -> PyResult<PyPosition> {
        guarded(|| {
            let mut setup = Setup::empty();
            (setup.side, setup.promotion) = (color(turn)?, promotion);
            let placed = PyDict::new(pieces.py());
            placed.update(pieces.cast()?)?;
            for (on, letter) in placed {
                setup.place(piece(&letter.extract::<String>()?)?, square(&on.extract::<String>()?)?);
            }
            let position = Position::try_from(setup).map_err(|error| Exception::Fen.with(error))?;
            Ok(PyPosition::of(position.clone()))
        })
    }

    /// The position that a picture shows: a path, or the bytes of a PNG, JPEG or WebP. `doubts` tells what is not sure.
    ///
    /// A picture does not tell the side to move. `turned` says that black is below, where the pieces do not; `corners` are
    /// the outer points of the board in pixels, clockwise from the top left, for photographs.
    #[classmethod]
    #[pyo3(signature = (picture, turn = "red", *, turned = None, corners = None))]
    fn from_picture(
        _class: &Bound<'_, PyType>,
        picture: &Bound<'_, PyAny>,
        turn: &str,
        turned: Option<bool>,
        corners: Option<[(f32, f32); 4]>,
    ) -> PyResult<PyPosition> {
        let side = guarded(|| color(turn))?;
        let options = Options { corners, turned };
        let bytes = bytes_or_file(picture)?;
        let mut reading = picture
            .py()
            .detach(|| guarded(|| read_bytes(&bytes, &options).map_err(|error| Exception::Record.with(error))))?;
        guarded(|| {
            reading.setup.side = side;
            let doubts = reading.doubts.iter().map(|doubt| {
                let [read, other] = [doubt.read, doubt.other].map(|piece| piece.map(Piece::letter));
                (doubt.square.to_string(), read, other, doubt.chances[0], doubt.chances[1])
            });
            let doubts = doubts.collect();
            let inner = Position::try_from(reading.setup).map_err(|error| Exception::Fen.with(error))?;
            Ok(PyPosition { inner, doubts })
        })
    }

    /// The side to move: red or black.
    #[getter]
    fn turn(&self) -> String {
        self.inner.side().to_string()
    }

    /// Whether advisors and bishops may turn into pawns at home, as in a variant.
    #[getter]
    fn promotion(&self) -> bool {
        self.inner.promotion()
    }

    /// The number of plies since the start of the game, from the FEN's counter and the moves.
    #[getter]
    fn ply(&self) -> u32 {
        self.inner.game_ply()
    }

    /// The number of the move that is next, from 1: both sides' moves are one.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.inner.game_ply() / 2 + 1
    }

    /// The number of plies since the last capture.
    #[getter]
    fn plies_since_capture(&self) -> usize {
        self.inner.plies_since_capture()
    }

    /// How often this position has stood since the last capture, this time included.
    #[getter]
    fn occurrences(&self) -> usize {
        self.inner.occurrence_count()
    }

    /// The Zobrist key of pieces and side: 64 bits that are the same in every process and version.
    #[getter]
    fn key(&self) -> u64 {
        self.inner.key()
    }

    /// The last move; None at the start.
    #[getter]
    fn last_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.inner.last_move().map(|mv| moves::object(py, mv)).transpose()
    }

    /// The moves that led here, the first one first.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        moves::list(py, start_and_moves(&self.inner).1)
    }

    /// All legal moves, in no particular order: a list in which a text in any notation is found, too.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = moves::objects(py, self.inner.legal_moves())?;
        let class = LEGAL_MOVES.import(py, "chuhe._moves", "LegalMoves")?;
        class.call1((moves, PyPosition::of(self.inner.without_history())))
    }

    /// The position as a FEN.
    fn fen(&self) -> String {
        self.inner.fen()
    }

    /// The position before the first of its moves.
    fn start(&self) -> PyPosition {
        PyPosition::of(start_and_moves(&self.inner).0)
    }

    /// Whether a move, or a text in any notation, is a legal move.
    fn is_legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.why_illegal(mv)?.is_none())
    }

    /// Why a move is not legal, as a sentence; None if it is.
    fn why_illegal(&self, mv: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        guarded(|| match arguments::legal_move(&self.inner, mv) {
            Ok(_) => Ok(None),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyTypeError>(mv.py()) => Err(error),
            Err(error) => Ok(Some(error.value(mv.py()).to_string())),
        })
    }

    /// Plays a legal move, or a text in any notation, also in short (`炮五`), and returns it.
    fn push<'py>(slf: &Bound<'py, Self>, mv: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyMove>> {
        guarded(|| {
            let mv = arguments::legal_move(&slf.try_borrow()?.inner, mv)?;
            // Another thread may have played one meanwhile.
            let played = changed(slf, |position| position.play(mv))?;
            played.map_err(|error| Exception::Move.with(error))?;
            moves::object(slf.py(), mv)
        })
    }

    /// Takes the last move back and returns it. An IndexError says that there is none.
    fn pop<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyMove>> {
        let last = changed(slf, |position| position.last_move().inspect(|_| position.undo()))?;
        moves::object(slf.py(), last.ok_or_else(|| PyIndexError::new_err("there is no move to take back"))?)
    }

    /// The last move. An IndexError says that there is none.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        let last = self.inner.last_move().ok_or_else(|| PyIndexError::new_err("no move has been played"))?;
        moves::object(py, last)
    }

    /// Reads a legal move in ICCS, UCI, WXF, Chinese or Vietnamese, also in short, without playing it. A word that is
    /// legal in WXF and in Vietnamese and means two moves is refused, unless one of them is given.
    #[pyo3(signature = (text, notation = None))]
    fn parse_move<'py>(&self, py: Python<'py>, text: &str, notation: Option<&str>) -> PyResult<Bound<'py, PyMove>> {
        guarded(|| {
            let chosen = notation.map(self::notation).transpose()?;
            moves::object(py, arguments::read_move(&self.inner, text, chosen)?)
        })
    }

    /// Writes a legal move.
    #[pyo3(signature = (mv, notation = "Chinese"))]
    fn format_move(&self, mv: &Bound<'_, PyAny>, notation: &str) -> PyResult<String> {
        guarded(|| {
            let mv = arguments::legal_move(&self.inner, mv)?;
            Ok(notations::format(&self.inner, mv, self::notation(notation)?))
        })
    }

    /// Writes moves that follow each other from here.
    #[pyo3(signature = (moves, notation = "Chinese"))]
    fn format_line(&self, moves: &Bound<'_, PyAny>, notation: &str) -> PyResult<Vec<String>> {
        guarded(|| {
            let notation = self::notation(notation)?;
            let mut position = self.inner.clone();
            let mut line = Vec::new();
            each(moves, |mv| {
                let mv = arguments::legal_move(&position, &mv)?;
                line.push(notations::format(&position, mv, notation));
                position.play_unchecked(mv);
                Ok(())
            })?;
            Ok(line)
        })
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.inner.in_check()
    }

    /// Whether the side to move is in check and has no legal move.
    fn is_checkmate(&self) -> bool {
        self.inner.in_check() && !self.inner.has_legal_move()
    }

    /// Whether the side to move is not in check and has no legal move, which loses.
    fn is_stalemate(&self) -> bool {
        !self.inner.in_check() && !self.inner.has_legal_move()
    }

    /// Whether neither side has pieces left that can win.
    fn is_insufficient_material(&self) -> bool {
        !can_anyone_win(&self.inner)
    }

    /// Whether a legal move captures.
    fn is_capture(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(|| {
            let mv = arguments::legal_move(&self.inner, mv)?;
            Ok(mv.from() != mv.to() && self.inner.piece_at(mv.to()).is_some())
        })
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(|| Ok(self.inner.gives_check(arguments::legal_move(&self.inner, mv)?)))
    }

    /// The piece on a square such as `e0`, as a letter of a FEN.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        Ok(self.inner.piece_at(self::square(square)?).map(|piece| piece.letter()))
    }

    /// All pieces: letters by squares.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for square in Square::all() {
            if let Some(piece) = self.inner.piece_at(square) {
                pieces.set_item(square.to_string(), piece.letter())?;
            }
        }
        Ok(pieces)
    }

    /// The square of a king.
    fn king(&self, side: &str) -> PyResult<String> {
        Ok(self.inner.king(color(side)?).to_string())
    }

    /// The squares of the pieces of a side that attack a square.
    fn attackers(&self, side: &str, square: &str) -> PyResult<Vec<String>> {
        let attackers = self.inner.attackers_to(self::square(square)?, color(side)?);
        Ok(attackers.iter().map(|square| square.to_string()).collect())
    }

    /// The squares that the piece on a square attacks or protects; empty if there is none. Pins are ignored.
    fn attacks(&self, square: &str) -> PyResult<Vec<String>> {
        let from = self::square(square)?;
        let Some(piece) = self.inner.piece_at(from) else { return Ok(Vec::new()) };
        let is_attacked = |&to: &Square| self.inner.attackers_to(to, piece.color()).contains(from);
        Ok(Square::all().filter(is_attacked).map(|to| to.to_string()).collect())
    }

    /// Whether a piece of a side stands on a square, and its king would be attacked without it.
    fn is_pinned(&self, side: &str, square: &str) -> PyResult<bool> {
        let (color, square) = (color(side)?, self::square(square)?);
        let is_own = self.inner.piece_at(square).is_some_and(|piece| piece.color() == color);
        Ok(is_own && self.inner.pinned_of(color).contains(square))
    }

    /// How the game ended, and why, by a rule set; None while it goes on.
    #[pyo3(signature = (rules = "asian", natural_limit = None))]
    fn outcome<'py>(
        slf: &Bound<'py, Self>,
        rules: &str,
        natural_limit: Option<usize>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        guarded(|| {
            let rules = self::rules(rules, natural_limit)?;
            // A copy, as Python runs other threads while it makes the answer.
            let position = slf.try_borrow()?.inner.clone();
            let verdict = rules.judge(&position);
            let Some(ending) = verdict.ending else { return Ok(None) };
            let explanation: Vec<_> =
                rules.explain(&position).iter().map(|facts| explained_move(py, facts)).collect::<PyResult<_>>()?;
            let fields = PyDict::new(py);
            fields.set_item("result", GameResult::from_winner(ending.winner()).token())?;
            fields.set_item("winner", ending.winner().map(|side| side.to_string()))?;
            // Without the piece that is chased, which the sentence names.
            let reason = match verdict.reason {
                Reason::PerpetualChase { .. } => String::from("perpetual chase"),
                reason => reason.to_string(),
            };
            fields.set_item("reason", reason)?;
            fields.set_item("text", verdict.sentence())?;
            fields.set_item("explanation", explanation)?;
            Ok(Some(record(py, "Outcome")?.call((), Some(&fields))?))
        })
    }

    /// Whether the game is over by a rule set.
    #[pyo3(signature = (rules = "asian", natural_limit = None))]
    fn is_game_over(&self, rules: &str, natural_limit: Option<usize>) -> PyResult<bool> {
        guarded(|| Ok(self::rules(rules, natural_limit)?.judge(&self.inner).ending.is_some()))
    }

    /// Legal moves that lose at once by the rules of repetition.
    #[pyo3(signature = (rules = "asian"))]
    fn losing_moves<'py>(&self, py: Python<'py>, rules: &str) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| moves::list(py, self::rules(rules, None)?.losing_moves(&self.inner)))
    }

    /// The number of move paths of this length.
    #[pyo3(signature = (depth, threads = 1))]
    fn perft(slf: &Bound<'_, Self>, depth: u32, threads: usize) -> PyResult<u64> {
        guarded(|| {
            if depth > MAX_PERFT || !(1..=256).contains(&threads) {
                let text = format!("expected a depth from 0 to {MAX_PERFT} and 1 to 256 threads");
                return Err(crate::errors::value_error(text));
            }
            // A copy, as other threads run meanwhile.
            let position = slf.try_borrow()?.inner.clone();
            self::perft(slf.py(), &position, depth, threads)
        })
    }

    /// The left-right mirror image, without the moves that led here.
    fn mirrored(&self) -> PyPosition {
        PyPosition::of(self.inner.mirrored())
    }

    /// The same position with the sides exchanged, without the moves that led here.
    fn color_flipped(&self) -> PyPosition {
        PyPosition::of(self.inner.color_flipped())
    }

    /// A copy, with or without the moves that led here.
    #[pyo3(signature = (*, history = true))]
    fn copy(&self, history: bool) -> PyPosition {
        PyPosition::of(if history { self.inner.clone() } else { self.inner.without_history() })
    }

    fn __copy__(&self) -> PyPosition {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyPosition {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPosition>().is_ok_and(|other| other.borrow().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let promotion = if self.inner.promotion() { ", promotion=True" } else { "" };
        format!("Position('{}'{promotion})", self.inner.fen())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let (start, played) = start_and_moves(&self.inner);
        let bits = played.iter().map(|mv| mv.bits()).collect();
        let restore = py.get_type::<PyPosition>().getattr("_restore")?;
        Ok((restore, (start.fen(), bits, self.inner.promotion())))
    }

    /// What `pickle` calls.
    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, fen: &str, bits: Items<u16>, promotion: bool) -> PyResult<PyPosition> {
        guarded(|| {
            let mut inner = arguments::position_of_text(fen, promotion)?;
            for bits in bits.0 {
                let mv =
                    Move::from_bits(bits).ok_or_else(|| Exception::Move.with("expected a move, found other data"))?;
                inner.play(mv).map_err(|error| Exception::Move.with(error))?;
            }
            Ok(PyPosition::of(inner))
        })
    }
}
