//! Output on narrow and wide terminals, in English and Chinese.
#![cfg(unix)]

mod analyses;
mod bars;
mod emulator;
mod tables;
mod texts;
