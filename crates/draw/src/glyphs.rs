//! Stroke data of the Chinese characters, and paths of the digits and letters at the edge of the board.
//!
//! Strokes of Chinese characters and their outlines.
//!
//! A character is a list of strokes on a 100×100 square, in writing order. No font is needed, so the board looks the
//! same on every machine.

use self::Stroke::{Dian, Gou, Heng, Na, Part, Pie, Shu, Ti, Zhe};
use std::fmt::Write;
use xiangqi::{Color, Piece, PieceKind};

/// 亻, the person radical on the left.
const RADICAL_PERSON: &[Stroke] = &[Pie((26, 5), (22, 30), (4, 52)), Shu((18, 38), 96)];
/// 氵, the water radical on the left.
const RADICAL_WATER: &[Stroke] = &[Dian((11, 8), (24, 21)), Dian((5, 35), (18, 48)), Ti((8, 93), (27, 62))];
/// 木 as a left component.
const RADICAL_TREE: &[Stroke] =
    &[Heng((4, 30), 47), Shu((27, 5), 96), Pie((26, 32), (20, 54), (4, 70)), Dian((30, 40), (46, 60))];
/// 包, the right component of the two cannons.
const COMPONENT_WRAP: &[Stroke] = &[
    Pie((36, 4), (28, 26), (6, 44)),
    Gou(&[(28, 22), (92, 22), (90, 60), (74, 55)]),
    Zhe(&[(24, 42), (64, 42), (64, 62), (24, 62)]),
    Gou(&[(24, 42), (24, 86), (34, 92), (94, 92), (97, 74)]),
];

const HORSE: &[Stroke] = &[
    Shu((22, 7), 62),
    Heng((22, 8), 80),
    Heng((22, 26), 75),
    Heng((22, 44), 75),
    Shu((49, 8), 62),
    Gou(&[(22, 62), (88, 62), (84, 93), (71, 87)]),
    Dian((15, 71), (8, 93)),
    Dian((30, 73), (35, 91)),
    Dian((46, 72), (53, 88)),
    Dian((62, 71), (70, 84)),
];
const CHARIOT: &[Stroke] = &[
    Heng((12, 16), 88),
    Shu((20, 31), 69),
    Zhe(&[(20, 31), (80, 31), (80, 69)]),
    Heng((20, 49), 80),
    Heng((20, 67), 80),
    Heng((4, 83), 96),
    Shu((50, 3), 98),
];

const RED: [&[Stroke]; 7] = [
    // 帥
    &[
        Pie((31, 4), (28, 13), (18, 21)),
        Shu((13, 21), 94),
        Zhe(&[(13, 22), (42, 22), (42, 46), (13, 46)]),
        Zhe(&[(13, 61), (43, 61), (43, 90), (13, 90)]),
        Shu((55, 26), 78),
        Gou(&[(55, 27), (93, 27), (93, 74), (82, 67)]),
        Shu((74, 4), 98),
    ],
    // 仕
    &[Part(RADICAL_PERSON, (0, 0), (100, 100)), Heng((34, 38), 97), Shu((66, 6), 88), Heng((40, 88), 92)],
    // 相
    &[
        Part(RADICAL_TREE, (0, 0), (100, 100)),
        Shu((57, 15), 94),
        Zhe(&[(57, 16), (91, 16), (91, 94)]),
        Heng((57, 40), 91),
        Heng((57, 64), 91),
        Heng((57, 88), 91),
    ],
    // 傌
    &[Part(RADICAL_PERSON, (0, 0), (100, 100)), Part(HORSE, (30, 0), (70, 100))],
    // 俥
    &[Part(RADICAL_PERSON, (0, 0), (100, 100)), Part(CHARIOT, (32, 0), (67, 100))],
    // 炮
    &[
        Dian((8, 28), (15, 48)),
        Pie((44, 24), (42, 36), (34, 46)),
        Pie((26, 6), (30, 64), (3, 94)),
        Dian((29, 60), (44, 84)),
        Part(COMPONENT_WRAP, (42, 0), (58, 100)),
    ],
    // 兵
    &[
        Pie((74, 4), (56, 15), (26, 15)),
        Shu((27, 15), 64),
        Heng((27, 37), 80),
        Shu((63, 37), 64),
        Heng((4, 65), 96),
        Pie((37, 73), (30, 86), (10, 97)),
        Dian((62, 74), (86, 95)),
    ],
];

