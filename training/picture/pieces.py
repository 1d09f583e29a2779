"""How the pieces of one set look: discs, glyphs, pictograms, letters."""
import colorsys

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

import fonts
import pictograms

KINDS = "KABNRCP"
RED = {"K": "帥帅", "A": "仕", "B": "相", "N": "馬马傌", "R": "車车俥", "C": "炮砲", "P": "兵"}
BLACK = {"K": "將将", "A": "士", "B": "象", "N": "馬马", "R": "車车", "C": "砲炮包", "P": "卒"}
GROUPS = [RED[k] + BLACK[k] for k in KINDS]
LETTERS = [{"K": "K", "A": "A", "B": "B", "N": "N", "R": "R", "C": "C", "P": "P"}, {"K": "K", "A": "A", "B": "E", "N": "H", "R": "R", "C": "C", "P": "P"},
           {"K": "G", "A": "A", "B": "E", "N": "H", "R": "R", "C": "C", "P": "S"}]
SYMBOLS = {"K": "♚♔👑", "A": "🛡♛♝♕", "B": "🐘", "N": "♞♘🐴🐎", "R": "♜♖🏰", "C": "💣", "P": "♟♙💂"}


def colour(h, s, v):
    return tuple(round(255 * c) for c in colorsys.hsv_to_rgb(h % 1, min(max(s, 0), 1), min(max(v, 0), 1)))


def red_ink(rng):
    return colour(rng.normal(0.0, 0.02), rng.uniform(0.55, 1), rng.uniform(0.4, 0.95))


def black_ink(rng):
    kind = rng.random()
    if kind < 0.6:
        return colour(rng.random(), rng.uniform(0, 0.35), rng.uniform(0, 0.25))
    if kind < 0.75:
        return colour(rng.normal(0.38, 0.06), rng.uniform(0.5, 1), rng.uniform(0.2, 0.55))
    if kind < 0.9:
        return colour(rng.normal(0.6, 0.05), rng.uniform(0.5, 1), rng.uniform(0.2, 0.7))
    return colour(rng.random(), rng.uniform(0.1, 1), rng.uniform(0.1, 0.5))


def wood(rng):
    return colour(rng.normal(0.1, 0.025), rng.uniform(0.15, 0.7), rng.uniform(0.6, 1))


def pale(rng):
    return colour(rng.normal(0.12, 0.08), rng.uniform(0, 0.2), rng.uniform(0.85, 1))


