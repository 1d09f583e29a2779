//! Pictures of boards as files: decodes them, and says what is unusual about what they show.

use chuhe_support::files::{At, FileError, read_input};
use chuhe_support::language::{Language, reason, tr};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use thiserror::Error;
use xiangqi::Piece;
use xiangqi_picture::{Doubt, Options, Pixels, Reading, Unusual, read};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The largest file that is read.
const MAX_FILE_SIZE: u64 = 1 << 27;

/// One picture is read at a time, so that many at once do not take the memory of them all.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The outer points of a board in pixels, from the top left clockwise.
pub type Corners = [(f32, f32); 4];

/// Why a picture gives no position.
#[derive(Debug, Error)]
pub enum PictureError {
    #[error("{}", tr!("neither PNG, JPEG nor WebP"))]
    Format,
    #[error("{}", tr!("the picture has {width} × {height} pixels, too many to read", width, height))]
    TooLarge { width: usize, height: usize },
    #[error("{}", tr!("the picture is damaged: {cause}", cause = _0))]
    Damaged(String),
    #[error("{}", no_board_text(_0.as_ref()))]
    NoBoard(Option<Corners>),
    #[error("{}", tr!("the corners are not the outer points of a board, clockwise from the top left"))]
    Corners,
    #[error("{}", reason(_0))]
    File(#[from] io::Error),
}

fn rounded(corners: Corners) -> Corners {
    corners.map(|(x, y)| (x.round(), y.round()))
}

/// Corners as `--corners` takes them.
fn corners_text(corners: &Corners) -> String {
    let numbers: Vec<String> = corners.iter().flat_map(|&(x, y)| [x, y]).map(|number| format!("{number:.0}")).collect();
    numbers.join(",")
}

/// That no board was found, and where it may be.
fn no_board_text(proposed: Option<&Corners>) -> String {
    let Some(corners) = proposed.map(corners_text) else { return tr!("no xiangqi board found in the picture") };
    tr!(
        "no xiangqi board found in the picture; if it is a photograph of one, try its outer points: chuhe picture --corners {corners}",
        corners
    )
}

/// Reads a file (`-`: standard input) as a picture.
pub fn read_file(path: &Path, options: &Options) -> Result<Reading, FileError<PictureError>> {
    let bytes = read_input(path, MAX_FILE_SIZE, is_picture).map_err(PictureError::from);
    bytes.and_then(|bytes| read_bytes(&bytes, options)).at(path)
}

/// Reads the bytes of a picture.
pub fn read_bytes(bytes: &[u8], options: &Options) -> Result<Reading, PictureError> {
    read_within(bytes, options, MAX_PIXELS)
}

/// Reads a picture that a page sends: one of a large screen at most, since a page makes it smaller. `corners` and `turned` as in [`Options`].
pub fn read_sent(bytes: &[u8], corners: Option<Corners>, turned: Option<bool>) -> Result<PictureReport, PictureError> {
    let reading = read_within(bytes, &Options { corners, turned }, MAX_KEPT_PIXELS)?;
    Ok(PictureReport::of(&reading))
}

fn read_within(bytes: &[u8], options: &Options, max_pixels: usize) -> Result<Reading, PictureError> {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let picture = decode(bytes, max_pixels)?;
    let (width, height, scale) = (picture.width, picture.height, picture.scale as f32);
    let pixels = Pixels::new(width, height, &picture.rgb).ok_or(PictureError::TooLarge { width, height })?;
    let times = |corners: Corners, by: f32| corners.map(|(x, y)| (x * by, y * by));
    let options = Options { corners: options.corners.map(|corners| times(corners, 1.0 / scale)), ..options.clone() };
    match read(&pixels, &options) {
        Ok(mut reading) => {
            reading.corners = times(reading.corners, scale);
            Ok(reading)
        }
        Err(_) if options.corners.is_some() => Err(PictureError::Corners),
        Err(none) => Err(PictureError::NoBoard(none.proposed.map(|corners| rounded(times(corners, scale))))),
    }
}

/// What a person should know of a reading besides its pieces: what no game has, and what is not sure of the whole board.
pub fn notes(reading: &Reading) -> Vec<String> {
    let mut notes: Vec<String> = reading.unusual.iter().map(unusual_text).collect();
    if reading.turned_doubtful {
        notes.push(if reading.turned {
            tr!("either side may be below: black is taken, --side-below red reads it the other way round")
        } else {
            tr!("either side may be below: red is taken, --side-below black reads it the other way round")
        });
    }
    // Only a board that stands upright has its corners on two columns.
    if reading.corners[0].0 != reading.corners[3].0 {
        let corners = corners_text(&reading.corners);
        notes.push(tr!("read between the corners {corners}", corners));
    }
    if reading.other_board {
        notes.push(tr!("there are several boards; this is the largest"));
    }
    notes
}

/// What no game has, for people.
pub fn unusual_text(unusual: &Unusual) -> String {
    match *unusual {
        Unusual::Count(piece, 0) => tr!("{piece} is missing", piece = name(piece)),
        Unusual::Count(piece, count) => tr!("{count} of {piece}, more than a game has", count, piece = name(piece)),
        Unusual::Place(piece, square) => {
            tr!("{piece} on {square}, where it can never stand", piece = name(piece), square)
        }
    }
}

fn name(piece: Piece) -> String {
    format!("{} ({})", Language::in_script(piece.character().to_string()), piece.letter())
}

/// What a picture shows.
#[derive(Serialize, Debug)]
pub struct PictureReport {
    pub fen: String,
    /// Black is below.
    pub turned: bool,
    /// It may be the other side that is below.
    pub turned_doubtful: bool,
    /// The outer points in pixels, clockwise from the top left.
    pub corners: [(f32, f32); 4],
    pub doubts: Vec<DoubtReport>,
    /// There are several boards; this is the largest.
    pub other_board: bool,
}

/// A point that may be something else: letters of FENs, or nothing for an empty point, and the chances of both.
#[derive(Serialize, Debug)]
pub struct DoubtReport {
    pub square: String,
    pub read: Option<char>,
    pub other: Option<char>,
    pub chances: [f64; 2],
}

impl PictureReport {
    pub fn of(reading: &Reading) -> PictureReport {
        PictureReport {
            fen: reading.setup.to_string(),
            turned: reading.turned,
            turned_doubtful: reading.turned_doubtful,
            corners: reading.corners.map(|(x, y)| (x.round(), y.round())),
            doubts: reading.doubts.iter().map(DoubtReport::of).collect(),
            other_board: reading.other_board,
        }
    }
}

impl DoubtReport {
    fn of(doubt: &Doubt) -> DoubtReport {
        DoubtReport {
            square: doubt.square.to_string(),
            read: doubt.read.map(Piece::letter),
            other: doubt.other.map(Piece::letter),
            chances: doubt.chances.map(|chance| (f64::from(chance) * 1000.0).round() / 1000.0),
        }
    }
}

// PNG, JPEG and WebP become pixels, as a person sees them: turned as the camera says, on white where transparent. Large
// ones are made smaller; PNG row by row, the others after they are decoded.

/// The longest side that is decoded.
const MAX_SIDE: usize = 20_000;
/// The most pixels: four times those of an 8K screen.
pub const MAX_PIXELS: usize = 1 << 27;
/// The most memory of a picture that can only be decoded as a whole.
const MAX_WHOLE: usize = 1 << 28;
/// Pictures with more pixels are made smaller: those of a large screen are enough to read a board.
pub const MAX_KEPT_PIXELS: usize = 1 << 23;

/// Rows of red, green and blue.
pub struct Decoded {
    pub width: usize,
    pub height: usize,
    pub rgb: Vec<u8>,
    /// So many pixels of the file, across and down, are one here.
    pub scale: usize,
}

/// Takes the rows of a picture, and keeps the means of squares of pixels, so that not too many are kept.
struct Reducer {
    kept: Decoded,
    /// The width in the file.
    width: usize,
    /// The sums of the squares that are not complete, and the rows in them.
    sums: Vec<[u32; 3]>,
    rows: usize,
}

impl Reducer {
    fn new(width: usize, height: usize) -> Reducer {
        let size = |scale: usize| (width.div_ceil(scale), height.div_ceil(scale));
        let is_small = |&scale: &usize| size(scale).0 * size(scale).1 <= MAX_KEPT_PIXELS;
        let scale = (1..MAX_SIDE).find(is_small).unwrap_or(MAX_SIDE);
        let (new_width, new_height) = size(scale);
        let rgb = Vec::with_capacity(new_width * new_height * 3);
        let kept = Decoded { width: new_width, height: new_height, rgb, scale };
        Reducer { kept, width, sums: vec![[0; 3]; new_width], rows: 0 }
    }

