//! The clock of a search: elapsed time, soft and hard limits, pondering, stalls of the machine and the idle throttle.
//! Limits may be measured in nodes instead of time ([`NodeTime`]), so that a game is the same on any machine.

use super::options::DEFAULT_OVERHEAD;
use super::params;
use super::time_manager::{Clock, TimeBudget, TimeFactors};
use crate::instant::Instant;
use std::time::Duration;

/// The time limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeLimits {
    pub clock: Option<Clock>,
    /// Fixed time for this move.
    pub move_time: Option<Duration>,
    /// The clock starts at the ponderhit.
    pub ponder: bool,
    /// When the search began; `None` = now.
    pub started_at: Option<Instant>,
    /// Moves of the side to move so far in this game.
    pub moves_made: u32,
}

/// Decides how long a search may take.
#[derive(Clone, Debug)]
pub struct SearchClock {
    started_at: Instant,
    /// When the clock started: at once or at the ponderhit; `None` while pondering.
    clock_started_at: Option<Instant>,
    /// Limits from the game clock.
    budget: Option<TimeBudget>,
    /// Limit from a fixed time per move.
    move_time: Option<Duration>,
    /// The score is failing low: the panic limit replaces the hard limit.
    in_panic: bool,
    /// The scaled soft limit of the last iteration.
    soft_deadline: Option<Duration>,
    /// The soft limit had passed at the ponderhit.
    soft_limit_passed_in_ponder: bool,
    /// When the clock was last checked, and the longest time between two checks.
    last_check: Duration,
    longest_stall: Duration,
    /// When the last throttle sleep ended.
    last_throttle: Duration,
    /// The measure of the limits, unless it is time.
    node_time: Option<NodeTime>,
}

/// Nodes as the measure of time.
#[derive(Clone, Copy, Debug)]
struct NodeTime {
    /// Nodes that count as a millisecond.
    per_millisecond: u64,
    /// Nodes searched so far, and when the clock started.
    searched: u64,
    at_clock_start: u64,
}

impl NodeTime {
    fn duration(&self, nodes: u64) -> Duration {
        Duration::from_micros(nodes.saturating_mul(1000) / self.per_millisecond)
    }
}

/// Shorter gaps between two checks are not stalls.
const MIN_STALL: Duration = Duration::from_millis(2);

/// Reserve for the next stall, in percent of the longest one so far; at most half of the hard limit.
const STALL_RESERVE_PERCENT: u32 = 150;

/// Work between two throttle sleeps.
const THROTTLE_MIN_WORK: Duration = Duration::from_millis(4);
/// Longest throttle sleep.
const THROTTLE_MAX_SLEEP: Duration = Duration::from_millis(40);
/// Largest share of the processor that stays idle.
const MAX_IDLE: f64 = 0.9;

impl SearchClock {
    /// Starts the clock of a search. `expected_stall` is the longest stall that earlier searches noticed, decayed.
    pub(super) fn new(
        limits: &TimeLimits,
        overhead: Duration,
        ponder_allowed: bool,
        expected_stall: Duration,
    ) -> SearchClock {
        let started_at = limits.started_at.unwrap_or_else(Instant::now);
        SearchClock {
            started_at,
            clock_started_at: (!limits.ponder).then_some(started_at),
            budget: limits
                .clock
                .as_ref()
                .map(|clock| TimeBudget::for_clock(clock, limits.moves_made, overhead, ponder_allowed)),
            move_time: limits.move_time.map(|time| usable_move_time(time, overhead)),
            in_panic: false,
            soft_deadline: None,
            soft_limit_passed_in_ponder: false,
            last_check: started_at.elapsed(),
            longest_stall: expected_stall,
            last_throttle: Duration::ZERO,
            node_time: None,
        }
    }

    /// Measures the limits by nodes, of which so many count as a millisecond; 0 = by time.
    pub(super) fn count_nodes(mut self, per_millisecond: u64) -> SearchClock {
        let node_time = NodeTime { per_millisecond, searched: 0, at_clock_start: 0 };
        self.node_time = (per_millisecond > 0).then_some(node_time);
        self
    }

    /// Whether the limits are measured by nodes.
    pub(super) fn counts_nodes(&self) -> bool {
        self.node_time.is_some()
    }

    /// Takes note of the nodes that all threads have searched.
    pub(super) fn set_nodes(&mut self, nodes: u64) {
        if let Some(node_time) = &mut self.node_time {
            node_time.searched = nodes;
        }
    }

    /// The measure of the soft limit: the time since the search began, or its nodes.
    fn spent(&self) -> Duration {
        self.node_time.map_or_else(|| self.elapsed(), |node_time| node_time.duration(node_time.searched))
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started_at.elapsed()
    }

    /// Starts the clock at the ponderhit.
    pub fn start_clock(&mut self) {
        if self.clock_started_at.is_none() {
            self.clock_started_at = Some(Instant::now());
            self.soft_limit_passed_in_ponder = self.soft_deadline.is_some_and(|soft_limit| self.spent() >= soft_limit);
            if let Some(node_time) = &mut self.node_time {
                node_time.at_clock_start = node_time.searched;
            }
        }
    }

