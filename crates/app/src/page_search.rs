//! A search of a page: an analysis, a review, a check, the judgement of a move. There is at most one of a kind at a time. A new
//! one stops the one before and waits for its end, so that two never hold their tables together, and none begins after the
//! page was closed.

use crate::context::AppContext;
use crate::events::Events;
use crate::job_runner::{JobOutcome, JobPriority};
use chuhe_engine::search::Control;
use chuhe_support::language::Message;
use chuhe_support::lock::Lock;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

pub struct PageSearch {
    pub context: AppContext,
    /// Where what is found is published.
    pub events: Arc<Events>,
    state: Mutex<SearchState>,
    ended: Condvar,
}

#[derive(Default)]
struct SearchState {
    running: Option<Arc<Control>>,
    /// Counts requests to begin and to stop: only the latest may begin.
    requests: u64,
    /// The number that the page has given to the latest. Requests may arrive out of order; older ones are ignored.
    number: u64,
    is_closed: bool,
}

/// The right to search, until it is dropped.
pub struct SearchTurn {
    pub owner: Arc<PageSearch>,
    pub control: Arc<Control>,
}

impl PageSearch {
    pub fn new(context: &AppContext, events: &Arc<Events>) -> Arc<PageSearch> {
        let (state, ended) = Default::default();
        Arc::new(PageSearch { context: context.clone(), events: Arc::clone(events), state, ended })
    }

    /// Stops the running search, and waits for its end if it has a thread that ends it. `None` if the page was closed
    /// meanwhile, or another request came, or a newer one was there: those of this kind may have numbers.
    pub fn begin(self: &Arc<PageSearch>, number: Option<u64>) -> Option<SearchTurn> {
        let mut state = self.state.locked();
        if !state.request(number) {
            return None;
        }
        let request = state.requests;
        if self.context.runner.has_threads() {
            let waited = self.ended.wait_while(state, |state| state.running.is_some() && state.requests == request);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed || state.requests != request {
            return None;
        }
        let control = Arc::new(Control::new(false));
        state.running = Some(Arc::clone(&control));
        Some(SearchTurn { owner: Arc::clone(self), control })
    }

    /// Stops the running search, and those that wait for its end, unless a request with a higher number was there.
    pub fn stop(&self, number: Option<u64>) {
        self.state.locked().request(number);
        self.ended.notify_all();
    }

    /// The same, and none begins until the page is opened again.
    pub fn close(&self) {
        self.state.locked().is_closed = true;
        self.stop(None);
    }

    pub fn reopen(&self) {
        self.state.locked().is_closed = false;
    }

    pub fn is_running(&self) -> bool {
        self.state.locked().running.is_some()
    }
}

impl SearchState {
    /// Stops the running search, unless a request with a higher number was there; returns whether none was.
    fn request(&mut self, number: Option<u64>) -> bool {
        if number.is_some_and(|number| number <= self.number) {
            return false;
        }
        self.number = number.unwrap_or(self.number);
        self.requests += 1;
        self.running.iter().for_each(|control| control.stop());
        true
    }
}

impl SearchTurn {
    /// Goes on until that is done, which `go_on` returns, or this turn is stopped: on a thread of this name, or whenever
    /// the program has nothing else to do. When it is stopped, `go_on` is called once more if it did not hear of that.
    pub fn search(
        self,
        name: &str,
        priority: JobPriority,
        go_on: impl FnMut(&SearchTurn, &Arc<Control>) -> bool + Send + 'static,
    ) -> Result<(), Message> {
        let runner = self.owner.context.runner.clone();
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
        runner.begin(name, priority, job).map_err(Message::from_error)
    }

    /// Ends the turn; returns whether no other search has taken its place.
    pub fn end(&self) -> bool {
        let mut state = self.owner.state.locked();
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