    /// Takes the next row.
    fn push(&mut self, color: png::ColorType, row: &[u8]) {
        match color {
            png::ColorType::Rgb => self.add(row, |pixel: [u8; 3]| pixel),
            png::ColorType::Rgba => self.add(row, |[r, g, b, alpha]| on_white([r, g, b], alpha)),
            png::ColorType::GrayscaleAlpha => self.add(row, |[grey, alpha]| on_white([grey; 3], alpha)),
            png::ColorType::Grayscale | png::ColorType::Indexed => self.add(row, |[grey]| [grey; 3]),
        }
    }

    /// Takes the next row, of pixels of so many bytes.
    fn add<const BYTES: usize>(&mut self, row: &[u8], rgb: impl Fn([u8; BYTES]) -> [u8; 3]) {
        let (pixels, _) = row.as_chunks::<BYTES>();
        if self.kept.scale == 1 {
            self.kept.rgb.reserve(pixels.len() * 3);
            pixels.iter().for_each(|&pixel| self.kept.rgb.extend_from_slice(&rgb(pixel)));
            return;
        }
        for (sums, pixels) in self.sums.iter_mut().zip(pixels.chunks(self.kept.scale)) {
            for &pixel in pixels {
                let [r, g, b] = rgb(pixel).map(u32::from);
                *sums = [sums[0] + r, sums[1] + g, sums[2] + b];
            }
        }
        self.rows += 1;
        if self.rows == self.kept.scale {
            self.end_squares();
        }
    }

