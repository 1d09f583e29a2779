//! The program.
#![deny(unsafe_code)]

pub mod arena;
pub mod book_builder;
pub mod cli;
pub mod interrupts;
pub mod play;
pub mod protocol;
pub mod server;
pub mod terminal;
pub mod training;

/// The Chinese tables of all crates.
pub static CHINESE: [&str; 2] = [chuhe_toolkit::CHINESE, include_str!("chinese.txt")];

/// Makes [`chuhe_engine::language::Language::CHINESE`] available; without it everything is said in English.
pub fn install_chinese() {
    chuhe_engine::language::install_chinese(&CHINESE);
}
