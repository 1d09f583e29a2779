"""How well the program reads pictures: a table by kind, of a folder of pictures that each have a `.fen` beside them.

`draw` draws pictures of kinds that are hard, `read` reads a folder: folders in it are its kinds. With `--copies` each picture that
is read right is read again as others send it on. No picture leaves the machine.
"""
import argparse
import io
import json
import os
import subprocess
import tempfile
import time

import numpy as np
from PIL import Image, ImageDraw

ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
GROUND = (120, 116, 110)


def jpeg(quality):
    def copy(image):
        data = io.BytesIO()
        image.save(data, "JPEG", quality=quality)
        return Image.open(io.BytesIO(data.getvalue())).convert("RGB")

    return copy


def scaled(factor):
    return lambda image: image.resize([max(1, round(side * factor)) for side in image.size], Image.BICUBIC)


def askew(degrees):
    return lambda image: image.rotate(degrees, Image.BICUBIC, expand=True, fillcolor=GROUND)


COPIES = {
    "JPEG 90": jpeg(90),
    "JPEG 75": jpeg(75),
    "JPEG 50": jpeg(50),
    "half the size": scaled(0.5),
    "1.5 times": scaled(1.5),
    "64 colours": lambda image: image.quantize(64, dither=Image.Dither.FLOYDSTEINBERG).convert("RGB"),
    "darkened": lambda image: image.point(lambda v: round(v * 0.6)),
    "askew 1°": askew(1),
    "askew -2°": askew(-2),
    "askew 3.5°": askew(3.5),
    "askew -5°": askew(-5),
}


class Tally:
    """What is counted of the pictures of a kind."""

    def __init__(self):
        self.pictures = self.right = self.refused = self.points = self.right_points = 0
        self.wrong_marked = self.right_marked = 0

    def add(self, fen, answer):
        self.pictures += 1
        if "fen" not in answer:
            self.refused += 1
            return False
        real, read = points(fen), points(answer["fen"])
        marked = {doubt["square"] for doubt in answer["doubts"]}
        wrong = {square for square in real if real[square] != read[square]}
        self.right += not wrong
        self.points += len(real)
        self.right_points += len(real) - len(wrong)
        self.wrong_marked += len(wrong & marked)
        self.right_marked += len(marked - wrong)
        return not wrong

    def row(self, name):
        share = lambda part, whole: f"{part / whole:.1%}" if whole else "–"
        wrong = self.points - self.right_points
        return (f"| {name} | {self.pictures} | {self.right} | {share(self.right, self.pictures)} | {self.refused} | "
                f"{share(self.right_points, self.points)} | {self.wrong_marked} of {wrong} | {share(self.right_marked, self.right_points)} |")


HEAD = ("| kind | pictures | right | share | refused | points right | wrong marked | right marked |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")


def points(fen):
    found = {}
    for row, text in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in text:
            for piece in ("." * int(letter) if letter.isdigit() else letter):
                found["abcdefghi"[file] + str(9 - row)] = piece
                file += 1
    return found


def pairs(folder):
    """Pictures with their kind and their position."""
    for below, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(below, name)
            fen = os.path.splitext(path)[0] + ".fen"
            if name.lower().endswith(ENDINGS) and os.path.exists(fen):
                with open(fen) as f:
                    yield path, os.path.relpath(below, folder), f.read()


