"""Patches of points, cut as `xiangqi-picture` cuts them, in files of many boards."""
import argparse
import os

import numpy as np
from PIL import Image

from board import Board
from photographs import Photograph
from pieces import KINDS

STEP = 27  # Pixels from point to point.
SIDE = 32  # Of a patch.
EMPTY, JUNK = 7, 8  # Classes after the seven kinds.
BOARDS = 48  # In a file.
PHOTOGRAPHS = 8  # Of them, the last ones.


def canonical(image, x0, y0, dx, dy, rows=10, files=9):
    """The board scaled so that its points are STEP apart, and its colour."""
    half = SIDE / 2 / STEP
    box = (x0 - half * dx, y0 - half * dy, x0 + (files - 1 + half) * dx, y0 + (rows - 1 + half) * dy)
    w, h = (files - 1) * STEP + SIDE, (rows - 1) * STEP + SIDE
    pad = [max(0, int(np.ceil(v)) + 1) for v in (-box[0], -box[1], box[2] - image.size[0], box[3] - image.size[1])]
    if any(pad):
        image = Image.fromarray(np.pad(np.asarray(image), ((pad[1], pad[3]), (pad[0], pad[2]), (0, 0)), mode="edge"))
        box = (box[0] + pad[0], box[1] + pad[1], box[2] + pad[0], box[3] + pad[1])
    return np.asarray(image.resize((w, h), Image.BILINEAR, box=box))


def between(image, corners):
    """The board between outer points, scaled, and as if its light were even: what `Grid::Corners` of the crate gives."""
    finer = 3
    w, h = (8 * STEP + SIDE) * finer, (9 * STEP + SIDE) * finer
    half = SIDE / 2 * finer
    flat = [(half, half), (w - half, half), (w - half, h - half), (half, h - half)]
    rows = [row for (u, v), (x, y) in zip(flat, corners) for row in ([u, v, 1, 0, 0, 0, -x * u, -x * v], [0, 0, 0, u, v, 1, -y * u, -y * v])]
    across = np.linalg.solve(np.array(rows), np.array(corners).flatten())
    scaled = image.transform((w, h), Image.PERSPECTIVE, across, Image.BILINEAR).reduce(finer)
    return evenly_lit(np.asarray(scaled))


