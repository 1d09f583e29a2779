"""Positions: FEN, moves, what stands where."""

import copy
from pathlib import Path
from typing import Literal

import chuhe
import pytest
from conftest import random_positions
from chuhe import Move, Position

MATE = "3R1k3/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1"
CHECK = "3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1"


def test_position_is_the_start_without_arguments() -> None:
    position = Position()
    assert position.fen() == chuhe.START_FEN
    assert position.turn == chuhe.RED
    assert len(position.legal_moves) == 44
    assert position.ply == 0 and position.move_stack == [] and position.last_move is None


@pytest.mark.parametrize("text", [chuhe.START_FEN, "startpos", "position startpos", "  startpos "])
def test_position_reads_what_the_protocols_write(text: str) -> None:
    assert Position(text) == Position()


def test_position_reads_moves_behind_it_in_any_notation() -> None:
    position = Position("startpos moves h2e2 马８进７ H2+3")
    assert [str(move) for move in position.move_stack] == ["h2e2", "h9g7", "h0g2"]
    assert position.turn == chuhe.BLACK
    assert Position("h2e2 h9g7 h0g2") == position


@pytest.mark.parametrize("fen", ["", "8/8", "x" * 90, "9/9/9/9/9/9/9/9/9/9 w", chuhe.START_FEN.replace("K", "9")])
def test_position_names_what_is_wrong_with_a_fen(fen: str) -> None:
    if fen == "":
        assert Position(fen) == Position()
        return
    with pytest.raises(ValueError) as caught:
        Position(fen)
    assert isinstance(caught.value, chuhe.ChuheError)
    assert len(str(caught.value)) > 10


def test_position_names_the_move_that_cannot_be_played() -> None:
    with pytest.raises(chuhe.MoveError, match="move 2: h2e2 is not legal: there is no piece on h2"):
        Position("startpos moves h2e2 h2e2")


def test_push_takes_a_move_or_its_text_and_returns_the_move() -> None:
    position = Position()
    assert position.push("h2e2") == Move("h2e2")
    assert position.push(Move("h9g7")) == Move("h9g7")
    assert position.push("马二进三") == Move("h0g2")
    assert position.last_move == Move("h0g2")


def test_push_refuses_an_illegal_move_and_changes_nothing() -> None:
    position = Position()
    with pytest.raises(chuhe.MoveError, match="'车一进五' is not possible: 兵一 stands in between"):
        position.push("车一进五")
    with pytest.raises(chuhe.MoveError, match="'a0a5' is not possible: a piece stands in between, on a3"):
        position.push(Move("a0a5"))
    with pytest.raises(TypeError, match="expected a Move or its text, found int"):
        position.push(5)  # type: ignore[arg-type]
    assert position == Position() and position.move_stack == []


def test_pop_takes_back_what_push_played() -> None:
    for position in random_positions(60, seed=3):
        before = position.copy()
        for move in position.legal_moves:
            position.push(move)
            assert position.pop() == move
            assert position.fen() == before.fen()


def test_pop_says_that_there_is_no_move() -> None:
    with pytest.raises(IndexError, match="there is no move to take back"):
        Position().pop()


def test_is_legal_agrees_with_the_list() -> None:
    squares = [f"{file}{rank}" for file in "abcdefghi" for rank in range(10)]
    for position in random_positions(3, seed=5):
        legal = set(map(str, position.legal_moves))
        for origin in squares:
            for target in squares:
                assert position.is_legal(origin + target) == (origin + target in legal)


def test_is_legal_takes_all_notations() -> None:
    position = Position()
    assert position.is_legal("炮二平五") and position.is_legal("C2=5") and position.is_legal(Move("h2e2"))
    assert not position.is_legal("炮二平二") and not position.is_legal("nonsense")
    with pytest.raises(TypeError):
        position.is_legal(None)  # type: ignore[arg-type]


def test_why_illegal_tells_the_reason() -> None:
    position = Position()
    assert position.why_illegal("h2e2") is None
    assert position.why_illegal("a0b2") == "'a0b2' is not possible: a piece of the same side stands on b2"


def test_positions_are_equal_by_pieces_side_and_variant() -> None:
    by_moves = Position("startpos moves h2e2 h9g7 e2h2 g7h9")
    assert by_moves == Position() and hash(by_moves) == hash(Position())
    assert by_moves.fen() != Position().fen()  # the counters differ
    assert Position() != Position(chuhe.START_FEN.replace(" w ", " b "))
    assert Position() != Position(promotion=True)
    assert Position() != "startpos" and Position() != None  # noqa: E711
    assert len({Position(), by_moves, Position("h2e2")}) == 2


def test_copies_are_independent() -> None:
    position = Position("startpos moves h2e2")
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        other.push("h9g7")
        assert len(other.move_stack) == 2 and len(position.move_stack) == 1
    bare = position.copy(history=False)
    assert bare == position and bare.move_stack == [] and bare.ply == position.ply


def test_start_is_the_position_before_the_moves() -> None:
    fen = "3k5/9/9/9/9/9/9/9/4R4/3AK4 w - - 37 60"
    position = Position(fen + " moves e1e5 d9d8")
    assert position.start().fen() == fen and len(position.move_stack) == 2


def test_checks_and_mates_are_told() -> None:
    assert Position(CHECK).is_check() and not Position(CHECK).is_checkmate()
    assert Position(MATE).is_checkmate() and not Position(MATE).is_stalemate()
    stalemate = Position("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1")
    assert stalemate.is_stalemate() == (not stalemate.legal_moves and not stalemate.is_check())
    assert not Position().is_check()
    assert Position("3k5/9/9/9/9/9/9/9/9/4K4 w").is_insufficient_material()


