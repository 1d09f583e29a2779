//! The board's server without a browser: access, invalid requests, and a game over HTTP.

mod access;
mod client;
mod games;
mod lan;
mod program;
mod questions;
mod rubbish;
mod searches;
mod strangers;
mod threads;
mod two_players;
