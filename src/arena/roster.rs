//! What a table of results needs to know of a tournament, be it played here or read from records.

use super::schedule::Schedule;
use super::sprt::{Decision, Sprt};
use super::standings::Standings;

/// Who plays, how often, and what is to be decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Roster {
    /// The engines by their names.
    pub names: Vec<String>,
    pub schedule: Schedule,
    /// Games to be played here; fewer than in the schedule for a part of it.
    pub planned: usize,
    /// The test, for two engines.
    pub sprt: Option<Sprt>,
}

impl Roster {
    /// What the test says so far; open without one.
    pub fn decision(&self, standings: &Standings) -> Decision {
        match (&self.sprt, standings.meetings()) {
            (Some(sprt), [meeting]) => sprt.decide(&meeting.score.pairs),
            _ => Decision::Open,
        }
    }

    /// What the test would say without the games that were lost by a fault.
    pub fn faultless_decision(&self, standings: &Standings) -> Decision {
        match (&self.sprt, standings.meetings()) {
            (Some(sprt), [meeting]) => sprt.decide(&meeting.faultless.pairs),
            _ => Decision::Open,
        }
    }

    /// True if there is a verdict that rests on games lost by a fault.
    pub fn is_doubtful(&self, standings: &Standings) -> bool {
        let decision = self.decision(standings);
        decision != Decision::Open && decision != self.faultless_decision(standings)
    }
}
