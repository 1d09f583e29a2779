"""What the tests share."""

import random
from typing import Iterator, List

import chuhe
import pytest


@pytest.fixture(scope="session")
def engine() -> Iterator[chuhe.Engine]:
    with chuhe.Engine() as engine:
        yield engine


def random_positions(count: int, seed: int = 1, plies: int = 80) -> Iterator[chuhe.Position]:
    """Positions of games of random moves, each with its moves."""
    choice = random.Random(seed)
    made = 0
    while made < count:
        position = chuhe.Position()
        for _ in range(plies):
            legal = sorted(position.legal_moves)
            if not legal or made >= count:
                break
            position.push(choice.choice(legal))
            made += 1
            yield position.copy()


def fens(count: int, seed: int = 1) -> List[str]:
    """Positions as a job reads them."""
    return [position.fen() for position in random_positions(count, seed)]
