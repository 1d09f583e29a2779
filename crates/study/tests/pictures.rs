//! Pictures as files: turned as the camera says, made smaller row by row, refused before they take much, damage is noticed.

use chuhe_study::picture::{PictureError, is_picture, read_bytes, read_sent};
use std::borrow::Cow;
use xiangqi::Position;
use xiangqi_draw::BoardPicture;
use xiangqi_picture::{Options, Reading};

const MIDDLE: &str = "r1bakabr1/9/1cn3n1c/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 1";

/// Rows of red, green and blue.
#[derive(Clone)]
struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Picture {
    fn drawn() -> Picture {
        let position = Position::from_fen(MIDDLE).expect("a position");
        let file = BoardPicture::new(&position).png(500);
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a header");
        let mut data = vec![0; reader.output_buffer_size().expect("a size")];
        let frame = reader.next_frame(&mut data).expect("pixels");
        let samples = frame.color_type.samples();
        let rgb = data.chunks_exact(samples).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Picture { width: frame.width as usize, height: frame.height as usize, rgb }
    }

    fn made(width: usize, height: usize, from: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let rgb = (0..width * height).flat_map(|i| from(i % width, i / width)).collect();
        Picture { width, height, rgb }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * 3;
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// As a camera keeps it that is held like this: turning it as the orientation says gives this picture.
    fn held(&self, orientation: u8) -> Picture {
        let (right, bottom) = (self.width - 1, self.height - 1);
        let made = |from: &dyn Fn(usize, usize) -> (usize, usize)| {
            let (width, height) = if orientation > 4 { (self.height, self.width) } else { (self.width, self.height) };
            Picture::made(width, height, |x, y| {
                let (x, y) = from(x, y);
                self.at(x, y)
            })
        };
        // What the first row and the first column of the file are to the eye, as the standard says.
        match orientation {
            1 => self.clone(),
            2 => made(&|x, y| (right - x, y)),
            3 => made(&|x, y| (right - x, bottom - y)),
            4 => made(&|x, y| (x, bottom - y)),
            5 => made(&|x, y| (y, x)),
            6 => made(&|x, y| (right - y, x)),
            7 => made(&|x, y| (right - y, bottom - x)),
            _ => made(&|x, y| (y, bottom - x)),
        }
    }

    fn png(&self, orientation: Option<u8>) -> Vec<u8> {
        let mut file = Vec::new();
        let mut info = png::Info::with_size(self.width as u32, self.height as u32);
        (info.color_type, info.bit_depth) = (png::ColorType::Rgb, png::BitDepth::Eight);
        info.exif_metadata = orientation.map(|turn| Cow::Owned(exif(turn)));
        let mut writer =
            png::Encoder::with_info(&mut file, info).and_then(png::Encoder::write_header).expect("a header");
        writer.write_image_data(&self.rgb).expect("pixels");
        writer.finish().expect("an end");
        file
    }
}

/// EXIF with the orientation alone.
fn exif(orientation: u8) -> Vec<u8> {
    [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[orientation], &[0; 6]].concat()
}

fn read(bytes: &[u8]) -> Result<Reading, PictureError> {
    read_bytes(bytes, &Options::default())
}

/// A chunk of PNG.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [kind, data].concat();
    [&(data.len() as u32).to_be_bytes()[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

/// The beginning of a PNG of this size: who decodes its pixels finds them damaged.
fn head(width: u32, height: u32, depth: u8, color: u8, is_interlaced: bool) -> Vec<u8> {
    let head =
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, u8::from(is_interlaced)]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &head), &chunk(b"IDAT", &[0x78, 0x9c])].concat()
}

#[test]
fn pictures_are_turned_as_the_camera_says() {
    let drawn = Picture::drawn();
    for orientation in 1..=8 {
        let held = drawn.held(orientation);
        let reading = read(&held.png(Some(orientation))).expect("a reading");
        assert_eq!(reading.setup.to_string(), MIDDLE, "{orientation}");
        assert!(!reading.turned, "{orientation}");
        // Behind the pixels too, and not at all with a number that there is not.
        let file = held.png(None);
        let (pixels, end) = file.split_at(file.len() - 12);
        let late = [pixels, &chunk(b"eXIf", &exif(orientation)), end].concat();
        assert_eq!(read(&late).expect("a reading").setup.to_string(), MIDDLE, "{orientation}, late");
    }
    for orientation in [0, 9, 255] {
        assert_eq!(read(&drawn.png(Some(orientation))).expect("a reading").setup.to_string(), MIDDLE, "{orientation}");
    }
}

