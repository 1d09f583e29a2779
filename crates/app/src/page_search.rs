//! The owner of a search of a page that runs for long: a check or a review. There is at most one at a time. A new one
//! stops the one before and waits for its end, so that two never hold their tables together, and none begins after the
//! page was closed.

use super::job_runner::{JobOutcome, JobPriority, JobRunner};
use chuhe_engine::search::Control;
use chuhe_support::language::Message;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub struct PageSearch {
    state: Mutex<SearchState>,
    ended: Condvar,
}

#[derive(Default)]
struct SearchState {
    running: Option<Arc<Control>>,
    /// Counts requests to begin and to stop: only the latest may begin.
    requests: u64,
    is_closed: bool,
}

/// The right to search, until it is dropped.
pub struct SearchTurn {
    owner: Arc<PageSearch>,
    pub control: Arc<Control>,
}

impl SearchTurn {
    /// Goes on until that is done, which `go_on` returns, or this turn is stopped: on a thread of this name, or whenever
    /// the program has nothing else to do. When it is stopped, `go_on` is called once more if it did not hear of that.
    pub fn search(
        self,
        runner: &JobRunner,
        name: &str,
        go_on: impl FnMut(&SearchTurn, &Arc<Control>) -> bool + Send + 'static,
    ) -> Result<(), Message> {
        // Dropped in this order: the tables are given back before another search may begin.
        let mut work = (go_on, self);
        let job = move |control: Option<Control>| {
            let (go_on, turn) = &mut work;
            // A stop comes as a request, and so between two runs.
            let control = control.filter(|_| !turn.control.stopped()).map(Arc::new);
            let is_last = control.is_none();
            if go_on(turn, control.as_ref().unwrap_or(&turn.control)) || is_last {
                JobOutcome::Done
            } else {
                JobOutcome::Interrupted
            }
        };
        runner.begin(name, JobPriority::Review, job).map_err(Message::from_error)
    }
}

impl PageSearch {
    fn state(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the running search, and waits for its end if it has a thread that ends it. `None` if the page was closed
    /// meanwhile, or another request came.
    pub fn begin(self: &Arc<PageSearch>, runner: &JobRunner) -> Option<SearchTurn> {
        let mut state = self.state();
        state.request();
        let number = state.requests;
        if runner.has_threads() {
            let waited = self.ended.wait_while(state, |state| state.running.is_some() && state.requests == number);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed || state.requests != number {
            return None;
        }
        let control = Arc::new(Control::new(false));
        state.running = Some(Arc::clone(&control));
        Some(SearchTurn { owner: Arc::clone(self), control })
    }

    /// Stops the running search, and those that wait for its end.
    pub fn stop(&self) {
        self.state().request();
        self.ended.notify_all();
    }

    /// The same, and none begins until the page is opened again.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.stop();
    }

    pub fn reopen(&self) {
        self.state().is_closed = false;
    }

    pub fn is_running(&self) -> bool {
        self.state().running.is_some()
    }
}

impl SearchState {
    fn request(&mut self) {
        self.requests += 1;
        if let Some(control) = &self.running {
            control.stop();
        }
    }
}

impl SearchTurn {
    /// Ends the turn; returns whether no other search has taken its place.
    pub fn end(&self) -> bool {
        let mut state = self.owner.state();
        let is_current = state.running.as_ref().is_some_and(|control| Arc::ptr_eq(control, &self.control));
        if is_current {
            state.running = None;
            self.owner.ended.notify_all();
        }
        is_current
    }
}

impl Drop for SearchTurn {
    fn drop(&mut self) {
        self.end();
    }
}
