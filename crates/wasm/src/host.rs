//! What JavaScript does for the module: clocks, random numbers, lines in and out.

#![allow(unsafe_code)]

use chuhe::protocol::{Input, InputSource};
use chuhe_engine::instant::Instant;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use xiangqi_record::legacy_text::LegacyEncoding;

#[link(wasm_import_module = "chuhe")]
unsafe extern "C" {
    /// Milliseconds of a clock that never goes back.
    safe fn now() -> f64;
    /// Milliseconds since 1970.
    safe fn since_epoch() -> f64;
    /// Fills the bytes with random numbers.
    fn random(start: *mut u8, length: usize);
    /// Sends these bytes to the host: whole lines.
    fn write(start: *const u8, length: usize);
    /// Says why the module cannot go on.
    fn panic(start: *const u8, length: usize);
    /// How many bytes of input have come since; -1 if there will be no more.
    safe fn next_input() -> i32;
    /// Copies the bytes that `next_input` or `decode` has counted.
    fn take_input(start: *mut u8);
    /// Decodes a text of older programs: in GB18030 if `encoding` is 0, in Big5 if it is 1. Returns how many bytes of UTF-8
    /// it has, which `take_input` copies.
    fn decode(encoding: i32, start: *const u8, length: usize) -> usize;
    /// Waits until there is input, or for so many milliseconds.
    safe fn wait(milliseconds: f64);
}

/// The clock that never goes back.
pub fn monotonic_clock() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1000.0)
}

/// The time since 1970.
pub fn wall_clock() -> Duration {
    Duration::from_secs_f64(since_epoch().max(0.0) / 1000.0)
}

/// Decodes a text of older programs.
pub fn decode_legacy(encoding: LegacyEncoding, bytes: &[u8]) -> String {
    // SAFETY: JavaScript reads these bytes before it returns.
    let length = unsafe { decode(encoding as i32, bytes.as_ptr(), bytes.len()) };
    String::from_utf8_lossy(&announced(length)).into_owned()
}

/// The bytes that JavaScript has announced.
fn announced(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    // SAFETY: the bytes are as many as were announced, and nothing comes between the two calls.
    unsafe { take_input(bytes.as_mut_ptr()) };
    bytes
}

/// Says why the module cannot go on.
pub fn tell_panic(text: &str) {
    // SAFETY: JavaScript reads these bytes before it returns.
    unsafe { panic(text.as_ptr(), text.len()) }
}

/// The source of random numbers of the crate `getrandom`, which a configuration of the target names.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(start: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    // SAFETY: the caller passes memory of its own; JavaScript fills it before it returns.
    unsafe { random(start, length) };
    Ok(())
}

/// Whether input has come.
pub fn has_input() -> bool {
    next_input() != 0
}

/// The output to the host.
pub struct HostWriter;

impl Write for HostWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: JavaScript reads these bytes before it returns.
        unsafe { write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The input while the engine thinks. To ask JavaScript takes time, so it is asked at intervals.
pub struct HostInput {
    interval: Duration,
    asked_at: Mutex<Instant>,
}

impl HostInput {
    pub fn new(interval: Duration) -> HostInput {
        HostInput { interval, asked_at: Mutex::new(Instant::now()) }
    }
}

impl InputSource for HostInput {
    fn next(&self) -> Option<Input> {
        let mut asked_at = self.asked_at.lock().unwrap_or_else(PoisonError::into_inner);
        if asked_at.elapsed() < self.interval {
            return None;
        }
        let length = next_input();
        // JavaScript may have taken its time.
        *asked_at = Instant::now();
        match usize::try_from(length) {
            Ok(0) => None,
            Ok(length) => Some(Input::Bytes(announced(length))),
            Err(_) => Some(Input::End),
        }
    }

    fn wait(&self, time: Duration) {
        wait(time.as_secs_f64() * 1000.0);
        let mut asked_at = self.asked_at.lock().unwrap_or_else(PoisonError::into_inner);
        *asked_at = *asked_at - self.interval;
    }
}
