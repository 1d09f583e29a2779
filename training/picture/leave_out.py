"""How well points of a style are read by a network that has never seen it: twenty styles, each left out of a short training.

`draw` draws boards with their styles, `train` trains on all of them (`--style all`) or on all but one, `table` compares.
"""
import argparse
import os
import time

import numpy as np
import torch

from patches import JUNK, drawn
from train import Net, as_input, set_rate, train_on

FAMILIES = ["noto-sans", "noto-serif", "ukai", "kaiti-gb", "cns-kai", "kouzan", "aoyagi", "cwtex-kai", "wenkai"]
PALETTES = ["coloured", "white and black", "transparent", "two woods", "dark"]
LOOKS = {
    "pictograms": lambda pieces: pieces.form == "pictogram",
    "symbols and letters": lambda pieces: pieces.form in ("symbol", "letter"),
    "octagons and squares": lambda pieces: pieces.shape != "circle",
    "embossed": lambda pieces: pieces.emboss > 0,
    "thick discs": lambda pieces: pieces.depth > 0,
    "on their heads": lambda pieces: any(pieces.turns.values()),
}
STYLES = [*FAMILIES, *PALETTES, *LOOKS]


def has_style(pieces, style):
    if style in LOOKS:
        return LOOKS[style](pieces)
    # A set of pictograms or letters has no font that could be new, but it has colours.
    return style == pieces.palette or pieces.form == "glyph" and style in pieces.families


def draw(folder, first, last, step, seed):
    os.makedirs(folder, exist_ok=True)
    for number in range(first, last, step):
        path = os.path.join(folder, f"{number:05}.npz")
        if os.path.exists(path):
            continue
        parts, styles = [], []
        for board, cuts in drawn(seed, number):
            parts += cuts
            styles += [[has_style(board.set, style) for style in STYLES]] * sum(len(c[0]) for c in cuts)
        x, k, s = (np.concatenate(p) for p in zip(*parts))
        with open(path + ".part", "wb") as f:
            np.savez(f, x=x, k=k, s=s, styles=np.array(styles))
        os.rename(path + ".part", path)


def load(folder, number):
    path = os.path.join(folder, f"{number:05}.npz")
    while not os.path.exists(path):
        time.sleep(1)
    f = np.load(path)
    return f["x"], f["k"], f["s"], f["styles"]


def train(a):
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    rng = np.random.default_rng(a.seed)
    net = Net().to(memory_format=torch.channels_last)
    path = os.path.join(a.folder, f"{a.style}.pt")
    if os.path.exists(path):  # Go on with it.
        net.load_state_dict(torch.load(path))
    optimizer = torch.optim.AdamW(net.parameters(), a.rate, weight_decay=0.02)
    order = [number for _ in range(a.passes) for number in range(a.test, a.files)]
    for done, number in enumerate(order):
        x, k, s, styles = load(a.folder, number)
        if a.style != "all":
            seen = ~styles[:, STYLES.index(a.style)]
            x, k, s = x[seen], k[seen], s[seen]
        set_rate(optimizer, a.rate, done, len(order))
        train_on(net, optimizer, x, k, s, a.batch, rng)
    torch.save(net.state_dict(), path)


def read(net, x):
    with torch.no_grad():
        return np.concatenate([net(as_input(x[i : i + 4096])).numpy() for i in range(0, len(x), 4096)])


def table(a):
    nets = {}
    for style in ["all"] + STYLES:
        path = os.path.join(a.folder, f"{style}.pt")
        if os.path.exists(path):
            nets[style] = Net().to(memory_format=torch.channels_last)
            nets[style].load_state_dict(torch.load(path))
            nets[style].eval()
    files = [load(a.folder, number) for number in range(a.test)]
    x, k, s, styles = (np.concatenate(p) for p in zip(*files))
    print("| style | points | with it | without it | pieces with it | without it |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for i, style in enumerate(STYLES):
        if style not in nets:
            continue
        own = styles[:, i] & (k != JUNK)
        piece = s[own] >= 0
        row = []
        for name in ("all", style):
            y = read(nets[name], x[own])
            kinds = y[:, :9].argmax(1) == k[own]
            right = kinds & (~piece | ((y[:, 9] > 0) == (s[own] > 0)))
            row.append((right.mean(), kinds[piece].mean()))
        (a_all, p_all), (a_out, p_out) = row
        print(f"| {style} | {own.sum():,} | {a_all:.2%} | {a_out:.2%} | {p_all:.2%} | {p_out:.2%} |")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("what", choices=["draw", "train", "table"])
    a.add_argument("folder")
    a.add_argument("--files", type=int, default=90)
    a.add_argument("--test", type=int, default=30, help="how many files are for testing: the first ones")
    a.add_argument("--first", type=int, default=0)
    a.add_argument("--step", type=int, default=1)
    a.add_argument("--style", default="all")
    a.add_argument("--passes", type=int, default=2)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--batch", type=int, default=512)
    a.add_argument("--seed", type=int, default=77)
    a.add_argument("--threads", type=int, default=1)
    a = a.parse_args()
    if a.what == "draw":
        draw(a.folder, a.first, a.files, a.step, a.seed)
    elif a.what == "train":
        train(a)
    else:
        table(a)


if __name__ == "__main__":
    main()
