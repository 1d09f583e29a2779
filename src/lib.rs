//! Chuhe (楚河), a xiangqi engine.
//!
//! The rooms, from the ground up; each uses only rooms named before it:
//!
//! * [`language`]: what the program says to people, in Chinese too.
//! * [`types`]: colours, pieces, squares, moves, scores.
//! * [`files`]: files written whole or not at all.
//! * [`screen`]: what a terminal is given: texts that fit, and bars.
//! * [`board`]: the 256-square mailbox, every legal move, FEN.
//! * [`record`]: games as people and programs write them down.
//! * [`draw`]: a position as a picture.
//! * [`rules`]: how a game ends.
//! * [`tables`]: perfect play where few pieces are left.
//! * [`eval`]: what a position is worth without looking ahead.
//! * [`search`]: the searcher and its memory.
//! * [`book`]: openings, as they are known by heart.
//! * [`player`]: what makes an opponent of a searcher: books, tables, manners, strength, clocks.
//! * [`protocol`]: the session that hosts talk to, in UCCI and UCI.
//! * [`arena`]: engine against engine, and numbers to trust.
//! * [`play`]: a game with a person, at a terminal.
//! * [`learn`]: games against itself, and a network fitted to them.
//! * [`review`]: a game looked through by the engine.
//! * [`analyse`]: what the engine thinks of a position, for whoever asks.
//! * [`web`]: a board to click on, for the browser.
//! * [`cli`]: the command line, a file or folder for each subcommand.
#![deny(unsafe_code)]

pub use chuhe_engine::{board, eval, files, language, rules, search, tables, types};

pub mod analyse;
pub mod arena;
pub mod book;
pub mod cli;
pub mod draw;
pub mod learn;
pub mod play;
pub mod player;
pub mod protocol;
pub mod record;
pub mod review;
pub mod screen;
pub mod web;
