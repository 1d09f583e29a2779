"""The fonts that pieces and texts are drawn with, and which characters each has."""
import functools
import glob
import os

import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

SYSTEM = "/usr/share/fonts"
# Family: how often it is drawn, and its files below SYSTEM. Most sets are cut in kai or li; books and plain programs use hei and song.
FAMILIES = {
    "noto-sans": (7, ["opentype/noto/NotoSansCJK-*.ttc"]),
    "noto-serif": (6, ["opentype/noto/NotoSerifCJK-*.ttc"]),
    "ukai": (10, ["truetype/arphic/ukai.ttc"]),
    "uming": (4, ["truetype/arphic/uming.ttc"]),
    "kaiti-big5": (6, ["truetype/arphic-bkai00mp/*.ttf"]),
    "kaiti-gb": (8, ["truetype/arphic-gkai00mp/*.ttf"]),
    "mingti": (2, ["truetype/arphic-bsmi00lp/*.ttf"]),
    "sungti": (3, ["truetype/arphic-gbsn00lp/*.ttf"]),
    "cwtex-kai": (6, ["truetype/cwtex/cwkai.ttf"]),
    "cwtex": (5, ["truetype/cwtex/cw[fhmy]*.ttf"]),
    "cns-kai": (7, ["truetype/cns11643/TW-Kai-98_1.ttf"]),
    "cns-sung": (3, ["truetype/cns11643/TW-Sung-98_1.ttf"]),
    "wenkai": (7, ["truetype/lxgw-wenkai/LXGWWenKai-*.ttf"]),
    "wqy": (3, ["truetype/wqy/*.ttc"]),
    "droid": (2, ["truetype/droid/DroidSansFallbackFull.ttf"]),
    "babelstone": (2, ["truetype/babelstone/BabelStoneHan.ttf"]),
    "hanazono": (2, ["truetype/hanazono/HanaMinA.ttf"]),
    "ipa": (2, ["opentype/ipaexfont-*/*.ttf", "truetype/takao-mincho/TakaoMincho.ttf"]),
    "klee": (3, ["truetype/klee/*.ttf"]),
    "kouzan": (5, ["truetype/kouzan-mouhitsu/kouzan-mouhitsu*.ttf"]),
    "aoyagi": (5, ["truetype/aoyagi-*/*.ttf"]),
    "kiloji": (1, ["truetype/kiloji/kiloji_[bd].ttf"]),
    "oradano": (2, ["truetype/oradano-mincho/*.ttf", "truetype/dejima-mincho/*.ttf"]),
    "reggae": (2, ["truetype/reggae/*.ttf"]),
    "motoya": (2, ["truetype/motoya-l-maruberi/*.ttf"]),
    "korean": (2, ["truetype/baekmuk/*.ttf", "truetype/nanum/Nanum*B*.ttf"]),
    "seto": (1, ["truetype/seto/*.ttf"]),
    # From the npm registry, unpacked below FONTS_NPM; each of their files has some of the characters.
    "@ma-shan-zheng": (5, []),
    "@zcool-xiaowei": (4, []),
    "@zcool-qingke-huangyou": (2, []),
    "@zcool-kuaile": (2, []),
    "@zhi-mang-xing": (1, []),
    "@long-cang": (1, []),
    "@shippori-mincho": (2, []),
}
NPM = os.environ.get("FONTS_NPM", "")


@functools.cache
def family_files(name):
    if name.startswith("@"):
        return [glob.glob(os.path.join(NPM, name[1:], "*.woff2"))] if NPM else []
    return [[f] for p in FAMILIES[name][1] for f in sorted(glob.glob(os.path.join(SYSTEM, p)))]


@functools.cache
def characters(path):
    try:
        font = TTFont(path, fontNumber=0, lazy=True)
        return frozenset(font.getBestCmap() or ())
    except Exception:  # A font that cannot be read has no characters.
        return frozenset()


class Font:
    """One face: a file, or the files that share its characters."""

    def __init__(self, files, index):
        self.files, self.index = files, index

    def file_of(self, char):
        for path in self.files:
            if ord(char) in characters(path):
                return path
        return None

    def has(self, text):
        return all(self.file_of(c) for c in text)

    def mask(self, char, size=96):
        """The glyph as a mask, cut to its ink."""
        return glyph_mask(self.file_of(char), self.index, char, size)


@functools.lru_cache(400)
def opened(path, index, size):
    return ImageFont.truetype(path, size, index=index if path.endswith(".ttc") else 0)


@functools.lru_cache(8192)
def glyph_mask(path, index, char, size):
    font = opened(path, index, size)
    image = Image.new("L", (size * 2, size * 2))
    ImageDraw.Draw(image).text((size, size), char, font=font, fill=255, anchor="mm")
    box = image.getbbox()
    if not box:
        return None
    # Kept in a square, so that a flat character stays flat.
    side = max(box[2] - box[0], box[3] - box[1])
    cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    left, top = round(cx - side / 2), round(cy - side / 2)
    return image.crop((left, top, left + side, top + side)).resize((size, size), Image.BILINEAR)


def choose(rng, left_out=(), needed=()):
    """A face by chance that has one character of each group of `needed`."""
    while True:
        name, font = draw_lot(rng, left_out)
        if all(any(font.has(c) for c in group) for group in needed):
            return name, font


def draw_lot(rng, left_out):
    names = [n for n in FAMILIES if family_files(n) and n not in left_out]
    weights = np.array([FAMILIES[n][0] for n in names], float)
    name = names[rng.choice(len(names), p=weights / weights.sum())]
    files = family_files(name)
    group = files[rng.integers(len(files))]
    index = int(rng.integers(5)) if "noto" in name else int(rng.integers(2))
    if "wqy" in name or "arphic/u" in group[0] or "noto" in name:
        return name, Font(group, index)
    return name, Font(group, 0)


SYMBOL_FONTS = ["truetype/ancient-scripts/Symbola_hint.ttf", "truetype/dejavu/DejaVuSans.ttf", "truetype/freefont/FreeSerif.ttf", "truetype/freefont/FreeSans.ttf"]


def symbol_font(rng, char):
    files = [os.path.join(SYSTEM, f) for f in SYMBOL_FONTS]
    files = [f for f in files if os.path.exists(f) and ord(char) in characters(f)]
    return Font([files[rng.integers(len(files))]], 0) if files else None


def latin_font(rng):
    files = sorted(glob.glob(SYSTEM + "/truetype/dejavu/*.ttf") + glob.glob(SYSTEM + "/truetype/freefont/*.ttf"))
    return Font([files[rng.integers(len(files))]], 0)
