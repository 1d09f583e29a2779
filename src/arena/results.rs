//! A game that is over, as far as the score is concerned.

use super::pace::Spending;
use super::schedule::Fixture;
use chuhe_engine::types::Color;

/// A game that was played, now or before an interruption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Its place in the schedule.
    pub fixture: Fixture,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Whose engine failed, and how.
    pub fault: Option<(Color, String)>,
    /// What red and black did with their clocks, where they had any.
    pub spent: [Option<Spending>; 2],
}
