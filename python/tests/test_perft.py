"""Counts of move paths, by the package's own and by playing the moves through Python."""

from typing import List

import pytest
from chuhe import Position

COUNTS = [
    ("startpos", [44, 1_920, 79_666]),
    ("2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 7", [42, 1_843, 76_386]),
    ("r1bakab1r/4n4/2n4c1/p1p1C1p1p/4p4/2PR5/P3P1P1P/1C2B3N/3c5/1N1AKAB1R b - - 0 1", [7, 308, 11_995]),
    ("3ak4/9/4n4/9/4C4/9/9/4B4/4A4/3RK4 b - - 0 1", [9, 281, 1_925]),
    ("3k5/3R5/9/3C5/9/9/9/9/4A4/3AK4 b - - 0 1", [2, 43, 85]),
    ("4k4/9/9/9/4p4/4P4/9/9/9/4K4 w - - 0 1", [4, 13, 47]),
    ("R1b1kac1C/9/9/9/4p4/9/9/9/9/c2AKA1r1 w - - 0 1", [3, 73, 1_679]),
    ("n1n1k1n1n/9/2n3n2/9/4N4/4n4/9/2N3N2/9/N1N1K1N1N b - - 0 1", [37, 1_265, 39_530]),
]


def count(position: Position, depth: int) -> int:
    """The number of move paths, by pushing and popping every move."""
    moves = position.legal_moves
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        position.push(move)
        total += count(position, depth - 1)
        position.pop()
    return total


@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_perft_counts_what_others_count(fen: str, counts: List[int]) -> None:
    assert [Position(fen).perft(depth) for depth in (1, 2, 3)] == counts


@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_perft_through_python_is_the_same(fen: str, counts: List[int]) -> None:
    assert [count(Position(fen), depth) for depth in (1, 2, 3)] == counts


def test_perft_is_the_same_on_several_threads() -> None:
    assert Position().perft(4, threads=2) == Position().perft(4) == 3_290_240
    assert Position().perft(0) == 1


def test_perft_names_what_it_cannot_count() -> None:
    with pytest.raises(ValueError, match="expected a depth from 0 to 64 and 1 to 256 threads"):
        Position().perft(65)
    with pytest.raises(ValueError):
        Position().perft(3, threads=0)