const BLACK: [&[Stroke]; 7] = [
    // 將
    &[
        Zhe(&[(11, 10), (11, 37), (34, 37)]),
        Heng((5, 60), 34),
        Pie((17, 60), (16, 80), (4, 95)),
        Shu((34, 4), 97),
        Pie((63, 3), (58, 19), (42, 31)),
        Heng((60, 16), 87),
        Pie((88, 16), (80, 42), (46, 53)),
        Dian((60, 24), (68, 30)),
        Dian((53, 33), (62, 40)),
        Heng((41, 64), 97),
        Gou(&[(79, 49), (79, 93), (66, 86)]),
        Dian((51, 73), (61, 84)),
    ],
    // 士
    &[Heng((5, 39), 95), Shu((50, 4), 90), Heng((18, 90), 82)],
    // 象
    &[
        Pie((41, 2), (34, 14), (14, 25)),
        Heng((38, 11), 66),
        Pie((67, 11), (62, 19), (54, 26)),
        Shu((22, 26), 46),
        Zhe(&[(22, 27), (79, 27), (79, 46)]),
        Heng((22, 45), 79),
        Pie((50, 28), (48, 50), (8, 63)),
        Pie((40, 53), (66, 60), (58, 92)),
        Ti((57, 94), (44, 87)),
        Pie((52, 63), (38, 76), (8, 80)),
        Pie((58, 74), (42, 90), (8, 97)),
        Pie((86, 51), (74, 60), (60, 65)),
        Na((61, 63), (74, 84), (96, 91)),
    ],
    // 馬
    &[Part(HORSE, (0, 0), (100, 100))],
    // 車
    &[Part(CHARIOT, (0, 0), (100, 100))],
    // 砲
    &[
        Heng((3, 15), 46),
        Pie((26, 16), (20, 44), (3, 64)),
        Shu((17, 50), 89),
        Zhe(&[(17, 51), (42, 51), (42, 89)]),
        Heng((17, 84), 42),
        Part(COMPONENT_WRAP, (42, 0), (58, 100)),
    ],
    // 卒
    &[
        Dian((45, 1), (54, 13)),
        Heng((9, 20), 91),
        Pie((33, 24), (30, 44), (10, 58)),
        Dian((34, 40), (45, 53)),
        Pie((70, 24), (66, 44), (48, 58)),
        Dian((72, 40), (88, 55)),
        Heng((4, 69), 96),
        Shu((50, 55), 98),
    ],
];

/// The river from left to right: 楚, 河, 漢, 界.
pub const RIVER: [&[Stroke]; 4] = [
    &[
        Heng((5, 18), 47),
        Shu((26, 3), 50),
        Pie((25, 20), (20, 36), (4, 46)),
        Dian((29, 27), (44, 42)),
        Heng((54, 18), 95),
        Shu((75, 3), 50),
        Pie((74, 20), (68, 36), (54, 46)),
        Na((76, 24), (84, 36), (96, 45)),
        Gou(&[(12, 58), (86, 58), (78, 70)]),
        Shu((51, 58), 88),
        Heng((51, 74), 78),
        Pie((29, 67), (28, 84), (5, 97)),
        Na((27, 82), (46, 94), (95, 94)),
    ],
    &[
        Part(RADICAL_WATER, (0, 0), (100, 100)),
        Heng((34, 17), 97),
        Shu((43, 38), 72),
        Zhe(&[(43, 39), (66, 39), (66, 72)]),
        Heng((43, 67), 66),
        Gou(&[(84, 17), (84, 94), (70, 87)]),
    ],
    &[
        Part(RADICAL_WATER, (0, 0), (100, 100)),
        Heng((34, 15), 97),
        Shu((53, 3), 28),
        Shu((78, 3), 28),
        Heng((53, 28), 78),
        Shu((44, 38), 57),
        Zhe(&[(44, 39), (87, 39), (87, 57)]),
        Heng((44, 55), 87),
        Shu((65, 28), 79),
        Heng((40, 67), 91),
        Heng((33, 79), 98),
        Pie((64, 80), (58, 92), (34, 98)),
        Na((66, 80), (78, 94), (98, 97)),
    ],
    &[
        Shu((21, 5), 47),
        Zhe(&[(21, 6), (79, 6), (79, 47)]),
        Heng((21, 25), 79),
        Heng((21, 45), 79),
        Shu((50, 6), 46),
        Pie((51, 47), (38, 64), (4, 73)),
        Na((50, 48), (66, 64), (96, 72)),
        Pie((37, 66), (38, 86), (18, 98)),
        Shu((65, 65), 98),
    ],
];