class PieceSet:
    """All choices of one set; `draw` gives the picture of a piece."""

    def __init__(self, rng, left_out=(), form=None):
        u = rng.random
        kind = u()
        forms = (("glyph", 0.64), ("pictogram", 0.87), ("symbol", 0.92), ("letter", 0.95), ("blank", 1))
        self.form = form or next(form for form, share in forms if kind < share)
        self.family, self.font = fonts.choose(rng, left_out, GROUPS)
        self.same_font = u() < 0.93
        family2, self.font2 = (self.family, self.font) if self.same_font else fonts.choose(rng, left_out, GROUPS)
        self.families = {self.family, family2}
        traditional = u() < 0.5
        self.chars = {}
        letters = LETTERS[rng.integers(len(LETTERS))]
        lower = u() < 0.3
        self.latin = fonts.latin_font(rng)
        for side, table, font in ((0, RED, self.font), (1, BLACK, self.font2)):
            for k in KINDS:
                options = [c for c in table[k] if font.has(c)]
                if not options:
                    options = [c for c in RED[k] + BLACK[k] if font.has(c)]
                pick = options[0] if traditional else options[min(1, len(options) - 1)]
                if u() < 0.2:
                    pick = options[rng.integers(len(options))]
                self.chars[side, k] = pick
        if u() < 0.06:  # Sets whose sides differ by colour alone.
            for k in KINDS:
                char = self.chars[int(rng.integers(2)), k]
                if self.font.has(char) and self.font2.has(char):
                    self.chars[1, k] = self.chars[0, k] = char
        if u() < 0.04 and self.same_font:  # 将 in red, 帅 in black.
            self.chars = {(1 - side, k): char for (side, k), char in self.chars.items()}
        self.letters = {(s, k): letters[k].lower() if s == 1 and lower else letters[k] for s in (0, 1) for k in KINDS}
        pick = {k: SYMBOLS[k][rng.integers(len(SYMBOLS[k]))] for k in KINDS}
        self.symbols = {}
        for k in KINDS:
            font = fonts.symbol_font(rng, pick[k])
            self.symbols[k] = font and font.mask(pick[k])
        self.art_seed = int(rng.integers(1 << 30))
        self.draw_art = [u() < 0.5 for _ in KINDS]
        self.art, self.figures, self.art_style = pictograms.choose(rng)

        self.radius = rng.uniform(0.38, 0.49) if u() < 0.93 else rng.uniform(0.33, 0.38)
        self.shape = "circle" if u() < 0.93 else ("octagon" if u() < 0.6 else "square")
        self.glyph_size = rng.uniform(0.95, 1.6)  # Of the radius.
        self.aspect = rng.normal(1, 0.08) if u() < 0.6 else 1
        if u() < 0.15:
            self.aspect = rng.uniform(1.05, 1.35)  # Li is flat.
        self.shear = rng.normal(0, 0.05) if u() < 0.3 else 0
        self.weight = int(rng.choice([-1, 0, 0, 0, 1, 2, 3]))
        self.warp = rng.normal(0, 0.035, (2, 3, 3)) if u() < 0.35 else None
        self.colours(rng)
        self.rings = [(rng.uniform(0.72, 0.98), rng.uniform(0.02, 0.09)) for _ in range(int(rng.choice([0, 1, 1, 2])))]
        self.ring_is_ink = u() < 0.6
        self.ring_colour = [colour(u(), u(), u()) for _ in (0, 1)] if u() < 0.4 else [black_ink(rng)] * 2
        self.rim = rng.uniform(0, 0.12) if u() < 0.7 else 0
        self.rim_colours = [tuple(int(c * f) for c in self.fill[s]) for s, f in ((0, rng.uniform(0.4, 1)),) for s in (0, 1)]
        if u() < 0.3:
            self.rim_colours = [self.ink[0], self.ink[1]]
        self.body_colour = [None, None]
        self.is_bare = self.form in ("pictogram", "symbol") and u() < 0.3
        if self.form == "pictogram" and self.art_style == "two colours":
            self.two_colours(rng)
        if self.is_bare:  # Figures that stand on the board alone.
            self.solid, self.rings, self.glyph_size = [False, False], [], rng.uniform(1.5, 2.1)
        self.shade = rng.uniform(-0.5, 0.5) if u() < 0.6 else 0
        self.shade_at = rng.uniform(-0.5, 0.5, 2)
        self.gloss = u() < 0.15
        self.emboss = rng.uniform(0.3, 0.9) if u() < 0.25 else 0
        self.outline = u() < 0.08
        self.shadow = rng.uniform(0.2, 0.7) if u() < 0.5 else 0
        self.shadow_at = rng.normal(0, 0.09, 2) + (0.03, 0.05)
        self.shadow_blur = rng.uniform(0.01, 0.12)
        self.depth = rng.uniform(0.04, 0.22) if u() < 0.22 else 0
        self.depth_way = rng.normal(0, 0.4)
        self.grain = rng.uniform(2, 14) if u() < 0.35 else 0
        turn = u()
        self.turns = {0: 0, 1: 0}
        self.turn_noise = 0
        if turn < 0.09:
            self.turns[1] = 180
        elif turn < 0.12:
            self.turns[0] = 180
        elif turn < 0.15:
            self.turns = {0: 180, 1: 180}
        elif turn < 0.22:
            self.turn_noise = 12
        elif turn < 0.25:
            self.turn_noise = 180
        self.place_noise = rng.uniform(0.01, 0.06) if u() < 0.3 else 0
        self.offset = rng.normal(0, 0.02, 2) if u() < 0.5 else (0, 0)
        self.cache = {}

    def colours(self, rng):
        u = rng.random
        kind = u()
        palettes = (("one wood", 0.42), ("two woods", 0.52), ("coloured", 0.68), ("white and black", 0.84), ("transparent", 0.9), ("dark", 0.95))
        self.palette = next((palette for palette, share in palettes if kind < share), "any")
        self.solid = [True, True]
        if kind < 0.42:  # One disc, two inks.
            base = wood(rng) if u() < 0.65 else (pale(rng) if u() < 0.8 else colour(u(), u() * 0.5, rng.uniform(0.4, 1)))
            self.fill, self.ink = [base, base], [red_ink(rng), black_ink(rng)]
            if u() < 0.2:
                dull = rng.uniform(0.2, 0.6)
                self.ink = [tuple(round(i * (1 - dull) + 60 * dull) for i in ink) for ink in self.ink]
        elif kind < 0.52:  # Discs of two tones of wood.
            self.fill, self.ink = [wood(rng), wood(rng)], [red_ink(rng), black_ink(rng)]
            self.fill[0] = tuple(min(255, round(a * b)) for a, b in zip(self.fill[0], (1.1, 0.8, 0.7)))
        elif kind < 0.68:  # Coloured discs with a light ink.
            light = pale(rng) if u() < 0.7 else wood(rng)
            self.fill, self.ink = [red_ink(rng), black_ink(rng)], [light, light]
        elif kind < 0.84:  # White discs and black discs, no red, or a red ink on white.
            white, black = pale(rng), colour(u(), rng.uniform(0, 0.3), rng.uniform(0, 0.25))
            first = black if u() < 0.7 else red_ink(rng)
            self.fill, self.ink = [white, black], [first, white if u() < 0.8 else pale(rng)]
        elif kind < 0.9:  # Transparent discs.
            self.fill, self.ink = [(255, 255, 255), (255, 255, 255)], [red_ink(rng), black_ink(rng)]
            self.solid = [u() < 0.3] * 2
        elif kind < 0.95:  # Dark discs with bright inks.
            base = colour(u(), rng.uniform(0, 0.6), rng.uniform(0.08, 0.4))
            self.fill = [base, base]
            self.ink = [colour(rng.normal(0, 0.04), rng.uniform(0.4, 1), rng.uniform(0.7, 1)), colour(u(), rng.uniform(0, 0.3), rng.uniform(0.7, 1))]
        else:
            self.fill = [colour(u(), u(), rng.uniform(0.2, 1)) for _ in (0, 1)]
            self.ink = [colour(u(), u(), rng.uniform(0, 0.3) if sum(f) > 380 else rng.uniform(0.7, 1)) for f in self.fill]

    def two_colours(self, rng):
        """Figures with a body of one colour and lines of another: the sides differ in the body, in the lines or in both."""
        u = rng.random
        way = u()
        if way < 0.4:  # White and black, as in western chess, or red instead of white.
            lines = black_ink(rng)
            self.body_colour = [pale(rng) if u() < 0.6 else red_ink(rng), black_ink(rng)]
            self.ink = [lines, pale(rng) if u() < 0.7 else lines]
        elif way < 0.8:
            self.body_colour = [red_ink(rng), black_ink(rng)]
            self.ink = [pale(rng), pale(rng)] if u() < 0.5 else [tuple(v // 3 for v in self.body_colour[0]), colour(u(), 0.3, 0.9)]
        else:
            self.body_colour = [pale(rng)] * 2 if u() < 0.6 else [colour(u(), u() * 0.5, 0.9)] * 2

    def mask(self, side, kind):
        """Where a piece has ink, and where its body is if that has a colour of its own."""
        rng = np.random.default_rng((self.art_seed, KINDS.index(kind)))
        mask = body = None
        if self.form == "glyph":
            mask = (self.font if side == 0 else self.font2).mask(self.chars[side, kind])
        elif self.form == "letter":
            mask = self.latin.mask(self.letters[side, kind])
        elif self.form == "symbol":
            mask = None if self.draw_art[KINDS.index(kind)] else self.symbols[kind]
        if mask is None:
            mask, body = pictograms.figure(self.figures[kind], kind, rng, style=self.art_style)
            return mask, body if self.body_colour[side] else None
        if self.weight > 0:
            mask = mask.filter(ImageFilter.MaxFilter(3)) if self.weight < 3 else mask.filter(ImageFilter.MaxFilter(5))
        elif self.weight < 0:
            mask = mask.filter(ImageFilter.MinFilter(3))
        if self.warp is not None:
            n = mask.size[0]
            steps = np.linspace(0, n, 4).round().astype(int)
            grid = np.zeros((2, 4, 4))
            grid[:, 1:3, 1:3] = self.warp[:, :2, :2] * n
            mesh = []
            for r in range(3):
                for c in range(3):
                    quad = []
                    for rr, cc in ((r, c), (r + 1, c), (r + 1, c + 1), (r, c + 1)):
                        quad += [steps[cc] + grid[0, rr, cc], steps[rr] + grid[1, rr, cc]]
                    mesh.append(((steps[c], steps[r], steps[c + 1], steps[r + 1]), quad))
            mask = mask.transform(mask.size, Image.MESH, mesh, Image.BILINEAR)
        return mask, None

    def outline_of(self, d, size, r, fill, offset=(0, 0)):
        c = size / 2
        x, y = c + offset[0], c + offset[1]
        if self.shape == "circle":
            d.ellipse([x - r, y - r, x + r, y + r], fill=fill)
        elif self.shape == "square":
            d.rounded_rectangle([x - r, y - r, x + r, y + r], radius=r * 0.25, fill=fill)
        else:
            a = (np.arange(8) + 0.5) * np.pi / 4
            d.polygon([(x + r * 1.05 * np.cos(t), y + r * 1.05 * np.sin(t)) for t in a], fill=fill)

    def placed(self, mask, side, n, size):
        """A mask in the middle of a piece, as large and as slanted as this set has it."""
        whole = Image.new("L", (n, n))
        whole.paste(mask.resize(size, Image.BILINEAR), tuple(round(n / 2 - side / 2) for side in size))
        if self.shear:
            whole = whole.transform((n, n), Image.AFFINE, (1, self.shear, -self.shear * n / 2, 0, 1, 0), Image.BILINEAR)
        return whole.transpose(Image.ROTATE_180) if self.turns[side] else whole

    def draw(self, side, kind, cell):
        """An image of 1.6 cells with the piece in its middle."""
        key = side, kind, cell
        if key in self.cache:
            return self.cache[key]
        scale = 2 if cell < 60 else 1
        n = round(cell * 1.6) * scale
        unit = cell * scale
        r = self.radius * unit
        image = Image.new("RGBA", (n, n))
        if self.shadow and self.solid[side]:
            soft = Image.new("L", (n, n))
            self.outline_of(ImageDraw.Draw(soft), n, r, round(255 * self.shadow), tuple(o * unit for o in self.shadow_at))
            image.putalpha(soft.filter(ImageFilter.GaussianBlur(self.shadow_blur * unit)))
        d = ImageDraw.Draw(image)
        fill, ink = self.fill[side], self.ink[side]
        if self.depth and self.solid[side]:
            dark = tuple(round(c * 0.6) for c in fill)
            for step in np.linspace(1, 0, 6):
                self.outline_of(d, n, r, dark + (255,), (self.depth_way * self.depth * unit * step, self.depth * unit * step))
        if self.solid[side]:
            if self.rim:
                self.outline_of(d, n, r, tuple(self.rim_colours[side]) + (255,))
            inner = r * (1 - self.rim)
            face = np.full((n, n, 3), fill, float)
            if self.shade or self.grain or self.gloss:
                yy, xx = (np.mgrid[:n, :n] - n / 2) / r
                if self.shade:
                    face *= (1 + self.shade * (xx * self.shade_at[0] + yy * self.shade_at[1]) - abs(self.shade) * 0.3 * (xx**2 + yy**2))[..., None]
                if self.gloss:
                    face += 70 * np.exp(-((xx + 0.3) ** 2 + (yy + 0.45) ** 2) * 6)[..., None]
                if self.grain:
                    noise = np.random.default_rng(self.art_seed).normal(0, self.grain, (n, 1, 1))
                    face += noise * np.cos(xx * 3)[..., None]
            disc = Image.new("L", (n, n))
            self.outline_of(ImageDraw.Draw(disc), n, inner, 255)
            image.paste(Image.fromarray(face.clip(0, 255).astype(np.uint8)), (0, 0), disc)
        d = ImageDraw.Draw(image)
        for at, width in self.rings:
            ring = ink if self.ring_is_ink else self.ring_colour[side]
            rr, w = at * r, max(1, round(width * r))
            if self.shape == "circle":
                d.ellipse([n / 2 - rr, n / 2 - rr, n / 2 + rr, n / 2 + rr], outline=ring + (255,), width=w)
            elif self.shape == "square":
                d.rounded_rectangle([n / 2 - rr, n / 2 - rr, n / 2 + rr, n / 2 + rr], radius=rr * 0.25, outline=ring + (255,), width=w)
        if not self.solid[side] and not self.rings and not self.is_bare:
            d.ellipse([n / 2 - r, n / 2 - r, n / 2 + r, n / 2 + r], outline=ink + (255,), width=max(1, round(0.04 * r)))
        size = self.glyph_size * r
        if self.rings:
            size *= min(1, min(a for a, _ in self.rings) + 0.1)
        gw, gh = max(3, round(size * self.aspect**0.5)), max(3, round(size / self.aspect**0.5))
        whole, body = (part and self.placed(part, side, n, (gw, gh)) for part in self.mask(side, kind))
        if body:
            image.paste(Image.new("RGBA", (n, n), self.body_colour[side] + (255,)), (0, 0), body)
        if self.emboss and self.form != "blank":
            shift = max(1, round(unit * 0.02))
            for way, tone in ((1, 255), (-1, 0)):
                image.paste(Image.new("RGBA", (n, n), (tone,) * 3 + (255,)), (0, 0), ImageChops.offset(whole, way * shift).point(lambda v: round(v * self.emboss * 0.6)))
        if self.outline and self.form != "blank":
            image.paste(Image.new("RGBA", (n, n), self.fill[1 - side] + (255,)), (0, 0), whole.filter(ImageFilter.MaxFilter(3)))
        if self.form != "blank":  # Stones of other games.
            image.paste(Image.new("RGBA", (n, n), ink + (255,)), (0, 0), whole)
        if scale != 1:
            image = image.resize((n // scale, n // scale), Image.BOX)
        self.cache[key] = image
        return image
