//! How the time of a game is shared among its moves: arithmetic alone, without a clock to look at.
//!
//! A move's share is what is left, divided by the moves that are still to come. Of these the plan expects fewer the longer
//! the game has lasted, so that the time is used before games end and never runs out in those that do not. What the
//! iterations say of the decision stretches the share or cuts it; two limits end an iteration that has begun.

use super::params;
use crate::types::Score;
use std::time::Duration;

/// A game clock as a host describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left to the side to move.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// Time left to the opponent, if the host told.
    pub opponent_time: Option<Duration>,
}

/// What a move may take of a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeBudget {
    /// A decision of the usual difficulty.
    pub soft: Duration,
    /// An iteration that lasts longer is broken off.
    pub hard: Duration,
    /// The same where the score is falling and no remedy has been found yet.
    pub panic: Duration,
}

/// What the iterations so far say about the decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeFactors {
    /// How often another move has become the best of late: each iteration halves the count.
    pub best_move_changes: f64,
    /// For how many iterations the best move has been the same.
    pub stable_iterations: u32,
    /// How far the score has fallen since the move before this one in the game.
    pub drop_since_previous_move: Score,
    /// How far it has fallen in the last few iterations.
    pub recent_drop: Score,
    /// Share of all nodes that went into the best move, 0.0 to 1.0.
    pub best_move_node_share: f64,
}

/// Constants are written in whole percent.
fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

/// How many moves this player expects still to make when he has made so many. Never few without an increment: what is left
/// must then last for all of them, however long the game.
fn expected_moves_to_go(moves_made: u32, left: f64, increment: f64) -> f64 {
    let fed = (increment * 100.0 / left.max(0.001)).min(1.0);
    let (fewest, unfed) = (f64::from(params::time_moves_min()), f64::from(params::time_moves_min_no_increment()));
    let least = unfed + (fewest - unfed) * fed;
    (f64::from(params::time_moves()) - f64::from(moves_made) * percent(params::time_moves_slope())).max(least)
}

impl TimeBudget {
    /// The share of a move on this clock, when this player has made so many moves. `overhead` gets lost on each.
    pub fn for_clock(clock: &Clock, moves_made: u32, overhead: Duration, ponder_allowed: bool) -> TimeBudget {
        // An emergency reserve on top of the overhead: hosts and machines stumble.
        let reserve = (overhead + clock.time / 50).min(clock.time / 2);
        let left = clock.time.saturating_sub(reserve).as_secs_f64();
        let expected = expected_moves_to_go(moves_made, left, clock.increment.as_secs_f64());
        let moves = clock.moves_to_go.map_or(expected, |moves| expected.min(f64::from(moves.max(1))));
        // What the increments will bring, and what the way to the host will cost.
        let lost = overhead.as_secs_f64() * percent(params::time_overhead());
        let income = (clock.increment.as_secs_f64() - lost) * (moves - 1.0);
        let mut usual = (left + income).max(left / 4.0) / moves;
        if let Some(opponent) = clock.opponent_time {
            // Ahead on the clock: spend some of it; behind: hurry a little.
            let balance = left / opponent.as_secs_f64().max(0.01);
            usual *= balance.powf(0.25).clamp(0.85, 1.15);
        }
        if ponder_allowed {
            usual *= percent(params::time_ponder());
        }
        // The last move before a time control may take what there is.
        let is_last = clock.moves_to_go == Some(1);
        let most = |part: i32| if is_last { left } else { left * percent(part) };
        let usual = usual.min(most(params::time_hard_max())).max(0.001);
        let limit =
            |stretch: i32, part: i32| Duration::from_secs_f64((usual * percent(stretch)).min(most(part)).max(0.001));
        TimeBudget {
            soft: Duration::from_secs_f64(usual),
            hard: limit(params::time_hard(), params::time_hard_max()),
            panic: limit(params::time_panic(), params::time_panic_max()),
        }
    }
}

