//! Standings: the score of each pairing and of each engine, the time that engines use, the faults, and what reports need
//! to know of a tournament.
//!
//! The schedule: players and opening as a function of the game number alone, so that an interrupted tournament can be
//! resumed.

use super::spec::{TimeControl, TournamentFormat};
use super::stats::{Pentanomial, Sprt, SprtVerdict};
use chuhe_study::player::GameClock;
use chuhe_support::small_sort::SmallSort;
use std::collections::BTreeMap;
use std::time::Duration;
use xiangqi::Color;

/// Wins, draws, losses and pairs of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub pairs: Pentanomial,
}

impl MatchScore {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points of a game on average.
    pub fn share(&self) -> f64 {
        self.points() / self.games().max(1) as f64
    }

    /// True if the games of every pair mirror each other, as those of two equal programs do; from ten pairs on.
    pub fn is_mirrored(&self) -> bool {
        matches!(self.pairs.0, [0, 0, pairs, 0, 0] if pairs >= 10)
    }

    /// The score from the opponent's side.
    pub fn reversed(&self) -> MatchScore {
        MatchScore { wins: self.losses, losses: self.wins, pairs: self.pairs.reversed(), ..*self }
    }

    /// Adds a game with this many half points.
    fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    fn plus(&self, other: &MatchScore) -> MatchScore {
        MatchScore {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            pairs: self.pairs.plus(&other.pairs),
        }
    }
}

/// The score of two engines against each other, from the side of `one`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairing {
    pub one: usize,
    pub other: usize,
    /// The score of `one`.
    pub score: MatchScore,
    /// The score without games lost by a fault and without their pairs.
    pub faultless: MatchScore,
}

/// All scores of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    pairings: Vec<Pairing>,
    /// For pairs with one finished game: the half points of `one`, and whether a fault ended the game.
    open_pairs: BTreeMap<usize, (usize, bool)>,
    /// Fault counts per engine and kind.
    faults: BTreeMap<(usize, String), u64>,
    /// Per engine that has played with a clock.
    time_usage: BTreeMap<usize, TimeUsage>,
}

impl Standings {
    /// Empty standings.
    pub fn new(schedule: &Schedule) -> Standings {
        let pairing = |&(one, other): &(usize, usize)| Pairing { one, other, ..Pairing::default() };
        Standings { pairings: schedule.pairings().iter().map(pairing).collect(), ..Standings::default() }
    }

    /// Counts a finished game.
    pub fn add(&mut self, game: &FinishedGame) {
        let scheduled = &game.scheduled;
        if let Some((side, kind)) = &game.fault {
            *self.faults.entry((scheduled.engine(*side), kind.clone())).or_default() += 1;
        }
        for (side, spent) in Color::ALL.into_iter().zip(&game.clock_usage) {
            if let Some(spent) = spent {
                self.time_usage.entry(scheduled.engine(side)).or_default().add(spent);
            }
        }
        let Some(pairing) = self.pairings.iter_mut().find(|pairing| {
            (pairing.one, pairing.other) == (scheduled.red, scheduled.black)
                || (pairing.one, pairing.other) == (scheduled.black, scheduled.red)
        }) else {
            return;
        };
        let own = if pairing.one == scheduled.red { Color::Red } else { Color::Black };
        let half_points = match game.winner {
            None => 1,
            Some(winner) if winner == own => 2,
            Some(_) => 0,
        };
        let failed = game.fault.is_some();
        pairing.score.add(half_points);
        if !failed {
            pairing.faultless.add(half_points);
        }
        match self.open_pairs.remove(&scheduled.pair()) {
            Some((first, first_failed)) => {
                pairing.score.pairs.add(first + half_points);
                if !failed && !first_failed {
                    pairing.faultless.pairs.add(first + half_points);
                }
            }
            None => {
                self.open_pairs.insert(scheduled.pair(), (half_points, failed));
            }
        }
    }

    /// The pairings, in the order of the schedule.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The score of one engine against all others.
    pub fn engine_score(&self, engine: usize) -> MatchScore {
        self.pairings.iter().fold(MatchScore::default(), |sum, pairing| {
            if pairing.one == engine {
                sum.plus(&pairing.score)
            } else if pairing.other == engine {
                sum.plus(&pairing.score.reversed())
            } else {
                sum
            }
        })
    }

    /// So many engines, the best first.
    pub fn ranking(&self, engines: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..engines).collect();
        order.order_by(|&a, &b| self.engine_score(b).share().total_cmp(&self.engine_score(a).share()));
        order
    }

    /// The time usage of an engine, if it has played with a clock.
    pub fn time_usage(&self, engine: usize) -> Option<&TimeUsage> {
        self.time_usage.get(&engine)
    }

    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.score.games()).sum()
    }

    /// Fault counts: engine, kind, count.
    pub fn faults(&self) -> impl Iterator<Item = (usize, &str, u64)> {
        self.faults.iter().map(|((engine, kind), &count)| (*engine, kind.as_str(), count))
    }
}

/// What reports need to know of a tournament: engines, schedule and SPRT.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentInfo {
    /// The names of the engines.
    pub names: Vec<String>,
    pub schedule: Schedule,
    /// Games to be played; fewer than in the schedule if only a shard is played.
    pub planned: usize,
    /// The SPRT; for two engines only.
    pub sprt: Option<Sprt>,
}

impl TournamentInfo {
    /// The current SPRT verdict; `Open` without an SPRT.
    pub fn decision(&self, standings: &Standings) -> SprtVerdict {
        self.decide(standings, |pairing| &pairing.score)
    }

