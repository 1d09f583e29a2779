//! XQF, the format of XQStudio: a header of 1024 bytes, and a tree of moves behind it.
//!
//! Versions 10 to 18 are read; those above 10 hide squares and moves behind `keys`. Version 10 is written, which has
//! none and which every program reads.

mod keys;
mod read;
mod write;

pub use read::read;
pub use write::{cut_tags, write};

/// The length of the header.
const HEADER: usize = 1024;
/// What is added to the squares of moves, from and to.
const SQUARE_BASE: (u8, u8) = (0x18, 0x20);

/// The texts of the header: place, room (the byte of their length included), tag.
const TEXTS: [(usize, usize, &str); 12] = [
    (80, 64, "Title"),
    (144, 64, "Subtitle"),
    (208, 64, "Event"),
    (272, 16, "Date"),
    (288, 16, "Site"),
    (304, 16, "Red"),
    (320, 16, "Black"),
    (336, 64, "TimeRule"),
    (400, 16, "RedTime"),
    (416, 16, "BlackTime"),
    (464, 16, "Annotator"),
    (480, 16, "Author"),
];
