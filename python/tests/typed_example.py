"""A program that `mypy --strict` passes: the best moves of the positions of a game."""

from __future__ import annotations

import chuhe


def best_moves(game: chuhe.Game, nodes: int) -> list[tuple[chuhe.Move, float]]:
    """The best move of each position of a game, with red's chance."""
    positions = [game.position(ply) for ply in range(len(game.moves) + 1)]
    found: list[tuple[chuhe.Move, float]] = []
    with chuhe.Engine(hash=4) as engine:
        for position, answer in zip(positions, engine.analyse_many(positions, threads=2, nodes=nodes)):
            if answer["best"]:
                found.append((position.parse_move(answer["best"][0]), answer["chance"]))
    return found


def main() -> None:
    """Prints them."""
    game = next(chuhe.read_games("1. 炮二平五 马８进７ 2. 马二进三 *"))
    outcome: chuhe.Outcome | None = game.position().outcome()
    assert outcome is None
    position = chuhe.Position()
    for (move, chance), node in zip(best_moves(game, 1_000), game.main_line()):
        print(position.format_move(move), round(chance, 2), node.move.from_square)
        assert position.push(node.move) == position.peek()


if __name__ == "__main__":
    main()
