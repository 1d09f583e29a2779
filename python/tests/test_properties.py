"""The same moves and checks as another library's, where the rules agree: random games with a fixed seed."""

import pytest
from chuhe import Position
from conftest import random_positions

pyffish = pytest.importorskip("pyffish")


def other_spelling(move: str) -> str:
    """A move with ranks from 1 to 10."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def other_fen(position: Position) -> str:
    """The FEN with horses and elephants as the other library calls them, which are the same letters in xiangqi."""
    return position.fen()


@pytest.mark.parametrize("seed", range(4))
def test_legal_moves_are_the_same(seed: int) -> None:
    for position in random_positions(300, seed=100 + seed, plies=150):
        ours = sorted(other_spelling(str(move)) for move in position.legal_moves)
        assert ours == sorted(pyffish.legal_moves("xiangqi", other_fen(position), [])), position.fen()


def test_checks_are_the_same() -> None:
    for position in random_positions(1_000, seed=201, plies=150):
        assert position.is_check() == pyffish.gives_check("xiangqi", other_fen(position), []), position.fen()


def test_positions_after_moves_are_the_same() -> None:
    for position in random_positions(500, seed=202):
        moves = [other_spelling(str(move)) for move in position.move_stack]
        theirs = pyffish.get_fen("xiangqi", position.start().fen(), moves).split()
        assert position.fen().split()[:2] == theirs[:2]


def test_mates_are_the_same() -> None:
    decided = 0
    for position in random_positions(4_000, seed=203, plies=300):
        if not position.legal_moves:
            decided += 1
            assert pyffish.legal_moves("xiangqi", other_fen(position), []) == []
            outcome = position.outcome()
            assert outcome is not None and outcome.winner != position.turn
    assert decided > 0
