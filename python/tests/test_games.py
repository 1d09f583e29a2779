"""Games: trees of moves, and files in all formats."""

import io
import os
import pathlib
from typing import Callable, List, Union

import chuhe
import pytest
from chuhe import Game, Move, Position, read_games, write_games

PGN = """[Event "first"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]

{before} 1. 炮二平五 马８进７ {a comment} 2. 马二进三! (2. 兵三进一 {other} 卒７进１ (2... 车９平８)) 车９平８ 1-0

[Event "second"]
[Result "*"]

1. h2e2 h9g7 *
"""


def first(text: Union[str, bytes, pathlib.Path]) -> Game:
    return next(read_games(text))


def test_games_are_read_from_a_text_with_all_that_is_in_them() -> None:
    games = list(read_games(PGN))
    assert [game.tag("Event") for game in games] == ["first", "second"]
    game = games[0]
    assert game.tags["Red"] == "甲" and game.result == "1-0" and game.is_complete and game.errors == []
    assert list(map(str, game.moves)) == ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert game.root.comment == "before"
    line = game.main_line()
    assert line[1].comment == "a comment" and line[2].marks == ["!"]
    alternative = line[1].children[1]
    assert str(alternative.move) == "g3g4" and alternative.comment == "other" and not alternative.is_main_line
    assert [str(node.move) for node in alternative.children] == ["g6g5", "i9h9"]
    assert len(game.nodes()) == 8


