"""Tactics and repertoires."""

from pathlib import Path

import chuhe
import pytest

def test_tactics_of_the_program_are_listed_and_filtered() -> None:
    tactics = chuhe.Tactics()
    assert len(tactics) == len(list(tactics)) > 500 and tactics[-1] == list(tactics)[-1]
    with pytest.raises(IndexError):
        tactics[len(tactics)]
    assert list(tactics[2:7:2]) == [tactics[2], tactics[4], tactics[6]] and len(tactics[:0]) == 0
    theme, count = next(iter(tactics.themes.items()))
    some = tactics.filter(theme, least=1000, most=1500, count=5)
    assert len(some) == 5 and all(theme in tactic.themes and 1000 <= tactic.difficulty <= 1500 for tactic in some)
    assert len(tactics.filter(theme)) == count and len(tactics.filter([])) == 0
    assert list(tactics.filter(count=3, seed=1)) == list(tactics.filter(count=3, seed=1))
    hardest = [tactic.difficulty for tactic in tactics.filter(count=4, hardest=True)]
    assert hardest == sorted((tactic.difficulty for tactic in tactics), reverse=True)[:4]
    with pytest.raises(ValueError, match="nosuch.*fork"):
        tactics.filter("nosuch")


def test_answers_to_a_tactic_are_judged() -> None:
    tactic = next(tactic for tactic in chuhe.Tactics() if len(tactic.moves) == 3)
    first, reply, last = tactic.moves
    assert tactic.check(first) == {"state": "right", "reply": reply, "refutation": []}
    assert tactic.check([str(first), last])["state"] == "solved"
    with pytest.raises(chuhe.MoveError):
        tactic.check("a0a0")
    for wrong in ([], [first] * 9):
        with pytest.raises(ValueError):
            tactic.check(wrong)
    states = {tactic.check(move, nodes=1_000)["state"] for move in tactic.position.legal_moves if move != first}
    assert "wrong" in states and states <= {"wrong", "as-good"}


def test_tactics_are_mined_saved_and_read_again(tmp_path: Path) -> None:
    # The game is looked through, whatever is found.
    game = chuhe.Game(moves=["h2e2", "h9g7", "b2b9", "e6e5", "h0g2", "b7e7"])
    miner = chuhe.Tactics.mine([game, game], nodes=1_000)
    found = list(miner)
    assert miner.games == 2 and len({tactic.fen for tactic in found}) == len(found)
    some = chuhe.Tactics().filter(count=7)
    file = tmp_path / "some.jsonl"
    assert some.save(file) == 7
    with pytest.raises(FileExistsError):
        some.save(file)
    assert list(chuhe.Tactics(file)) == list(some) == list(chuhe.Tactics(list(some))) == list(chuhe.Tactics(file.read_bytes()))
    assert [tactic.to_dict()["fen"] for tactic in some] == [tactic.fen for tactic in some]
    with pytest.raises(chuhe.RecordError):
        chuhe.Tactics(b"no tactics")
    with pytest.raises(TypeError):
        list(chuhe.Tactics.mine(["no game"], nodes=1_000))  # type: ignore[list-item]


def test_a_repertoire_is_made_asked_and_written(tmp_path: Path) -> None:
    repertoire = chuhe.Repertoire(colour="red")
    assert len(repertoire) == 0 and repertoire.add("炮二平五 马８进７ 马二进三") == 3
    assert repertoire.add(["h2e2", "h7e7"]) == 1
    assert "h2e2" in repertoire.moves(chuhe.Position()) and "h0g2" in repertoire.moves("h2e2 h9g7")
    # The mirror image is the same line.
    assert [str(move) for move in repertoire.moves("b2e2 b9c7")] == ["b0c2"]
    assert [gap["line"][-1] for gap in repertoire.gaps() if gap["listed"]] == ["h7e7"]
    game = chuhe.Game(moves=["h2e2", "h9g7", "e2e6"], tags={"Red": "A", "Black": "B"}, result="1-0")
    assert repertoire.follow(game) == {"departure": "mine", "plies": 2, "played": "e2e6", "wanted": ["h0g2"]}
    assert repertoire.follow(chuhe.Game("3k5/9/9/9/9/9/9/9/9/4K4 w")) is None
    file = tmp_path / "red.pgn"
    chuhe.write_games(file, repertoire.game())
    again = chuhe.Repertoire(file)
    assert again.colour == "red" and again.to_dict() == repertoire.to_dict() and again.lines() == repertoire.lines()
    of_player = chuhe.Repertoire.of_player([game, game], "A", "red")
    assert len(of_player) == 3 and of_player.positions == 2
    with pytest.raises(ValueError, match="colour"):
        chuhe.Repertoire()
    with pytest.raises(ValueError, match="player"):
        chuhe.Repertoire.of_player([game], "C", "red")
    with pytest.raises(chuhe.MoveError):
        repertoire.add("h2e2 h2e2")
