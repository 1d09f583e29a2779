//! Output on narrow and wide terminals, in both languages.
#![cfg(unix)]

mod analyses;
mod bars;
mod emulator;
mod tables;
mod texts;
