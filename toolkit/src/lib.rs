//! What the engine and its games give to people, without a terminal or a socket: game records, diagrams, opening books,
//! opponents, analyses and reviews. The program `chuhe` adds the command line and the server.
//!
//! * [`analyse`]: searches positions on request and reports the analysis, also as JSON.
//! * [`board_page`]: the board for a browser, with its HTML, its scripts and the sessions behind it.
//! * [`book`]: reads, writes, builds and converts opening books.
//! * [`composition`]: checks composed problems of mate: win, duals, defences.
//! * [`date`]: the current date and time as text.
//! * [`draw`]: draws positions as SVG, PNG, HTML and terminal text, and numbers as charts.
//! * [`game`]: a game between the user and the engine, with clocks, result and saved games.
//! * [`player`]: the engine as a player, with strength, clock, books, tablebases, draw offers and resignation.
//! * [`record`]: reads and writes game records in all formats and move notations.
//! * [`review`]: analyses a whole game, rates its moves and writes the result as text, JSON, PGN or HTML.
//! * [`text`]: wraps and pads text by display width.
#![deny(unsafe_code)]

pub mod analyse;
pub mod board_page;
pub mod book;
pub mod composition;
pub mod date;
pub mod draw;
pub mod game;
pub mod legacy_text;
pub mod player;
pub mod record;
pub mod review;
pub mod text;

/// The Chinese translations of the engine and of this crate, for [`chuhe_engine::language::install_chinese`].
pub const CHINESE: &str = include_str!("chinese.txt");