def test_games_are_read_from_paths_files_and_bytes(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(PGN.encode("gbk"))
    for source in (path, str(path), PGN.encode("utf-8"), PGN.encode("gbk"), path.open("rb"), io.StringIO(PGN)):
        assert [game.tag("Red") for game in read_games(source)] == ["甲", None]
    assert read_games(path).format == "PGN"


def test_files_that_are_not_there_are_told_from_texts(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        read_games("no-such-file.pgn")
    assert caught.value.filename == "no-such-file.pgn"
    with pytest.raises(FileNotFoundError):
        read_games(tmp_path / "none")
    for folder in (tmp_path, str(tmp_path)):
        with pytest.raises(ValueError, match="expected a file, found a folder"):
            read_games(folder)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        for pipe in (tmp_path / "pipe", str(tmp_path / "pipe")):
            with pytest.raises(ValueError, match="expected a file, found a pipe"):
                read_games(pipe)
    with pytest.raises(chuhe.RecordError, match="expected a game"):
        read_games("nothing of the kind")
    with pytest.raises(TypeError, match="expected a path, a text, bytes or a file, found int"):
        read_games(7)  # type: ignore[arg-type]


def test_what_cannot_be_read_is_kept_as_far_as_it_goes() -> None:
    text = '[Event "x"]\n\n1. h2e2 h2e2 2. h0g2 *\n'
    game = first(text)
    assert list(map(str, game.moves)) == ["h2e2"] and not game.is_complete
    assert game.errors == ["game 1, line 3: move 1: 'h2e2' is no legal move in this position: there is no piece on h2"]
    with pytest.raises(chuhe.RecordError, match="game 1, line 3: move 1"):
        list(read_games(text, strict=True))


def test_a_game_without_a_start_does_not_hide_the_next() -> None:
    text = '[FEN "rubbish"]\n\n1. h2e2 *\n\n[Event "good"]\n\n1. h2e2 *\n'
    games = list(read_games(text))
    assert [game.is_complete for game in games] == [False, True]
    assert games[0].errors and games[0].moves == [] and games[1].tag("Event") == "good"


@pytest.mark.parametrize("format", ["pgn", "xqf", "ubb"])
def test_formats_keep_variations_and_comments(format: str) -> None:
    game = first(PGN)
    bytes_ = game.write(format)  # type: ignore[arg-type]
    again = first(bytes_)
    assert [str(node.move) for node in again.nodes()] == [str(node.move) for node in game.nodes()] or format != "pgn"
    moves = lambda game: sorted((str(node.move), node.ply, node.comment) for node in game.nodes())  # noqa: E731
    assert moves(again) == moves(game)
    assert again.result == "1-0" and again.tag("Red") == "甲"


@pytest.mark.parametrize("notation", ["ICCS", "UCI", "WXF", "Chinese", "Vietnamese"])
@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_pgn_is_written_in_all_notations_and_encodings(notation: str, encoding: str) -> None:
    game = first(PGN)
    bytes_ = game.write(notation=notation, encoding=encoding)  # type: ignore[arg-type]
    again = first(bytes_)
    assert again.moves == game.moves and again.tag("Red") == "甲" and len(again.nodes()) == 8
    # Windows programs that read GBK want its line ends.
    assert bytes_.decode(encoding).replace("\r\n", "\n") == game.pgn(notation)  # type: ignore[arg-type]


def test_fen_lists_hold_the_main_line() -> None:
    line = first(PGN).write("fen").decode()
    assert line == f"{chuhe.START_FEN} moves h2e2 h9g7 h0g2 i9h9\n"
    assert first(line).moves == first(PGN).moves


def test_files_are_written_whole_and_not_over_others(tmp_path: pathlib.Path) -> None:
    games = list(read_games(PGN))
    path = tmp_path / "out.pgn"
    assert write_games(path, games) == 2
    assert [game.moves for game in read_games(path)] == [game.moves for game in games]
    with pytest.raises(FileExistsError, match="overwrite=True"):
        write_games(path, games[0])
    assert write_games(path, games[0], overwrite=True) == 1 and len(list(read_games(path))) == 1
    xqf = tmp_path / "one.xqf"
    assert write_games(xqf, games[:1]) == 1 and read_games(xqf).format == "XQF"
    with pytest.raises(ValueError, match="an XQF file holds one game"):
        write_games(xqf, games, overwrite=True)
    with pytest.raises(ValueError, match="games are written as pgn, xqf, ubb or fen, not as 'cbr'"):
        write_games(tmp_path / "x.cbr", games)
    with pytest.raises(FileNotFoundError):
        write_games(tmp_path / "none" / "x.pgn", games)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.xqf", "out.pgn"]


def test_games_are_built_move_by_move() -> None:
    game = Game(tags={"Red": "甲"}, result="1/2-1/2")
    node = game.root.add("炮二平五", comment="the central cannon")
    node = node.add("h9g7")
    node.marks = ["!?", "$10"]
    game.root.add("h0g2")
    game.root.comment = "two ways to begin"
    assert [str(child.move) for child in game.root.children] == ["h2e2", "h0g2"]
    assert list(map(str, game.moves)) == ["h2e2", "h9g7"]
    again = first(game.pgn())
    assert again.root.comment == "two ways to begin" and again.end.marks == ["!?", "$10"]
    assert again.result == "1/2-1/2" and again.tag("Red") == "甲"


def test_adding_a_move_that_is_there_finds_it() -> None:
    game = Game(moves=["h2e2"])
    assert game.root.add("h2e2") == game.end and len(game.nodes()) == 2


def test_nodes_know_their_place() -> None:
    game = first(PGN)
    node = game.end
    assert node.ply == 4 and node.next is None and node.game is game
    assert node.parent is not None and node.parent.next == node
    assert game.root.parent is None and game.root.move is None and game.root.text() == ""
    assert node.text() == "车９平８" and node.text("WXF") == "R9.8"
    assert node.position() == game.position() == game.position(4)
    assert len({game.root, game.root, node}) == 2 and repr(node) == "<Node i9h9, ply 4>"
    with pytest.raises(chuhe.MoveError):
        node.add("i9h9")
    with pytest.raises(ValueError, match="the root has no move to mark"):
        game.root.marks = ["!"]
    with pytest.raises(ValueError, match="expected marks"):
        node.marks = ["good"]


def test_positions_of_a_game_have_their_moves() -> None:
    game = first(PGN)
    assert game.start == Position() and game.position(0) == Position()
    assert game.position(2).move_stack == game.moves[:2]
    with pytest.raises(IndexError, match="there is no position after 5 plies: the game has 4"):
        game.position(5)


def test_game_takes_a_position_with_its_moves() -> None:
    position = Position("startpos moves h2e2 h9g7")
    game = Game(position, ["h0g2"])
    assert game.moves == [Move("h2e2"), Move("h9g7"), Move("h0g2")] and game.start == Position()
    with pytest.raises(chuhe.MoveError):
        Game(moves=["h2h9x"])
    with pytest.raises(ValueError, match="expected a result: 1-0, 0-1, 1/2-1/2 or"):
        Game(result="2-0")  # type: ignore[arg-type]


def test_tags_and_results_change() -> None:
    game = first(PGN)
    game.set_tag("Site", "北京")
    game.result = "0-1"
    assert game.tags["Site"] == "北京" and '[Result "0-1"]' in str(game)
    game.tags = {"Black": "丙"}
    assert game.tags == {"Black": "丙"} and "丙" in repr(game)
    with pytest.raises(ValueError):
        game.result = "won"  # type: ignore[assignment]


def test_copies_of_games_are_independent() -> None:
    game = first(PGN)
    other = game.copy()
    other.root.comment = "changed"
    assert game.root.comment == "before" and game._repr_svg_().startswith("<svg")


def test_a_long_line_is_added_move_by_move() -> None:
    # Each move walks from the one before: 40,000 moves walk 40,000 steps and not 800 million.
    game = Game()
    nodes = [game.root]
    for index in range(40_000):
        nodes.append(nodes[-1].add(("a0a1", "a9a8", "a1a0", "a8a9")[index % 4]))
    assert game.end.ply == 40_000 and len(game.moves) == 40_000
    # In any order, with the texts in between.
    assert nodes[2].add("h2e2").ply == 3 and nodes[39_999].text("ICCS") == "A1-A0"
    assert nodes[1].add("h9g7").parent == nodes[1] and nodes[3].add("a8a9") == nodes[4]
    assert [len(node.children) for node in nodes[:4]] == [1, 2, 2, 1]
    assert game.copy().root.add("h2e2").ply == 1 and len(game.root.children) == 1


def test_readers_stop_where_their_user_stops() -> None:
    many = PGN * 2_000
    reader = read_games(many)
    assert next(reader).tag("Event") == "first"
    del reader
    assert sum(1 for _ in read_games(many)) == 4_000


def test_games_are_equal_if_what_they_hold_is() -> None:
    text = '[Red "Hu"]\n\n1. h2e2 {a comment} h9g7 (1... b9c7) 2. h0g2 1-0'
    game, other = next(chuhe.read_games(text)), next(chuhe.read_games(text))
    assert game == other and game == game.copy() and game != "a text"
    assert repr(chuhe.read_games(text)) == "<GameReader of PGN>"
    other.end.marks = ["!"]
    assert game != other
    changes: List[Callable[[chuhe.Game], object]] = [
        lambda game: game.set_tag("Black", "Xu"),
        lambda game: game.end.add("h7h6"),
        lambda game: setattr(game, "result", "*"),
        lambda game: setattr(game.end, "comment", "x"),
    ]
    for change in changes:
        changed = game.copy()
        change(changed)
        assert changed != game
    assert chuhe.Game() == chuhe.Game("startpos") != chuhe.Game("startpos moves h2e2")
