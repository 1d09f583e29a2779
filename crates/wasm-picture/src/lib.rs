//! Reads the position of a picture: `picture_worker.js` writes the pixels, calls `read`, and takes the answer as JSON, which
//! is that of `chuhe picture --json`.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::fmt::Write;
use xiangqi::Piece;
use xiangqi_picture::{Doubt, Options, Pixels, Reading};

thread_local! {
    /// Four bytes a pixel: red, green, blue, and what a canvas says of transparency.
    static PIXELS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The corners, if the user has set them.
    static CORNERS: RefCell<Vec<(f32, f32)>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Where to write the pixels.
#[unsafe(no_mangle)]
extern "C" fn pixel_buffer(length: usize) -> *mut u8 {
    CORNERS.take();
    PIXELS.with(|pixels| {
        let mut pixels = pixels.borrow_mut();
        pixels.clear();
        pixels.resize(length, 0);
        pixels.as_mut_ptr()
    })
}

/// Adds a corner: after the pixels, clockwise from the top left.
#[unsafe(no_mangle)]
extern "C" fn add_corner(x: f32, y: f32) {
    CORNERS.with(|corners| corners.borrow_mut().push((x, y)));
}

/// Reads the picture; `turned` is 1 if black is below, 0 if it is not, and -1 if the pieces tell. The length of the answer.
#[unsafe(no_mangle)]
extern "C" fn read(width: usize, height: usize, turned: i32) -> usize {
    let rgba = PIXELS.take();
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    drop(rgba);
    let corners = CORNERS.with(|corners| <[_; 4]>::try_from(corners.borrow().as_slice()).ok());
    let options = Options { corners, turned: (turned >= 0).then_some(turned == 1) };
    let text = Pixels::new(width, height, &rgb).map_or_else(|| "{}".to_string(), |pixels| read_text(&pixels, &options));
    ANSWER.with(|answer| {
        *answer.borrow_mut() = text;
        answer.borrow().len()
    })
}

/// Where the answer is: without `fen` if there is no board.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    ANSWER.with(|answer| answer.borrow().as_ptr())
}

/// What a picture shows, or where its board may be.
fn read_text(pixels: &Pixels, options: &Options) -> String {
    match xiangqi_picture::read(pixels, options) {
        Ok(reading) => json(&reading),
        Err(_) if options.corners.is_some() => "{}".to_string(),
        Err(none) => match none.proposed {
            Some(corners) => format!(r#"{{"proposed":[{}]}}"#, corners_text(&corners)),
            None => "{}".to_string(),
        },
    }
}

fn corners_text(corners: &[(f32, f32); 4]) -> String {
    corners.map(|(x, y)| format!("[{},{}]", x.round(), y.round())).join(",")
}

fn json(reading: &Reading) -> String {
    let doubts: Vec<_> = reading.doubts.iter().map(doubt).collect();
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        r#"{{"fen":"{}","turned":{},"turned_doubtful":{},"corners":[{}],"doubts":[{}],"other_board":{}}}"#,
        reading.setup,
        reading.turned,
        reading.turned_doubtful,
        corners_text(&reading.corners),
        doubts.join(","),
        reading.other_board
    );
    text
}

fn doubt(doubt: &Doubt) -> String {
    let letter = |piece: Option<Piece>| piece.map_or("null".to_string(), |piece| format!("\"{}\"", piece.letter()));
    let [read, other] = doubt.chances;
    format!(
        r#"{{"square":"{}","read":{},"other":{},"chances":[{read:.3},{other:.3}]}}"#,
        doubt.square,
        letter(doubt.read),
        letter(doubt.other)
    )
}
