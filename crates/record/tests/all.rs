//! Tests of the record module through its public interface: trees, notations, and all formats.

mod bridge;
mod dialects;
mod game;
mod hostile;
mod linear;
mod notation;
mod pasted;
mod pgn;
mod rubbish;
mod support;
mod ubb;
mod vietnamese;
mod wxf;
mod xqf;
