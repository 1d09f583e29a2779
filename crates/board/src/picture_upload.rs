//! A picture of a board that the user dropped, pasted or chose: the position that it shows.

use super::bilingual::Bilingual;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::picture::{PictureError, PictureReport, read_sent};
use chuhe_support::language::{reason, tr};
use serde::Deserialize;

/// A picture, in base64; where its board is, and whether black is below, if the user has said so.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct PictureUpload {
    bytes: String,
    corners: Option<[(f32, f32); 4]>,
    turned: Option<bool>,
}

impl PictureUpload {
    pub fn read(&self) -> Result<PictureReport, Bilingual> {
        let bytes = BASE64.decode(&self.bytes).map_err(|_| Bilingual::of(|| tr!("neither PNG, JPEG nor WebP")))?;
        read_sent(&bytes, self.corners, self.turned).map_err(|error: PictureError| Bilingual::of(|| reason(&error)))
    }
}
