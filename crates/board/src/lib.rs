//! The board for a browser: the page and its sessions. The server passes requests to this module.
//!
//! * `page` is the HTML page with its style and scripts.
//! * `sessions` holds all open pages, each as a `client`; `request_kind` says what a request is, `requests` has those of the page,
//!   and each other place its own.
//! * `game_session` is a game against the engine (`opponent_worker`) or of `two_players`, which pages share
//!   (`shared_game`), `game_view` its form for the page, `save_store`
//!   keeps games, and `library` has the list of them all.
//! * `position_query` looks up one position, `analysis_session` analyses it, `review_session` reviews a game,
//!   `solve_session` looks for a proven win.
//! * `train` has the exercises on one's own mistakes, and the reviews that they come from.
//! * `files` reads and writes games and pictures as bytes, `picture_upload` reads the position of a picture, `ids` are the games or cards that a request names, `game_tree` is a game as the page edits it.
//! * `events` holds the state sent to a page. `job_runner` runs searches on threads or without any, and `inline_board` is
//!   a board without threads and server.
//!
//! * `access` is what a page may do: its user's own, or one of an invited device.
//!
//! Requests are untrusted: none of them may cause a panic.
#![deny(unsafe_code)]

pub mod access;
mod analysis_session;
pub mod client;
mod events;
mod files;
mod game_engine;
mod game_session;
mod game_state;
mod game_tree;
mod game_view;
mod ids;
pub mod inline_board;
mod job_runner;
pub mod library;
mod opponent_worker;
mod page;
mod page_search;
#[cfg(not(target_family = "wasm"))]
mod picture_upload;
mod position_query;
pub mod preferences;
pub mod request_kind;
pub mod requests;
mod review_session;
pub mod save_store;
#[cfg(not(target_family = "wasm"))]
pub mod server;
pub mod sessions;
mod shared_game;
mod solve_session;
mod train;
mod two_players;
#[cfg(test)]
mod typescript;
mod zip;

pub use page::BoardPage;
