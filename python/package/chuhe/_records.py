"""Results that are plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Tuple, TypedDict

if TYPE_CHECKING:
    from ._native import Move
    from ._types import Result, Side


@dataclass(frozen=True)
class MoveExplanation:
    """What a move of a repetition did."""

    #: Who moved: red or black.
    side: Side
    move: Move
    #: It gave check.
    check: bool
    #: The pieces that it newly chased: letter and square.
    chased: List[Tuple[str, str]]
    #: By rules that give each move a nature: which one, and why.
    nature: Optional[str]
    #: The same as a text; "-" if it did nothing.
    text: str


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    #: 1-0, 0-1 or 1/2-1/2.
    result: Result
    #: red, black, or None for a draw.
    winner: Optional[Side]
    #: Such as "mate", "perpetual check", "repetition", "natural limit".
    reason: str
    #: A sentence: "Black wins: perpetual check".
    text: str
    #: What each move of the repetition did, the oldest first; empty if there was none.
    explanation: List[MoveExplanation]


class _Score(TypedDict):
    """A score from red's side."""

    #: Hundredths of a minor piece; 29,000 and more is a mate, 28,000 to 28,999 a win by the rules of repetition.
    score: int
    #: The moves to mate, negative if red is mated; None where there is none.
    mate: Optional[int]
    #: The part of the points that red can expect, 0 to 1.
    chance: float


class _EarlyScore(TypedDict):
    """The same of a search that runs; None before its first depth."""

    score: Optional[int]
    mate: Optional[int]
    chance: Optional[float]


class Verdict(TypedDict):
    """How a game ended."""

    result: str
    reason: str
    chinese: str


class LineEnd(Verdict):
    """How the game ends at the end of a line."""

    plies: int
    cycle: int
    repetition: List[Dict[str, Any]]


class Line(_Score):
    """A line of play: its first move, in three notations, and its moves."""

    move: str
    chinese: str
    wxf: str
    bound: str
    depth: int
    seldepth: int
    moves: List[str]
    moves_chinese: List[str]
    table: Optional[str]
    table_plies: Optional[int]
    end: Optional[LineEnd]


class _Report(TypedDict):
    start: str
    played: List[str]
    ply: int
    fen: str
    side: str
    complete: bool
    depth: int
    seldepth: int
    nodes: int
    time_ms: int
    nps: int
    #: None where nothing can be played.
    best: Optional[List[str]]
    lines: List[Line]
    evaluation: Optional[int]
    table: Optional[str]
    table_plies: Optional[int]
    opening: Optional[Dict[str, str]]
    book: List[Dict[str, Any]]
    verdict: Optional[Verdict]
    losing: List[str]
    mate_search: Optional[Dict[str, Any]]
    conditions: Dict[str, Any]


class Analysis(_Score, _Report):
    """The analysis of a position, with the fields of `chuhe analyse --json`: see docs/scripts.md."""


class LiveReport(_EarlyScore, _Report):
    """A state of a search that runs; the last one is final."""

    final: bool


class Answer(Analysis, total=False):
    """An analysis out of many. One that could not be made has an `id` and an `error` only."""

    id: Any
    error: str


class _Tally(TypedDict):
    """Results of games."""

    #: All games; those without a result count here alone.
    games: int
    red: int
    draws: int
    black: int
    #: The part of the points of the side to move, 0 to 1; None where no game has a result.
    score: Optional[float]
    #: The day of the latest game.
    last: Optional[str]
    #: The name in Chinese and English.
    opening: Optional[Dict[str, str]]


class ExploredMove(_Tally):
    """A move that was played."""

    move: str
    chinese: str


class ExploredGame(TypedDict):
    """A game that reached the position."""

    file: str
    game: int
    red: str
    black: str
    date: Optional[str]
    result: str
    move: Optional[str]


class _Explored(_Tally):
    fen: str
    moves: List[ExploredMove]


class Explored(_Explored, total=False):
    """What games say about a position."""

    #: Some of the games, if they were asked for and there are any.
    list: List[ExploredGame]


class TacticAnswer(TypedDict):
    """What an answer to a tactic is worth."""

    #: The next move of the solution, its last one, another move that is worth as much, or none of these.
    state: Literal["right", "solved", "as-good", "wrong"]
    #: What the other side answers to a right move.
    reply: Optional[Move]
    #: What follows a wrong one.
    refutation: List[Move]


class OpeningGap(TypedDict):
    """An answer of the other side against which a repertoire has no move."""

    #: The moves from the start position, the answer last.
    line: List[str]
    games: int
    #: The part of the games in the position before.
    share: float
    #: The part that a book gives it.
    book: float
    #: The repertoire names the answer.
    listed: bool


class Departure(TypedDict):
    """Where a game leaves a repertoire."""

    departure: Literal["never", "end", "mine", "other"]
    #: The plies before the last position that the repertoire knows.
    plies: int
    #: The move of the game there, and those of the repertoire.
    played: Optional[str]
    wanted: List[str]
