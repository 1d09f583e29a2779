//! Boards drawn by `xiangqi-draw` are read; pictures of any other kind are refused within bounds.

use xiangqi::{Move, Piece, Position, Setup, Square};
use xiangqi_draw::{ArrowKind, BoardColours, BoardPicture, BoardStyle, Coordinates, PieceSet};
use xiangqi_picture::{NoBoard, Options, Pixels, Reading, read};

const MIDDLE: &str = "r1bakabr1/9/1cn3n1c/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 1";

struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Picture {
    fn new(width: usize, height: usize, colour: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let rgb = (0..width * height).flat_map(|i| colour(i % width, i / width)).collect();
        Picture { width, height, rgb }
    }

    fn drawn(png: &[u8]) -> Picture {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a PNG");
        let mut data = vec![0; reader.output_buffer_size().expect("a size")];
        let frame = reader.next_frame(&mut data).expect("pixels");
        let channels = frame.color_type.samples();
        let at = |x: usize, y: usize| {
            let pixel = &data[(y * frame.width as usize + x) * channels..];
            if channels < 3 { [pixel[0]; 3] } else { [pixel[0], pixel[1], pixel[2]] }
        };
        Picture::new(frame.width as usize, frame.height as usize, at)
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        std::array::from_fn(|c| self.rgb[(y * self.width + x) * 3 + c])
    }

    fn pixels(&self) -> Pixels<'_> {
        Pixels::new(self.width, self.height, &self.rgb).expect("a picture")
    }

    fn read(&self, options: &Options) -> Result<Reading, NoBoard> {
        read(&self.pixels(), options)
    }
}

fn position() -> Position {
    MIDDLE.parse().expect("a FEN")
}

fn drawing(width: u32, change: impl FnOnce(&mut BoardPicture)) -> Picture {
    let position = position();
    let mut picture = BoardPicture::new(&position);
    change(&mut picture);
    Picture::drawn(&picture.png(width))
}

#[test]
fn sets_boards_and_either_side_below() {
    for &board in BoardColours::ALL {
        for pieces in [PieceSet::Wood, PieceSet::Flat] {
            for flipped in [false, true] {
                let style = BoardStyle { pieces, board, coordinates: Coordinates::Letters, octagons: flipped };
                let found = drawing(640, |picture| (picture.style, picture.flipped) = (style, flipped))
                    .read(&Options::default());
                let found = found.expect("a board");
                assert_eq!(found.setup.to_string(), MIDDLE, "{pieces:?} {board:?} {flipped}");
                assert_eq!((found.turned, found.other_board), (flipped, false));
                assert_eq!(found.unusual, []);
            }
        }
    }
}

#[test]
fn marks_are_no_pieces() {
    let mv: Move = "c3c4".parse().expect("a move");
    let found = drawing(500, |picture| {
        picture.last = Some(mv);
        picture.arrows = vec![("h2e2".parse().expect("a move"), ArrowKind::Best)];
        picture.marked = vec![Square::E4, Square::A0];
    });
    assert_eq!(found.read(&Options::default()).expect("a board").setup.to_string(), MIDDLE);
}

/// A photograph of a drawing: its outer points go to these places.
fn slanted(flat: &Picture, from: [(f32, f32); 4], to: [(f32, f32); 4]) -> Picture {
    // Where the sides of the board are at a height, and what is between them: lines stay straight across alone.
    let mix = |a: (f32, f32), b: (f32, f32), t: f32| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
    Picture::new(flat.width, flat.height, |x, y| {
        let v = (y as f32 - to[0].1) / (to[3].1 - to[0].1);
        let (left, right) = (mix(to[0], to[3], v), mix(to[1], to[2], v));
        let u = (x as f32 - left.0) / (right.0 - left.0);
        let (sx, sy) = (mix(from[0], from[1], u).0, mix(from[0], from[3], v).1);
        let inside = |v: f32, size: usize| v.round().clamp(0.0, size as f32 - 1.0) as usize;
        flat.at(inside(sx, flat.width), inside(sy, flat.height))
    })
}

