//! What engine authors use: matches between engines, training of networks, building of opening books.
//!
//! | What | Where |
//! | --- | --- |
//! | Play a tournament | [`arena::Tournament`]; who plays whom: [`arena::standings`]; one game: [`arena::game`] |
//! | Engines: other programs, or this one in the same process | [`arena::engine`]; their settings: [`arena::spec`], [`arena::parse`] |
//! | Balanced openings, openings of a file or a book | [`arena::openings`] |
//! | Elo with its error, SPRT | [`arena::stats`]; by pairing and engine: [`arena::standings`] |
//! | Tables, JSON, a page with charts | [`arena::report`], [`chart`] |
//! | PGN of a tournament; resume it, merge its shards | [`arena::tournament_record`] |
//! | Play games for training, search their positions again | [`training::selfplay`], [`training::relabel`] |
//! | Files of such games | [`training::archive`]; one game: [`training::game_format`] |
//! | Fit a network | [`training::trainer`], [`training::settings`]; its positions: [`training::samples`] |
//! | Compare networks, fit the win rate model | [`training::measure`] |
//! | Tune constants of the search (feature `tune`) | `spsa` |
//! | Grow an opening book by searching | [`book_builder::run`], [`book_builder::Graph`], [`book_builder::extract_book`] |
//!
//! ```
//! use chuhe_lab::arena::stats::{Pentanomial, Sprt, SprtVerdict};
//!
//! // Pairs of games in which the first engine made 0, ½, 1, 1½ and 2 points.
//! let pairs = Pentanomial([3, 40, 100, 60, 9]);
//! assert!(pairs.elo().is_some_and(|elo| elo.value > 0.0));
//! assert_eq!(Sprt { elo0: 0.0, elo1: 5.0, ..Sprt::default() }.decide(&pairs), SprtVerdict::Open);
//! ```
#![deny(unsafe_code)]
#![cfg(not(target_family = "wasm"))]

pub mod arena;
pub mod book_builder;
pub mod chart;
#[cfg(feature = "tune")]
pub mod spsa;
pub mod training;
