//! Time allocation: the soft and hard time limits of a move, as arithmetic without a clock.
//!
//! The soft limit is the time left divided by the expected number of moves to go, which falls as the game goes on.
//! After each iteration [`TimeFactors`] scale the soft limit; the hard limits abort a running iteration.

use super::params;
use crate::score::Score;
use std::time::Duration;

/// A game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left to the side to move.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
    /// Time left to the opponent, if known.
    pub opponent_time: Option<Duration>,
}

/// Time limits of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeBudget {
    /// No new iteration starts after this, scaled by [`TimeFactors::scale`].
    pub soft: Duration,
    /// Aborts the running iteration.
    pub hard: Duration,
    /// Hard limit while the score fails low.
    pub panic: Duration,
}

/// State of the iterations so far that scales the soft limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeFactors {
    /// Changes of the best move, halved with each iteration.
    pub best_move_changes: f64,
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Drop of the score since the previous move of the game.
    pub drop_since_previous_move: Score,
    /// Drop of the score in the last few iterations.
    pub recent_drop: Score,
    /// Share of all nodes spent on the best move, 0.0 to 1.0.
    pub best_move_node_share: f64,
}

/// A constant in percent as a factor.
pub(super) fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

/// Expected moves to go after `moves_made` moves. The minimum is larger without an increment, because the time left
/// must then last for the whole game.
fn expected_moves_to_go(moves_made: u32, left: f64, increment: f64) -> f64 {
    let increment_share = (increment * 100.0 / f64::from(params::time_full_increment()) / left.max(0.001)).min(1.0);
    let (min_moves, min_moves_no_increment) =
        (f64::from(params::time_moves_min()), f64::from(params::time_moves_min_no_increment()));
    let least = min_moves_no_increment + (min_moves - min_moves_no_increment) * increment_share;
    (f64::from(params::time_moves()) - f64::from(moves_made) * percent(params::time_moves_slope())).max(least)
}

impl TimeBudget {
    /// Allocates time for a move; `overhead` is lost on each move.
    pub fn for_clock(clock: &Clock, moves_made: u32, overhead: Duration, ponder_allowed: bool) -> TimeBudget {
        // A reserve for delays on top of the overhead.
        let reserve = (overhead + clock.time / params::time_reserve_divisor() as u32)
            .min(clock.time / params::time_reserve_max_divisor() as u32);
        let left = clock.time.saturating_sub(reserve).as_secs_f64();
        let expected = expected_moves_to_go(moves_made, left, clock.increment.as_secs_f64());
        let moves = clock.moves_to_go.map_or(expected, |moves| expected.min(f64::from(moves.max(1))));
        // Increments to come, less the expected overhead.
        let overhead_per_move = overhead.as_secs_f64() * percent(params::time_overhead());
        let income = (clock.increment.as_secs_f64() - overhead_per_move) * (moves - 1.0);
        let mut soft = (left + income).max(left * percent(params::time_left_min())) / moves;
        if let Some(opponent) = clock.opponent_time {
            // Use more time when ahead on the clock, less when behind.
            let ratio = left / opponent.as_secs_f64().max(0.01);
            soft *= ratio
                .powf(percent(params::time_balance_exponent()))
                .clamp(percent(params::time_balance_min()), percent(params::time_balance_max()));
        }
        if ponder_allowed {
            soft *= percent(params::time_ponder());
        }
        // The last move before a time control may use all of the time.
        let is_last = clock.moves_to_go == Some(1);
        let most = |part: i32| if is_last { left } else { left * percent(part) };
        let soft = soft.min(most(params::time_hard_max())).max(0.001);
        let limit = |scale: i32, part: i32| Duration::from_secs_f64((soft * percent(scale)).min(most(part)).max(0.001));
        TimeBudget {
            soft: Duration::from_secs_f64(soft),
            hard: limit(params::time_hard(), params::time_hard_max()),
            panic: limit(params::time_panic(), params::time_panic_max()),
        }
    }
}

impl TimeFactors {
    /// Factor for the soft limit.
    pub fn scale(&self) -> f64 {
        let stability =
            percent(params::time_stable_base()) + self.best_move_changes * percent(params::time_best_move_change());
        let drop = f64::from(self.drop_since_previous_move) / f64::from(params::time_drop_game())
            + f64::from(self.recent_drop) / f64::from(params::time_drop_search());
        let score_factor = (1.0 + drop).clamp(percent(params::time_drop_min()), percent(params::time_drop_max()));
        let node_factor = (percent(params::time_node_share()) - self.best_move_node_share)
            .clamp(percent(params::time_node_share_min()), percent(params::time_node_share_max()));
        let has_no_rival = self.stable_iterations >= params::time_no_rival_iterations() as u32
            && self.best_move_node_share > percent(params::time_no_rival_node_share());
        let no_rival = if has_no_rival { percent(params::time_no_rival()) } else { 1.0 };
        stability.min(percent(params::time_best_move_change_max())) * score_factor * node_factor * no_rival
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
    fn time_budget_never_overspends_the_clock() {
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

    /// Time left as a share of the initial time after `moves` moves that use their soft limit.
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
    fn time_budget_uses_most_time_in_usual_games_and_lasts_in_long_ones() {
        for (seconds, increment) in [(3.0, 0.03), (20.0, 0.2), (60.0, 0.6), (600.0, 5.0), (300.0, 0.0)] {
            let left = |moves| left_after(moves, seconds, increment);
            assert!(left(20) > 0.3, "{seconds}: much is left for the middlegame, {}", left(20));
            assert!(left(60) < 0.15, "{seconds}: {}", left(60));
            assert!(left(75) < 0.09, "{seconds}: {}", left(75));
            assert!(left(300) > 0.0);
        }
    }

    #[test]
    fn time_budget_uses_up_the_time_before_a_time_control() {
        let mut now = 60.0;
        for to_go in (1..=40).rev() {
            let clock = Clock { moves_to_go: Some(to_go), ..clock(now, 0.0) };
            now -= TimeBudget::for_clock(&clock, 40 - to_go, OVERHEAD, false).soft.as_secs_f64();
        }
        assert!((0.0..6.0).contains(&now), "{now} s of 60 are left");
    }

    #[test]
    fn time_budget_lets_only_panic_take_most_of_the_clock() {
        let late = TimeBudget::for_clock(&clock(60.0, 0.6), 80, OVERHEAD, false);
        assert!(late.panic.as_secs_f64() <= 0.7 * 60.0);
        assert!(late.panic.as_secs_f64() > 0.5 * 60.0, "{late:?}");
        assert!(late.hard.as_secs_f64() < 0.4 * 60.0, "{late:?}");
    }

    #[test]
    fn time_factors_give_more_time_to_unclear_decisions() {
        let soft = TimeFactors { stable_iterations: 4, best_move_node_share: 0.6, ..TimeFactors::default() };
        let unclear_cases = [
            TimeFactors { best_move_changes: 1.0, ..soft },
            TimeFactors { drop_since_previous_move: 60, ..soft },
            TimeFactors { recent_drop: 60, ..soft },
            TimeFactors { best_move_node_share: 0.3, ..soft },
        ];
        for unclear in unclear_cases {
            assert!(unclear.scale() > 1.1 * soft.scale(), "{unclear:?}");
        }
        let no_rival = TimeFactors { stable_iterations: 9, best_move_node_share: 0.99, ..soft };
        assert!(no_rival.scale() < 0.5 * soft.scale());
    }
}
