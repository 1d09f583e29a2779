"""The engine: analyses, live lines, reviews, and their errors."""

import json
import pickle
import time

from typing import Dict

import chuhe
import pytest
from chuhe import Engine, Game, Move, Position, read_games
from test_program import run

MATE_IN_ONE = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w"


def test_analysis_is_the_object_of_the_command(engine: Engine) -> None:
    answer = engine.analyse(Position(), nodes=2_000, lines=2)
    assert answer["fen"] == chuhe.START_FEN and answer["side"] == "red" and answer["complete"]
    assert answer["best"] is not None and answer["lines"][0]["move"] == answer["best"][0]
    assert len(answer["lines"]) == 2 and answer["nodes"] >= 2_000
    assert answer["conditions"]["nodes"] == 2_000 and answer["conditions"]["hash"] == 16
    assert json.loads(json.dumps(answer)) == answer and pickle.loads(pickle.dumps(answer)) == answer


def test_analysis_takes_texts_and_histories(engine: Engine) -> None:
    by_text = engine.analyse("startpos moves h2e2 h9g7", nodes=500)
    by_position = engine.analyse(Position("startpos moves h2e2 h9g7"), nodes=500)
    assert by_text["played"] == by_position["played"] == ["h2e2", "h9g7"]
    assert by_text["best"] == by_position["best"]


def test_equal_limits_give_equal_answers(engine: Engine) -> None:
    def answer() -> object:
        analysis = engine.analyse("startpos moves h2e2", nodes=3_000)
        return {name: value for name, value in analysis.items() if name not in ("time_ms", "nps")}

    first = answer()
    engine.analyse("startpos", nodes=5_000)
    assert answer() == first
    with Engine() as other:
        analysis = other.analyse("startpos moves h2e2", nodes=3_000)
        assert {name: value for name, value in analysis.items() if name not in ("time_ms", "nps")} == first


def test_limits_hold(engine: Engine) -> None:
    assert engine.analyse("startpos", depth=4)["depth"] == 4
    before = time.monotonic()
    assert engine.analyse("startpos", time=0.2)["complete"]
    assert time.monotonic() - before >= 0.15
    assert engine.analyse("startpos", evaluate=True)["evaluation"] is not None


def test_first_moves_can_be_chosen_and_left_out(engine: Engine) -> None:
    only = engine.analyse("startpos", nodes=500, only=["炮二平五", Move("h0g2")], lines=5)
    assert {line["move"] for line in only["lines"]} == {"h2e2", "h0g2"}
    legal = Position().legal_moves
    rest = engine.analyse("startpos", nodes=500, avoid=legal[1:], lines=5)
    assert [line["move"] for line in rest["lines"]] == [str(legal[0])]
    with pytest.raises(ValueError, match="avoid: leaves no move"):
        engine.analyse("startpos", nodes=500, avoid=legal)
    with pytest.raises(chuhe.MoveError):
        engine.analyse("startpos", nodes=500, only=["a0a9"])
    # The former name.
    with pytest.warns(DeprecationWarning, match="searchmoves is deprecated: use only"):
        old = engine.analyse("startpos", nodes=500, searchmoves=["h0g2"])  # type: ignore[call-arg]
    assert old["best"] and old["best"][0] == "h0g2"


def test_mates_are_found_and_played(engine: Engine) -> None:
    answer = engine.analyse(MATE_IN_ONE, mate=2)
    assert answer["mate"] == 1 and answer["mate_search"] is not None and answer["mate_search"]["found"] == 1
    position = Position(MATE_IN_ONE)
    move = engine.play(position, nodes=1_000)
    assert move is not None
    position.push(move)
    assert position.is_checkmate()
    assert engine.play(position, nodes=1_000) is None
    over = engine.analyse(position, nodes=1_000)
    assert over["best"] is None and over["verdict"] is not None and over["verdict"]["reason"] == "mate"


