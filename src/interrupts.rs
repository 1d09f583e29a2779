//! Ctrl-C and its like during a tournament: the first finishes the running games, the second drops them.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that Ctrl-C ended, as shells count.
pub const EXIT_INTERRUPTED: u8 = 130;

/// What somebody outside wants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StopRequest {
    /// Begin no new game.
    Finish,
    /// Drop the running games too.
    Abort,
}

/// Listens to the signals of the system.
#[derive(Default)]
pub struct InterruptHandler {
    /// Ctrl-C was pressed and not yet heard of.
    pressed: Arc<AtomicBool>,
    /// The system, or a scheduler of jobs, wants an end.
    terminated: Arc<AtomicBool>,
    /// What was wished so far.
    requested: std::cell::Cell<Option<StopRequest>>,
}

impl InterruptHandler {
    /// From now on the signals do nothing but to be heard here.
    pub fn install() -> io::Result<InterruptHandler> {
        let interrupts = InterruptHandler::default();
        signal_hook::flag::register(SIGINT, Arc::clone(&interrupts.pressed))?;
        signal_hook::flag::register(SIGTERM, Arc::clone(&interrupts.terminated))?;
        #[cfg(target_os = "linux")]
        if !is_ignored(signal_hook::consts::SIGHUP) {
            signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(&interrupts.terminated))?;
        }
        Ok(interrupts)
    }

    /// The strongest wish so far, if there is a new one.
    pub fn poll(&self) -> Option<StopRequest> {
        let pressed = self.pressed.swap(false, Ordering::Relaxed);
        let terminated = self.terminated.swap(false, Ordering::Relaxed);
        let wish = match (terminated, pressed, self.requested.get()) {
            (true, ..) | (_, true, Some(_)) => StopRequest::Abort,
            (_, true, None) => StopRequest::Finish,
            _ => return None,
        };
        self.requested.set(Some(wish));
        Some(wish)
    }

    /// Whether anything was wished.
    pub fn is_requested(&self) -> bool {
        self.requested.get().is_some()
    }
}

/// Whether whoever started this program wants the signal to do nothing, as `nohup` does: then it must not end a match
/// that is to go on after its user has left.
#[cfg(target_os = "linux")]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}
