"""Results that are plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional, Tuple

if TYPE_CHECKING:
    from ._native import Move


@dataclass(frozen=True)
class MoveExplanation:
    """What a move of a repetition did."""

    #: Who moved: red or black.
    side: str
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
    result: str
    #: red, black, or None for a draw.
    winner: Optional[str]
    #: Such as "mate", "perpetual check", "repetition", "natural limit".
    reason: str
    #: A sentence: "Black wins: perpetual check".
    text: str
    #: What each move of the repetition did, the oldest first; empty if there was none.
    explanation: List[MoveExplanation]
