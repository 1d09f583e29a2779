"""Photographs of boards, drawn: pieces that have a height on a board on a table, seen by a camera from above and aside."""
import io

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from board import Picture, board_colour, texture
from pieces import PieceSet, pale, wood

# Families whose characters are written too fast for most people.
UNREADABLE = ("aoyagi", "kiloji", "seto", "@zhi-mang-xing", "@long-cang", "@zcool-kuaile")
SLICES = 5  # Of a piece's side.


class Photograph(Picture):
    """`image` is the photograph, `tops` are the outer points of the board at the height of its pieces' tops."""

    def __init__(self, seed, tilt=30, left_out=()):
        self.most_tilt = tilt
        super().__init__(seed, "plain", left_out)

    def pieces(self, left_out):
        """Discs of wood or plastic with characters in red and black that a person can read."""
        while True:
            found = PieceSet(self.rng, (*left_out, *UNREADABLE), "glyph")
            paper = [light(fill) for fill in found.fill]
            apart = [abs(light(found.ink[side]) - paper[side]) for side in (0, 1)]
            sides = max(abs(a - b) for a, b in zip(*found.ink))
            if found.palette == "one wood" and min(apart) > 80 and sides > 90:
                break
        found.shadow = found.depth = found.place_noise = 0
        found.radius = self.rng.uniform(0.38, 0.47)
        found.shape, found.offset = "circle", (0, 0)
        found.turn_noise = self.rng.choice([0, 6, 12, 180], p=[0.3, 0.45, 0.2, 0.05])
        return found

    def ground(self):
        return wood(self.rng) if self.rng.random() < 0.6 else pale(self.rng) if self.rng.random() < 0.6 else board_colour(self.rng)

    def size(self):
        return self.rng.uniform(64, 90), float(self.rng.choice([1, self.rng.uniform(0.96, 1.1)]))

    def marks(self, below):
        self.marked = []

    def put(self):
        """Where pieces stand, on a layer of their own, not always in the middle of their points."""
        rng = self.rng
        cell = min(self.cell)
        if self.turned:
            self.points = {(9 - r, 8 - c): piece for (r, c), piece in self.points.items()}
        self.faces = Image.new("RGBA", self.canvas.size)
        self.places = []
        noise = rng.uniform(0, 0.05)
        for (r, c), (side, kind) in sorted(self.points.items()):
            face = self.set.draw(side, kind, round(cell))
            if self.set.turn_noise:
                face = face.rotate(rng.normal(0, self.set.turn_noise), Image.BILINEAR)
            if self.turned != bool(side):  # Each side's pieces look at their player.
                face = face.rotate(180 if self.across else 0)
            x, y = self.at(r, c)
            x, y = x + rng.normal(0, noise) * cell, y + rng.normal(0, noise) * cell
            self.faces.paste(face, (round(x - face.size[0] / 2), round(y - face.size[1] / 2)), face)
            self.places.append((x, y, self.set.fill[side]))

    @property
    def across(self):
        """The players sit opposite each other, so that one side's characters are upside down."""
        return self.set.art_seed % 2

    def spoil(self):
        rng, u = self.rng, self.rng.random
        w, h = self.w, self.h
        self.height = rng.uniform(0.12, 0.4) * self.cell[0]
        camera = self.camera(w, h)
        long = int(rng.uniform(900, 1700))
        size = (long, round(long * rng.uniform(0.7, 0.8)))
        size = size if u() < 0.4 else size[::-1]
        edge = [(0, 0), (w, 0), (w, h), (0, h)]
        seen = np.array([project(camera, x, y, 0) for x, y in edge])
        low, high = seen.min(0), seen.max(0)
        scale = min((size[i] * rng.uniform(0.72, 0.97)) / (high[i] - low[i]) for i in (0, 1))
        free = [size[i] - (high[i] - low[i]) * scale for i in (0, 1)]
        shift = [free[i] * rng.uniform(0.2, 0.8) - low[i] * scale for i in (0, 1)]
        fit = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
        self.camera_matrix = fit @ camera
        image = Image.fromarray(texture(rng, *size, board_colour(rng)).clip(0, 255).astype(np.uint8))
        thick = rng.uniform(0.1, 0.5) * self.cell[0]
        side = Image.new("RGBA", (w, h), tuple(round(v * 0.55) for v in self.base) + (255,))
        for z in np.linspace(-thick, 0, 4)[:-1]:
            self.lay(image, side, z)
        self.lay(image, self.canvas.convert("RGBA"), 0)
        shade = Image.new("L", (w, h))
        way = rng.normal(0, 0.18, 2) * self.cell[0]
        r = self.set.radius * min(self.cell)
        d = ImageDraw.Draw(shade)
        for x, y, _ in self.places:
            d.ellipse([x + way[0] - r, y + way[1] - r, x + way[0] + r, y + way[1] + r], fill=int(255 * rng.uniform(0.25, 0.6)))
        dark = Image.new("RGBA", (w, h))
        dark.putalpha(shade.filter(ImageFilter.GaussianBlur(r * rng.uniform(0.1, 0.3))))
        self.lay(image, dark, 0)
        for step in range(SLICES):
            body = Image.new("RGBA", (w, h))
            d = ImageDraw.Draw(body)
            for x, y, fill in self.places:
                tone = tuple(round(v * (0.45 + 0.35 * step / SLICES)) for v in fill)
                d.ellipse([x - r, y - r, x + r, y + r], fill=tone + (255,))
            self.lay(image, body, self.height * step / SLICES)
        self.lay(image, self.faces, self.height)
        outer = [self.at(0, 0), self.at(0, 8), self.at(9, 8), self.at(9, 0)]
        self.tops = [project(self.camera_matrix, x, y, self.height) for x, y in outer]
        self.image = self.developed(image)

    def camera(self, w, h):
        """From places on the board (x, y, height, 1) to the picture, the middle of the board at 0."""
        rng = self.rng
        tilt = np.radians(rng.uniform(0, self.most_tilt))
        turn = np.radians(rng.normal(0, 6))
        aside = np.radians(rng.normal(0, 0.3 * self.most_tilt / 2))
        away = rng.uniform(1.3, 2.6) * max(w, h)
        about = lambda axis, a: {
            "x": np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]]),
            "y": np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]]),
            "z": np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]),
        }[axis]
        rotation = about("x", tilt) @ about("y", aside) @ about("z", turn)
        # Heights are toward the camera, which looks from above.
        place = np.array([[1, 0, 0, -w / 2], [0, 1, 0, -h / 2], [0, 0, -1, 0]])
        seen = rotation @ place
        seen[2, 3] += away
        return seen * np.array([[1], [1], [1 / away]])

    def lay(self, image, layer, height):
        """Lays a layer of the board at a height over the picture."""
        flat = self.camera_matrix[:, [0, 1, 3]] + np.outer(self.camera_matrix[:, 2], [0, 0, height])
        back = np.linalg.inv(flat)
        back = (back / back[2, 2]).flatten()[:8]
        seen = layer.transform(image.size, Image.PERSPECTIVE, back, Image.BILINEAR)
        image.paste(seen, (0, 0), seen)

    def developed(self, image):
        """Light, lens, noise and compression."""
        rng = self.rng
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.2)))
        a = np.asarray(image, np.float32)
        light = rng.uniform(0.65, 1.15, (3, 3)).astype(np.float32)
        a = a * np.asarray(Image.fromarray(light).resize(image.size, Image.BICUBIC))[..., None]
        a = a * rng.uniform(0.88, 1.1, 3)
        a += rng.normal(0, rng.uniform(1, 6), a.shape)
        data = io.BytesIO()
        Image.fromarray(a.clip(0, 255).astype(np.uint8)).save(data, "JPEG", quality=int(rng.integers(70, 95)))
        return Image.open(io.BytesIO(data.getvalue())).convert("RGB")


def light(tone):
    return sum(tone) / 3


def project(camera, x, y, height):
    u, v, depth = camera @ (x, y, height, 1)
    return u / depth, v / depth
