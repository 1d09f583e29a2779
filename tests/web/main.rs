//! The server of the board, without a browser: who may ask, what becomes of rubbish, and a game over its wire.

mod client;
mod games;
mod program;
mod questions;
mod rubbish;
mod strangers;
