//! What terminals show, narrow ones and wide ones, in both languages.
#![cfg(unix)]

mod analyses;
mod bars;
mod emulator;
mod tables;
mod texts;