    /// True when the hard limit is reached. Call it often: it measures stalls, times in which the operating system did
    /// not run this thread, and keeps the longest one in reserve.
    pub fn is_hard_limit_reached(&mut self) -> bool {
        let now = self.started_at.elapsed();
        let stall = now.saturating_sub(self.last_check);
        self.last_check = now;
        if stall >= MIN_STALL && stall > self.longest_stall {
            self.longest_stall = stall;
        }
        self.remaining() == Some(Duration::ZERO)
    }

    /// The limit that aborts a running iteration.
    fn hard_limit(&self) -> Option<Duration> {
        let clock_limit = self.budget.map(|budget| if self.in_panic { budget.panic } else { budget.hard });
        clock_limit.into_iter().chain(self.move_time).min()
    }

    /// Sets whether the panic limit applies.
    pub fn set_panic(&mut self, in_panic: bool) {
        self.in_panic = in_panic;
    }

    /// Time left until the hard limit; `None` if no clock is running.
    fn remaining(&self) -> Option<Duration> {
        let (clock_started_at, hard) = (self.clock_started_at?, self.hard_limit()?);
        if self.soft_limit_passed_in_ponder {
            return Some(Duration::ZERO);
        }
        if let Some(node_time) = self.node_time {
            return Some(hard.saturating_sub(node_time.duration(node_time.searched - node_time.at_clock_start)));
        }
        let reserve = (self.longest_stall * STALL_RESERVE_PERCENT / 100).min(hard / 2);
        Some((hard - reserve).saturating_sub(clock_started_at.elapsed()))
    }

    /// The idle throttle: how long to sleep now to leave this share of the processor idle. Sleeps never exceed the time
    /// left.
    pub fn throttle_due(&self, share: f64) -> Option<Duration> {
        let worked = self.elapsed().saturating_sub(self.last_throttle);
        (share > 0.0 && worked >= THROTTLE_MIN_WORK).then(|| {
            let share = share.min(MAX_IDLE);
            let sleep = worked.mul_f64(share / (1.0 - share)).min(THROTTLE_MAX_SLEEP);
            self.remaining().filter(|_| self.node_time.is_none()).map_or(sleep, |left| sleep.min(left))
        })
    }

    /// Records the end of a throttle sleep, so that it does not count as a stall.
    pub fn throttled(&mut self) {
        self.last_check = self.started_at.elapsed();
        self.last_throttle = self.last_check;
    }

    /// Half of the longest stall, for the next search.
    pub fn expected_stall(&self) -> Duration {
        let decayed = self.longest_stall / 2;
        if decayed < MIN_STALL { Duration::ZERO } else { decayed }
    }

    /// True when the scaled soft limit has passed, so that no new iteration starts.
    pub fn is_soft_limit_reached(&mut self, factors: &TimeFactors) -> bool {
        let Some(budget) = self.budget else { return false };
        // Time spent pondering counts.
        let soft_limit = budget.soft.mul_f64(factors.scale());
        self.soft_deadline = Some(soft_limit);
        self.clock_started_at.is_some() && self.spent() >= soft_limit
    }

    /// True if a running game clock limits this search.
    pub fn has_running_clock(&self) -> bool {
        self.budget.is_some() && self.clock_started_at.is_some()
    }
}

