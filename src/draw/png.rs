//! A picture as points: PNG, by way of the SVG, which needs no font.

use super::board::SIZE;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PngError {
    /// The SVG is none.
    #[error("cannot draw the picture: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// There is no memory for so many points.
    #[error("cannot draw a picture {0} points wide")]
    Width(u32),
    /// The points could not be packed.
    #[error("cannot write the picture: {0}")]
    Packing(String),
}

/// A board's SVG as a PNG file that is so many points wide.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let scale = width as f32 / SIZE.0 as f32;
    let height = (SIZE.1 as f32 * scale).round() as u32;
    let mut pixmap = Pixmap::new(width, height.max(1)).ok_or(PngError::Width(width))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let plain = pixmap.encode_png().map_err(|error| PngError::Packing(error.to_string()))?;
    Ok(signed(&plain))
}

/// The signature of the format and its first chunk, which are always that long.
const HEAD: usize = 8 + 25;

/// The same file with a word about who made it, behind its first chunk.
fn signed(plain: &[u8]) -> Vec<u8> {
    const CHUNK: &[u8] = b"tEXtSoftware\0Chuhe";
    let (head, rest) = plain.split_at(HEAD.min(plain.len()));
    let length = (CHUNK.len() - 4) as u32;
    [head, &length.to_be_bytes(), CHUNK, &crc32fast::hash(CHUNK).to_be_bytes(), rest].concat()
}
