"""An index of games by position."""

from pathlib import Path

import chuhe
import pytest

GAMES = """[Red "A"]
[Black "B"]
[Date "2020.05.01"]

1. h2e2 h9g7 1-0

[Red "B"]
[Black "C"]

1. b2e2 b9c7 0-1
"""


def test_games_are_added_once_and_asked_by_position(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(GAMES)
    explorer = chuhe.Explorer(tmp_path / "index")
    assert len(explorer) == 0 and explorer.ask()["games"] == 0
    assert explorer.add(file) == 2 and explorer.add([str(file)]) == 0
    assert len(chuhe.Explorer(str(tmp_path / "index"))) == 2
    answer = explorer.ask("startpos moves h2e2", games=5)
    assert answer["games"] == 2 and answer["opening"] == {"chinese": "中炮", "english": "Central Cannon"}
    # The second game is the mirror image.
    assert [(move["move"], move["games"], move["score"]) for move in answer["moves"]] == [("h9g7", 2, 0.5)]
    assert [(game["game"], game["date"]) for game in answer["list"]] == [(1, "2020-05-01"), (2, None)]
    assert explorer.ask(chuhe.Position(), player="B", colour="red")["games"] == 1
    assert explorer.ask(since="2020", result="1-0")["games"] == 1


def test_what_cannot_be_asked_or_added_is_said(tmp_path: Path) -> None:
    explorer = chuhe.Explorer(tmp_path / "index")
    with pytest.raises(FileNotFoundError):
        explorer.add(tmp_path / "none.pgn")
    for wrong in ({"since": "yesterday"}, {"colour": "green"}, {"result": "won"}, {"player": "-"}, {"games": 10**9}):
        with pytest.raises(ValueError):
            explorer.ask(**wrong)  # type: ignore[arg-type]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "text.txt").write_text("mine")
    with pytest.raises(chuhe.RecordError, match="holds something else"):
        chuhe.Explorer(tmp_path / "mine")
