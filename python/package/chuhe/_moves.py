"""Lists of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, SupportsIndex, Tuple

from . import _native

if TYPE_CHECKING:
    from ._native import Move, Position


class MoveList(List["Move"]):
    """Moves. A text such as `h2e2` is found among them; another text raises a `MoveError`."""

    __slots__ = ()

    def _move(self, move: Any) -> Any:
        return _native.Move(move) if isinstance(move, str) else move

    def __contains__(self, move: object) -> bool:
        return super().__contains__(self._move(move))

    def index(self, move: Any, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 30) -> int:
        return super().index(self._move(move), start, stop)

    def count(self, move: Any) -> int:
        return super().count(self._move(move))

    def remove(self, move: Any) -> None:
        super().remove(self._move(move))

    def __reduce__(self) -> Tuple[Any, ...]:
        return list, (list(self),)


class LegalMoves(MoveList):
    """The legal moves of a position. A text in any notation, also in short, is found among them."""

    __slots__ = ("_position",)

    def __init__(self, moves: Iterable[Move], position: Position) -> None:
        super().__init__(moves)
        self._position = position

    def _move(self, move: Any) -> Any:
        return self._position.parse_move(move) if isinstance(move, str) else move

    def __contains__(self, move: object) -> bool:
        return self._position.is_legal(move) if isinstance(move, str) else super().__contains__(move)

    def count(self, move: Any) -> int:
        return int(move in self)


for _list in (MoveList, LegalMoves):
    _list.__module__ = "chuhe"