    fn end_squares(&mut self) {
        let Reducer { kept, width, sums, rows } = self;
        for (index, sums) in sums.iter_mut().enumerate() {
            let columns = kept.scale.min(*width - index * kept.scale);
            kept.rgb.extend(sums.map(|sum| (sum / (columns * *rows) as u32) as u8));
            *sums = [0; 3];
        }
        *rows = 0;
    }

    fn finish(mut self) -> Decoded {
        if self.rows > 0 {
            self.end_squares();
        }
        self.kept
    }
}

/// The decoded rows of a whole picture, as few as are needed.
fn reduced(width: usize, height: usize, color: png::ColorType, data: Vec<u8>) -> Decoded {
    let mut reducer = Reducer::new(width, height);
    if reducer.kept.scale == 1 && color == png::ColorType::Rgb {
        return Decoded { rgb: data, ..reducer.kept };
    }
    data.chunks_exact(width * color.samples()).for_each(|row| reducer.push(color, row));
    reducer.finish()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Png,
    Jpeg,
    WebP,
}

/// The format, by the first bytes.
fn format(head: &[u8]) -> Option<Format> {
    match head {
        [0x89, b'P', b'N', b'G', ..] => Some(Format::Png),
        [0xff, 0xd8, 0xff, ..] => Some(Format::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Format::WebP),
        _ => None,
    }
}

/// Whether bytes begin as a picture does.
pub fn is_picture(head: &[u8]) -> bool {
    format(head).is_some()
}

/// The pixels of a picture, which has at most so many.
pub fn decode(bytes: &[u8], max_pixels: usize) -> Result<Decoded, PictureError> {
    match format(bytes).ok_or(PictureError::Format)? {
        Format::Png => decode_png(bytes, max_pixels),
        Format::Jpeg => decode_jpeg(bytes, max_pixels),
        Format::WebP => decode_webp(bytes, max_pixels),
    }
}

fn damaged(cause: impl Display) -> PictureError {
    PictureError::Damaged(cause.to_string())
}

/// Refuses what would take too much memory.
fn check_size(width: usize, height: usize, max_pixels: usize) -> Result<(), PictureError> {
    let fits = width.max(height) <= MAX_SIDE && width * height <= max_pixels;
    if fits { Ok(()) } else { Err(PictureError::TooLarge { width, height }) }
}

/// The same of a picture that is decoded as a whole, with so many bytes a pixel.
fn check_whole(width: usize, height: usize, max_pixels: usize, pixel: usize) -> Result<(), PictureError> {
    check_size(width, height, max_pixels.min(MAX_WHOLE / pixel))
}

fn decode_png(bytes: &[u8], max_pixels: usize) -> Result<Decoded, PictureError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (info.width as usize, info.height as usize);
    let is_interlaced = info.interlaced;
    check_size(width, height, max_pixels)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (color, _) = reader.output_color_type();
    let too_large = || PictureError::TooLarge { width, height };
    let decoded = if is_interlaced {
        // All of its rows are complete only at the end.
        check_whole(width, height, max_pixels, color.samples() + 3)?;
        let mut data = vec![0; reader.output_buffer_size().ok_or_else(too_large)?];
        let frame = reader.next_frame(&mut data).map_err(damaged)?;
        data.truncate(frame.buffer_size());
        reduced(width, height, color, data)
    } else {
        let mut reducer = Reducer::new(width, height);
        let mut data = vec![0; reader.output_line_size(width as u32).ok_or_else(too_large)?];
        for _ in 0..height {
            reader.read_row(&mut data).map_err(damaged)?;
            reducer.push(color, &data);
        }
        reducer.finish()
    };
    // The camera's word may stand behind the pixels.
    _ = reader.finish();
    let turn = reader.info().exif_metadata.as_deref().map_or(1, orientation);
    Ok(turned(decoded, turn))
}