pub const NUMERALS: [&[Stroke]; 9] = [
    &[Heng((6, 50), 94)],
    &[Heng((20, 24), 80), Heng((6, 80), 94)],
    &[Heng((14, 16), 86), Heng((22, 49), 78), Heng((6, 84), 94)],
    &[
        Shu((12, 18), 92),
        Zhe(&[(12, 19), (88, 19), (88, 92)]),
        Heng((12, 86), 88),
        Pie((39, 19), (40, 52), (24, 66)),
        Zhe(&[(60, 19), (60, 60), (80, 60)]),
    ],
    &[Heng((14, 12), 86), Zhe(&[(48, 12), (36, 88)]), Zhe(&[(20, 47), (74, 47), (70, 88)]), Heng((4, 90), 96)],
    &[Dian((44, 4), (54, 20)), Heng((5, 36), 95), Pie((36, 50), (30, 74), (8, 94)), Dian((62, 52), (88, 92))],
    &[Zhe(&[(5, 48), (94, 34)]), Gou(&[(42, 6), (42, 80), (50, 90), (88, 90), (93, 70)])],
    &[Pie((36, 16), (34, 58), (4, 90)), Na((54, 12), (64, 60), (97, 88))],
    &[Pie((37, 6), (42, 66), (5, 95)), Gou(&[(10, 34), (64, 34), (60, 78), (68, 90), (92, 90), (97, 72)])],
];

/// 马, 车, 帅, 将.
const SIMPLIFIED_HORSE: &[Stroke] = &[
    Zhe(&[(20, 12), (72, 12), (68, 44)]),
    Gou(&[(32, 22), (28, 46), (91, 46), (86, 93), (70, 84)]),
    Heng((4, 70), 68),
];
const SIMPLIFIED_CHARIOT: &[Stroke] =
    &[Heng((16, 20), 86), Zhe(&[(44, 3), (20, 50), (86, 50)]), Heng((4, 73), 96), Shu((54, 34), 98)];
const SIMPLIFIED_RED_KING: &[Stroke] = &[
    Shu((11, 22), 60),
    Pie((31, 5), (31, 62), (7, 96)),
    Shu((49, 27), 78),
    Gou(&[(49, 28), (93, 28), (93, 76), (81, 68)]),
    Shu((71, 5), 98),
];
const SIMPLIFIED_BLACK_KING: &[Stroke] = &[
    Dian((6, 20), (18, 36)),
    Ti((3, 72), (24, 52)),
    Shu((31, 4), 97),
    Pie((61, 3), (55, 20), (40, 34)),
    Heng((58, 15), 87),
    Pie((88, 15), (78, 40), (42, 54)),
    Dian((55, 26), (67, 37)),
    Heng((39, 64), 97),
    Gou(&[(79, 48), (79, 93), (65, 86)]),
    Dian((50, 73), (62, 86)),
];

/// The simplified character of a piece, where it differs from the traditional one.
pub fn simplified_glyph(piece: Piece) -> Option<&'static [Stroke]> {
    match (piece.color(), piece.kind()) {
        (Color::Red, PieceKind::King) => Some(SIMPLIFIED_RED_KING),
        (Color::Black, PieceKind::King) => Some(SIMPLIFIED_BLACK_KING),
        (_, PieceKind::Horse) => Some(SIMPLIFIED_HORSE),
        (_, PieceKind::Rook) => Some(SIMPLIFIED_CHARIOT),
        (Color::Black, PieceKind::Cannon) => Some(RED[PieceKind::Cannon]),
        _ => None,
    }
}

/// The traditional character of a piece, different for each side.
pub fn piece_glyph(piece: Piece) -> &'static [Stroke] {
    let set = if piece.color() == Color::Red { RED } else { BLACK };
    set[piece.kind()]
}

