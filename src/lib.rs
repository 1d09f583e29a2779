//! The program crate: everything that needs a terminal, a socket or threads of its own. The rest is in `chuhe-engine` and
//! `chuhe-toolkit`.
//!
//! * [`arena`]: tournaments between engines, with their statistics and reports.
//! * [`mod@bench`]: the searches of the signature.
//! * [`book_builder`]: growing an opening book by searching.
//! * [`cli`]: the command line, a module for each subcommand.
//! * [`interrupts`]: Ctrl-C and termination signals.
//! * [`memory`]: how much memory the machine has.
//! * [`play`]: a game between a user at the terminal and the engine.
//! * [`protocol`]: the UCCI and UCI session that hosts talk to.
//! * [`server`]: the HTTP server of the board page.
//! * [`terminal`]: the width of the terminal, and progress bars.
//! * [`training`]: self-play games, and training networks from them.
//! * `windows`: calls that only Windows has.
//!
//! In WebAssembly there are only [`protocol`], [`mod@bench`] and what they use: see the crate `chuhe-wasm`.
#![deny(unsafe_code)]

#[cfg(not(target_family = "wasm"))]
pub mod arena;
pub mod bench;
#[cfg(not(target_family = "wasm"))]
pub mod book_builder;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
#[cfg(not(target_family = "wasm"))]
pub mod interrupts;
pub mod memory;
#[cfg(not(target_family = "wasm"))]
pub mod play;
pub mod protocol;
#[cfg(not(target_family = "wasm"))]
pub mod server;
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
#[cfg(not(target_family = "wasm"))]
pub mod training;
#[cfg(windows)]
pub mod windows;

/// The Chinese tables of all crates.
pub static CHINESE: [&str; 2] = [chuhe_toolkit::CHINESE, include_str!("chinese.txt")];

/// Makes [`chuhe_engine::language::Language::CHINESE`] available; without it all messages are in English.
pub fn install_chinese() {
    chuhe_engine::language::install_chinese(&CHINESE);
}