def test_captures_and_checks_of_moves_agree_with_playing_them() -> None:
    for position in random_positions(40, seed=7):
        for move in position.legal_moves:
            captures, checks = position.is_capture(move), position.gives_check(move)
            assert captures == (position.piece_at(move.to_square) is not None)
            position.push(move)
            assert checks == position.is_check()
            position.pop()


def test_pieces_and_from_pieces_are_inverse() -> None:
    for position in random_positions(30, seed=9):
        pieces = position.pieces()
        assert Position.from_pieces(pieces, position.turn) == position
        assert all(position.piece_at(square) == letter for square, letter in pieces.items())
        assert pieces[position.king("red")] == "K" and pieces[position.king("black")] == "k"


def test_a_picture_is_read_from_a_path_and_from_bytes(tmp_path: Path) -> None:
    position = Position("startpos moves h2e2 h9g7")
    (tmp_path / "shot.png").write_bytes(position.png(600))
    for picture in (tmp_path / "shot.png", str(tmp_path / "shot.png"), position.png(600)):
        found = Position.from_picture(picture)
        assert found == position
        assert all(read != other and 0 <= chance <= 1 for _, read, other, chance, _ in found.doubts)
    assert position.doubts == []
    assert Position.from_picture(position.png(600), "black").turn == "black"
    with pytest.raises(chuhe.RecordError, match="neither PNG"):
        Position.from_picture(b"no picture")
    with pytest.raises(FileNotFoundError):
        Position.from_picture("nothing.png")
    with pytest.raises(TypeError):
        Position.from_picture(7)  # type: ignore[arg-type]


def test_from_pieces_refuses_what_is_no_position() -> None:
    with pytest.raises(chuhe.FenError):
        Position.from_pieces({"e0": "K"})
    with pytest.raises(ValueError, match="'z9' is not a square"):
        Position.from_pieces({"z9": "K"})
    with pytest.raises(ValueError, match="'Q' is not a piece"):
        Position.from_pieces({"e0": "Q"})
    with pytest.raises(ValueError, match="'white' is not a side: expected red or black"):
        Position.from_pieces({"e0": "K", "d9": "k"}, "white")  # type: ignore[arg-type]


def test_attackers_are_squares_of_pieces() -> None:
    position = Position()
    assert position.attackers("red", "e4") == ["e3"]
    assert position.attackers("black", "e4") == []
    assert sorted(position.attackers("red", "h9")) == ["h2"]


def test_mirrored_and_flipped_twice_are_the_same() -> None:
    for position in random_positions(20, seed=11):
        assert position.mirrored().mirrored() == position
        assert position.color_flipped().color_flipped() == position
        assert position.color_flipped().turn != position.turn
        assert {move.mirrored() for move in position.legal_moves} == set(position.mirrored().legal_moves)


def test_counters_count() -> None:
    position = Position("startpos moves h2e2 h9g7 e2h2 g7h9")
    assert position.occurrences == 2 and position.plies_since_capture == 4 and position.ply == 4
    assert position.key == Position().key


def test_pieces_turn_into_pawns_in_the_promotion_variant() -> None:
    fen = "4k4/9/9/9/9/9/9/4B4/9/3AK4 w"
    plain, variant = Position(fen), Position(fen, promotion=True)
    assert variant.promotion and len(variant.legal_moves) > len(plain.legal_moves)
    variant.push("d0d0")
    assert variant.piece_at("d0") == "P" and not plain.is_legal("d0d0")
    assert variant.copy().promotion and "promotion=True" in repr(variant)


def test_texts_and_pictures_show_the_board() -> None:
    position = Position("startpos moves h2e2")
    text = str(position)
    assert "車" in text and len(text.splitlines()) >= 21
    assert repr(position) == f"Position('{position.fen()}')"
    svg = position._repr_svg_()
    assert svg.startswith("<svg") and svg == position.svg()
    assert position.png(240)[:4] == b"\x89PNG"
    arrows = position.svg(arrows=["h9g7", Move("b9c7")], marked=["e2"], flipped=True, pieces="letters", board="paper")
    assert arrows.count("marker-end") >= 2 and arrows != svg


def test_pictures_name_what_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="'steel': expected one of wood, simplified, flat, letters"):
        Position().svg(pieces="steel")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected a width from 100 to 4000"):
        Position().png(10)
    with pytest.raises(ValueError, match="'x' is not a move"):
        Position().svg(arrows=["x"])


def test_attacks_and_attackers_are_the_same_relation() -> None:
    for position in random_positions(20):
        for square, letter in position.pieces().items():
            side: Literal["red", "black"] = "red" if letter.isupper() else "black"
            attacked = position.attacks(square)
            assert all(square in position.attackers(side, target) for target in attacked)
            captures = {mv.to_square for mv in position.legal_moves if mv.from_square == square and position.is_capture(mv)}
            assert captures <= set(attacked)
    assert Position().attacks("e5") == [] and Position().attacks("b0") == ["a2", "c2"]


def test_pinned_pieces_of_either_side_have_moves_that_are_not_legal() -> None:
    # The horse shields its king from the rook, the advisor from nothing; whoever is to move.
    for turn in "wb":
        position = Position(f"3k1a3/9/4r4/9/9/4N4/9/9/9/3AK4 {turn}")
        assert position.is_pinned("red", "e4") and not position.is_pinned("black", "e4")
        assert not position.is_pinned("red", "d0") and not position.is_pinned("red", "e0") and not position.is_pinned("red", "a5")
    with pytest.raises(ValueError):
        Position().is_pinned("red", "z9")


def test_peek_and_the_number_of_the_move() -> None:
    position = Position("h2e2 h9g7")
    assert position.peek() == Move("h9g7") == position.last_move and position.fullmove_number == 2
    assert Position().fullmove_number == 1
    with pytest.raises(IndexError):
        Position().peek()