/// A digit, a letter from a to i or the letter of a piece, as SVG path data to be stroked, on a 100×100 square.
pub fn latin_glyph(letter: char) -> &'static str {
    match letter {
        '0' => "M50 20C24 20 24 80 50 80S76 20 50 20Z",
        '1' => "M36 32L53 20V80",
        '2' => "M28 37C28 14 72 14 72 38C72 54 28 66 28 80H74",
        '3' => "M30 28C40 14 70 18 70 34C70 46 58 49 46 49C60 49 73 53 73 65C73 83 38 84 27 70",
        '4' => "M60 80V20L25 62H76",
        '5' => "M70 20H36L32 47C46 38 73 42 73 61C73 84 38 84 27 70",
        '6' => "M66 21C44 24 28 44 28 62C28 86 72 86 72 62C72 42 36 40 28 60",
        '7' => "M27 20H73L44 80",
        '8' => "M50 49C28 45 28 20 50 20S72 45 50 49C24 53 24 80 50 80S76 53 50 49Z",
        '9' => "M34 79C56 76 72 56 72 38C72 14 28 14 28 38C28 58 64 60 72 40",
        'a' => "M66 42V80M66 61C66 34 30 34 30 61S66 88 66 61",
        'b' => "M32 18V80M32 61C32 34 70 34 70 61S32 88 32 61",
        'c' => "M68 48C56 36 30 38 30 61S56 86 68 74",
        'd' => "M68 18V80M68 61C68 34 30 34 30 61S68 88 68 61",
        'e' => "M31 60H70C70 34 30 34 30 61C30 84 58 86 68 74",
        'f' => "M64 20C50 16 44 22 44 34V80M32 43H60",
        'g' => "M66 42V82C66 100 40 102 32 92M66 61C66 34 30 34 30 61S66 88 66 61",
        'h' => "M32 18V80M32 56C38 36 67 36 67 56V80",
        'i' => "M50 42V80M50 22V27",
        'A' => "M25 80L50 20L75 80M34 60H66",
        'C' => "M73 33C61 13 27 18 27 50S61 87 73 67",
        'E' => "M70 20H33V80H70M33 49H64",
        'H' => "M29 20V80M71 20V80M29 49H71",
        'K' => "M33 20V80M71 20L33 56M47 44L73 80",
        'P' => "M35 80V20H53C77 20 77 55 53 55H35",
        'R' => "M33 80V20H51C75 20 75 53 51 53H33M53 53L73 80",
        _ => "",
    }
}

/// A point of the square: x to the right, y down.
pub type GlyphPoint = (i16, i16);