def read(program, paths):
    """What the program says of each picture, and how many seconds one takes on average."""
    if not paths:
        return [], 0.0
    begun = time.time()
    done = subprocess.run([*program, *paths], capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(paths):
        raise SystemExit(done.stderr or "the program did not answer for each picture")
    return answers, (time.time() - begun) / len(paths)


def measure(a):
    found = list(pairs(a.folder))
    program = [a.program, "picture", "--json"]
    answers, seconds = read(program, [path for path, _, _ in found])
    tallies, right = {}, []
    for (path, kind, fen), answer in zip(found, answers):
        if tallies.setdefault(kind, Tally()).add(fen, answer):
            right.append((path, fen))
        elif a.verbose:
            print(path, answer.get("error") or difference(fen, answer))
    print(HEAD)
    for kind, tally in sorted(tallies.items()):
        print(tally.row("all" if kind == "." else kind))
    print(f"\n{seconds:.2f} s a picture")
    if a.copies:
        copies(program, right, a.verbose)


def difference(fen, answer):
    """Points that are wrong, as `e4 R c`; with a `?` if they are marked."""
    real, read, marked = points(fen), points(answer["fen"]), {doubt["square"] for doubt in answer["doubts"]}
    wrong = (square for square in real if real[square] != read[square])
    return ", ".join(f"{square} {real[square]} {read[square]}{'?' * (square in marked)}" for square in wrong)


def copies(program, right, verbose):
    print("\n" + HEAD)
    for name, copy in COPIES.items():
        tally = Tally()
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for index, (path, _) in enumerate(right):
                paths.append(os.path.join(folder, f"{index:04}.png"))
                copy(Image.open(path).convert("RGB")).save(paths[-1], compress_level=1)
            for (path, fen), answer in zip(right, read(program, paths)[0]):
                if not tally.add(fen, answer) and verbose:
                    print(name, path, answer.get("error") or difference(fen, answer))
        print(tally.row(name), flush=True)


def draw(a):
    """Pictures of each kind, from seeds that no training has."""
    from board import KINDS_OF_PICTURES, Picture
    from photographs import Photograph

    for kind in [*KINDS_OF_PICTURES, "photographs"]:
        folder = os.path.join(a.folder, kind)
        os.makedirs(folder, exist_ok=True)
        for number in range(a.number):
            path = os.path.join(folder, f"{number:03}")
            if kind == "photographs":
                picture = Photograph((a.seed, number))
                image = picture.image
            else:
                picture = Picture((a.seed, number), kind)
                image = around(picture, np.random.default_rng((a.seed, number, 1)))
            image.save(path + ".png")
            with open(path + ".fen", "w") as f:
                f.write(picture.fen() + "\n")


def around(picture, rng):
    """The board on a screen: panels, bars and rows of text beside it."""
    image = picture.image
    if rng.random() < 0.4:
        return image
    w, h = image.size
    left, top = (int(rng.uniform(0, 0.35) * side) for side in (w, h))
    right, bottom = (int(rng.uniform(0, 0.5) * side) for side in (w, h))
    tone = lambda: tuple(int(v) for v in rng.integers(0, 256, 3))
    page = Image.new("RGB", (w + left + right, h + top + bottom), tone())
    d = ImageDraw.Draw(page)
    for _ in range(int(rng.integers(3, 12))):
        x, y = rng.uniform(0, page.size[0]), rng.uniform(0, page.size[1])
        d.rounded_rectangle([x, y, x + rng.uniform(0.1, 0.5) * w, y + rng.uniform(0.03, 0.2) * h], 5, fill=tone())
    for _ in range(int(rng.integers(2, 14))):
        x, y, ink = rng.uniform(0, page.size[0]), rng.uniform(0, page.size[1]), tone()
        picture.canvas = page
        for index in range(6):
            picture.write(str(rng.choice(list("先手胜和平局第一二三四五"))), x + index * w * 0.04, y, w * 0.04, ink)
    page.paste(image, (left, top))
    return page


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("what", choices=["draw", "read"])
    a.add_argument("folder")
    a.add_argument("--number", type=int, default=24, help="pictures of each kind that are drawn")
    a.add_argument("--seed", type=int, default=1_000_000)
    a.add_argument("--program", default="../../target/release/chuhe")
    a.add_argument("--copies", action="store_true", help="read copies of the pictures that are read right, too")
    a.add_argument("--verbose", action="store_true", help="name what is wrong")
    a = a.parse_args()
    draw(a) if a.what == "draw" else measure(a)


if __name__ == "__main__":
    main()
