//! Kills a child process that does not answer in time, and the registry that kills all processes of a tournament.
//!
//! The owner of a child reads its pipe with blocking reads: a reader thread in between would cost a context switch per
//! line, which at a thousand nodes per move exceeds all other work of the arena. At the deadline the watchdog thread
//! kills the child, which ends its output and thus the read. The thread sleeps until the deadline it knows; moving the
//! deadline later does not wake it.

use std::io;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A child process with a deadline.
pub struct Watchdog {
    shared: Arc<WatchdogShared>,
}

struct WatchdogShared {
    watch: Mutex<WatchState>,
    wakeup: Condvar,
    child: Mutex<Child>,
}

#[derive(Default)]
struct WatchState {
    /// When the child must have answered; `None` while no answer is expected.
    deadline: Option<Instant>,
    /// When the watchdog thread wakes next; `None` while it waits for a notification.
    next_check: Option<Instant>,
    /// The deadline passed and the child was killed.
    timed_out: bool,
    /// The `Watchdog` was dropped.
    closed: bool,
}

impl Watchdog {
    /// Starts watching a child and registers it.
    pub fn new(child: Child, registry: &ProcessRegistry) -> io::Result<Watchdog> {
        let shared =
            Arc::new(WatchdogShared { watch: Mutex::default(), wakeup: Condvar::new(), child: Mutex::new(child) });
        registry.register(&shared);
        let watchdog = Watchdog { shared };
        let watched = Arc::clone(&watchdog.shared);
        std::thread::Builder::new().spawn(move || watched.run())?;
        Ok(watchdog)
    }

    /// Sets the deadline.
    pub fn set(&self, deadline: Instant) {
        let mut watch = self.shared.watch();
        watch.deadline = Some(deadline);
        if watch.next_check.is_none_or(|next_check| deadline < next_check) {
            self.shared.wakeup.notify_one();
        }
    }

    /// Removes the deadline. True if the child was killed for being late.
    pub fn clear(&self) -> bool {
        let mut watch = self.shared.watch();
        watch.deadline = None;
        watch.timed_out
    }

    /// The exit status, if the child exits by itself within this time.
    pub fn status(&self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.shared.child().try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {}
                _ => return None,
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Watchdog {
    /// Ends the watchdog thread and kills the whole process group, even if the child itself has exited.
    fn drop(&mut self) {
        self.shared.watch().closed = true;
        self.shared.wakeup.notify_one();
        self.shared.kill();
        let _ = self.shared.child().wait();
    }
}

impl Killable for WatchdogShared {
    fn kill(&self) {
        self.kill();
    }
}

impl WatchdogShared {
    fn watch(&self) -> MutexGuard<'_, WatchState> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until the deadline or until the owner is done.
    fn run(&self) {
        let mut watch = self.watch();
        while !watch.closed {
            watch.next_check = watch.deadline;
            let Some(deadline) = watch.deadline else {
                watch = self.wakeup.wait(watch).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                watch.timed_out = true;
                drop(watch);
                return self.kill();
            }
            watch = self.wakeup.wait_timeout(watch, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn kill(&self) {
        let mut child = self.child();
        // Killing a wrapper script leaves its engine running; killing the process group ends both.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }
}

/// Something that can be aborted from another thread.
pub trait Killable: Send + Sync {
    fn kill(&self);
}

/// All running engines of a tournament, and the folder for their transcripts.
#[derive(Default)]
pub struct ProcessRegistry {
    /// The folder for transcripts, if they are kept.
    pub transcript_folder: Option<PathBuf>,
    processes: Mutex<Vec<Weak<dyn Killable>>>,
}

impl ProcessRegistry {
    /// Creates a registry that keeps transcripts in this folder.
    pub fn new(transcript_folder: Option<PathBuf>) -> ProcessRegistry {
        ProcessRegistry { transcript_folder, ..ProcessRegistry::default() }
    }

    /// Registers something to kill, for as long as it lives.
    pub fn register(&self, process: &Arc<impl Killable + 'static>) {
        let mut all = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        let process: Weak<dyn Killable> = Arc::downgrade(process) as Weak<dyn Killable>;
        all.push(process);
    }

    /// Kills everything that is still registered.
    pub fn kill_all(&self) {
        let all = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).for_each(|process| process.kill());
    }
}
