"""Xiangqi (Chinese chess): positions, game records, and an engine that analyses and reviews.

>>> import chuhe
>>> position = chuhe.Position()
>>> position.push("炮二平五")
Move('h2e2')
>>> position.format_move("h9g7")
'马８进７'
>>> with chuhe.Engine() as engine:
...     answer = engine.analyse(position, nodes=1000)
>>> answer["chance"] > 0.4
True

The guide is docs/python.md.
"""

from typing import Final, Literal

from ._errors import ChuheError, EngineError, FenError, InternalError, MoveError, RecordError
from ._native import (
    BUILD,
    RULE_SETS,
    START_FEN,
    AnalysisStream,
    Engine,
    Explorer,
    Game,
    GameReader,
    LiveAnalysis,
    Move,
    Node,
    Position,
    Repertoire,
    Review,
    Tactic,
    TacticMiner,
    Tactics,
    __version__,
    judge,
    read_games,
    write_games,
)
from ._moves import LegalMoves, MoveList
from ._records import (
    Analysis,
    Answer,
    Departure,
    Explored,
    ExploredGame,
    ExploredMove,
    Line,
    LineEnd,
    LiveReport,
    MoveExplanation,
    OpeningGap,
    Outcome,
    TacticAnswer,
    Verdict,
)

RED: Final[Literal["red"]] = "red"
BLACK: Final[Literal["black"]] = "black"

__all__ = [
    "BLACK",
    "BUILD",
    "RED",
    "RULE_SETS",
    "START_FEN",
    "Analysis",
    "AnalysisStream",
    "Answer",
    "ChuheError",
    "Departure",
    "Engine",
    "EngineError",
    "Explored",
    "ExploredGame",
    "ExploredMove",
    "Explorer",
    "FenError",
    "Game",
    "GameReader",
    "InternalError",
    "LegalMoves",
    "Line",
    "LineEnd",
    "LiveAnalysis",
    "LiveReport",
    "Move",
    "MoveError",
    "MoveExplanation",
    "MoveList",
    "Node",
    "OpeningGap",
    "Outcome",
    "Position",
    "RecordError",
    "Repertoire",
    "Review",
    "Tactic",
    "TacticAnswer",
    "TacticMiner",
    "Tactics",
    "Verdict",
    "__version__",
    "judge",
    "read_games",
    "write_games",
]