    fn decide(&self, standings: &Standings, score: fn(&Pairing) -> &MatchScore) -> SprtVerdict {
        match (&self.sprt, standings.pairings()) {
            (Some(sprt), [pairing]) => sprt.decide(&score(pairing).pairs),
            _ => SprtVerdict::Open,
        }
    }

    /// The SPRT verdict without the games lost by a fault.
    pub fn faultless_decision(&self, standings: &Standings) -> SprtVerdict {
        self.decide(standings, |pairing| &pairing.faultless)
    }

    /// True if the verdict would be different without the games lost by a fault.
    pub fn depends_on_faults(&self, standings: &Standings) -> bool {
        let decision = self.decision(standings);
        decision != SprtVerdict::Open && decision != self.faultless_decision(standings)
    }
}

/// A finished game as the standings count it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// Its place in the schedule.
    pub scheduled: ScheduledGame,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The side whose engine failed, and the kind of fault.
    pub fault: Option<(Color, String)>,
    /// Clock usage of red and black, if they had clocks.
    pub clock_usage: [Option<ClockUsage>; 2],
}

/// Moves per group.
pub const MOVES_PER_GROUP: usize = 10;

/// The clock usage of one side in one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockUsage {
    control: TimeControl,
    /// The time of each of its moves.
    moves: Vec<Duration>,
}

impl ClockUsage {
    /// Rounds the move times to milliseconds, as records have them.
    pub fn new(control: TimeControl, moves: impl IntoIterator<Item = Duration>) -> ClockUsage {
        let rounded = |spent: Duration| Duration::from_millis((spent.as_secs_f64() * 1000.0).round() as u64);
        ClockUsage { control, moves: moves.into_iter().map(rounded).collect() }
    }

    /// Fraction of the base time left at the end.
    fn unused_fraction(&self) -> f64 {
        let mut clock = GameClock::new(self.control);
        self.moves.iter().for_each(|&spent| clock.press(spent));
        clock.left().as_secs_f64() / self.control.base.as_secs_f64().max(0.001)
    }
}

/// The time usage of an engine over all its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeUsage {
    /// Seconds and number of moves, per group.
    groups: Vec<(f64, u64)>,
    left: f64,
    games: u64,
}

impl TimeUsage {
    pub fn add(&mut self, usage: &ClockUsage) {
        for (index, spent) in usage.moves.iter().enumerate() {
            if self.groups.len() <= index / MOVES_PER_GROUP {
                self.groups.push((0.0, 0));
            }
            let group = &mut self.groups[index / MOVES_PER_GROUP];
            *group = (group.0 + spent.as_secs_f64(), group.1 + 1);
        }
        self.left += usage.unused_fraction();
        self.games += 1;
    }

    /// Mean seconds per move, for each group of ten moves.
    pub fn seconds(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().map(|(seconds, moves)| seconds / (*moves).max(1) as f64)
    }

    /// Mean fraction of the base time left at the end of games.
    pub fn unused_fraction(&self) -> f64 {
        self.left / self.games.max(1) as f64
    }
}

/// One game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Number from 0. Games 2n and 2n + 1 form a pair: same opening, and colours swapped unless they are fixed.
    pub number: usize,
    pub red: usize,
    pub black: usize,
    pub opening: usize,
}

impl ScheduledGame {
    /// The number of its pair.
    pub fn pair(&self) -> usize {
        self.number / 2
    }

    /// The engine that plays this colour.
    pub fn engine(&self, side: Color) -> usize {
        match side {
            Color::Red => self.red,
            Color::Black => self.black,
        }
    }
}

/// The order of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    games_each: usize,
    swap_colours: bool,
}

impl Schedule {
    /// Creates a schedule with `games_each` games (rounded up to pairs) per pairing.
    pub fn new(format: TournamentFormat, engines: usize, games_each: usize) -> Schedule {
        let first = match format {
            TournamentFormat::RoundRobin => engines,
            TournamentFormat::Gauntlet => engines.min(1),
        };
        let pairings = (0..first).flat_map(|one| (one + 1..engines).map(move |other| (one, other))).collect();
        Schedule { pairings, games_each: games_each.next_multiple_of(2), swap_colours: true }
    }

    /// The same, where the first engine of each pairing may play red in all games.
    pub fn with_swapped_colours(self, swap_colours: bool) -> Schedule {
        Schedule { swap_colours, ..self }
    }

    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.games_each
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of this number. Every pairing plays its first pair before any plays its second, so intermediate
    /// standings are fair.
    pub fn game(&self, number: usize) -> ScheduledGame {
        let pair = number / 2;
        let (one, other) = self.pairings[pair % self.pairings.len()];
        let opening = pair / self.pairings.len();
        let (red, black) = if number.is_multiple_of(2) || !self.swap_colours { (one, other) } else { (other, one) };
        ScheduledGame { number, red, black, opening }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_usage_averages_seconds_by_ten_moves_and_time_left_by_game() {
        let second = Duration::from_secs(1);
        let control = TimeControl { base: 100 * second, increment: second, moves: None };
        let mut time_usage = TimeUsage::default();
        time_usage.add(&ClockUsage::new(control, vec![5 * second; 10]));
        time_usage.add(&ClockUsage::new(control, [vec![3 * second; 10], vec![second; 5]].concat()));
        assert_eq!(time_usage.seconds().collect::<Vec<_>>(), [4.0, 1.0]);
        assert!((time_usage.unused_fraction() - 0.7).abs() < 1e-9, "{}", time_usage.unused_fraction());
    }
}
