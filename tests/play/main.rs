//! `chuhe play`: conversations through a pseudo-terminal; `transcripts::play` has scripts.
#![cfg(unix)]

mod conversations;
mod session;
pub mod terminal;