/// A stroke, by its calligraphic name.
#[derive(Clone, Copy)]
pub enum Stroke {
    /// 横: from left to right, thin.
    Heng(GlyphPoint, i16),
    /// 竖: from top to bottom, thick.
    Shu(GlyphPoint, i16),
    /// 撇: falls to the left and tapers; the middle point is the control point of the curve.
    Pie(GlyphPoint, GlyphPoint, GlyphPoint),
    /// 捺: falls to the right and widens.
    Na(GlyphPoint, GlyphPoint, GlyphPoint),
    Dian(GlyphPoint, GlyphPoint),
    /// 提: rises and tapers.
    Ti(GlyphPoint, GlyphPoint),
    Zhe(&'static [GlyphPoint]),
    /// 钩: turns corners; the last segment is a hook.
    Gou(&'static [GlyphPoint]),
    /// Another character or component in a box: its upper left corner, its width and height.
    Part(&'static [Stroke], GlyphPoint, GlyphPoint),
}

/// Half the width of horizontal and of vertical strokes.
const THIN_HALF_WIDTH: f64 = 3.4;
const THICK_HALF_WIDTH: f64 = 4.9;
/// Half the width at a tapered end.
const TIP_HALF_WIDTH: f64 = 0.9;

type PagePoint = (f64, f64);

/// Maps the square of a character to the page.
#[derive(Clone, Copy)]
struct GlyphFrame {
    left: f64,
    top: f64,
    across: f64,
    down: f64,
}

impl GlyphFrame {
    fn to_page(self, (x, y): GlyphPoint) -> PagePoint {
        (self.left + self.across * f64::from(x) / 100.0, self.top + self.down * f64::from(y) / 100.0)
    }

    fn sub_frame(&self, corner: GlyphPoint, size: GlyphPoint) -> GlyphFrame {
        let (left, top) = self.to_page(corner);
        let part = |whole: f64, size: i16| whole * f64::from(size) / 100.0;
        GlyphFrame { left, top, across: part(self.across, size.0), down: part(self.down, size.1) }
    }
}

/// The outlines of a character as SVG path data, in a square of this size around (0, 0).
pub fn glyph_outline(strokes: &[Stroke], size: f64) -> String {
    let mut brush = Brush { path: String::new(), scale: size / 100.0 };
    let half = size / 2.0;
    brush.write(strokes, &GlyphFrame { left: -half, top: -half, across: size, down: size });
    brush.path
}

struct Brush {
    path: String,
    /// The width of the brush: components are as bold as whole characters.
    scale: f64,
}

impl Brush {
    fn write(&mut self, strokes: &[Stroke], frame: &GlyphFrame) {
        for stroke in strokes {
            match *stroke {
                Stroke::Heng(from, to) => {
                    self.line(frame.to_page(from), frame.to_page((to, from.1)), THIN_HALF_WIDTH, THIN_HALF_WIDTH)
                }
                Stroke::Shu(from, to) => {
                    self.line(frame.to_page(from), frame.to_page((from.0, to)), THICK_HALF_WIDTH, THICK_HALF_WIDTH)
                }
                Stroke::Dian(from, to) => self.line(frame.to_page(from), frame.to_page(to), 1.8, 5.6),
                Stroke::Ti(from, to) => {
                    self.line(frame.to_page(from), frame.to_page(to), THICK_HALF_WIDTH, TIP_HALF_WIDTH)
                }
                Stroke::Pie(from, by, to) => {
                    self.curve([from, by, to].map(|point| frame.to_page(point)), THICK_HALF_WIDTH, TIP_HALF_WIDTH)
                }
                Stroke::Na(from, by, to) => self.curve([from, by, to].map(|point| frame.to_page(point)), 1.6, 5.8),
                Stroke::Zhe(points) => self.corners(points, frame, None),
                Stroke::Gou(points) => self.corners(points, frame, Some(points.len().saturating_sub(2))),
                Stroke::Part(strokes, corner, size) => self.write(strokes, &frame.sub_frame(corner, size)),
            }
        }
    }

    /// Consecutive segments; the one with the index `hook` is a hook.
    fn corners(&mut self, points: &[GlyphPoint], frame: &GlyphFrame, hook: Option<usize>) {
        for (index, pair) in points.windows(2).enumerate() {
            let (from, to) = (frame.to_page(pair[0]), frame.to_page(pair[1]));
            let steep = (to.1 - from.1).abs() > (to.0 - from.0).abs();
            let width = if steep { THICK_HALF_WIDTH } else { THIN_HALF_WIDTH };
            if hook == Some(index) {
                self.line(from, to, THICK_HALF_WIDTH, TIP_HALF_WIDTH);
            } else {
                self.line(from, to, width, width);
            }
        }
    }

    /// A straight segment with these widths at its ends, slightly extended so that corners are closed.
    fn line(&mut self, from: PagePoint, to: PagePoint, begin: f64, end: f64) {
        let (begin, end) = (begin * self.scale, end * self.scale);
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1e-6);
        let ahead = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let beyond = |at: PagePoint, by: f64| (at.0 + ahead.0 * by, at.1 + ahead.1 * by);
        let (from, to) = (beyond(from, -begin * 0.7), beyond(to, end * 0.7));
        let aside = |at: PagePoint, by: f64| (at.0 - ahead.1 * by, at.1 + ahead.0 * by);
        let corners = [aside(from, -begin), aside(to, -end), aside(to, end), aside(from, begin)];
        for (index, (x, y)) in corners.into_iter().enumerate() {
            let _ = write!(self.path, "{}{}", if index == 0 { 'M' } else { 'L' }, format_point(x, y));
        }
        self.path.push('Z');
    }

    /// A curved segment; both edges follow the curve of its centre line.
    fn curve(&mut self, [from, by, to]: [PagePoint; 3], begin: f64, end: f64) {
        let (begin, end) = (begin * self.scale, end * self.scale);
        let aside = |at: PagePoint, (dx, dy): PagePoint, width: f64| {
            let length = dx.hypot(dy).max(1e-6);
            (at.0 - dy / length * width, at.1 + dx / length * width)
        };
        let way = |a: PagePoint, b: PagePoint| (b.0 - a.0, b.1 - a.1);
        let edge = |side: f64| {
            [
                aside(from, way(from, by), side * begin),
                aside(by, way(from, to), side * (begin + end) / 2.0),
                aside(to, way(by, to), side * end),
            ]
        };
        let ([a, b, c], [d, e, f]) = (edge(-1.0), edge(1.0));
        let text = |spot: PagePoint| format_point(spot.0, spot.1);
        let _ = write!(self.path, "M{}Q{} {}L{}Q{} {}Z", text(a), text(b), text(c), text(f), text(e), text(d));
    }
}

/// Two numbers, rounded to a tenth and as short as possible.
fn format_point(x: f64, y: f64) -> String {
    let short = |value: f64| {
        let text = format!("{:.1}", value + 0.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        if text == "-0" { String::from("0") } else { text.to_string() }
    };
    format!("{} {}", short(x), short(y))
}
