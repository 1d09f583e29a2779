//! `chuhe play`: conversations through a pseudo-terminal; `transcripts::play` has scripts.
#![cfg(unix)]

mod conversations;
pub mod terminal;
