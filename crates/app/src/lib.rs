//! What a person can ask for, as typed functions: values in, values and progress out. Doors, such as the board, call them.
//!
//! * `client` is an open page with its sessions; `access` is what it may do: its user's own, or one of an invited device.
//! * `game_session` is a game against the engine (`opponent_worker`) or of `two_players`, which pages share
//!   (`shared_game`), `game_view` its form for the page, `save_store`
//!   keeps games, and `library` has the list of them all.
//! * `position_query` looks up one position, `analysis_session` analyses it, `review_session` reviews a game,
//!   `solve_session` looks for a proven win.
//! * `train` has the exercises on one's own mistakes, and the reviews that they come from.
//! * `files` reads and writes games and pictures as bytes, `ids` are the games or cards that a request names, `game_tree` is
//!   a game as the page edits it.
//! * `events` holds the state sent to a page. `job_runner` runs searches on threads or without any.
//!
//! What is asked is untrusted: nothing of it may cause a panic.
#![deny(unsafe_code)]

pub mod access;
pub mod analysis_session;
pub mod client;
pub mod events;
pub mod files;
mod game_engine;
pub mod game_session;
mod game_state;
pub mod game_tree;
pub mod game_view;
pub mod ids;
pub mod job_runner;
pub mod library;
mod opponent_worker;
mod page_search;
pub mod position_query;
pub mod preferences;
mod review_session;
pub mod save_store;
pub mod shared_game;
pub mod solve_session;
pub mod train;
pub mod two_players;
mod zip;