/// Fixed time per move less the overhead. Hosts rarely enforce it, so the default overhead is capped at a twentieth of
/// the time, a larger one at a quarter.
fn usable_move_time(time: Duration, overhead: Duration) -> Duration {
    let divisor = if overhead <= DEFAULT_OVERHEAD {
        params::time_move_reserve_divisor()
    } else {
        params::time_move_overhead_divisor()
    };
    let max_overhead = time / divisor as u32;
    time.saturating_sub(overhead.min(max_overhead)).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usable_move_time_keeps_back_at_most_a_twentieth_by_default() {
        let milli = Duration::from_millis;
        for time in [1, 5, 20, 100, 200, 400, 2000, 60_000].map(milli) {
            assert!(usable_move_time(time, DEFAULT_OVERHEAD) >= time.mul_f64(0.95) || time <= milli(1), "{time:?}");
            assert!(usable_move_time(time, DEFAULT_OVERHEAD) <= time);
        }
        assert_eq!(usable_move_time(milli(2000), DEFAULT_OVERHEAD), milli(1980));
        assert_eq!(usable_move_time(milli(2000), milli(300)), milli(1700), "as the host wishes");
    }

    #[test]
    fn hard_limit_keeps_a_reserve_for_the_longest_stall() {
        let limits = TimeLimits { move_time: Some(Duration::from_secs(1000)), ..TimeLimits::default() };
        let with_pause = |stall| {
            let mut clock = SearchClock::new(&limits, Duration::ZERO, false, Duration::from_secs(stall));
            let started_at = Instant::now() - Duration::from_secs(900);
            (clock.started_at, clock.clock_started_at, clock.last_check) =
                (started_at, Some(started_at), started_at.elapsed());
            clock
        };
        assert!(!with_pause(60).is_hard_limit_reached());
        assert!(with_pause(70).is_hard_limit_reached());
        assert!(with_pause(100_000).is_hard_limit_reached(), "however long it was");
        let mut steady = with_pause(0);
        assert!(!steady.is_hard_limit_reached());
        assert_eq!(steady.expected_stall(), Duration::ZERO);
        let mut stumbling = with_pause(0);
        stumbling.last_check = Duration::from_secs(820);
        assert!(stumbling.is_hard_limit_reached());
        assert!(stumbling.expected_stall() >= Duration::from_secs(40));
    }

    #[test]
    fn throttle_never_sleeps_beyond_the_deadline() {
        let rest_at = |limits: TimeLimits, worked: u64, budget: f64| {
            let mut clock = SearchClock::new(&limits, Duration::ZERO, false, Duration::ZERO);
            let started_at = Instant::now() - Duration::from_millis(worked);
            (clock.started_at, clock.clock_started_at) = (started_at, clock.clock_started_at.map(|_| started_at));
            clock.throttle_due(budget)
        };
        let hour = || TimeLimits { move_time: Some(Duration::from_secs(3600)), ..TimeLimits::default() };
        assert_eq!(rest_at(hour(), 3_599_990, 0.0), None, "no idle share");
        assert_eq!(rest_at(hour(), 1_000, 0.75), Some(THROTTLE_MAX_SLEEP));
        assert!(rest_at(hour(), 3_599_990, 0.75).is_some_and(|sleep| sleep <= Duration::from_millis(10)));
        assert_eq!(rest_at(hour(), 3_700_000, 0.75), Some(Duration::ZERO));
        assert_eq!(rest_at(TimeLimits { ponder: true, ..hour() }, 3_700_000, 0.75), Some(THROTTLE_MAX_SLEEP));
        assert_eq!(rest_at(TimeLimits::default(), 3_700_000, 0.75), Some(THROTTLE_MAX_SLEEP), "no clock");
    }

    #[test]
    fn soft_limit_passed_in_ponder_ends_the_search_at_ponderhit() {
        let clock = Clock { time: Duration::from_secs(3600), ..Clock::default() };
        let limits = TimeLimits { clock: Some(clock), ponder: true, ..TimeLimits::default() };
        let sure = TimeFactors { stable_iterations: 9, best_move_node_share: 0.9, ..TimeFactors::default() };
        let after = |thought: Duration| {
            let mut clock = SearchClock::new(&limits, Duration::ZERO, true, Duration::ZERO);
            clock.started_at -= thought;
            clock.throttled();
            assert!(
                !clock.is_soft_limit_reached(&sure) && !clock.is_hard_limit_reached(),
                "nothing ends while pondering"
            );
            clock.start_clock();
            clock.is_hard_limit_reached()
        };
        assert!(after(Duration::from_secs(1800)));
        assert!(!after(Duration::from_secs(1)));
    }

    #[test]
    fn limits_by_nodes_ignore_the_time() {
        let limits = TimeLimits { move_time: Some(Duration::from_secs(1)), ..TimeLimits::default() };
        let mut clock = SearchClock::new(&limits, Duration::ZERO, false, Duration::from_secs(60)).count_nodes(100);
        clock.started_at -= Duration::from_secs(3600);
        clock.set_nodes(99_999);
        assert!(!clock.is_hard_limit_reached());
        clock.set_nodes(100_000);
        assert!(clock.is_hard_limit_reached());
        // Pondering, the count begins at the ponderhit.
        let limits = TimeLimits { ponder: true, ..limits };
        let mut clock = SearchClock::new(&limits, Duration::ZERO, false, Duration::ZERO).count_nodes(100);
        clock.set_nodes(5_000_000);
        assert!(!clock.is_hard_limit_reached());
        clock.start_clock();
        clock.set_nodes(5_099_999);
        assert!(!clock.is_hard_limit_reached());
        clock.set_nodes(5_100_000);
        assert!(clock.is_hard_limit_reached());
    }

    #[test]
    fn panic_extends_the_hard_limit() {
        let limits = TimeLimits {
            clock: Some(Clock { time: Duration::from_secs(3600), ..Clock::default() }),
            ..TimeLimits::default()
        };
        let mut clock = SearchClock::new(&limits, Duration::ZERO, false, Duration::ZERO);
        let budget = clock.budget.expect("a clock");
        clock.started_at = Instant::now() - budget.soft;
        assert!(clock.is_soft_limit_reached(&TimeFactors {
            stable_iterations: 9,
            best_move_node_share: 0.9,
            ..TimeFactors::default()
        }));
        assert!(!clock.is_soft_limit_reached(&TimeFactors {
            best_move_changes: 2.0,
            best_move_node_share: 0.3,
            ..TimeFactors::default()
        }));
        let started_at = Instant::now() - budget.hard;
        (clock.started_at, clock.clock_started_at, clock.last_check) =
            (started_at, Some(started_at), started_at.elapsed());
        assert!(clock.is_hard_limit_reached());
        clock.set_panic(true);
        assert!(!clock.is_hard_limit_reached());
    }
}
