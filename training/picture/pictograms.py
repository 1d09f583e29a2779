"""Six sets of figures instead of characters: rooks as towers or carts, horses, elephants, cannons as barrels, crowns, shields.

A figure is a list of shapes on a square of 100 × 100: letters say what a shape is, numbers where. `p` is a polygon, `o` an ellipse in
a box; in capitals they are cut out. `l` is a line inside a figure, `s` one that is a part of it.
"""
import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

CROWN = ["p 15 30 32 55 50 18 68 55 85 30 78 80 22 80", "o 9 20 21 32", "o 44 9 56 21", "o 79 20 91 32", "l 24 70 76 70"]
TOWER = ["p 20 10 33 10 33 20 43 20 43 10 57 10 57 20 67 20 67 10 80 10 80 36 70 42 70 74 82 80 82 92 18 92 18 80 30 74 30 42 20 36", "l 30 42 70 42", "l 30 74 70 74"]
HORSE_HEAD = ["p 28 90 34 62 48 48 30 56 16 52 14 40 40 20 44 6 56 16 76 34 84 60 80 90", "O 38 26 45 33", "l 60 24 72 52 70 84"]
PAWN = ["o 36 8 64 36", "p 42 33 58 33 68 74 32 74", "p 24 74 76 74 80 91 20 91", "l 36 46 64 46"]
CANNON_ON_WHEEL = ["p 6 30 76 38 90 48 90 64 72 68 6 48", "o 34 48 78 92", "O 44 58 68 82", "s 56 58 56 82", "s 44 70 68 70", "p 66 66 98 84 94 91 60 76"]
ELEPHANT_SIDE = ["o 30 20 92 72", "o 10 18 48 60", "s 18 44 14 66 20 84 10 87", "p 38 58 50 58 50 90 38 90", "p 72 58 84 58 84 90 72 90", "l 44 24 50 42 38 56", "O 20 30 25 35", "s 90 40 95 60"]