def evenly_lit(scaled):
    """Divided by what most places between the points agree on."""
    h, w = scaled.shape[:2]
    ys, xs = (np.arange(SIDE // 2 + STEP // 2, side - SIDE // 2, STEP) for side in (h, w))
    v, u = (grid.flatten() for grid in np.meshgrid(ys, xs, indexing="ij"))
    a = scaled.astype(np.float64)
    light = np.log(np.maximum([a[y - 2 : y + 3, x - 2 : x + 3].mean() for y, x in zip(v, u)], 4))
    bends = lambda y, x: np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
    rows = bends(v / h - 0.5, u / w - 0.5)
    fit = np.array([np.median(light), 0, 0, 0, 0, 0])
    for _ in range(5):
        weight = 1 / (1 + ((light - rows @ fit) / 0.08) ** 2)
        fit = np.linalg.solve(rows.T @ (rows * weight[:, None]), rows.T @ (light * weight))
    y, x = np.mgrid[:h, :w]
    factor = np.exp((np.median(light) - bends(y / h - 0.5, x / w - 0.5) @ fit).clip(-0.7, 0.7))
    return (a * factor[..., None]).round().clip(0, 255).astype(np.uint8)


def board_colour(scaled):
    """The median between the points, where no piece reaches."""
    ys = np.arange(SIDE // 2 + STEP // 2, scaled.shape[0] - SIDE // 2, STEP)
    xs = np.arange(SIDE // 2 + STEP // 2, scaled.shape[1] - SIDE // 2, STEP)
    return np.sort(scaled[np.ix_(ys, xs)].reshape(-1, 3), axis=0)[len(ys) * len(xs) // 2]


def patch(scaled, r, c):
    return scaled[r * STEP : r * STEP + SIDE, c * STEP : c * STEP + SIDE]


def relative(patches, base):
    return ((patches.astype(np.int16) - base.astype(np.int16)) // 2).astype(np.int8)


def cut_photograph(board, rng):
    """Patches of a photograph, cut between the tops of its pieces, or as far off as these are found."""
    step = np.hypot(*np.subtract(board.tops[1], board.tops[0])) / 8
    corners = np.array(board.tops) + rng.normal(0, 0.05, 2) * step + rng.normal(0, 0.03, (4, 2)) * step
    scaled = between(board.image, corners)
    base = board_colour(scaled)
    points = [(r, c) for r in range(10) for c in range(9) if (r, c) in board.points or rng.random() < 0.25]
    stands = [board.points.get(point) for point in points]
    out = [relative(patch(scaled, r, c), base) for r, c in points]
    kinds = [KINDS.index(piece[1]) if piece else EMPTY for piece in stands]
    return np.array(out), np.array(kinds, np.int8), np.array([piece[0] if piece else -1 for piece in stands], np.int8)


def cut(board, rng):
    """Patches with their class and side of one board, the grid a little off."""
    if isinstance(board, Photograph):
        return cut_photograph(board, rng)
    out, kinds, sides = [], [], []
    (x0, y0), (dx, dy) = board.origin, board.cell
    fx, fy = 1 + rng.normal(0, 0.006, 2)
    ox, oy = rng.normal(0, 0.035, 2)
    image = board.image
    if rng.random() < 0.25:  # What is left of an askew picture that was straightened.
        image = image.rotate(rng.normal(0, 0.6), Image.BILINEAR, center=(x0 + 4 * dx, y0 + 4.5 * dy))
    scaled = canonical(image, x0 + (ox - 4 * (fx - 1)) * dx, y0 + (oy - 4.5 * (fy - 1)) * dy, dx * fx, dy * fy)
    base = board_colour(scaled)
    empty = [(r, c) for r in range(10) for c in range(9) if (r, c) not in board.points]
    marked = [p for p in set(board.marked) if p in set(empty)]
    chosen = [empty[i] for i in rng.permutation(len(empty))[:12]] + marked[:6]
    for (r, c), (side, kind) in board.points.items():
        out.append(relative(patch(scaled, r, c), base))
        blank = board.set.form == "blank"
        kinds.append(JUNK if blank else KINDS.index(kind))
        sides.append(-1 if blank else side)
    for r, c in chosen:
        out.append(relative(patch(scaled, r, c), base))
        kinds.append(EMPTY)
        sides.append(-1)
    # Grids that are wrong: moved by a part of a step, of another scale, or off the board.
    for _ in range(2):
        way = rng.random()
        sx, sy, f = 0.0, 0.0, 1.0
        if way < 0.6:
            while max(abs(sx), abs(sy)) < 0.27:
                sx, sy = rng.uniform(-0.5, 0.5, 2) * (rng.random(2) < 0.7)
        elif way < 0.9:
            f = rng.choice([0.5, 0.75, 1.25, 1.5, 2.0])
        n = 3 if way < 0.9 else 0
        if n:
            wrong = canonical(board.image, x0 + (sx + rng.uniform(0, 3) // 1) * dx, y0 + (sy + rng.uniform(0, 4) // 1) * dy, dx * f, dy * f, 3, 3)
            spots = [(int(rng.integers(3)), int(rng.integers(3))) for _ in range(n)]
            if f != 1.0:
                spots = [(r, c) for r, c in spots if r or c]
        else:
            wrong = canonical(board.image, x0 - dx, y0 - dy, dx, dy, 12, 11)
            spots = [(0, int(rng.integers(11))), (11, int(rng.integers(11))), (int(rng.integers(12)), 0), (int(rng.integers(12)), 10)]
        for r, c in spots:
            out.append(relative(patch(wrong, r, c), base))
            kinds.append(JUNK)
            sides.append(-1)
    return np.array(out), np.array(kinds, np.int8), np.array(sides, np.int8)


def drawn(seed, number, left_out=()):
    """The boards of a file, each with its patches, cut three times."""
    for i in range(BOARDS):
        kind = Board if i < BOARDS - PHOTOGRAPHS else Photograph
        board = kind((seed, number, i), left_out=left_out)
        rng = np.random.default_rng((seed, number, i, 1))
        yield board, [cut(board, rng) for _ in range(3)]


def write(folder, number, seed, left_out=()):
    path = os.path.join(folder, f"{number:05}.npz")
    if os.path.exists(path):
        return
    parts = [cuts for _, cuts in drawn(seed, number, left_out)]
    x, k, s = (np.concatenate(p) for p in zip(*(one for cuts in parts for one in cuts)))
    order = np.random.default_rng((seed, number)).permutation(len(x))
    with open(path + ".part", "wb") as f:
        np.savez(f, x=x[order], k=k[order], s=s[order])
    os.rename(path + ".part", path)


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("folder")
    a.add_argument("first", type=int)
    a.add_argument("last", type=int)
    a.add_argument("--step", type=int, default=1)
    a.add_argument("--seed", type=int, default=76)
    a = a.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    for number in range(a.first, a.last, a.step):
        write(a.folder, number, a.seed)
