//! What an engine and its games give to people, without a terminal or a socket.
#![deny(unsafe_code)]

pub mod analyse;
pub mod board_page;
pub mod book;
pub mod date;
pub mod draw;
pub mod game;
pub mod player;
pub mod record;
pub mod review;
pub mod text;

/// The Chinese table of the engine and of this crate, for [`chuhe_engine::language::install_chinese`].
pub const CHINESE: &str = include_str!("chinese.txt");
