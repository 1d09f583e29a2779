//! The board for a browser: the page, and the sessions behind it. A server or a worker carries its requests here.
//!
//! * `page` is the page itself with its style and scripts; `bilingual` is a text in both languages.
//! * `sessions` knows all open pages; each is a `client`, and `api` lists what it may ask.
//! * `game_session` plays a game against an opponent (`opponent_worker`), `game_view` is how the page sees it, and
//!   `save_store` keeps it.
//! * `position_query` looks at one position, `analysis_session` analyses it, `review_session` reviews a game.
//! * `files` reads and writes games and pictures as bytes, `game_tree` is a game as the page edits it.
//! * `events` is what a page is told.
//!
//! Requests come from strangers: nothing here may panic because of one.

mod analysis_session;
pub mod api;
pub mod bilingual;
pub mod client;
mod events;
mod files;
mod game_session;
mod game_tree;
mod game_view;
mod opponent_worker;
mod page;
mod position_query;
mod review_session;
pub mod save_store;
pub mod sessions;

pub use page::BoardPage;
