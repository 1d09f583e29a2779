//! What the crates of Chuhe share.
//!
//! * [`date`]: the current date and time as text.
//! * [`files`]: files that are written whole or not at all.
//! * [`interrupts`]: Ctrl-C and termination signals.
//! * [`language`]: translation of messages.
//! * [`lock`]: locks that a panic leaves usable.
//! * [`memory`]: which allocations may fail; how much memory the machine has, where that is no matter of Linux.
//! * [`messages`]: the values of the published crates in the language of the user.
//! * [`small_sort`]: sorting where the size of the code matters more than speed.
//! * [`terminal`]: the width of the terminal, and progress bars.
//! * [`text_width`]: wraps and pads text by display width.
//! * `windows`: calls that only Windows has.
//! * [`work_queue`]: items that wait for another thread.
#![deny(unsafe_code)]

use std::time::Duration;

pub mod date;
pub mod files;
#[cfg(not(target_family = "wasm"))]
pub mod interrupts;
pub mod language;
pub mod lock;
pub mod memory;
pub mod messages;
pub mod small_sort;
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
pub mod text_width;
#[cfg(windows)]
pub mod windows;
pub mod work_queue;

/// How often who waits looks for Ctrl-C, or for what has changed.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);
