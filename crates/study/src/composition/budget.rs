//! How much work the check of one composition may take.

use chuhe_engine::instant::Instant;
use chuhe_engine::search::Limits;
use std::time::Duration;

/// A budget of time or of nodes, of which every step of a check gets a share.
pub trait CheckBudget {
    /// The part that is spent, from 0 to 1 and beyond, after so many nodes.
    fn spent(&self, nodes: u64) -> f64;
    /// Limits for a search that may take this part of the whole.
    fn limits(&self, part: f64) -> Limits;
}

/// A budget of nodes: what a check says does not depend on the machine.
#[derive(Clone, Copy, Debug)]
pub struct NodeBudget(pub u64);

impl CheckBudget for NodeBudget {
    fn spent(&self, nodes: u64) -> f64 {
        nodes as f64 / self.0.max(1) as f64
    }

    fn limits(&self, part: f64) -> Limits {
        Limits::nodes((self.0 as f64 * part) as u64)
    }
}

/// A budget of time, from when it is made.
#[derive(Clone, Copy, Debug)]
pub struct TimeBudget {
    begun: Instant,
    time: Duration,
}

impl TimeBudget {
    pub fn new(time: Duration) -> TimeBudget {
        TimeBudget { begun: Instant::now(), time }
    }
}

impl CheckBudget for TimeBudget {
    fn spent(&self, _nodes: u64) -> f64 {
        self.begun.elapsed().as_secs_f64() / self.time.as_secs_f64()
    }

    fn limits(&self, part: f64) -> Limits {
        Limits::move_time(self.time.mul_f64(part))
    }
}
