"""How games end, by the rule sets."""

import chuhe
import pytest
from chuhe import Game, Position, judge

PERPETUAL_CHECK = "3k5/9/9/9/9/9/9/9/4R4/5K3 w moves " + "e1d1 d9e9 d1e1 e9d9 " * 2
PERPETUAL_CHASE = (
    "4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4"
)
MATE = "3R1k3/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1"


def test_outcome_is_none_while_the_game_goes_on() -> None:
    assert Position().outcome() is None and not Position().is_game_over()


def test_outcome_of_a_mate() -> None:
    outcome = Position(MATE).outcome()
    assert outcome is not None
    assert (outcome.result, outcome.winner, outcome.reason) == ("1-0", "red", "mate")
    assert outcome.text == "Red wins: mate" and outcome.explanation == []


def test_outcome_of_a_perpetual_check_explains_every_move() -> None:
    outcome = Position(PERPETUAL_CHECK).outcome()
    assert outcome is not None
    assert (outcome.result, outcome.winner, outcome.reason) == ("0-1", "black", "perpetual check")
    checks = [facts for facts in outcome.explanation if facts.check]
    assert checks and all(facts.side == "red" and facts.text == "checks" for facts in checks)
    assert [facts.side for facts in outcome.explanation][:2] in (["red", "black"], ["black", "red"])


def test_outcome_of_a_perpetual_chase_names_the_victim() -> None:
    outcome = Position(PERPETUAL_CHASE).outcome()
    assert outcome is not None and outcome.winner == "black" and outcome.reason == "perpetual chase"
    assert "cannon on" in outcome.text
    assert any(piece == "c" for facts in outcome.explanation for piece, _ in facts.chased)


@pytest.mark.parametrize("rules", chuhe.RULE_SETS)
def test_every_rule_set_judges(rules: str) -> None:
    position = Position(PERPETUAL_CHECK + "e1d1 d9e9 d1e1 e9d9")
    outcome = position.outcome(rules)  # type: ignore[arg-type]
    if rules == "none":
        assert outcome is not None and outcome.result == "1/2-1/2"
    elif outcome is not None:
        assert outcome.winner == "black"


def test_natural_limit_draws() -> None:
    position = Position(chuhe.START_FEN.replace("0 1", "20 11"))
    outcome = position.outcome(natural_limit=20)
    assert outcome is not None and (outcome.result, outcome.winner) == ("1/2-1/2", None)
    assert outcome.reason == "natural limit"
    assert position.outcome(natural_limit=21) is None


def test_rule_sets_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="chess"):
        Position().outcome("chess")  # type: ignore[arg-type]


def test_losing_moves_are_those_that_the_judge_punishes() -> None:
    position = Position(PERPETUAL_CHECK)
    position.pop()
    position.pop()
    losing = position.losing_moves()
    for move in position.legal_moves:
        position.push(move)
        outcome = position.outcome()
        assert (move in losing) == (outcome is not None and outcome.winner == position.turn)
        position.pop()


def test_outcomes_are_plain_data() -> None:
    import dataclasses
    import pickle

    outcome = Position(PERPETUAL_CHECK).outcome()
    assert outcome is not None
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert dataclasses.asdict(outcome)["explanation"][0]["check"] in (True, False)


def test_judge_finds_where_a_game_was_decided() -> None:
    game = Game(Position(PERPETUAL_CHECK + "e1d1 d9e9"), result="1-0")
    verdict = judge(game)
    assert verdict["result"] == "loss" and verdict["loser"] == "red" and verdict["reason"] == "perpetual check"
    assert verdict["went_on"] == (verdict["ply"] < verdict["plies"]) and verdict["plies"] == 10
    assert verdict["recorded"] == "1-0" and verdict["contradicts"] is True
    assert judge(MATE)["loser"] == "black"
    assert judge(Position(), "cxa")["result"] == "ongoing"
