"""Moves and their notations."""

import copy
import pickle
from typing import Any

import chuhe
import pytest
from chuhe import Move, Position
from conftest import random_positions


def test_move_has_squares_and_a_text() -> None:
    move = Move("h2e2")
    assert (str(move), move.from_square, move.to_square) == ("h2e2", "h2", "e2")
    assert repr(move) == "Move('h2e2')" and Move("H2-E2") == move
    assert move.mirrored() == Move("b2e2")


def test_moves_are_equal_ordered_and_hashed_by_their_squares() -> None:
    assert Move("a0a1") == Move("a0a1") and Move("a0a1") != Move("a0a2")
    assert len({Move("a0a1"), Move("a0a1"), Move("a0a2")}) == 2
    assert sorted([Move("b0b1"), Move("a0a1")]) == sorted([Move("a0a1"), Move("b0b1")])
    assert Move("a0a1") != "a0a1"


def test_equal_moves_of_lists_are_one_object() -> None:
    first, second = sorted(Position().legal_moves), sorted(Position().legal_moves)
    assert all(one is other for one, other in zip(first, second))


@pytest.mark.parametrize("text", ["", "h2", "h2e", "j2e2", "h2e2e", "炮二平五"])
def test_move_names_what_is_none(text: str) -> None:
    with pytest.raises(chuhe.MoveError, match="is not a move: expected four characters such as h2e2"):
        Move(text)


def test_texts_are_found_in_lists_of_moves() -> None:
    position = Position("h2e2")
    legal = position.legal_moves
    for text in ("h9g7", "马８进７", "H8+7", "h9-g7"):
        assert text in legal and legal[legal.index(text)] == Move("h9g7") and legal.count(text) == 1
    assert "h9g8" not in legal and Move("h9g8") not in legal and 7 not in legal
    with pytest.raises(chuhe.MoveError):
        legal.index("h9g8")
    # The list stays as it was.
    position.push("h9g7")
    assert "h9g7" in legal and "h9g7" not in position.legal_moves
    assert isinstance(legal, list) and pickle.loads(pickle.dumps(legal)) == list(legal) == copy.copy(legal)
    game = chuhe.Game(position)
    for moves in (position.move_stack, game.moves):
        assert "h2e2" in moves and "h2e3" not in moves and moves.count("h9g7") == 1
        with pytest.raises(chuhe.MoveError, match="is not a move: expected four characters such as h2e2"):
            "炮二平五" in moves  # noqa: B015


def test_move_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Move("h2e2").from_square = "a0"  # type: ignore[misc]


@pytest.mark.parametrize("notation", ["ICCS", "UCI", "WXF", "Chinese", "Vietnamese"])
def test_notations_are_read_as_they_are_written(notation: Any) -> None:
    for position in random_positions(120, seed=13):
        texts = [position.format_move(move, notation) for move in position.legal_moves]
        assert len(set(texts)) == len(texts)
        assert [position.parse_move(text, notation) for text in texts] == position.legal_moves


def test_first_moves_are_written_as_players_write_them() -> None:
    position = Position()
    written = [position.format_move("h2e2", notation) for notation in ("ICCS", "UCI", "WXF", "Chinese", "Vietnamese")]
    assert written == ["H2-E2", "h2e2", "C2.5", "炮二平五", "P2-5"]
    assert position.format_line(["h2e2", "h9g7", "h0g2"]) == ["炮二平五", "马８进７", "马二进三"]
    assert position == Position()


def test_notation_names_what_it_is_not() -> None:
    with pytest.raises(ValueError, match="'SAN' is no notation: expected ICCS, UCI, WXF, Chinese or Vietnamese"):
        Position().format_move("h2e2", "SAN")  # type: ignore[arg-type]


def test_short_moves_are_read_and_ambiguous_ones_named() -> None:
    position = Position()
    assert position.parse_move("马三") == Move("h0g2")
    with pytest.raises(chuhe.MoveError, match="'炮五' may be 炮二平五 or 炮八平五"):
        position.parse_move("炮五")


def test_word_that_means_two_moves_is_refused_unless_its_notation_is_given() -> None:
    position = Position("3k5/9/9/9/9/9/2P6/9/2C6/4K4 w")
    with pytest.raises(chuhe.MoveError, match="'C7.1' is c1i1 in WXF and c3c4 in Vietnamese notation"):
        position.parse_move("C7.1")
    assert position.parse_move("C7.1", "WXF") == Move("c1i1")
    assert position.parse_move("C7.1", "Vietnamese") == Move("c3c4")


def test_line_of_moves_must_be_legal() -> None:
    with pytest.raises(chuhe.MoveError):
        Position().format_line(["h2e2", "h2e2"])
