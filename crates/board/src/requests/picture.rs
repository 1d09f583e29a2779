//! A picture of a board that the user dropped, pasted or chose: the position that it shows.

use super::{Answered, json, requests};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_app::access::DEVICE;
use chuhe_app::client::Client;
use chuhe_study::picture::{Corners, PictureError, PictureReport, read_sent};
use chuhe_support::language::{Message, message, reason};
use serde::{Deserialize, Serialize};

/// A picture, in base64; where its board is, and whether black is below, if the user has said so.
#[derive(Deserialize, crate::TS)]
#[ts(optional_fields)]
pub struct PictureUpload {
    bytes: String,
    corners: Option<Corners>,
    turned: Option<bool>,
}

requests! {
    /// Reads the position that a picture shows; in a page without a server another module does.
    #[ts(tag = "type")]
    pub enum PictureUploadRequest for (_client) {
        "read-picture": DEVICE => ReadPicture(upload: PictureUpload) = json(&upload.read()?),
    }
}

/// What a picture shows, or where its board may be if none was found.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PictureReply {
    Read(PictureReport),
    NoBoard { proposed: Option<Corners> },
}

impl PictureUpload {
    pub fn read(&self) -> Result<PictureReply, Message> {
        let bytes = BASE64.decode(&self.bytes).map_err(|_| message!("neither PNG, JPEG nor WebP"))?;
        match read_sent(&bytes, self.corners, self.turned) {
            Ok(report) => Ok(PictureReply::Read(report)),
            Err(PictureError::NoBoard(proposed)) => Ok(PictureReply::NoBoard { proposed }),
            Err(error) => Err(Message::of(move || reason(&error))),
        }
    }
}
