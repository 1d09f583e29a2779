//! What a person can ask for, as typed functions: values in, values and progress out. Doors, such as the board, call them.
//!
//! * `client` is an open page with its sessions; `access` is what it may do: its user's own, or one of an invited device.
//! * `game_session` is a game against the engine (`game_engine`) or of `two_players`,
//!   `save_store` keeps games, and `library` has the list of them all.
//! * `analysis` looks up one position, analyses it and looks for a proven win, `review_session` reviews a game.
//! * `train` has the exercises on one's own mistakes, and the reviews that they come from.
//! * `files` reads and writes games and pictures as bytes, `game_tree` is a game as the page edits it.
//! * `context` is what all parts share, and the state sent to a page. `searches` runs searches on threads or without any.
//!
//! What is asked is untrusted: nothing of it may cause a panic.
#![deny(unsafe_code)]

pub mod access;
pub mod analysis;
pub mod client;
pub mod context;
pub mod files;
mod game_engine;
pub mod game_session;
pub mod game_tree;
pub mod library;
pub mod preferences;
mod review_session;
pub mod save_store;
pub mod searches;
pub mod train;
pub mod two_players;

// The types for the scripts of the page.
#[cfg(not(feature = "typescript"))]
use chuhe_page_types::TS;
#[cfg(feature = "typescript")]
use ts_rs::TS;
