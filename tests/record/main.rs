//! Games as people keep them, through their public seams: trees, notations, and every format read and written.

mod game;
mod notation;
mod pgn;
mod support;
mod ubb;
mod xqf;