fn decode_jpeg(bytes: &[u8], max_pixels: usize) -> Result<Decoded, PictureError> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let info = decoder.info().ok_or(PictureError::Format)?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    let markers = JpegMarkers::read(bytes);
    // The coefficients of a progressive picture are kept up to its end, two bytes for each colour.
    check_whole(width, height, max_pixels, if markers.is_progressive { 9 } else { 3 })?;
    if !markers.has_end {
        return Err(damaged("unexpected end of file"));
    }
    // The decoder fills what is missing with grey unless it is strict. Heads have all kinds of harmless faults.
    decoder.set_options(options.set_strict_mode(true));
    let rgb = decoder.decode().map_err(damaged)?;
    let turn = decoder.exif().map_or(1, |exif| orientation(exif));
    Ok(turned(reduced(width, height, png::ColorType::Rgb, rgb), turn))
}

/// What the markers of a JPEG file tell that the decoder does not.
struct JpegMarkers {
    is_progressive: bool,
    /// The picture ends with the marker that stands there.
    has_end: bool,
}

impl JpegMarkers {
    fn read(bytes: &[u8]) -> JpegMarkers {
        let mut found = JpegMarkers { is_progressive: false, has_end: false };
        let mut at = 2;
        while let Some(ahead) = bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == 0xff)) {
            at += ahead + 1;
            match bytes.get(at) {
                Some(0xd9) => {
                    found.has_end = true;
                    break;
                }
                // In the data of a scan, a byte of 255 and marks of restarts; before a marker, fillers.
                Some(0x00 | 0x01 | 0xd0..=0xd8) => at += 1,
                Some(0xff) => {}
                Some(&marker) => {
                    found.is_progressive |= matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce);
                    let length =
                        bytes.get(at + 1..at + 3).map_or(0, |size| usize::from(size[0]) << 8 | usize::from(size[1]));
                    at += 1 + length;
                }
                None => break,
            }
        }
        found
    }
}

fn decode_webp(bytes: &[u8], max_pixels: usize) -> Result<Decoded, PictureError> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    // The decoder has its own copy.
    check_whole(width, height, max_pixels, 8)?;
    decoder.set_memory_limit(2 * MAX_WHOLE);
    let mut data = vec![0; decoder.output_buffer_size().ok_or(PictureError::TooLarge { width, height })?];
    decoder.read_image(&mut data).map_err(damaged)?;
    let color = if decoder.has_alpha() { png::ColorType::Rgba } else { png::ColorType::Rgb };
    let turn = decoder.exif_metadata().ok().flatten().map_or(1, |exif| orientation(&exif));
    Ok(turned(reduced(width, height, color, data), turn))
}

fn on_white(colour: [u8; 3], alpha: u8) -> [u8; 3] {
    let alpha = u32::from(alpha);
    colour.map(|c| ((u32::from(c) * alpha + 255 * (255 - alpha)) / 255) as u8)
}

/// How the camera was held, 1 to 8: a tag of the first directory of EXIF.
fn orientation(exif: &[u8]) -> u8 {
    find_orientation(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif)).filter(|turn| (1..=8).contains(turn)).unwrap_or(1)
}

fn find_orientation(exif: &[u8]) -> Option<u8> {
    let little = exif.starts_with(b"II");
    let number = |at: usize, size: usize| {
        let bytes = exif.get(at..at.checked_add(size)?)?;
        let add = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        Some(if little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    };
    let directory = number(4, 4)?;
    let entries = number(directory, 2)?;
    let entry = (0..entries).map(|i| directory + 2 + 12 * i).find(|&at| number(at, 2) == Some(0x112))?;
    u8::try_from(number(entry + 8, 2)?).ok()
}

/// Turns and mirrors pixels as the orientation of EXIF says.
fn turned(picture: Decoded, orientation: u8) -> Decoded {
    if orientation <= 1 {
        return picture;
    }
    let Decoded { width, height, rgb, scale } = picture;
    let (new_width, new_height) = if orientation > 4 { (height, width) } else { (width, height) };
    let mut to = Vec::with_capacity(rgb.len());
    for y in 0..new_height {
        for x in 0..new_width {
            let (right, bottom) = (new_width - 1 - x, new_height - 1 - y);
            let (sx, sy) = match orientation {
                2 => (right, y),
                3 => (right, bottom),
                4 => (x, bottom),
                5 => (y, x),
                6 => (y, right),
                7 => (bottom, right),
                _ => (bottom, x),
            };
            let at = (sy * width + sx) * 3;
            to.extend_from_slice(&rgb[at..at + 3]);
        }
    }
    Decoded { width: new_width, height: new_height, rgb: to, scale }
}
