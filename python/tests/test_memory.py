"""Memory: nothing is kept of what is not used any more."""

import gc
import os
import sys

import pytest
from chuhe import Engine, Move, Position, read_games
from conftest import fens

resource = pytest.importorskip("resource")
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def resident_kilobytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


@LINUX
def test_a_hundred_thousand_positions_leave_nothing() -> None:
    texts = fens(1_000)

    def work(rounds: int) -> None:
        for _ in range(rounds):
            for fen in texts:
                position = Position(fen)
                for move in position.legal_moves[:2]:
                    position.push(move)
                    position.fen()
                    position.pop()
                position.outcome()
                position.pieces()
                str(position)

    work(3)
    gc.collect()
    before, objects = resident_kilobytes(), len(gc.get_objects())
    moves = {str(move): sys.getrefcount(move) for move in Position().legal_moves}
    work(100)
    gc.collect()
    assert {str(move): sys.getrefcount(move) for move in Position().legal_moves} == moves
    assert len(gc.get_objects()) - objects < 100
    assert resident_kilobytes() - before < 4_000


@LINUX
def test_positions_that_are_kept_are_small() -> None:
    texts = fens(500)
    before = resident_kilobytes()
    kept = [Position(texts[number % 500]) for number in range(20_000)]
    assert (resident_kilobytes() - before) / len(kept) < 4
    copies = [position.copy() for position in kept]
    assert len(copies) == len(kept)


@LINUX
def test_streams_and_games_leave_nothing(engine: Engine) -> None:
    pgn = '[Event "x"]\n\n1. h2e2 {comment} h9g7 2. h0g2 *\n\n' * 200

    def work() -> None:
        for answer in engine.analyse_many(["startpos"] * 200, nodes=5, threads=2):
            assert answer["complete"]
        for game in read_games(pgn):
            game.main_line()[-1].position()

    work()
    gc.collect()
    before = resident_kilobytes()
    for _ in range(10):
        work()
    gc.collect()
    assert resident_kilobytes() - before < 8_000


def test_references_are_given_back() -> None:
    position, move = Position(), Move("h2e2")
    before = sys.getrefcount(position), sys.getrefcount(move)
    for _ in range(1_000):
        position.push(move)
        position.is_legal(move)
        position.pop()
        _ = position == position
    assert (sys.getrefcount(position), sys.getrefcount(move)) == before
