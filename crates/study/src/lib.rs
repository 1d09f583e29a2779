//! What a player gets from the engine: opening books, opponents, analyses, reviews and composed problems.
//!
//! * [`analyse`]: searches positions on request and reports the analysis, also as JSON.
//! * [`book`]: reads, writes, builds and converts opening books.
//! * [`composition`]: checks composed problems of mate: win, duals, defences.
//! * [`game`]: a game between the user and the engine, with clocks, result and saved games.
//! * [`html_page`]: the common parts of all HTML pages.
//! * [`player`]: the engine as a player, with strength, clock, books, tablebases, draw offers and resignation.
//! * [`review`]: analyses a whole game, rates its moves and writes the result as text, JSON, PGN or HTML.
#![deny(unsafe_code)]

pub mod analyse;
pub mod book;
pub mod composition;
pub mod game;
pub mod html_page;
pub mod named_verdict;
pub mod notation_pair;
pub mod player;
pub mod review;

/// The Chinese translations of this crate and those below, for [`chuhe_base::language::install_chinese`].
pub const CHINESE: &str = include_str!("chinese.txt");
