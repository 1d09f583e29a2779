"""Whole pictures of boards, with what stands on every point."""
import io

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

import fonts
from pieces import BLACK, KINDS, RED, PieceSet, black_ink, colour, pale, red_ink, wood


def texture(rng, w, h, base):
    """Wood, stone, paper or nothing over a colour."""
    kind = rng.random()
    image = np.empty((h, w, 3), np.float32)
    image[:] = base
    if kind < 0.35:
        return image
    if kind < 0.65:  # Grain along one way.
        strength = rng.uniform(2, 16)
        noise = rng.normal(0, 1, (max(2, h // int(rng.integers(2, 9))), max(2, w // int(rng.integers(20, 160)))))
        noise = np.asarray(Image.fromarray(noise.astype(np.float32)).resize((w, h), Image.BILINEAR))
        if rng.random() < 0.5:
            noise = np.asarray(Image.fromarray(noise).resize((h, w))).T
        image += strength * noise[..., None]
    elif kind < 0.85:  # Clouds.
        n = int(rng.integers(3, 30))
        noise = rng.normal(0, rng.uniform(3, 18), (n, n)).astype(np.float32)
        image += np.asarray(Image.fromarray(noise).resize((w, h), Image.BICUBIC))[..., None]
    else:
        image += rng.normal(0, rng.uniform(1, 9), (h, w, 1))
    if rng.random() < 0.4:
        image += np.linspace(-1, 1, h)[:, None, None] * rng.normal(0, 18) + np.linspace(-1, 1, w)[None, :, None] * rng.normal(0, 18)
    return image


def board_colour(rng):
    kind = rng.random()
    if kind < 0.5:
        return wood(rng)
    if kind < 0.7:
        return pale(rng)
    if kind < 0.8:
        return colour(rng.normal(0.33, 0.05), rng.uniform(0.1, 0.8), rng.uniform(0.2, 0.9))
    if kind < 0.92:
        return colour(rng.normal(0.06, 0.04), rng.uniform(0.2, 0.8), rng.uniform(0.12, 0.5))
    return colour(rng.random(), rng.random() * 0.7, rng.uniform(0.1, 1))


def contrast_with(rng, base):
    light = sum(base) / 3
    if light > 110 and rng.random() < 0.9:
        ink = tuple(round(c * rng.uniform(0.0, 0.6)) for c in base) if rng.random() < 0.6 else black_ink(rng)
    else:
        ink = tuple(round(c + (255 - c) * rng.uniform(0.35, 0.95)) for c in base)
    return ink if abs(sum(ink) / 3 - light) > 25 else ((0, 0, 0) if light > 110 else (255, 255, 255))


class Board:
    """One picture: `image`, the grid's `origin` and `cell` (x and y), and `points`, which maps (row, file) to (side, kind)."""

    def __init__(self, seed, left_out=()):
        self.rng = rng = np.random.default_rng(seed)
        u = rng.random
        self.set = self.pieces(left_out)
        cell, stretch = self.size()
        self.cell = (cell, cell * stretch)
        margin = rng.uniform(0.7, 1.5)
        self.origin = (cell * margin + rng.random(), cell * margin + rng.random())
        w, h = (round(8 * self.cell[i] + 2 * self.origin[i] + (i * self.cell[1])) for i in (0, 1))
        self.w, self.h = w, h
        self.base = self.ground()
        self.ink = contrast_with(rng, self.base)
        canvas = Image.fromarray(texture(rng, w, h, self.base).clip(0, 255).astype(np.uint8))
        self.d = ImageDraw.Draw(canvas)
        self.canvas = canvas
        self.chequered = u() < 0.03
        self.lines()
        self.texts()
        self.place()
        self.marks(below=True)
        self.put()
        self.marks(below=False)
        self.image = self.canvas
        self.spoil()

    def pieces(self, left_out):
        return PieceSet(self.rng, left_out)

    def ground(self):
        return board_colour(self.rng)

    def size(self):
        """Pixels from file to file, and how much longer a step is from rank to rank."""
        rng, u = self.rng, self.rng.random
        cell = float(np.exp(rng.uniform(np.log(16), np.log(82))))
        stretch = rng.normal(1, 0.03) if u() < 0.35 else 1
        if u() < 0.06:
            stretch = rng.uniform(0.8, 1.16)
        return cell, stretch

    def at(self, r, c):
        return self.origin[0] + c * self.cell[0], self.origin[1] + r * self.cell[1]

    def lines(self):
        rng, d, u = self.rng, self.d, self.rng.random
        cell = self.cell[0]
        width = max(1, round(cell * rng.uniform(0.012, 0.05)))
        ink = self.ink
        if self.chequered:
            second = contrast_with(rng, self.base) if u() < 0.5 else board_colour(rng)
            for r in range(10):
                for c in range(9):
                    if (r + c) % 2:
                        x, y = self.at(r - 0.5, c - 0.5)
                        d.rectangle([x, y, x + self.cell[0], y + self.cell[1]], fill=second)
            return
        if u() < 0.06:  # A river of another colour, palaces, halves.
            x0, y0 = self.at(4, 0)
            x1, y1 = self.at(5, 8)
            d.rectangle([x0, y0, x1, y1], fill=board_colour(rng))
            if u() < 0.5:
                for r in (0, 7):
                    d.rectangle([*self.at(r, 3), *self.at(r + 2, 5)], fill=board_colour(rng))
        if u() < 0.03:
            return
        emboss = contrast_with(rng, ink) if u() < 0.15 else None
        river = u() < 0.93
        double = u() < 0.15
        for dx, tone in ((1, emboss), (0, ink)):
            if tone is None:
                continue
            line = lambda a, b, w=width: d.line([a[0] + dx, a[1] + dx, b[0] + dx, b[1] + dx], fill=tone, width=w)
            for r in range(10):
                line(self.at(r, 0), self.at(r, 8))
            for c in range(9):
                if c in (0, 8) or not river:
                    line(self.at(0, c), self.at(9, c))
                else:
                    line(self.at(0, c), self.at(4, c))
                    line(self.at(5, c), self.at(9, c))
            if u() < 0.93:
                for r in (0, 7):
                    line(self.at(r, 3), self.at(r + 2, 5))
                    line(self.at(r, 5), self.at(r + 2, 3))
        if u() < 0.12:
            self.frame()
        frames = int(rng.choice([0, 0, 1, 1, 2]))
        for _ in range(frames):
            e = rng.uniform(0.08, 0.75)
            d.rectangle([*self.at(-e, -e), *self.at(9 + e, 8 + e)], outline=ink, width=max(1, round(width * rng.uniform(1, 4))))
        kind = int(rng.choice([0, 0, 1, 1, 1, 2, 3]))
        if kind:
            gap, arm = rng.uniform(0.05, 0.12), rng.uniform(0.1, 0.22)
            for r, c in [(2, 1), (2, 7), (7, 1), (7, 7)] + [(r, c) for r in (3, 6) for c in range(0, 9, 2)]:
                x, y = self.at(r, c)
                g, a = gap * cell, arm * cell
                if kind == 2:
                    d.ellipse([x - a, y - a, x + a, y + a], outline=ink, width=width)
                    continue
                for sx in (-1, 1):
                    if (c == 0 and sx < 0) or (c == 8 and sx > 0):
                        continue
                    for sy in (-1, 1):
                        if kind == 3:
                            d.line([x, y, x + sx * a, y + sy * a], fill=ink, width=width)
                        else:
                            d.line([x + sx * g, y + sy * g, x + sx * (g + a), y + sy * g], fill=ink, width=width)
                            d.line([x + sx * g, y + sy * g, x + sx * g, y + sy * (g + a)], fill=ink, width=width)

    def frame(self):
        """A frame of another wood around the board, and thick lines at its outer points."""
        rng, w, h = self.rng, self.w, self.h
        tone = board_colour(rng)
        wide = [round(max(2, (o - 0.05 * c)) * rng.uniform(0.3, 1)) for o, c in zip(self.origin, self.cell)]
        outer = Image.fromarray(texture(rng, w, h, tone).clip(0, 255).astype(np.uint8))
        inside = self.canvas.crop((wide[0], wide[1], w - wide[0], h - wide[1]))
        self.canvas.paste(outer, (0, 0))
        self.canvas.paste(inside, (wide[0], wide[1]))
        if rng.random() < 0.6:
            edge = contrast_with(rng, tone)
            self.d.rectangle([wide[0], wide[1], w - wide[0] - 1, h - wide[1] - 1], outline=edge, width=max(1, round(self.cell[0] * rng.uniform(0.02, 0.15))))
        if rng.random() < 0.5:
            thick = max(2, round(self.cell[0] * rng.uniform(0.05, 0.14)))
            self.d.rectangle([*self.at(0, 0), *self.at(9, 8)], outline=self.ink, width=thick)

    def write(self, text, x, y, size, fill, turn=0, font=None):
        font = font or fonts.choose(self.rng)[1]
        if not font.has(text):
            return
        n = max(4, round(size))
        for mask in [font.mask(text, 48)]:
            if mask is None:
                return
            mask = mask.resize((n, n), Image.BILINEAR)
            if turn:
                mask = mask.rotate(turn)
            self.canvas.paste(Image.new("RGB", (n, n), fill), (round(x - n / 2), round(y - n / 2)), mask)

    def texts(self):
        rng, u = self.rng, self.rng.random
        cell = self.cell[0]
        if u() < 0.8:
            text = ["楚河漢界", "楚河汉界", "楚河界漢", "中國象棋"][rng.integers(4)]
            fill = self.ink if u() < 0.6 else (red_ink(rng) if u() < 0.4 else contrast_with(rng, self.base))
            if u() < 0.4:
                fill = tuple(round(a * 0.5 + b * 0.5) for a, b in zip(fill, self.base))
            size, font = cell * rng.uniform(0.45, 0.95), fonts.choose(rng)[1]
            places = [1, 2.4, 5.6, 7] if u() < 0.7 else [1.5, 2.5, 5.5, 6.5]
            shift = rng.normal(0, 0.15)
            turn = [0, 0, 0, 90, 180][rng.integers(5)]
            for i, (c, place) in enumerate(zip(text, places)):
                x, y = self.at(4.5, place + shift)
                self.write(c, x, y, size, fill, (180 if turn == 180 and i > 1 else turn if turn == 90 else 0), font)
        if u() < 0.35:
            font = fonts.latin_font(rng) if u() < 0.5 else fonts.choose(rng)[1]
            away, size = rng.uniform(0.55, 0.9), cell * rng.uniform(0.2, 0.45)
            for c in range(9):
                chars = "123456789" if u() < 0.01 or font.files[0].endswith("Mono.ttf") else "一二三四五六七八九"
                if not font.has(chars):
                    chars = "abcdefghi"
                self.write(chars[8 - c], *self.at(9 + away, c), size, self.ink, 0, font)
                self.write("123456789"[c], *self.at(-away, c), size, self.ink, 0, font)
            if u() < 0.3:
                for r in range(10):
                    self.write("0123456789"[9 - r], *self.at(r, -away), size, self.ink, 0, font)

    def place(self):
        """Pieces by chance: all kinds equally often, so that rare ones are learnt, too."""
        rng = self.rng
        self.points = {}
        n = int(rng.integers(6, 33))
        spots = rng.permutation(90)[:n]
        for spot in spots:
            self.points[int(spot) // 9, int(spot) % 9] = int(rng.integers(2)), KINDS[rng.integers(7)]

    def put(self):
        rng, s = self.rng, self.set
        cell = self.cell[0]
        for (r, c), (side, kind) in sorted(self.points.items()):
            image = s.draw(side, kind, round(min(self.cell)))
            if s.turn_noise:
                image = image.rotate(rng.normal(0, s.turn_noise) if s.turn_noise < 90 else rng.uniform(0, 360), Image.BILINEAR)
            x, y = self.at(r, c)
            x += (rng.normal(0, 1) * s.place_noise + s.offset[0]) * cell
            y += (rng.normal(0, 1) * s.place_noise + s.offset[1]) * cell
            self.canvas.paste(image, (round(x - image.size[0] / 2), round(y - image.size[1] / 2)), image)

    arrows = 0.14

    def marks(self, below):
        """What programs lay over a board: the last move, hints, arrows, choices."""
        rng, u = self.rng, self.rng.random
        cell = self.cell[0]
        empty = [(r, c) for r in range(10) for c in range(9) if (r, c) not in self.points]
        taken = sorted(self.points)
        layer = Image.new("RGBA", self.canvas.size)
        d = ImageDraw.Draw(layer)
        tone = lambda: colour(u(), rng.uniform(0.4, 1), rng.uniform(0.4, 1)) + (int(rng.integers(110, 256)),)
        self.marked = getattr(self, "marked", [])

        def mark(point, kind, fill):
            self.marked.append(point)
            x, y = self.at(*point)
            a = cell * rng.uniform(0.38, 0.52)
            w = max(1, round(cell * rng.uniform(0.02, 0.07)))
            if kind == 0:
                d.rectangle([x - a, y - a, x + a, y + a], outline=fill, width=w)
            elif kind == 1:
                g = a * rng.uniform(0.3, 0.7)
                for sx in (-1, 1):
                    for sy in (-1, 1):
                        d.line([x + sx * a, y + sy * a, x + sx * (a - g), y + sy * a], fill=fill, width=w)
                        d.line([x + sx * a, y + sy * a, x + sx * a, y + sy * (a - g)], fill=fill, width=w)
            elif kind == 2:
                r = cell * rng.uniform(0.06, 0.22)
                d.ellipse([x - r, y - r, x + r, y + r], fill=fill)
            elif kind == 3:
                r = cell * rng.uniform(0.3, 0.5)
                d.ellipse([x - r, y - r, x + r, y + r], outline=fill, width=w)
            elif kind == 4:
                d.rectangle([x - a, y - a, x + a, y + a], fill=fill[:3] + (rng.integers(40, 130).item(),))
            else:
                d.ellipse([x - a, y - a, x + a, y + a], fill=fill[:3] + (rng.integers(40, 130).item(),))

        if below:
            if u() < 0.4 and empty and taken:
                fill, kind = tone(), int(rng.choice([0, 1, 3, 4, 5]))
                mark(empty[rng.integers(len(empty))], int(rng.choice([kind, 2])), fill)
                mark(taken[rng.integers(len(taken))], kind, fill)
        else:
            if u() < 0.35 and empty and taken:
                fill, kind = tone(), int(rng.integers(0, 4))
                if kind != 2:
                    mark(taken[rng.integers(len(taken))], kind, fill)
                mark(empty[rng.integers(len(empty))], kind, fill)
            if u() < 0.12:
                fill = tone()
                for _ in range(int(rng.integers(2, 9))):
                    mark(empty[rng.integers(len(empty))], 2, fill)
            if u() < self.arrows:
                for _ in range(int(rng.integers(1, 7))):
                    fill = tone()
                    a, b = (rng.integers(10), rng.integers(9)), (rng.integers(10), rng.integers(9))
                    (x0, y0), (x1, y1) = self.at(*a), self.at(*b)
                    length = np.hypot(x1 - x0, y1 - y0)
                    if length < cell:
                        continue
                    w = max(1, round(cell * rng.uniform(0.04, 0.16)))
                    ux, uy = (x1 - x0) / length, (y1 - y0) / length
                    head = cell * rng.uniform(0.2, 0.4)
                    bx, by = x1 - ux * head, y1 - uy * head
                    d.line([x0, y0, bx, by], fill=fill, width=w)
                    d.polygon([(x1, y1), (bx - uy * head / 2, by + ux * head / 2), (bx + uy * head / 2, by - ux * head / 2)], fill=fill)
                    for t in np.arange(0, 1.01, cell / 2 / length):
                        self.marked.append((round(a[0] + (b[0] - a[0]) * t), round(a[1] + (b[1] - a[1]) * t)))
            if u() < 0.06:
                for _ in range(int(rng.integers(1, 4))):
                    r, c = rng.uniform(0, 9), rng.uniform(0, 8)
                    x, y = self.at(r, c)
                    v = cell * rng.uniform(0.12, 0.25)
                    d.ellipse([x - v, y - v, x + v, y + v], fill=tone())
                    self.marked.append((round(r), round(c)))
        if layer.getbbox():
            if u() < 0.15:
                layer = layer.filter(ImageFilter.GaussianBlur(cell * 0.05))
            self.canvas.paste(layer, (0, 0), layer)
        self.d = ImageDraw.Draw(self.canvas)

    def spoil(self):
        """Scaling, blur, noise, light and compression, as pictures suffer them on their way."""
        rng, u = self.rng, self.rng.random
        image = self.image
        if u() < 0.3:
            f = rng.uniform(0.5, 1.0) if self.cell[0] > 34 else rng.uniform(0.85, 1.3)
            size = max(60, round(image.size[0] * f)), max(60, round(image.size[1] * f))
            fx, fy = size[0] / image.size[0], size[1] / image.size[1]
            image = image.resize(size, [Image.BILINEAR, Image.BICUBIC, Image.BOX, Image.NEAREST][rng.integers(4)])
            self.origin = self.origin[0] * fx, self.origin[1] * fy
            self.cell = self.cell[0] * fx, self.cell[1] * fy
        if u() < 0.2:
            image = image.filter(ImageFilter.GaussianBlur(self.cell[0] * rng.uniform(0.005, 0.04)))
        if u() < 0.3:
            a = np.asarray(image, np.float32)
            if u() < 0.5:
                a = a + rng.normal(0, rng.uniform(1, 10), a.shape)
            if u() < 0.5:
                a = (a - 128) * rng.uniform(0.5, 1.25) + 128 + rng.normal(0, 18)
            if u() < 0.4:
                a = a * rng.uniform(0.8, 1.15, 3)
            if u() < 0.4:
                h, w = a.shape[:2]
                light = rng.uniform(0.6, 1.2, (2, 2)).astype(np.float32)
                a = a * np.asarray(Image.fromarray(light).resize((w, h), Image.BILINEAR))[..., None]
            if u() < 0.06:
                a = np.repeat(a.mean(2, keepdims=True), 3, 2)
            image = Image.fromarray(a.clip(0, 255).astype(np.uint8))
        if u() < 0.12:
            image = image.quantize(int(rng.integers(16, 128)), dither=Image.FLOYDSTEINBERG if u() < .5 else Image.NONE).convert("RGB")
        if u() < 0.4:
            data = io.BytesIO()
            image.save(data, "JPEG" if u() < 0.75 else "WEBP", quality=int(rng.integers(30, 96)))
            image = Image.open(io.BytesIO(data.getvalue())).convert("RGB")
        if u() < 0.5:
            image = self.sent_on(image)
        self.image = image

    def sent_on(self, image):
        """A copy as a messenger or a page makes it: of another size, blurred, compressed again, of few colours."""
        rng, u = self.rng, self.rng.random
        f = float(np.exp(rng.uniform(np.log(0.4), np.log(1.6))))
        if u() < 0.7 and 11 < self.cell[0] * f < 90:
            size = [max(60, round(side * f)) for side in image.size]
            scales = size[0] / image.size[0], size[1] / image.size[1]
            image = image.resize(size, [Image.BICUBIC, Image.BILINEAR, Image.LANCZOS, Image.BOX][rng.integers(4)])
            self.origin, self.cell = (tuple(v * by for v, by in zip(pair, scales)) for pair in (self.origin, self.cell))
        if u() < 0.15:
            image = image.filter(ImageFilter.GaussianBlur(self.cell[0] * rng.uniform(0.01, 0.04)))
        if u() < 0.35:  # The fewest where the screen around the board has colours of its own.
            dither = Image.Dither.FLOYDSTEINBERG if u() < 0.7 else Image.Dither.NONE
            image = image.quantize(int(2 ** rng.uniform(3.5, 7)), dither=dither).convert("RGB")
        elif u() < 0.7:
            data = io.BytesIO()
            image.save(data, "JPEG", quality=int(rng.integers(40, 96)))
            image = Image.open(io.BytesIO(data.getvalue())).convert("RGB")
        return image


KINDS_OF_PICTURES = ["plain", "pictograms", "marks", "frames", "small", "not square", "other side's characters"]


class Picture(Board):
    """A board of a kind that is hard to read, with the pieces that a game may have: for measuring, not for training."""

    def __init__(self, seed, kind, left_out=()):
        self.kind = kind
        self.arrows = 1 if kind == "marks" else 0.1
        super().__init__((*seed, KINDS_OF_PICTURES.index(kind)), left_out)

    def pieces(self, left_out):
        """A set of which a person sees what each piece is, and whose."""
        apart = lambda a, b: max(abs(x - y) for x, y in zip(a, b))
        while True:
            found = PieceSet(self.rng, left_out, "pictogram" if self.kind == "pictograms" else "glyph")
            looks = [found.body_colour[side] or found.fill[side] for side in (0, 1)]
            differ = max(apart(*looks), apart(*found.ink))
            if differ > 100 and min(apart(ink, look) for ink, look in zip(found.ink, looks)) > 90:
                return found

    def size(self):
        cell = self.rng.uniform(24, 30) if self.kind == "small" else self.rng.uniform(34, 75)
        uneven = self.kind == "not square" or self.kind == "frames" and self.rng.random() < 0.3
        return cell, self.rng.choice([self.rng.uniform(0.8, 0.9), self.rng.uniform(1.08, 1.16)]) if uneven else 1

    def lines(self):
        if self.kind == "frames":
            self.frame()
        if self.kind == "other side's characters":
            own = self.set.chars
            own.update({(side, k): (RED if side else BLACK)[k][0] for side, k in own if self.set.font.has((RED if side else BLACK)[k][0])})
            self.set.font2 = self.set.font
        super().lines()

    def marks(self, below):
        for _ in range(3 if self.kind == "marks" else 1):
            super().marks(below)

    def place(self):
        """Pieces that a game may have left, where they can stand; black below in one of five."""
        rng = self.rng
        self.points, self.turned = {}, rng.random() < 0.2
        share = rng.uniform(0.3, 1)
        for side in (0, 1):
            for kind in "KAABBNNRRCCPPPPP":
                if kind != "K" and rng.random() > share:
                    continue
                places = [(r, c) for r, c in self.places(side, kind) if (r, c) not in self.points]
                if places:
                    self.points[places[rng.integers(len(places))]] = side, kind

    @staticmethod
    def places(side, kind):
        rows, files = range(10), range(9)
        if kind in "KA":
            inside = [(r, c) for r in (7, 8, 9) for c in (3, 4, 5)]
            found = [(r, c) for r, c in inside if kind == "K" or (r + c) % 2 == 0]
        elif kind == "B":
            found = [(9, 2), (9, 6), (7, 0), (7, 4), (7, 8), (5, 2), (5, 6)]
        elif kind == "P":
            found = [(r, c) for r in rows for c in files if r < 5 or r < 7 and c % 2 == 0]
        else:
            found = [(r, c) for r in rows for c in files]
        return found if side == 0 else [(9 - r, 8 - c) for r, c in found]

    def put(self):
        if self.turned:
            self.points = {(9 - r, 8 - c): piece for (r, c), piece in self.points.items()}
        super().put()

    def fen(self):
        rows = []
        for r in range(10):
            row = ""
            for c in range(9):
                side, kind = self.points.get((9 - r, 8 - c) if self.turned else (r, c), (0, "."))
                row += kind.lower() if side else kind
            for n in range(9, 0, -1):
                row = row.replace("." * n, str(n))
            rows.append(row)
        return "/".join(rows) + " w - - 0 1"

    def spoil(self):
        if self.rng.random() < 0.3:
            data = io.BytesIO()
            self.image.save(data, "JPEG", quality=int(self.rng.integers(70, 96)))
            self.image = Image.open(io.BytesIO(data.getvalue())).convert("RGB")
