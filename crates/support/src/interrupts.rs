//! Ctrl-C and termination signals during a tournament: the first Ctrl-C lets the running games finish, the second one
//! aborts them. And the signal of a file that has reached the size limit of the process.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code after Ctrl-C, as shells define it.
pub const EXIT_INTERRUPTED: u8 = 130;

/// What a signal asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StopRequest {
    /// Begin no new game.
    Finish,
    /// Drop the running games too.
    Abort,
}

/// Records the signals of the system.
#[derive(Default)]
pub struct InterruptHandler {
    /// Ctrl-C was pressed and is not yet handled.
    pressed: Arc<AtomicBool>,
    /// The system or a job scheduler sent a termination signal.
    terminated: Arc<AtomicBool>,
    /// The strongest request so far.
    requested: std::cell::Cell<Option<StopRequest>>,
}

impl InterruptHandler {
    /// From now on the signals are only recorded here.
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

    /// The strongest request so far, if there is a new one.
    pub fn poll(&self) -> Option<StopRequest> {
        let pressed = self.pressed.swap(false, Ordering::Relaxed);
        let terminated = self.terminated.swap(false, Ordering::Relaxed);
        let request = match (terminated, pressed, self.requested.get()) {
            (true, ..) | (_, true, Some(_)) => StopRequest::Abort,
            (_, true, None) => StopRequest::Finish,
            _ => return None,
        };
        self.requested.set(Some(request));
        Some(request)
    }

    /// Whether anything was requested.
    pub fn is_requested(&self) -> bool {
        self.requested.get().is_some()
    }
}

/// From now on a write beyond the size limit of files (`ulimit -f`) is an error like that of a full disk, and does not end
/// the program.
#[cfg(unix)]
pub fn survive_file_size_limit() -> io::Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map(|_| ())
}

/// Whether the parent process has the signal ignored, as `nohup` does: then it must not end a match that shall continue
/// after the user logs out.
#[cfg(target_os = "linux")]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}
