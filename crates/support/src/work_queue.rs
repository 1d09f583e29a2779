//! Items on their way to another thread, in the order of their priorities and then of their ages. A channel of the
//! standard library would be compiled anew, in its three kinds, for each type that passes through it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Numbered items that wait to be taken.
pub struct WorkQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// With priority and number.
    waiting: VecDeque<(i64, usize, T)>,
    is_closed: bool,
}

impl<T> Default for WorkQueue<T> {
    fn default() -> WorkQueue<T> {
        let state = State { waiting: VecDeque::new(), is_closed: false };
        WorkQueue { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<T> WorkQueue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item; a higher priority is taken earlier.
    pub fn push(&self, priority: i64, number: usize, item: T) {
        let mut state = self.state();
        let place = state.waiting.partition_point(|(other, ..)| *other >= priority);
        state.waiting.insert(place, (priority, number, item));
        drop(state);
        self.changed.notify_all();
    }

    /// Takes the next item with its number, once there is one; none at the end of a queue that is closed.
    pub fn next(&self) -> Option<(usize, T)> {
        let is_waiting = |state: &mut State<T>| state.waiting.is_empty() && !state.is_closed;
        let mut state = self.changed.wait_while(self.state(), is_waiting).unwrap_or_else(PoisonError::into_inner);
        state.waiting.pop_front().map(|(_, number, item)| (number, item))
    }

    /// The same, but none if there is none within this time.
    pub fn next_within(&self, most: Duration) -> Option<(usize, T)> {
        let end = Instant::now() + most;
        let mut state = self.state();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match state.waiting.pop_front() {
                Some((_, number, item)) => return Some((number, item)),
                None if left.is_zero() => return None,
                None => state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            }
        }
    }

    /// Takes the item of this number, if nobody has taken it.
    pub fn take(&self, number: usize) -> Option<T> {
        let mut state = self.state();
        let place = state.waiting.iter().position(|(_, other, _)| *other == number)?;
        state.waiting.remove(place).map(|(.., item)| item)
    }

    /// Nothing more comes.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }
}
