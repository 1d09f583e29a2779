//! The program crate: command line, protocols and the game at a terminal. The rest is in the crates under `crates`.
//!
//! * [`mod@bench`]: the searches of the signature.
//! * [`cli`]: the command line, a module for each subcommand.
//! * [`play`]: a game between a user at the terminal and the engine.
//! * [`protocol`]: the UCCI and UCI session that hosts talk to.
//!
//! In WebAssembly there are only [`protocol`], [`mod@bench`] and what they use: see the crate `chuhe-wasm`.
#![deny(unsafe_code)]

pub mod bench;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
#[cfg(not(target_family = "wasm"))]
pub mod play;
pub mod protocol;

/// The Chinese tables of all crates.
#[cfg(not(target_family = "wasm"))]
pub static CHINESE: [&str; 3] =
    [chuhe_study::CHINESE, include_str!("protocol/chinese.txt"), include_str!("chinese.txt")];
/// Those of a module of WebAssembly, in which there is no command line.
#[cfg(target_family = "wasm")]
pub static CHINESE: [&str; 2] = [chuhe_study::CHINESE, include_str!("protocol/chinese.txt")];

/// Makes [`chuhe_support::language::Language::CHINESE`] available; without it all messages are in English.
pub fn install_chinese() {
    chuhe_support::language::install_chinese(&CHINESE);
}
