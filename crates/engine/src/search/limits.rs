//! Limits of a search, and the signals that stop it.

use super::search_clock::TimeLimits;
use super::time_manager::Clock;
use crate::instant::Instant;
use crate::score::MAX_PLY;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use xiangqi::Move;

/// Deepest iteration; extensions need the plies above it.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 8;

/// Limits of one search. All that are set apply; with none set it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<u32>,
    /// Stops at this many nodes, exact within a thousand.
    pub nodes: Option<u64>,
    /// Starts no new iteration beyond this many nodes.
    pub soft_nodes: Option<u64>,
    /// Fixed time for this move.
    pub move_time: Option<Duration>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Stops when a mate within this many moves (not plies) is proven or ruled out.
    pub mate: Option<u32>,
    /// Ponder search: clock and move time start at [`Control::ponderhit`].
    pub ponder: bool,
    /// When the time began to run; `None` = when the search begins.
    pub started_at: Option<Instant>,
    /// Searches only these root moves; empty = all.
    pub search_moves: Vec<Move>,
    /// Leaves out these root moves, unless no other is left.
    pub excluded_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth limit.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Only a node limit.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a time limit.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// The deepest iteration within these limits.
    pub(super) fn max_depth(&self) -> u32 {
        self.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// The time limits; `moves_made` counts the moves of the side to move.
    pub(super) fn time_limits(&self, moves_made: u32) -> TimeLimits {
        let &Limits { clock, move_time, ponder, started_at, .. } = self;
        TimeLimits { clock, move_time, ponder, started_at, moves_made }
    }

    /// Whether a time limit may end the search.
    pub(super) fn has_time_limit(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Whether a depth, node or mate limit may end the search.
    pub(super) fn has_work_limit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.soft_nodes.is_some() || self.mate.is_some()
    }

    /// Whether only [`Control::stop`] ends the search.
    pub fn is_unlimited(&self) -> bool {
        !self.has_work_limit() && !self.has_time_limit()
    }
}

/// Reads input while a search runs, where no other thread could.
pub trait Poll: fmt::Debug + Send + Sync {
    /// Reads the input that is there, and may stop the search by its control.
    fn poll(&self, control: &Control);

    /// Waits until there is input, or for this long.
    fn wait(&self, time: Duration);
}

/// How long to wait for input at a time.
const POLL_WAIT: Duration = Duration::from_millis(50);

/// Stop and ponderhit signals for a running search. Shared between threads by `Arc`.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Held while a signal changes, so that no waiting thread misses it.
    lock: Mutex<()>,
    changed: Condvar,
    /// Called by the search itself, for signals that no other thread can give.
    poll: Option<Arc<dyn Poll>>,
}

impl Control {
    /// Creates the control of one search; `ponder` as in its limits.
    pub fn new(ponder: bool) -> Control {
        Control { pondering: AtomicBool::new(ponder), ..Control::default() }
    }

    /// The control of a search that polls its signals itself.
    pub fn with_poll(ponder: bool, poll: Arc<dyn Poll>) -> Control {
        Control { poll: Some(poll), ..Control::new(ponder) }
    }

    /// Polls the signals, if the search has to do that itself. Called at intervals.
    #[inline]
    pub fn poll(&self) {
        if let Some(poll) = &self.poll {
            poll.poll(self);
        }
    }

    /// Ends the search as soon as possible; it still returns its result.
    pub fn stop(&self) {
        self.set_signal(&self.stop, true);
    }

    /// The pondered move was played: starts the clock.
    pub fn ponderhit(&self) {
        self.set_signal(&self.pondering, false);
    }

    fn set_signal(&self, signal: &AtomicBool, value: bool) {
        let _held = self.lock_signals();
        signal.store(value, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The lock guards no data, so a poisoned lock is still usable.
    fn lock_signals(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks while the condition holds.
    pub fn wait_while(&self, holds: impl Fn(&Control) -> bool) {
        if let Some(poll) = &self.poll {
            while holds(self) {
                poll.wait(POLL_WAIT);
                poll.poll(self);
            }
            return;
        }
        drop(self.changed.wait_while(self.lock_signals(), |()| holds(self)));
    }

    /// Sleeps for this long, or until stopped.
    pub fn sleep(&self, time: Duration) {
        if let Some(poll) = &self.poll {
            poll.wait(time);
            return poll.poll(self);
        }
        drop(self.changed.wait_timeout_while(self.lock_signals(), time, |()| !self.stopped()));
    }

    /// True after [`Control::stop`].
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True until [`Control::ponderhit`].
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}
