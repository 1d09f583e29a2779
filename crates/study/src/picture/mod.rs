//! Pictures of boards as files: decodes them, and says what is unusual about what they show.

mod decode;

pub use decode::is_picture;

use chuhe_support::files::{At, FileError, read_input};
use chuhe_support::language::{Language, reason, tr};
use serde::Serialize;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use thiserror::Error;
use xiangqi::Piece;
use xiangqi_picture::{Doubt, Options, Pixels, Reading, Unusual, read};

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
    read_within(bytes, options, decode::MAX_PIXELS)
}

/// Reads a picture that a page sends: one of a large screen at most, since a page makes it smaller. `corners` and `turned` as in [`Options`].
pub fn read_sent(bytes: &[u8], corners: Option<Corners>, turned: Option<bool>) -> Result<PictureReport, PictureError> {
    let reading = read_within(bytes, &Options { corners, turned }, decode::MAX_KEPT_PIXELS)?;
    Ok(PictureReport::of(&reading))
}

fn read_within(bytes: &[u8], options: &Options, max_pixels: usize) -> Result<Reading, PictureError> {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let picture = decode::decode(bytes, max_pixels)?;
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
