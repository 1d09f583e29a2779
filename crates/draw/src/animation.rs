//! An animated picture: an animated PNG (the third edition of the PNG specification), which is a PNG for programs that
//! know no animation.

use super::board::{BoardPicture, SIZE};
use super::png::{Canvas, RED_GREEN_BLUE_ALPHA, begin_file, chunk, compress_rows, painted};

/// How long a picture is shown, and the last one, in milliseconds.
const DELAY_MS: u16 = 900;
const LAST_DELAY_MS: u16 = 2600;

/// The part of a picture that differs from the one before.
struct Patch {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// The pictures one after the other, again and again, in this width in pixels. There must be at least one.
///
/// ```
/// use xiangqi::Position;
/// use xiangqi_draw::{BoardPicture, animation};
///
/// let start = Position::start();
/// let mut next = start.clone();
/// next.play("h2e2".parse()?)?;
/// let file = animation(&[BoardPicture::new(&start), BoardPicture::new(&next)], 240);
/// assert!(file.windows(4).any(|name| name == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn animation(pictures: &[BoardPicture], width: u32) -> Vec<u8> {
    let height = (f64::from(SIZE.1) * f64::from(width) / f64::from(SIZE.0)).round().max(1.0) as u32;
    let mut file = begin_file(width, height, RED_GREEN_BLUE_ALPHA);
    let count = pictures.len() as u32;
    chunk(&mut file, b"acTL", &[count.to_be_bytes(), 0u32.to_be_bytes()].concat());
    let mut before: Option<Canvas> = None;
    let mut sequence = 0u32;
    for (index, picture) in pictures.iter().enumerate() {
        let canvas = painted(picture, width, height);
        let patch = Patch::between(before.as_ref(), &canvas);
        let is_last = index + 1 == pictures.len();
        chunk(&mut file, b"fcTL", &patch.control(sequence, if is_last { LAST_DELAY_MS } else { DELAY_MS }));
        sequence += 1;
        let data = compress_rows(&canvas, (patch.left, patch.top), (patch.width, patch.height));
        if index == 0 {
            chunk(&mut file, b"IDAT", &data);
        } else {
            chunk(&mut file, b"fdAT", &[&sequence.to_be_bytes()[..], &data].concat());
            sequence += 1;
        }
        before = Some(canvas);
    }
    chunk(&mut file, b"IEND", &[]);
    file
}

impl Patch {
    /// The smallest rectangle around all that differs; the whole picture if there is none before.
    fn between(before: Option<&Canvas>, canvas: &Canvas) -> Patch {
        let (width, height) = canvas.size();
        let Some(before) = before else { return Patch { left: 0, top: 0, width, height } };
        let differs = |(x, y): (usize, usize)| before.pixel(x, y) != canvas.pixel(x, y);
        let changed = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|&at| differs(at));
        let bounds = changed().fold(None, |bounds: Option<[usize; 4]>, (x, y)| {
            let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
        });
        let [left, top, right, bottom] = bounds.unwrap_or_default();
        Patch { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    /// The contents of its frame control chunk.
    fn control(&self, sequence: u32, delay_ms: u16) -> Vec<u8> {
        const KEEP_AND_REPLACE: [u8; 2] = [0, 0];
        let numbers = [self.width, self.height, self.left, self.top].map(|number| (number as u32).to_be_bytes());
        let delay = [delay_ms.to_be_bytes(), 1000u16.to_be_bytes()].concat();
        [&sequence.to_be_bytes()[..], numbers.as_flattened(), &delay, &KEEP_AND_REPLACE].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::Move;
    use xiangqi::Position;

    /// The names and contents of the chunks.
    fn chunks(file: &[u8]) -> Vec<(&[u8], &[u8])> {
        let mut rest = &file[8..];
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            chunks.push((&rest[4..8], &rest[8..8 + length]));
            rest = &rest[12 + length..];
        }
        chunks
    }

    #[test]
    fn frames_hold_only_what_has_changed() {
        let start = Position::start();
        let mv: Move = "h2e2".parse().unwrap();
        let after = start.after(&[mv]);
        let last = BoardPicture { last: Some(mv), ..BoardPicture::new(&after) };
        let file = animation(&[BoardPicture::new(&start), last], 240);
        let chunks = chunks(&file);
        let names: Vec<&[u8]> = chunks.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, [&b"IHDR"[..], b"tEXt", b"acTL", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"IEND"]);
        let number = |at: usize| u32::from_be_bytes(chunks[5].1[at..at + 4].try_into().unwrap());
        let (sequence, width, height) = (number(0), number(4), number(8));
        assert_eq!(sequence, 1);
        // The cannon moves along three files of a rank: squares are 25 pixels wide.
        assert!((75..125).contains(&width) && (20..40).contains(&height), "{width}×{height}");
    }
}