SETS = [
    {  # Figures of western chess, and what it lacks.
        "K": CROWN,
        "A": ["p 18 14 50 22 82 14 80 55 50 92 20 55", "l 50 30 50 76", "l 30 44 70 44"],
        "B": ELEPHANT_SIDE, "N": HORSE_HEAD, "R": TOWER, "C": CANNON_ON_WHEEL, "P": PAWN,
    },
    {  # Signs of war.
        "K": ["p 22 34 34 50 50 28 66 50 78 34 74 84 26 84", "s 50 6 50 30", "s 40 15 60 15", "l 27 74 73 74", "O 46 56 54 64"],
        "A": ["o 16 10 84 78", "p 38 70 62 70 66 92 34 92", "l 50 12 50 76", "l 26 22 50 76 74 22", "l 18 40 50 76 82 40"],
        "B": ["p 30 14 70 14 76 42 66 60 60 92 42 92 40 84 50 82 48 60 34 60 24 42", "p 28 18 6 22 8 54 26 56", "p 72 18 94 22 92 54 74 56", "O 36 34 42 40", "O 58 34 64 40", "s 38 60 30 78", "s 62 60 72 78"],
        "N": ["p 34 88 30 56 24 40 30 30 34 10 44 22 56 22 66 10 70 30 76 40 70 56 66 88 58 94 42 94", "O 36 36 42 44", "O 58 36 64 44", "l 42 80 58 80", "l 50 24 50 52"],
        "R": ["o 10 10 90 90", "O 20 20 80 80", "s 50 16 50 84", "s 16 50 84 50", "s 26 26 74 74", "s 26 74 74 26", "o 40 40 60 60"],
        "C": ["p 10 74 60 14 84 34 34 92", "o 46 4 94 46", "O 56 12 84 38", "o 8 62 44 96", "l 28 56 50 74"],
        "P": ["p 14 92 8 86 66 26 74 34", "p 86 92 92 86 34 26 26 34", "p 66 26 88 8 74 34", "p 34 26 12 8 26 34", "s 22 66 40 84", "s 78 66 60 84"],
    },
    {  # Heads.
        "K": ["o 26 36 74 92", "p 22 42 18 12 36 26 50 8 64 26 82 12 78 42", "O 38 54 44 60", "O 56 54 62 60", "l 40 76 60 76"],
        "A": ["o 28 34 72 90", "p 12 40 34 34 38 12 62 12 66 34 88 40 80 46 20 46", "O 40 54 45 59", "O 55 54 60 59", "l 36 74 50 70 64 74"],
        "B": ["o 30 16 70 62", "o 4 14 36 62", "o 64 14 96 62", "s 50 50 50 76 44 90 32 88", "O 38 32 43 38", "O 57 32 62 38", "l 36 20 36 52", "l 64 20 64 52"],
        "N": ["p 20 92 26 60 42 44 34 66 20 70 12 60 28 28 40 20 48 4 56 20 74 30 88 60 86 92", "O 36 32 42 38", "l 62 28 74 50 74 88", "l 18 62 26 64"],
        "R": ["p 26 92 26 46 20 46 20 28 30 28 30 36 40 36 40 28 52 28 52 36 62 36 62 28 74 28 74 46 68 46 68 92", "p 50 4 84 10 50 18", "s 50 4 50 30", "P 40 92 40 70 54 70 54 92", "l 30 54 64 54"],
        "C": ["o 22 18 78 74", "O 34 30 66 62", "p 6 50 22 50 22 92 6 92", "p 78 50 94 50 94 92 78 92", "p 22 70 78 70 78 80 22 80", "o 42 38 58 54"],
        "P": ["p 14 58 20 28 50 10 80 28 86 58", "p 24 58 76 58 72 90 50 96 28 90", "O 36 62 44 68", "O 56 62 64 68", "s 50 2 50 14", "l 14 58 86 58"],
    },
    {  # Whole figures, as teaching diagrams draw them.
        "K": ["o 38 14 62 38", "p 34 16 34 4 44 10 50 2 56 10 66 4 66 16", "p 36 38 64 38 84 92 16 92", "s 36 44 16 66", "s 64 44 84 66", "l 50 40 50 90", "l 28 66 72 66"],
        "A": ["o 38 12 62 36", "p 30 16 70 16 62 6 38 6", "p 38 36 62 36 72 92 28 92", "s 60 46 80 40", "p 72 18 96 24 88 48 76 46", "l 50 38 50 90"],
        "B": ["o 24 24 88 66", "p 28 50 42 50 42 92 30 92", "p 68 50 84 50 84 92 72 92", "o 8 14 44 54", "s 12 36 8 58 14 74 22 72", "O 18 26 24 32", "s 86 36 94 54", "s 16 50 28 58", "p 48 12 72 12 68 26 52 26"],
        "N": ["p 8 30 22 8 28 14 40 28 76 40 82 60 74 66 66 58 42 58 32 46 22 38 12 40", "s 36 52 28 90", "s 44 56 46 90", "s 66 58 62 90", "s 76 60 84 90", "s 78 42 92 56", "O 18 20 22 24", "l 28 16 40 34"],
        "R": ["p 26 30 88 30 80 60 34 60", "s 6 52 30 46", "o 16 52 52 90", "O 24 60 44 82", "o 60 52 92 90", "O 68 60 84 82", "s 60 8 60 30", "p 60 8 84 14 60 22", "l 30 40 84 40"],
        "C": ["o 18 36 74 92", "p 60 30 72 42 66 48 54 36", "s 66 34 76 22 88 26", "o 84 14 94 24", "O 28 50 40 62"],
        "P": ["o 42 12 64 34", "p 44 34 64 34 70 66 38 66", "s 46 64 38 92", "s 60 64 70 92", "s 22 8 22 92", "p 22 2 28 16 16 16", "s 44 42 22 52", "l 40 50 66 50"],
    },
    {  # Tools and buildings.
        "K": ["p 8 34 50 8 92 34", "p 16 36 84 36 84 46 16 46", "p 20 48 30 48 30 82 20 82", "p 45 48 55 48 55 82 45 82", "p 70 48 80 48 80 82 70 82", "p 10 82 90 82 90 92 10 92"],
        "A": ["p 50 90 8 38 26 18 50 10 74 18 92 38", "l 50 88 26 18", "l 50 88 50 10", "l 50 88 74 18", "l 22 54 36 44 50 40 64 44 78 54"],
        "B": ["p 20 8 60 10 84 30 84 60 64 60 56 46 48 62 46 84 26 94 16 86 30 80 32 58 20 44", "s 46 60 66 78 86 74", "O 34 26 41 33", "l 62 22 54 46"],
        "N": ["p 22 6 40 6 34 40 40 66 50 72 60 66 66 40 60 6 78 6 84 44 74 78 60 92 40 92 26 78 16 44", "O 22 30 27 35", "O 28 58 33 63", "O 67 58 72 63", "O 73 30 78 35"],
        "R": ["p 8 44 92 44 92 62 8 62", "p 22 22 70 22 78 44 18 44", "o 14 56 40 84", "o 60 56 86 84", "O 22 64 32 76", "O 68 64 78 76", "l 44 24 44 44", "s 2 52 10 52"],
        "C": ["p 4 40 14 34 84 34 84 26 96 26 96 68 84 68 84 60 14 60 4 54", "l 30 34 30 60", "l 52 34 52 60", "p 20 70 80 70 88 90 12 90"],
        "P": ["p 46 28 54 28 54 96 46 96", "p 50 2 66 26 50 34 34 26", "s 30 40 70 40", "s 42 46 36 62", "s 58 46 64 62"],
    },
    {  # Plain signs.
        "K": ["p 50 4 61 37 96 37 68 58 79 92 50 71 21 92 32 58 4 37 39 37", "O 42 44 58 60"],
        "A": ["p 50 6 92 50 50 94 8 50", "P 50 28 72 50 50 72 28 50"],
        "B": ["p 12 90 12 44 30 22 58 20 76 36 78 62 92 62 90 78 70 80 60 68 58 50 50 60 50 90 36 90 36 70 26 70 26 90", "O 58 32 64 38"],
        "N": ["p 24 92 30 64 52 46 22 52 18 36 44 22 52 8 60 22 78 46 76 92", "l 40 78 70 78"],
        "R": ["p 14 12 30 12 30 26 42 26 42 12 58 12 58 26 70 26 70 12 86 12 86 44 14 44", "p 20 50 80 50 80 88 20 88", "P 42 88 42 66 58 66 58 88"],
        "C": ["o 8 8 92 92", "O 22 22 78 78", "o 36 36 64 64", "s 50 0 50 24", "s 50 76 50 100", "s 0 50 24 50", "s 76 50 100 50"],
        "P": ["p 50 10 90 86 10 86", "P 50 44 66 74 34 74"],
    },
]


