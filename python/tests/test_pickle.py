"""What other processes are sent."""

import pickle

import pytest
from chuhe import Engine, Game, Move, Position, read_games
from conftest import random_positions

PGN = '[Red "甲"]\n\n{start} 1. h2e2 {one} h9g7! (1... a6a5 {two}) 2. h0g2 1-0\n'


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_positions_keep_their_moves(protocol: int) -> None:
    for position in random_positions(30, seed=17):
        again = pickle.loads(pickle.dumps(position, protocol))
        assert again == position and again.fen() == position.fen()
        assert again.move_stack == position.move_stack and again.occurrences == position.occurrences


def test_positions_keep_their_variant_and_counters() -> None:
    position = Position("3k5/9/9/9/9/9/9/9/4R4/3AK4 w - - 37 60", promotion=True)
    position.push("e1e5")
    again = pickle.loads(pickle.dumps(position))
    assert again.promotion and again.fen() == position.fen() and again.plies_since_capture == 38


def test_moves_are_kept() -> None:
    assert pickle.loads(pickle.dumps([Move("h2e2")])) == [Move("h2e2")]


def test_games_keep_everything() -> None:
    game = next(read_games(PGN))
    again = pickle.loads(pickle.dumps(game))
    assert again.pgn() == game.pgn() and again.tags == game.tags and again.result == "1-0"
    nodes = [(node.move, node.ply, node.comment, node.marks) for node in game.nodes()]
    assert [(node.move, node.ply, node.comment, node.marks) for node in again.nodes()] == nodes
    broken = next(read_games("1. h2e2 {x} h2e2 *"))
    assert pickle.loads(pickle.dumps(broken)).errors == broken.errors


def test_engines_are_not_sent(engine: Engine) -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(engine)
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(Game().root)


def test_what_is_no_pickle_of_ours_is_refused() -> None:
    restore = getattr(Position, "_restore")
    with pytest.raises(ValueError):
        restore("startpos", [0], False)
    with pytest.raises(ValueError):
        restore("startpos", [1], False)
