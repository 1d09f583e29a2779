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

/// The tables of the languages, packed when the program is built.
const CHINESE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/chinese"));
#[cfg(not(target_family = "wasm"))]
const TRADITIONAL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/traditional"));
#[cfg(not(target_family = "wasm"))]
const VIETNAMESE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vietnamese"));

/// Gives the languages their tables; without it all messages are in English. In WebAssembly only Chinese has one from the
/// beginning.
pub fn install_languages() {
    Language::CHINESE.install(|| vec![unpacked(CHINESE)]);
    #[cfg(not(target_family = "wasm"))]
    {
        Language::TRADITIONAL.install(|| vec![unpacked(TRADITIONAL)]);
        Language::VIETNAMESE.install(|| vec![unpacked(VIETNAMESE)]);
    }
}

/// The text of a table, which stays: each is unpacked once.
fn unpacked(packed: &[u8]) -> &'static str {
    // The build has packed it.
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default().leak()
}
