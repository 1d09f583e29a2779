//! What engine authors use: matches between engines, training of networks, building of opening books.
//!
//! * [`arena`]: tournaments between engines, with their statistics and reports.
//! * [`book_builder`]: growing an opening book by searching.
//! * [`training`]: self-play games, and training networks from them.
#![deny(unsafe_code)]
#![cfg(not(target_family = "wasm"))]

pub mod arena;
pub mod book_builder;
pub mod training;
