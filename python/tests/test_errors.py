"""Exceptions: their classes, and that no panic comes through."""

import subprocess
import sys

import chuhe
import pytest
from chuhe import _native


def test_exceptions_are_what_python_expects() -> None:
    assert issubclass(chuhe.FenError, ValueError) and issubclass(chuhe.MoveError, ValueError)
    assert issubclass(chuhe.RecordError, ValueError) and issubclass(chuhe.EngineError, RuntimeError)
    for error in (chuhe.FenError, chuhe.MoveError, chuhe.RecordError, chuhe.EngineError, chuhe.InternalError):
        assert issubclass(error, chuhe.ChuheError) and error.__module__ == "chuhe" and error.__doc__


def test_a_panic_is_an_exception_and_writes_nothing() -> None:
    with pytest.raises(chuhe.InternalError, match="an error in chuhe itself, please report it: some text .*errors.rs"):
        _native._panic("some text")
    script = "import chuhe\ntry:\n    chuhe._native._panic('x')\nexcept Exception as error:\n    print(type(error).__name__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("InternalError\n", "")


@pytest.mark.parametrize("text", ["\0", "\ud800", "炮" * 10_000, "9" * 10_000, "/" * 100 + " w", "startpos moves " + "x " * 9_999])
def test_strange_texts_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        chuhe.Position(text)
    assert len(str(caught.value)) < 500
    with pytest.raises((ValueError, TypeError)):
        chuhe.Position().push(text)


def test_random_bytes_are_no_games() -> None:
    import random

    choice = random.Random(23)
    for length in (0, 1, 10, 100, 5_000):
        for head in (b"", b"XQ\x12", b"CCBridge Record\0", b"[Event \"x\"]\n\n1. ", b"[DhtmlXQ]"):
            data = head + bytes(choice.randrange(256) for _ in range(length))
            try:
                for game in chuhe.read_games(data):
                    assert game.moves is not None
            except chuhe.RecordError as error:
                assert str(error)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("xyz", "'xyz' is no position: expected a FEN, startpos, or moves such as h2e2"),
        ("hello world", "is no position"),
        ("shot.png", "'shot.png' is the name of a picture: Position.from_picture reads pictures"),
        ("folder/Shot.JPG", "Position.from_picture"),
        ("games.pgn", "read_games"),
        ("9/9/9", "."),
    ],
)
def test_a_text_that_is_no_position_raises_a_fen_error(text: str, sentence: str) -> None:
    with pytest.raises(chuhe.FenError, match=sentence):
        chuhe.Position(text)


@pytest.mark.parametrize("text", ["h2e9", "h2e2 h2e2", "车一进五", "startpos moves xyz"])
def test_moves_that_are_not_legal_raise_a_move_error(text: str) -> None:
    with pytest.raises(chuhe.MoveError):
        chuhe.Position(text)
