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
pub use reading::{Doubt, NoBoard, Options, Reading, Unusual, read};
