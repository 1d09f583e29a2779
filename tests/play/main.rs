//! `chuhe play`: conversations through a pseudo-terminal, and scripts through a pipe.
#![cfg(unix)]

mod conversations;
mod scripts;
mod session;
pub mod terminal;