def figure(number, kind, rng, size=96, style="filled"):
    """Where a figure has ink, and where its body is that a second colour may fill, as masks."""
    scale, wobble = size / 100, rng.normal(0, 0.9, 64)
    width = max(2, round(size * rng.uniform(0.035, 0.075)))
    body, inside = Image.new("L", (size, size)), Image.new("L", (size, size))
    paint, draw = ImageDraw.Draw(body), ImageDraw.Draw(inside)
    for index, shape in enumerate(SETS[number][kind]):
        what, *numbers = shape.split()
        at = [(float(v) + wobble[(index * 7 + i) % 64]) * scale for i, v in enumerate(numbers)]
        points = list(zip(at[::2], at[1::2]))
        fill = 0 if what.isupper() else 255
        if what in "pP":
            paint.polygon(points, fill=fill)
        elif what in "oO":
            paint.ellipse([min(at[0], at[2]), min(at[1], at[3]), max(at[0], at[2]), max(at[1], at[3])], fill=fill)
        elif what in "sl" and len(points) > 1:
            (paint if what == "s" else draw).line(points, fill=255, width=width, joint="curve")
    if rng.random() < 0.3 and kind in "BNC":
        body, inside = (mask.transpose(Image.FLIP_LEFT_RIGHT) for mask in (body, inside))
    if style == "filled":
        return ImageChops.subtract(body, inside), None
    thin = body.filter(ImageFilter.MinFilter(width // 2 * 2 + 1))
    return ImageChops.lighter(ImageChops.subtract(body, thin), ImageChops.multiply(inside, body)), body


def choose(rng):
    """For each kind the set that its figure is of, mostly the same, and how all are drawn: filled, in line, or in two colours."""
    own = int(rng.integers(len(SETS)))
    numbers = {kind: own if rng.random() < 0.75 else int(rng.integers(len(SETS))) for kind in "KABNRCP"}
    return own, numbers, str(rng.choice(["filled", "line", "two colours"], p=[0.45, 0.25, 0.3]))


def sheet():
    """All figures on one picture, to look at."""
    page = Image.new("L", (7 * 110, len(SETS) * 220), 255)
    for number in range(len(SETS)):
        for column, kind in enumerate("KABNRCP"):
            for row, style in enumerate(("filled", "line")):
                mask, _ = figure(number, kind, np.random.default_rng(1), 96, style)
                page.paste(0, (column * 110 + 7, number * 220 + row * 110 + 7), mask)
    return page
