"""Many positions: order, ids, errors, memory."""

import threading
from typing import Dict, Iterator

import chuhe
import pytest
from chuhe import Engine, Position
from conftest import fens


def stable(answer: chuhe.Answer) -> Dict[str, object]:
    """What does not depend on the clock."""
    return {name: value for name, value in answer.items() if name not in ("time_ms", "nps")}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_answers_come_in_order_and_do_not_depend_on_threads(engine: Engine, threads: int) -> None:
    positions = fens(60)
    alone = [stable(engine.analyse(fen, nodes=300)) for fen in positions]  # type: ignore[arg-type]
    answers = list(engine.analyse_many(positions, threads=threads, nodes=300))
    assert [answer["id"] for answer in answers] == list(range(60))
    assert [{**stable(answer), "id": None} for answer in answers] == [{**one, "id": None} for one in alone]


def test_ids_are_the_callers(engine: Engine) -> None:
    pairs = [("a", "startpos"), (7, Position("h2e2")), (("game", 3), "h2e2 h9g7")]
    answers = list(engine.analyse_many(pairs, nodes=50, threads=2))
    assert [answer["id"] for answer in answers] == ["a", 7, ("game", 3)]
    assert [answer["ply"] for answer in answers] == [0, 1, 2]
    assert list(answers[0])[0] == "id"


def test_a_bad_position_raises_at_its_turn(engine: Engine) -> None:
    stream = engine.analyse_many(["startpos", "rubbish", "startpos"], nodes=50)
    assert next(stream)["id"] == 0
    with pytest.raises(chuhe.ChuheError):
        next(stream)
    with pytest.raises(StopIteration):
        next(stream)


def test_a_bad_position_can_be_an_answer(engine: Engine) -> None:
    positions = [("good", "startpos"), ("bad", "8/8 w"), ("worse", "startpos moves a0a9"), ("last", "h2e2")]
    answers = list(engine.analyse_many(positions, nodes=50, errors="return"))
    assert [answer["id"] for answer in answers] == ["good", "bad", "worse", "last"]
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert list(answers[1]) == ["id", "error"] and "move 1" in answers[2]["error"]
    with pytest.raises(ValueError, match="errors: expected raise or return"):
        engine.analyse_many([], errors="ignore")  # type: ignore[arg-type]


def test_no_more_is_taken_than_a_few_for_each_thread(engine: Engine) -> None:
    taken = 0

    def source() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "startpos"

    stream = engine.analyse_many(source(), threads=2, nodes=20)
    for answered in range(1, 200):
        next(stream)
        assert taken <= answered + 2 * 4
    stream.close()
    with pytest.raises(StopIteration):
        next(stream)


def test_errors_of_the_source_are_those_of_the_stream(engine: Engine) -> None:
    def source() -> Iterator[str]:
        yield "startpos"
        raise KeyError("no more rows")

    with pytest.raises(KeyError, match="no more rows"):
        list(engine.analyse_many(source(), nodes=20))
    assert list(engine.analyse_many(["startpos"], nodes=20))[0]["complete"]


def test_streams_that_are_dropped_or_empty_do_no_harm(engine: Engine) -> None:
    for _ in range(20):
        next(engine.analyse_many(["startpos"] * 50, nodes=100, threads=3))
    assert list(engine.analyse_many([], nodes=10)) == []
    assert len(list(engine.analyse_many(["startpos"] * 5, nodes=10, threads=3))) == 5


def test_first_moves_stand_with_one_position(engine: Engine) -> None:
    with pytest.raises(ValueError, match="only, avoid: stand with one position only"):
        engine.analyse_many(["startpos"], nodes=10, only=["h2e2"])  # type: ignore[call-arg]


def test_closing_the_engine_ends_its_streams() -> None:
    engine = Engine()
    stream = engine.analyse_many(["startpos"] * 10, time=60, threads=2)
    running = engine.analyse_many(["startpos"] * 10, time=600, threads=2)
    threading.Timer(0.3, engine.close).start()
    answer = next(running)
    assert not answer["complete"]
    for ended in (stream, running):
        with pytest.raises(chuhe.EngineError, match="this engine is closed"):
            next(ended)
