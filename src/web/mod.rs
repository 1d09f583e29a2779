//! A board to click on: a server on this machine, for the browser of the one person who sits at it.
//!
//! * `http` reads a request and writes an answer, `guard` knows who may ask, `digest` what the page may run;
//! * `server` has the connections, `desk` answers: which page is it (`tab`), what does it wish (`wish`)?
//! * `table` is where a page plays (`state`), against an `engine` on a thread of its own; the `keeper` keeps its game;
//! * what a page may ask beside (`question`): about a `place` it looks at, for the engine's `thoughts`, for games in and out
//!   (`records`, each a `tree`), for `reviews`;
//! * `news` is what a page has to be told, `seen` the form of it, and `both` a text in both languages;
//! * `page` is what is seen in the browser: one page, with its look and its scripts.
//!
//! What comes from a connection is the word of strangers: nothing here may end the program because of it.

pub mod both;
pub mod desk;
mod digest;
mod engine;
pub mod guard;
pub mod http;
pub mod keeper;
mod news;
mod page;
mod place;
mod question;
mod records;
mod reviews;
mod seen;
pub mod server;
mod state;
mod tab;
mod table;
mod thoughts;
mod tree;
mod wish;

pub use digest::base64;
