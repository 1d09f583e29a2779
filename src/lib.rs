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

use chuhe_support::language::Language;

/// The tables of Chinese, one for each area.
pub static CHINESE: &[&str] = &[
    include_str!("../languages/chinese/published.txt"),
    include_str!("../languages/chinese/study.txt"),
    include_str!("../languages/chinese/hosts.txt"),
    // A module of WebAssembly writes no page, and has no command line.
    #[cfg(not(target_family = "wasm"))]
    include_str!("../languages/chinese/page.txt"),
    #[cfg(not(target_family = "wasm"))]
    include_str!("../languages/chinese/program.txt"),
];

/// Gives the languages their tables; without it all messages are in English.
pub fn install_languages() {
    Language::CHINESE.install(CHINESE);
}