impl TimeFactors {
    /// By how much the decision stretches its share, or cuts it.
    pub fn scale(&self) -> f64 {
        let changes =
            percent(params::time_stable_base()) + self.best_move_changes * percent(params::time_best_move_change());
        let drop = f64::from(self.drop_since_previous_move) / f64::from(params::time_drop_game())
            + f64::from(self.recent_drop) / f64::from(params::time_drop_search());
        let falling = (1.0 + drop).clamp(percent(params::time_drop_min()), percent(params::time_drop_max()));
        let effort = (percent(params::time_node_share()) - self.best_move_node_share).clamp(0.5, 1.4);
        let is_alone =
            self.stable_iterations >= 6 && self.best_move_node_share > percent(params::time_no_rival_node_share());
        let alone = if is_alone { percent(params::time_no_rival()) } else { 1.0 };
        changes.min(percent(params::time_best_move_change_max())) * falling * effort * alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(seconds: f64, increment: f64) -> Clock {
        Clock {
            time: Duration::from_secs_f64(seconds),
            increment: Duration::from_secs_f64(increment),
            ..Clock::default()
        }
    }

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn no_clock_is_ever_overspent() {
        for time in [0, 1, 5, 20, 50, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 5000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    for (overhead, made) in [(0, 0), (20, 30), (5000, 200)] {
                        let clock = Clock {
                            time: Duration::from_millis(time),
                            increment: Duration::from_millis(increment),
                            moves_to_go,
                            ..Clock::default()
                        };
                        let share = TimeBudget::for_clock(&clock, made, Duration::from_millis(overhead), true);
                        assert!(share.soft <= share.hard, "{clock:?}");
                        assert!(share.hard <= share.panic, "{clock:?}");
                        let most = share.panic;
                        assert!(most <= clock.time.max(Duration::from_millis(1)), "{clock:?} {share:?}");
                        if time >= 1000 {
                            let reserve = overhead.min(time / 2);
                            assert!(most.as_millis() as u64 + reserve <= time, "{clock:?} {share:?}");
                        }
                    }
                }
            }
        }
    }

    /// What is left of a clock, as a share of its first time, after so many moves that take their usual share.
    fn left_after(moves: usize, seconds: f64, increment: f64) -> f64 {
        let mut now = seconds;
        for made in 0..moves as u32 {
            let share = TimeBudget::for_clock(&clock(now, increment), made, OVERHEAD, false);
            assert!(share.soft.as_secs_f64() + 0.02 <= now, "time runs out at move {made}");
            now += increment - share.soft.as_secs_f64();
        }
        now / seconds
    }

    #[test]
    fn the_time_is_used_when_games_end_and_lasts_in_those_that_do_not() {
        for (seconds, increment) in [(3.0, 0.03), (20.0, 0.2), (60.0, 0.6), (600.0, 5.0), (300.0, 0.0)] {
            let left = |moves| left_after(moves, seconds, increment);
            assert!(left(20) > 0.3, "{seconds}: much is left for the middlegame, {}", left(20));
            assert!(left(60) < 0.15, "{seconds}: {}", left(60));
            assert!(left(75) < 0.09, "{seconds}: {}", left(75));
            assert!(left(300) > 0.0);
        }
    }

    #[test]
    fn moves_before_a_time_control_share_what_there_is() {
        let mut now = 60.0;
        for to_go in (1..=40).rev() {
            let clock = Clock { moves_to_go: Some(to_go), ..clock(now, 0.0) };
            now -= TimeBudget::for_clock(&clock, 40 - to_go, OVERHEAD, false).soft.as_secs_f64();
        }
        assert!((0.0..6.0).contains(&now), "{now} s of 60 are left");
    }

    #[test]
    fn trouble_may_take_most_of_a_clock_and_nothing_else_may() {
        let late = TimeBudget::for_clock(&clock(60.0, 0.6), 80, OVERHEAD, false);
        assert!(late.panic.as_secs_f64() <= 0.7 * 60.0);
        assert!(late.panic.as_secs_f64() > 0.5 * 60.0, "{late:?}");
        assert!(late.hard.as_secs_f64() < 0.4 * 60.0, "{late:?}");
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let usual = TimeFactors { stable_iterations: 4, best_move_node_share: 0.6, ..TimeFactors::default() };
        let doubts = [
            TimeFactors { best_move_changes: 1.0, ..usual },
            TimeFactors { drop_since_previous_move: 60, ..usual },
            TimeFactors { recent_drop: 60, ..usual },
            TimeFactors { best_move_node_share: 0.3, ..usual },
        ];
        for doubt in doubts {
            assert!(doubt.scale() > 1.1 * usual.scale(), "{doubt:?}");
        }
        let alone = TimeFactors { stable_iterations: 9, best_move_node_share: 0.99, ..usual };
        assert!(alone.scale() < 0.5 * usual.scale());
    }
}
