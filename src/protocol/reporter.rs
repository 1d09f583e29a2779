//! Showing a running search: every iteration, but no flood of lines when iterations take no time.

use super::dialect::{Dialect, View};
use super::output::Output;
use crate::search::{Bound, Control, Info, Reporter};
use crate::types::Move;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many reports may come at once: the iterations of an ordinary position are all shown.
const BURST: f64 = 16.0;
/// So many a second after that.
const PER_SECOND: f64 = 4.0;

/// After this time a line that was held back is shown, if none has come since.
pub const PATIENCE: Duration = Duration::from_millis(250);

/// Prints what a search tells. The search has one copy, the session another, to show what was held back.
#[derive(Clone)]
pub struct Printer {
    dialect: &'static dyn Dialect,
    view: View,
    /// To end the search when nobody listens any more.
    control: Arc<Control>,
    output: Arc<Output>,
    pace: Arc<Mutex<Pace>>,
}

/// What decides which lines are shown at once.
struct Pace {
    budget: Budget,
    /// The lines of the latest iteration, if they were not shown.
    held: Vec<String>,
    /// Whether the iteration whose lines are coming in is shown.
    showing: bool,
}

impl Printer {
    /// A printer for one search.
    pub fn new(
        output: Arc<Output>,
        dialect: &'static dyn Dialect,
        view: View,
        control: Arc<Control>,
    ) -> Printer {
        let pace = Pace { budget: Budget::new(), held: Vec::new(), showing: true };
        Printer { dialect, view, control, output, pace: Arc::new(Mutex::new(pace)) }
    }

    /// Shows what was held back: the last word of a search is never missing.
    pub fn finish(&self) {
        let held = std::mem::take(&mut self.pace().held);
        self.say(&held);
    }

    /// Shows what was held back if it is time for it.
    pub fn tick(&self) {
        let mut pace = self.pace();
        if !pace.held.is_empty() && pace.budget.take(0.0) {
            pace.showing = true;
            let held = std::mem::take(&mut pace.held);
            self.say(&held);
        }
    }

    /// Where a panic has left it, the pace is still good enough.
    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, lines: &[String]) {
        self.output.say(lines);
        if self.output.is_closed() {
            self.control.stop();
        }
    }
}

impl Reporter for Printer {
    fn info(&mut self, info: &Info) {
        let lines = self.dialect.info(info, &self.view);
        let mut pace = self.pace();
        if info.bound != Bound::Exact {
            // A bound says nothing that the next line does not say better: shown if there is room.
            if !lines.is_empty() && pace.budget.take(1.0) {
                self.say(&lines);
            }
            return;
        }
        // The lines of one depth stay together: shown or held as the first of them was.
        if info.multipv == 1 {
            pace.held.clear();
            pace.showing = pace.budget.take(0.0);
        }
        if pace.showing {
            self.say(&lines);
        } else {
            pace.held.extend(lines);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        if self.pace().budget.take(1.0) {
            self.say(&[self.dialect.current_move(depth, mv, number)]);
        }
    }
}

/// A stock of reports that refills slowly.
struct Budget {
    stock: f64,
    since: Instant,
}

impl Budget {
    fn new() -> Budget {
        Budget { stock: BURST, since: Instant::now() }
    }

    /// Takes one report out, if that leaves at least `reserve`.
    fn take(&mut self, reserve: f64) -> bool {
        let elapsed: Duration = self.since.elapsed();
        self.since = Instant::now();
        self.stock = (self.stock + elapsed.as_secs_f64() * PER_SECOND).min(BURST);
        let enough = self.stock >= 1.0 + reserve;
        if enough {
            self.stock -= 1.0;
        }
        enough
    }
}
