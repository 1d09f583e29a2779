//! The board for a browser: a door to the application. The server passes requests to this module.
//!
//! * `page` is the HTML page with its style and scripts.
//! * `sessions` holds all open pages, each as a client; `requests` says what they may ask for, and calls the application.
//! * `inline_board` is a board without threads and server.
//!
//! Requests are untrusted: none of them may cause a panic.
#![deny(unsafe_code)]

pub mod inline_board;
mod page;
pub mod requests;
#[cfg(not(target_family = "wasm"))]
pub mod server;
pub mod sessions;
#[cfg(test)]
mod typescript_tests;

#[cfg(not(test))]
use chuhe_page_types::TS;
pub use page::BoardPage;
#[cfg(test)]
use ts_rs::TS;