def test_rules_of_the_engine_and_of_a_call() -> None:
    with Engine(rules="cxa", natural_limit=100) as engine:
        assert engine.analyse("startpos", nodes=10)["conditions"]["rules"] == "cxa"
        assert engine.analyse("startpos", nodes=10)["conditions"]["natural_limit"] == 100
        assert engine.analyse("startpos", nodes=10, rules="league")["conditions"]["rules"] == "league"


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"nodes": 0}, "nodes: expected a number from 1 to"),
        ({"nodes": -1}, "nodes: expected a number from 1 to"),
        ({"nodes": "many"}, "nodes: expected a number from 1 to"),
        ({"depth": 201}, "depth: expected a number from 1 to 200"),
        ({"lines": 0}, "lines: expected a number from 1 to 128"),
        ({"time": 0}, "time: expected seconds"),
        ({"time": float("nan")}, "time: expected seconds"),
        ({"time": 1e9}, "time: expected"),
        ({"rules": "chess"}, "rules: expected one of asian"),
        ({"mate": 1, "evaluate": True}, "evaluate: does not go with mate"),
        ({"nodes": 10**30}, "nodes: expected a number from 1 to"),
    ],
)
def test_limits_that_cannot_be_are_named(engine: Engine, limits: Dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        engine.analyse("startpos", **limits)  # type: ignore[arg-type]


def test_keywords_that_do_not_exist_are_refused(engine: Engine) -> None:
    with pytest.raises(TypeError, match=r"analyse\(\) got an unexpected keyword argument 'movetime'"):
        engine.analyse("startpos", movetime=1)  # type: ignore[call-arg]


def test_closed_engines_say_so() -> None:
    engine = Engine()
    assert not engine.closed and "closed" not in repr(engine)
    with engine:
        engine.analyse("startpos", nodes=10)
    assert engine.closed and "closed" in repr(engine)
    engine.close()
    for call in (engine.analyse, engine.play, engine.analysis):
        with pytest.raises(chuhe.EngineError, match="this engine is closed"):
            call("startpos", nodes=10)
    with pytest.raises(chuhe.EngineError):
        engine.analyse_many(["startpos"], nodes=10)
    with pytest.raises(chuhe.EngineError):
        engine.review(Game(), nodes=10)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"threads": 0}, "threads: expected a number from 1 to 256"),
        ({"hash": 0}, "hash: expected megabytes"),
        ({"rules": "x"}, "x"),
    ],
)
def test_engines_that_cannot_be_are_refused(arguments: Dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Engine(**arguments)  # type: ignore[arg-type]


def test_books_that_are_not_there_are_named(tmp_path: object) -> None:
    with pytest.raises(chuhe.EngineError, match="none.obk"):
        Engine(book=f"{tmp_path}/none.obk")


def test_live_lines_deepen_and_end_with_the_answer(engine: Engine) -> None:
    reports = list(engine.analysis("startpos", nodes=20_000))
    assert [report["final"] for report in reports] == [False] * (len(reports) - 1) + [True]
    assert reports[-1]["complete"] and reports[-1]["nodes"] >= 20_000
    depths = [report["depth"] for report in reports]
    assert depths == sorted(depths)


def test_live_analysis_runs_until_it_is_stopped(engine: Engine) -> None:
    with engine.analysis("startpos") as analysis:
        for report in analysis:
            if report["depth"] >= 5:
                analysis.stop()
    assert report["final"] and report["depth"] >= 5 and not report["complete"]
    assert engine.analyse("startpos", nodes=10)["complete"]


def test_live_analysis_that_is_dropped_frees_the_engine(engine: Engine) -> None:
    analysis = engine.analysis("startpos")
    next(analysis)
    del analysis
    assert engine.analyse("startpos", nodes=10)["complete"]


def test_closing_an_engine_ends_what_it_searches() -> None:
    engine = Engine()
    analysis = engine.analysis("startpos")
    next(analysis)
    engine.close()
    reports = list(analysis)
    assert reports[-1]["final"] and not reports[-1]["complete"]


def test_review_tells_where_a_game_turned(engine: Engine) -> None:
    game = next(read_games("[Red \"甲\"]\n\n1. h2e2 h9g7 2. h0g2 a9a8 3. e2e6 i6i5 4. e6a6 *\n"))
    review = engine.review(game, nodes=2_000)
    document = review.to_dict()
    assert document["complete"] and document["tags"]["Red"] == "甲"
    assert [move["move"] for move in review.moves] == [str(move) for move in game.moves]
    assert len(review.positions) == len(game.moves) + 1
    annotated = review.game()
    assert annotated.tag("Annotator", ) is not None and annotated.moves == game.moves
    assert any("%" in node.comment for node in annotated.main_line())
    assert "%" in review.text() and "红" in review.text("zh") and str(review) == review.text()
    assert repr(review).startswith("<Review of 甲 - ?, 7 plies, *: ") and repr(review).endswith(" mistakes>")
    assert review.html().startswith("<!DOCTYPE html>")
    assert game.tag("Annotator") is None
    with pytest.raises(ValueError, match="a review takes"):
        engine.review(game, nodes=10, lines=2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="fr"):
        review.text("fr")  # type: ignore[arg-type]


def test_review_proves_why_a_move_was_a_mistake_as_the_program_does() -> None:
    # The cannon takes a pawn that a horse guards.
    game = Game(moves=["h2e2", "h9g7", "e2e6", "g7e6"])
    with Engine(threads=1, hash=16) as engine:
        why = [move["why"] for move in engine.review(game, nodes=3_000).moves]
    assert [reason["kind"] for reason in why[2]] == ["loses-piece"] and why[2][0]["line"][0] == "g7e6"
    assert "cannon" in why[2][0]["english"] and "炮" in why[2][0]["chinese"]
    assert not any(why[:2] + why[3:])
    moves = " ".join(str(move) for move in game.moves)
    words = ["review", "-", "--json", "-", "--nodes", "3000", "--threads", "1", "--hash", "16"]
    done = run(*words, text=f"{moves} *\n")
    assert [move["why"] for move in json.loads(done.stdout)["moves"]] == why


def test_answers_become_rows_of_a_data_frame(engine: Engine) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(engine.analyse_many(["startpos", "h2e2"], nodes=200))
    assert list(frame["id"]) == [0, 1] and list(frame["side"]) == ["red", "black"]
    assert frame["chance"].between(0, 1).all()
    moves = pandas.DataFrame(engine.review(Game(moves=["h2e2", "h9g7"]), nodes=100).moves)
    assert list(moves["move"]) == ["h2e2", "h9g7"]
