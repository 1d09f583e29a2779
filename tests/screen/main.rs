//! Output on narrow and wide terminals, in English and Chinese.
#![cfg(unix)]

mod bars;
mod emulator;
mod texts;
