//! A reading as JSON, for scripts and for the board.

use serde::Serialize;
use xiangqi::Piece;
use xiangqi_picture::{Doubt, Reading};

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
