#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod consistent_board;
mod grid;
mod network;
mod parallax;
mod pixels;
mod reading;
mod sides;

pub use pixels::Pixels;

use xiangqi::{Piece, Setup, Square, worded_error, words};

const FILES: usize = Square::FILES as usize;
const RANKS: usize = Square::RANKS as usize;
const POINTS: usize = FILES * RANKS;

/// What is known of a picture beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The outer points of the board in pixels, if they are known: top left, top right, bottom right, bottom left.
    pub corners: Option<[(f32, f32); 4]>,
    /// Whether black is below; if it is not said, the pieces tell.
    pub turned: Option<bool>,
}

/// What a picture shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The pieces; red is to move, as a picture does not tell.
    pub setup: Setup,
    /// The outer points of the board in pixels: top left, top right, bottom right, bottom left.
    pub corners: [(f32, f32); 4],
    /// Black is below.
    pub turned: bool,
    /// It may be the other side that is below: then every piece is another one, on another point.
    pub turned_doubtful: bool,
    /// Points that may be something else.
    pub doubts: Vec<Doubt>,
    /// What no game has.
    pub unusual: Vec<Unusual>,
    /// There is another board, which is smaller.
    pub other_board: bool,
}

/// A point that may be something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// The point.
    pub square: Square,
    /// What it is read as.
    pub read: Option<Piece>,
    /// What it may be instead.
    pub other: Option<Piece>,
    /// The chances of both, from 0 to 1.
    pub chances: [f32; 2],
}

/// Something that no game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusual {
    /// So many of a piece; 0 for a king that is missing.
    Count(Piece, usize),
    /// A piece where it can never stand.
    Place(Piece, Square),
}

/// No board was found in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NoBoard {
    /// Where it may be, for a person to put right: its outer points in pixels, from the top left clockwise. Nothing where
    /// nothing looks like a board, and between corners that were given.
    pub proposed: Option<[(f32, f32); 4]>,
}

worded_error!(NoBoard, |_board| words!("no xiangqi board found in the picture"));

/// Reads a picture: finds the board and names what stands on its points. Between corners that are given there is none if they
/// do not go round a board clockwise, or are far outside the picture.
pub fn read(pixels: &Pixels, options: &Options) -> Result<Reading, NoBoard> {
    reading::read(pixels, options)
}
