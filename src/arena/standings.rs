//! The score so far: of each meeting, of each engine, and who failed how.

use super::pace::Pace;
use super::results::Finished;
use super::schedule::Schedule;
use super::stats::Pairs;
use chuhe_engine::types::Color;
use std::collections::BTreeMap;

/// Wins, draws, losses and pairs of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub pairs: Pairs,
}

impl Score {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same score from the opponent's side.
    pub fn reversed(&self) -> Score {
        Score { wins: self.losses, losses: self.wins, pairs: self.pairs.reversed(), ..*self }
    }

    /// Counts a game in which so many half points were made.
    fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    fn plus(&self, other: &Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            pairs: self.pairs.plus(&other.pairs),
        }
    }
}

/// What two engines made of each other, seen from `one`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    pub one: usize,
    pub other: usize,
    /// The first one's score.
    pub score: Score,
    /// The same without games that were lost by a fault, and without their pairs.
    pub faultless: Score,
}

/// All scores of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    meetings: Vec<Meeting>,
    /// Half points of the meeting's first engine in pairs of which one game is finished, and whether by a fault.
    halves: BTreeMap<usize, (usize, bool)>,
    /// Per engine and kind of fault, how often.
    faults: BTreeMap<(usize, String), u64>,
    /// Of each engine that has played on a clock.
    paces: BTreeMap<usize, Pace>,
}

impl Standings {
    /// The scores before the first game.
    pub fn new(schedule: &Schedule) -> Standings {
        let meeting = |&(one, other): &(usize, usize)| Meeting {
            one,
            other,
            score: Score::default(),
            faultless: Score::default(),
        };
        Standings { meetings: schedule.meetings().iter().map(meeting).collect(), ..Standings::default() }
    }

    /// Counts a finished game.
    pub fn add(&mut self, game: &Finished) {
        let fixture = &game.fixture;
        if let Some((side, kind)) = &game.fault {
            *self.faults.entry((fixture.engine(*side), kind.clone())).or_default() += 1;
        }
        for (side, spent) in Color::ALL.into_iter().zip(&game.spent) {
            if let Some(spent) = spent {
                self.paces.entry(fixture.engine(side)).or_default().add(spent);
            }
        }
        let Some(meeting) = self.meetings.iter_mut().find(|meeting| {
            (meeting.one, meeting.other) == (fixture.red, fixture.black)
                || (meeting.one, meeting.other) == (fixture.black, fixture.red)
        }) else {
            return;
        };
        let own = if meeting.one == fixture.red { Color::Red } else { Color::Black };
        let half_points = match game.winner {
            None => 1,
            Some(winner) if winner == own => 2,
            Some(_) => 0,
        };
        let failed = game.fault.is_some();
        meeting.score.add(half_points);
        if !failed {
            meeting.faultless.add(half_points);
        }
        match self.halves.remove(&fixture.pair()) {
            Some((first, first_failed)) => {
                meeting.score.pairs.add(first + half_points);
                if !failed && !first_failed {
                    meeting.faultless.pairs.add(first + half_points);
                }
            }
            None => {
                self.halves.insert(fixture.pair(), (half_points, failed));
            }
        }
    }

    /// The meetings, in the order of the schedule.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// The score of one engine against everybody.
    pub fn of(&self, engine: usize) -> Score {
        self.meetings.iter().fold(Score::default(), |sum, meeting| {
            if meeting.one == engine {
                sum.plus(&meeting.score)
            } else if meeting.other == engine {
                sum.plus(&meeting.score.reversed())
            } else {
                sum
            }
        })
    }

    /// What an engine does with its clock, if it has played on one.
    pub fn pace(&self, engine: usize) -> Option<&Pace> {
        self.paces.get(&engine)
    }

    pub fn games(&self) -> u64 {
        self.meetings.iter().map(|meeting| meeting.score.games()).sum()
    }

    /// Who failed how, and how often.
    pub fn faults(&self) -> impl Iterator<Item = (usize, &str, u64)> {
        self.faults.iter().map(|((engine, kind), &count)| (*engine, kind.as_str(), count))
    }
}
