//! Ends a child process that does not answer in time, while its owner waits in a blocking read.
//!
//! The owner reads the child's pipe himself: a thread between them would cost a change of threads for every line,
//! which at a thousand nodes a move is more than all the rest of the arena. So nobody can stop waiting; but when
//! the watchdog ends the child, its output ends, and with it the wait. The dog sleeps until the deadline that it
//! knows of; since most deadlines are later than the last, moving one rarely wakes it.
//!
//! What all players of a tournament share: where their conversations are written down, and the leash by which all of
//! them are ended at once.

use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A child process and the deadline that it is watched for.
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
    /// When the child must have answered; nothing while nobody waits for it.
    deadline: Option<Instant>,
    /// When the dog looks next; nothing while it waits for the bell.
    next_check: Option<Instant>,
    /// The deadline passed and the child was ended.
    timed_out: bool,
    /// The owner is done.
    closed: bool,
}

impl Watchdog {
    /// Takes a child into its care, on the leash of these premises.
    pub fn new(child: Child, premises: &ProcessRegistry) -> Watchdog {
        let shared =
            Arc::new(WatchdogShared { watch: Mutex::default(), wakeup: Condvar::new(), child: Mutex::new(child) });
        premises.register(&shared);
        let dog = Arc::clone(&shared);
        std::thread::spawn(move || dog.run());
        Watchdog { shared }
    }

    /// From now on the child must answer before this.
    pub fn set(&self, deadline: Instant) {
        let mut watch = self.shared.watch();
        watch.deadline = Some(deadline);
        if watch.next_check.is_none_or(|looks_at| deadline < looks_at) {
            self.shared.wakeup.notify_one();
        }
    }

    /// It need not answer any more. True if it was ended for being late.
    pub fn clear(&self) -> bool {
        let mut watch = self.shared.watch();
        watch.deadline = None;
        watch.timed_out
    }

    /// How the child ended, if it does so by itself in this time.
    pub fn status(&self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
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
    /// Sends the dog away, and ends the child with everything it started: also what outlives a child that has left.
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

    /// Sleeps and looks until the owner is done or the child was late.
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
        // A wrapper script dies without its engine; the group, which the child leads, holds both.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }
}

/// Something that can be ended from outside while its owner waits for it.
pub trait Killable: Send + Sync {
    /// Ends it at once.
    fn kill(&self);
}

/// The place where a tournament is played.
#[derive(Default)]
pub struct ProcessRegistry {
    /// The folder for whole conversations, if they are to be kept.
    pub transcript_folder: Option<PathBuf>,
    processes: Mutex<Vec<Weak<dyn Killable>>>,
}

impl ProcessRegistry {
    /// Premises that keep conversations in this folder.
    pub fn new(traffic: Option<PathBuf>) -> ProcessRegistry {
        ProcessRegistry { transcript_folder: traffic, ..ProcessRegistry::default() }
    }

    /// Puts something on the leash, for as long as it lives.
    pub fn register(&self, leashed: &Arc<impl Killable + 'static>) {
        let mut all = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        let leashed: Weak<dyn Killable> = Arc::downgrade(leashed) as Weak<dyn Killable>;
        all.push(leashed);
    }

    /// Ends everything that is still on the leash.
    pub fn kill_all(&self) {
        let all = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).for_each(|leashed| leashed.kill());
    }
}
