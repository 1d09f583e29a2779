//! Chuhe in WebAssembly: what the JavaScript beside it calls (`exports`, and `board` for the page of the board) and is
//! called for (`host`), written by hand.
//!
//! A line of a host is written into the memory of the module and handled there, with the search that it asks for; while
//! the engine thinks it asks JavaScript for further ones. Nothing runs on a thread.
#![cfg(target_family = "wasm")]

mod board;
mod exports;
mod host;