#[test]
fn large_pictures_are_made_smaller_and_their_corners_are_those_of_the_file() {
    let drawn = Picture::drawn();
    let small = read(&drawn.png(None)).expect("a reading");
    // Neither side is a multiple of what is made one pixel.
    let (times, more) = (6, 3);
    let (width, height) = (drawn.width * times + more, drawn.height * times + more);
    let large = Picture::made(width, height, |x, y| {
        drawn.at((x / times).min(drawn.width - 1), (y / times).min(drawn.height - 1))
    });
    let file = large.png(None);
    let reading = read(&file).expect("a reading");
    assert_eq!(reading.setup.to_string(), MIDDLE);
    let corners = small.corners.map(|(x, y)| (x * times as f32, y * times as f32));
    for (found, expected) in reading.corners.iter().zip(&corners) {
        assert!((found.0 - expected.0).abs() < 40.0 && (found.1 - expected.1).abs() < 40.0, "{found:?} {expected:?}");
    }
    let by_hand = read_bytes(&file, &Options { corners: Some(corners), turned: None }).expect("a reading");
    assert_eq!(by_hand.setup.to_string(), MIDDLE);
    // A page makes it smaller itself.
    assert!(matches!(read_sent(&file, None, None), Err(PictureError::TooLarge { .. })));
}

#[test]
fn pictures_that_need_all_their_memory_are_refused_before_they_are_decoded() {
    for (width, height, depth, color) in [(16_384, 8192, 1, 0), (9000, 9000, 8, 2), (9000, 9000, 1, 0)] {
        let refused = read(&head(width, height, depth, color, true));
        assert!(matches!(refused, Err(PictureError::TooLarge { .. })), "{width} × {height}: {refused:?}");
        let by_rows = read(&head(width, height, depth, color, false));
        assert!(matches!(by_rows, Err(PictureError::Damaged(_))), "{width} × {height}: {by_rows:?}");
    }
    let size = |width: u16, height: u16| [height.to_be_bytes(), width.to_be_bytes()].concat();
    for (marker, width, height, is_too_large) in
        [(0xc0, 12_000, 12_000, true), (0xc0, 9000, 7000, false), (0xc2, 9000, 7000, true), (0xc2, 6000, 4000, false)]
    {
        let frame = [&[0xff, marker, 0, 11, 8][..], &size(width, height), &[1, 1, 0x11, 0]].concat();
        let file = [&[0xff, 0xd8][..], &frame, &[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]].concat();
        let answer = read(&file);
        assert_eq!(matches!(answer, Err(PictureError::TooLarge { .. })), is_too_large, "{answer:?}");
        assert!(answer.is_err());
    }
}

/// A JPEG of so many grey squares of 8 × 8 pixels a side: baseline, or progressive with a second scan.
fn grey(side: u16, is_progressive: bool) -> Vec<u8> {
    let segment =
        |marker: u8, data: &[u8]| [&[0xff, marker][..], &(data.len() as u16 + 2).to_be_bytes(), data].concat();
    // One code: no difference of the mean, and the end of a square.
    let table = |class: u8| [&[class << 4, 1][..], &[0; 15], &[0]].concat();
    let squares = usize::from(side * side);
    let frame = [&[8][..], &(side * 8).to_be_bytes(), &(side * 8).to_be_bytes(), &[1, 1, 0x11, 0]].concat();
    let scan = |from: u8, to: u8| segment(0xda, &[1, 1, 0, from, to, 0]);
    let start = [&[0xff, 0xd8][..], &segment(0xdb, &[&[0][..], &[1; 64]].concat())].concat();
    let tables = [segment(0xc4, &table(0)), segment(0xc4, &table(1))].concat();
    let body = if is_progressive {
        let bits = vec![0; squares / 8];
        [segment(0xc2, &frame), tables, scan(0, 0), bits.clone(), scan(1, 63), bits].concat()
    } else {
        [segment(0xc0, &frame), tables, scan(0, 63), vec![0; squares / 4]].concat()
    };
    [start, body, vec![0xff, 0xd9]].concat()
}

#[test]
fn jpeg_that_is_cut_short_is_damaged() {
    for is_progressive in [false, true] {
        let file = grey(16, is_progressive);
        assert!(matches!(read(&file), Err(PictureError::NoBoard(_))), "{:?}", read(&file));
        for length in 3..file.len() {
            assert!(is_picture(&file[..length]));
            assert!(matches!(read(&file[..length]), Err(PictureError::Damaged(_))), "{length} of {}", file.len());
        }
        // What stands behind the end is no matter.
        assert!(matches!(read(&[&file[..], b"more"].concat()), Err(PictureError::NoBoard(_))));
    }
}

#[test]
fn corners_that_no_board_has_are_refused() {
    let file = Picture::drawn().png(None);
    let corners = read(&file).expect("a reading").corners;
    assert_eq!(read_sent(&file, Some(corners), None).expect("a reading").fen, MIDDLE);
    let [a, b, c, d] = corners;
    let far = |by: f32| [a, b, (by, by), d];
    for wrong in [
        [(5.0, 5.0); 4],
        [a, a, c, d],
        [a, b, c, a],
        [a, b, b, a],
        [a, c, b, d],
        [a, d, c, b],
        [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)],
        far(1e308_f64 as f32),
        far(f32::NAN),
        far(f32::NEG_INFINITY),
        far(1e30),
        far(1e5),
    ] {
        let answer = read_sent(&file, Some(wrong), None);
        assert!(matches!(answer, Err(PictureError::Corners)), "{wrong:?}: {answer:?}");
        let answer = read_bytes(&file, &Options { corners: Some(wrong), turned: Some(false) });
        assert!(matches!(answer, Err(PictureError::Corners)), "{wrong:?}: {answer:?}");
    }
}
