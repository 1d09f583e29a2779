//! The clock of one side: what is left on it, what it says, and what that means to a searcher.

use super::time_control::TimeControl;
use chuhe_engine::search::Clock;
use std::time::Duration;

/// What a clock says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next base time; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

impl Reading {
    /// The same in the searcher's words; the other side's clock beside it, where there is one.
    pub fn for_search(self, opponent: Option<Reading>) -> Clock {
        Clock {
            time: self.left,
            increment: self.increment,
            moves_to_go: self.moves_to_go,
            opponent_time: opponent.map(|reading| reading.left),
        }
    }
}

/// What one side has left, and the control that says what it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Duration,
    /// Moves made since the base time was last given.
    made: u32,
}

impl GameClock {
    /// The clock at the start.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, left: control.base, made: 0 }
    }

    /// A clock on which so many moves were made; with this much left, or as at the start.
    pub fn resumed(control: TimeControl, left: Option<Duration>, moves: u32) -> GameClock {
        let made = control.moves.map_or(moves, |of| moves % of);
        GameClock { control, left: left.unwrap_or(control.base), made }
    }

    /// What the engine is told.
    pub fn reading(&self) -> Reading {
        Reading {
            left: self.left,
            increment: self.control.increment,
            moves_to_go: self.control.moves.map(|moves| moves - self.made),
        }
    }

    pub fn left(&self) -> Duration {
        self.left
    }

    /// Takes the time of a move off and gives what the control promises.
    pub fn press(&mut self, spent: Duration) {
        self.left = self.left.saturating_sub(spent) + self.control.increment;
        self.made += 1;
        if Some(self.made) == self.control.moves {
            self.left += self.control.base;
            self.made = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn increments_and_base_times_are_given() {
        let control = TimeControl { base: 10 * SECOND, increment: SECOND, moves: Some(2) };
        let mut clock = GameClock::new(control);
        clock.press(4 * SECOND);
        assert_eq!(clock.reading(), Reading { left: 7 * SECOND, increment: SECOND, moves_to_go: Some(1) });
        clock.press(5 * SECOND);
        assert_eq!(clock.reading(), Reading { left: 13 * SECOND, increment: SECOND, moves_to_go: Some(2) });
    }

    #[test]
    fn what_the_margin_forgave_is_not_owed() {
        let control = TimeControl { base: SECOND, increment: SECOND, moves: None };
        let mut clock = GameClock::new(control);
        clock.press(2 * SECOND);
        assert_eq!(clock.left(), SECOND);
    }
}