#[test]
fn corners_by_hand_straighten_a_board() {
    let flat = drawing(700, |_| ());
    let from = flat.read(&Options::default()).expect("a board").corners;
    // A shear, which is projective.
    let to = [(from[0].0 + 40.0, from[0].1), (from[1].0 + 40.0, from[1].1), from[2], from[3]];
    let found = slanted(&flat, from, to).read(&Options { corners: Some(to), turned: None }).expect("a reading");
    assert_eq!(found.setup.to_string(), MIDDLE);
    assert_eq!(found.corners, to);
}

#[test]
fn pieces_are_read_that_are_seen_beside_their_points() {
    // The pieces stand so far above the lines that the corners name, in steps.
    for (board, x, y) in [(BoardColours::Wood, 0.0, 0.35), (BoardColours::Green, -0.2, 0.3)] {
        let flat = drawing(700, |picture| picture.style.board = board);
        let corners = flat.read(&Options::default()).expect("a board").corners;
        let step = (corners[1].0 - corners[0].0) / 8.0;
        let lines = corners.map(|corner| (corner.0 + x * step, corner.1 + y * step));
        let found = flat.read(&Options { corners: Some(lines), turned: None }).expect("a reading");
        assert_eq!(found.setup.to_string(), MIDDLE);
        assert_eq!(found.corners, lines);
    }
}

/// The picture as somebody sees it who sits at its lower edge: what is farther away is smaller, by `far` at the upper edge.
struct Seat {
    far: f32,
    width: f32,
    height: f32,
}

impl Seat {
    /// Where a place of the flat picture is seen.
    fn sees(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let away = self.height - y;
        let scale = 1.0 / (1.0 + self.far * away / self.height);
        (self.width / 2.0 + (x - self.width / 2.0) * scale, self.height - away * scale)
    }

    fn photograph(&self, flat: &Picture) -> Picture {
        Picture::new(flat.width, flat.height, |x, y| {
            let seen = self.height - y as f32;
            let away = seen / (1.0 - self.far * seen / self.height);
            let scale = 1.0 + self.far * away / self.height;
            let (sx, sy) = (self.width / 2.0 + (x as f32 - self.width / 2.0) * scale, self.height - away);
            let is_inside = sx >= 0.0 && sy >= 0.0 && sx < self.width - 1.0 && sy < self.height - 1.0;
            if is_inside { flat.at(sx as usize, sy as usize) } else { [90, 80, 70] }
        })
    }
}

#[test]
fn photographs_are_read_between_corners_that_are_found_or_proposed() {
    for (board, far) in [(BoardColours::Wood, 0.35), (BoardColours::Paper, 0.6), (BoardColours::Green, 0.5)] {
        let flat = drawing(800, |picture| picture.style.board = board);
        let corners = flat.read(&Options::default()).expect("a board").corners;
        let seat = Seat { far, width: flat.width as f32, height: flat.height as f32 };
        let photograph = seat.photograph(&flat);
        let answer = photograph.read(&Options::default());
        let found = answer.as_ref().map_or_else(|none| none.proposed.expect("corners"), |reading| reading.corners);
        let step = (corners[1].0 - corners[0].0) / 8.0;
        for (found, corner) in found.iter().zip(corners) {
            let there = seat.sees(corner);
            assert!((found.0 - there.0).hypot(found.1 - there.1) < 0.3 * step, "{far}: {found:?} {there:?}");
        }
        let same = |reading: &Reading| {
            reading.setup.pieces().filter(|&(piece, at)| position().piece_at(at) == Some(piece)).count()
        };
        // What is answered without corners is nearly all right, and the rest is marked.
        if let Ok(reading) = &answer {
            let is_marked = |at: Square| reading.doubts.iter().any(|doubt| doubt.square == at);
            let is_wrong = |at: &Square| reading.setup.piece_at(*at) != position().piece_at(*at);
            assert!(Square::all().filter(is_wrong).all(is_marked), "{far}: {}", reading.setup);
        }
        let reading = photograph.read(&Options { corners: Some(found), turned: None }).expect("a reading");
        assert!(same(&reading) >= 28, "{far}: {}", reading.setup);
    }
}

