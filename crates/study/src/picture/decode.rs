//! PNG, JPEG and WebP become pixels, as a person sees them: turned as the camera says, on white where transparent.

use std::fmt::Display;
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The longest side that is decoded.
const MAX_SIDE: usize = 20_000;
/// The most pixels: four times those of an 8K screen.
pub const MAX_PIXELS: usize = 1 << 27;

/// Rows of red, green and blue.
pub struct Decoded {
    pub width: usize,
    pub height: usize,
    pub rgb: Vec<u8>,
}

/// Why there are no pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    Format,
    TooLarge { width: usize, height: usize },
    Damaged(String),
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
pub fn decode(bytes: &[u8], max_pixels: usize) -> Result<Decoded, DecodeError> {
    match format(bytes).ok_or(DecodeError::Format)? {
        Format::Png => decode_png(bytes, max_pixels),
        Format::Jpeg => decode_jpeg(bytes, max_pixels),
        Format::WebP => decode_webp(bytes, max_pixels),
    }
}

fn damaged(cause: impl Display) -> DecodeError {
    DecodeError::Damaged(cause.to_string())
}

/// Refuses what would take too much memory.
fn check_size(width: usize, height: usize, max_pixels: usize) -> Result<(), DecodeError> {
    let fits = width.max(height) <= MAX_SIDE && width * height <= max_pixels;
    if fits { Ok(()) } else { Err(DecodeError::TooLarge { width, height }) }
}

fn decode_png(bytes: &[u8], max_pixels: usize) -> Result<Decoded, DecodeError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let (width, height) = decoder.read_header_info().map_err(damaged)?.size();
    let (width, height) = (width as usize, height as usize);
    check_size(width, height, max_pixels)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let mut data = vec![0; reader.output_buffer_size().ok_or(DecodeError::TooLarge { width, height })?];
    let frame = reader.next_frame(&mut data).map_err(damaged)?;
    data.truncate(frame.buffer_size());
    let rgb = match frame.color_type {
        png::ColorType::Rgb => data,
        png::ColorType::Rgba => data.chunks_exact(4).flat_map(|p| on_white([p[0], p[1], p[2]], p[3])).collect(),
        png::ColorType::GrayscaleAlpha => data.chunks_exact(2).flat_map(|p| on_white([p[0]; 3], p[1])).collect(),
        png::ColorType::Grayscale | png::ColorType::Indexed => data.iter().flat_map(|&p| [p; 3]).collect(),
    };
    Ok(Decoded { width, height, rgb })
}

fn decode_jpeg(bytes: &[u8], max_pixels: usize) -> Result<Decoded, DecodeError> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let info = decoder.info().ok_or(DecodeError::Format)?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    check_size(width, height, max_pixels)?;
    let rgb = decoder.decode().map_err(damaged)?;
    let turn = decoder.exif().map_or(1, |exif| orientation(exif));
    Ok(turned(Decoded { width, height, rgb }, turn))
}

fn decode_webp(bytes: &[u8], max_pixels: usize) -> Result<Decoded, DecodeError> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    check_size(width, height, max_pixels)?;
    decoder.set_memory_limit(8 * MAX_PIXELS);
    let mut data = vec![0; decoder.output_buffer_size().ok_or(DecodeError::TooLarge { width, height })?];
    decoder.read_image(&mut data).map_err(damaged)?;
    let rgb = if decoder.has_alpha() {
        data.chunks_exact(4).flat_map(|p| on_white([p[0], p[1], p[2]], p[3])).collect()
    } else {
        data
    };
    let turn = decoder.exif_metadata().ok().flatten().map_or(1, |exif| orientation(&exif));
    Ok(turned(Decoded { width, height, rgb }, turn))
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
    let Decoded { width, height, rgb } = picture;
    if orientation <= 1 {
        return Decoded { width, height, rgb };
    }
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
    Decoded { width: new_width, height: new_height, rgb: to }
}
