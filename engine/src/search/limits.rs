//! What a search may spend, and how it is told to stop.

use super::time_budget::Clock;
use super::time_manager::{Moment, TimeLimits};
use crate::types::Move;
use crate::types::score::MAX_PLY;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// No iteration is deeper: extensions need room above it.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 8;

/// The limits of one search; all that are set hold together. With none set it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub depth: Option<u32>,
    /// Stop at this many nodes, exact within a thousand.
    pub nodes: Option<u64>,
    /// Start no new iteration beyond this many nodes.
    pub soft_nodes: Option<u64>,
    /// Time for this move, all of it.
    pub move_time: Option<Duration>,
    /// A game clock to be shared out wisely.
    pub clock: Option<Clock>,
    /// Stop when a mate in this many moves (not plies) is proven, or when so many moves are searched out.
    pub mate: Option<u32>,
    /// The search runs on the opponent's time: clock and move time wait for `Control::ponderhit`.
    pub ponder: bool,
    /// When time began to count; `None` = when the search begins.
    pub started_at: Option<Moment>,
    /// Consider only these root moves; empty = all.
    pub search_moves: Vec<Move>,
    /// Leave out these root moves, unless no other is left.
    pub excluded_moves: Vec<Move>,
}

impl Limits {
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Just this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Just this much time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// The deepest iteration that these limits leave.
    pub(super) fn max_depth(&self) -> u32 {
        self.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// The part of them that a clock watches over, when the side to move has made so many moves.
    pub(super) fn time_limits(&self, moves_made: u32) -> TimeLimits {
        let &Limits { clock, move_time, ponder, started_at: begun, .. } = self;
        TimeLimits { clock, move_time, ponder, started_at: begun, moves_made }
    }

    /// Whether a clock may end the search.
    pub(super) fn has_time_limit(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Whether an amount of work may end the search.
    pub(super) fn has_work_limit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.soft_nodes.is_some() || self.mate.is_some()
    }

    /// Whether only a word from outside may end the search.
    pub fn is_unlimited(&self) -> bool {
        !self.has_work_limit() && !self.has_time_limit()
    }
}

/// The strings that reach into a running search from another thread. Share it by `Arc`.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Held while a string is pulled, so that nobody who is about to sleep misses it.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// A control for one search; `ponder` as in its limits.
    pub fn new(ponder: bool) -> Control {
        Control { pondering: AtomicBool::new(ponder), ..Control::default() }
    }

    /// Ends the search as soon as possible; its result is still delivered.
    pub fn stop(&self) {
        self.set_signal(&self.stop, true);
    }

    /// The pondered move was played: from now on the clock counts.
    pub fn ponderhit(&self) {
        self.set_signal(&self.pondering, false);
    }

    fn set_signal(&self, string: &AtomicBool, value: bool) {
        let _held = self.lock_signals();
        string.store(value, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// What the lock guards is its holder's patience alone: a panic leaves nothing broken behind.
    fn lock_signals(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps for as long as this is so, of what the strings say.
    pub fn wait_while(&self, holds: impl Fn(&Control) -> bool) {
        drop(self.changed.wait_while(self.lock_signals(), |()| holds(self)));
    }

    /// Sleeps for this long, or until it is stopped.
    pub fn rest(&self, time: Duration) {
        drop(self.changed.wait_timeout_while(self.lock_signals(), time, |()| !self.stopped()));
    }

    /// True after `stop`.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True until `ponderhit`.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}