/// The picture with light from the left: so much of it is left at the right edge.
fn lit_from_the_left(picture: &Picture, least: f32) -> Picture {
    Picture::new(picture.width, picture.height, |x, y| {
        let light = 1.0 - (1.0 - least) * x as f32 / picture.width as f32;
        picture.at(x, y).map(|value| (f32::from(value) * light) as u8)
    })
}

#[test]
fn photographs_from_above_are_answered_without_corners() {
    for (board, far, least) in
        [(BoardColours::Wood, 0.2, 1.0), (BoardColours::Paper, 0.25, 0.5), (BoardColours::Wood, 0.3, 0.4)]
    {
        let flat = drawing(800, |picture| picture.style.board = board);
        let seat = Seat { far, width: flat.width as f32, height: flat.height as f32 };
        let photograph = lit_from_the_left(&seat.photograph(&flat), least);
        let found = photograph.read(&Options::default()).expect("a board");
        assert_eq!(found.setup.to_string(), MIDDLE, "{board:?} {far}");
        assert!(!found.turned && !found.turned_doubtful);
    }
}

#[test]
fn light_from_a_side_does_not_change_sides() {
    for (board, pieces) in [(BoardColours::Wood, PieceSet::Wood), (BoardColours::Green, PieceSet::Flat)] {
        let flat = drawing(640, |picture| (picture.style.board, picture.style.pieces) = (board, pieces));
        let found = lit_from_the_left(&flat, 0.35).read(&Options::default()).expect("a board");
        assert_eq!(found.setup.to_string(), MIDDLE, "{board:?} {pieces:?}");
    }
}

/// The picture turned by an angle around its middle.
fn askew(flat: &Picture, degrees: f32) -> Picture {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (middle_x, middle_y) = (flat.width as f32 / 2.0, flat.height as f32 / 2.0);
    Picture::new(flat.width + 80, flat.height + 80, |x, y| {
        let (x, y) = (x as f32 - 40.0 - middle_x, y as f32 - 40.0 - middle_y);
        let (sx, sy) = (x * cos - y * sin + middle_x, x * sin + y * cos + middle_y);
        let is_inside = sx >= 0.0 && sy >= 0.0 && sx < flat.width as f32 && sy < flat.height as f32;
        if is_inside { flat.at(sx as usize, sy as usize) } else { [120, 116, 110] }
    })
}

#[test]
fn pictures_that_are_askew_are_read() {
    for (board, degrees) in [(BoardColours::Wood, 2.0), (BoardColours::Paper, -3.5), (BoardColours::Green, 5.0)] {
        let flat = drawing(640, |picture| picture.style.board = board);
        let found = askew(&flat, degrees).read(&Options::default()).expect("a board");
        assert_eq!(found.setup.to_string(), MIDDLE, "{degrees}");
    }
}

#[test]
fn a_board_that_may_be_upside_down_is_a_doubt() {
    let reads = |fen: &str, turned: Option<bool>| {
        let position: Position = fen.parse().expect("a FEN");
        let picture = Picture::drawn(&BoardPicture::new(&position).png(640));
        picture.read(&Options { corners: None, turned }).expect("a board")
    };
    assert!(!reads(MIDDLE, None).turned_doubtful);
    let told = reads(MIDDLE, Some(true));
    assert!(told.turned && !told.turned_doubtful, "what is said is no doubt");
}

#[test]
fn a_side_that_is_told_does_not_move_the_grid() {
    for (width, darker) in [(640, 0.8), (640, 0.2), (420, 0.8)] {
        // Speckled, so that its points are not clear.
        let flat = drawing(width, |_| ());
        let speckle = |x: usize, y: usize| (x * 7919 + y * 104_729 + x * y * 31) % 97;
        let picture = Picture::new(flat.width, flat.height, |x, y| {
            let dim = if speckle(x, y) < 30 { darker } else { 1.0 };
            flat.at(x, y).map(|value| (f32::from(value) * dim) as u8)
        });
        let corners = |turned| match picture.read(&Options { corners: None, turned }) {
            Ok(found) => Some(found.corners),
            Err(none) => none.proposed,
        };
        assert_eq!(corners(Some(true)), corners(None), "{width}, {darker}");
    }
}

