//! Stops a tournament when an engine fails so often that its results are meaningless.

use super::engine::EngineFault;
use chuhe_support::language::{Phrase, phrase, tr};
use std::collections::VecDeque;
use thiserror::Error;

/// A tournament stops after this many consecutive failures of an engine …
const MAX_FAILURES_IN_ROW: usize = 3;
/// … or after this many failures in its last `FAILURE_WINDOW` games.
const MAX_FAILURES: usize = 10;
const FAILURE_WINDOW: usize = 100;

/// An engine that failed too often.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("stopped: engine '{name}' failed {how_often}, the last time because it {what}; repair the engine, or continue with --tolerate-faults", name, how_often, what))]
pub struct TooManyFaults {
    pub name: String,
    pub how_often: Phrase,
    pub what: EngineFault,
}

/// For each engine, whether it failed in its last games.
#[derive(Clone, Debug, Default)]
pub struct FailureLimits(Vec<VecDeque<bool>>);

impl FailureLimits {
    pub fn new(engines: usize) -> FailureLimits {
        FailureLimits(vec![VecDeque::new(); engines])
    }

    /// Records a game of an engine. Returns how often it failed if that is too often.
    pub fn record(&mut self, engine: usize, failed: bool) -> Option<Phrase> {
        let games = self.0.get_mut(engine)?;
        games.push_back(failed);
        if games.len() > FAILURE_WINDOW {
            games.pop_front();
        }
        if !failed {
            None
        } else if games.len() >= MAX_FAILURES_IN_ROW
            && games.iter().rev().take(MAX_FAILURES_IN_ROW).all(|&failed| failed)
        {
            Some(phrase!("in three games in a row"))
        } else if games.iter().filter(|&&failed| failed).count() >= MAX_FAILURES {
            Some(phrase!("in ten games of a hundred"))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_limits_stop_at_ten_of_a_hundred_but_not_at_nine() {
        let every = |step: usize, games: usize| {
            let mut limits = FailureLimits::new(1);
            (0..games).find_map(|game| limits.record(0, game.is_multiple_of(step)).map(|_| game))
        };
        assert_eq!(every(10, 1000), Some(90));
        assert_eq!(every(12, 1000), None);
    }
}