#[test]
fn of_two_boards_the_larger_is_read() {
    let (small, large) = (drawing(300, |picture| picture.flipped = true), drawing(560, |_| ()));
    let page = Picture::new(900, 680, |x, y| {
        if x < large.width && y < large.height {
            large.at(x, y)
        } else if x >= 580 && x - 580 < small.width && y >= 100 && y - 100 < small.height {
            small.at(x - 580, y - 100)
        } else {
            [250; 3]
        }
    });
    let found = page.read(&Options::default()).expect("a board");
    assert_eq!(found.setup.to_string(), MIDDLE);
    assert!(found.other_board && !found.turned && found.corners[2].0 < 560.0);
}

#[test]
fn what_is_no_board_is_refused() {
    let noise = |x: usize, y: usize| {
        let mix = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(2_246_822_519);
        [(mix >> 8) as u8, (mix >> 16) as u8, (mix >> 24) as u8]
    };
    let pictures = [
        Picture::new(1, 1, |_, _| [0; 3]),
        Picture::new(1, Pixels::MAX_SIDE, |_, y| [y as u8; 3]),
        Picture::new(Pixels::MAX_SIDE, 2, |x, _| [x as u8; 3]),
        Picture::new(300, 300, |_, _| [255; 3]),
        Picture::new(400, 300, noise),
        Picture::new(480, 480, |x, y| if (x / 60 + y / 60) % 2 == 0 { [240; 3] } else { [60; 3] }),
        Picture::new(300, 900, |_, y| if y % 30 < 2 { [0; 3] } else { [240; 3] }),
    ];
    for picture in &pictures {
        assert!(picture.read(&Options::default()).is_err(), "{} × {}", picture.width, picture.height);
        let none = picture.read(&Options::default()).expect_err("no board");
        assert_eq!(none.proposed, None, "{} × {}", picture.width, picture.height);
    }
    // Corners far outside, and such as do not go round a board, have none between them.
    let far = [f32::NAN, f32::INFINITY, -1e9, 0.0, 1e9];
    for a in far {
        let corners = [(a, 0.0), (5.0, a), (a, a), (0.0, 5.0)];
        assert!(pictures[4].read(&Options { corners: Some(corners), turned: None }).is_err());
    }
    let [a, b, c, d] = [(20.0, 20.0), (380.0, 30.0), (370.0, 280.0), (10.0, 270.0)];
    let between = |corners| pictures[4].read(&Options { corners: Some(corners), turned: None });
    assert!(between([a, b, c, d]).is_ok());
    for wrong in [[a; 4], [a, a, c, d], [a, b, a, b], [a, c, b, d], [d, c, b, a]] {
        assert!(between(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn pixels_must_be_all_there() {
    let data = [0; 12];
    assert!(Pixels::new(2, 2, &data).is_some());
    for (width, height) in [(0, 0), (2, 3), (4, 0), (usize::MAX, 2), (Pixels::MAX_SIDE + 1, 1)] {
        assert!(Pixels::new(width, height, &data).is_none(), "{width} × {height}");
    }
}

#[test]
fn too_many_pieces_are_told() {
    let mut setup: Setup = MIDDLE.parse().expect("a FEN");
    setup.remove(Square::E3);
    setup.place(Piece::from_letter('R').expect("a piece"), Square::E5);
    let position = Position::try_from(setup.clone()).expect("a position");
    let found = Picture::drawn(&BoardPicture::new(&position).png(900)).read(&Options::default()).expect("a board");
    // The third rook stands there, or the point is doubtful.
    let told = found.setup.piece_at(Square::E5) == setup.piece_at(Square::E5) && found.unusual.len() == 1;
    assert!(told || found.doubts.iter().any(|doubt| doubt.square == Square::E5), "{found:?}");
}
