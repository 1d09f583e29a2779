//! Time: the only clock of the engine, and when a search has had enough of it.

use super::options::DEFAULT_OVERHEAD;
use super::time_budget::{Clock, TimeBudget, TimeFactors};
use std::time::{Duration, Instant};

/// A moment in time, for those who only pass it on.
pub type Moment = Instant;

/// The limits of a search that a clock watches over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeLimits {
    pub clock: Option<Clock>,
    /// Time for this move, all of it.
    pub move_time: Option<Duration>,
    /// The clock waits for the ponder hit.
    pub ponder: bool,
    /// When time began to count; `None` = now.
    pub started_at: Option<Moment>,
    /// How many moves the side to move has made in this game.
    pub moves_made: u32,
}

/// How long this search may take.
#[derive(Clone, Debug)]
pub struct TimeManager {
    started_at: Instant,
    /// When the clock began to count: at once, or at the ponder hit.
    clock_started_at: Option<Instant>,
    /// What the game clock has for this move.
    budget: Option<TimeBudget>,
    /// The time that is fixed for this move.
    move_time: Option<Duration>,
    /// The score is falling, and nothing better has been found yet.
    in_panic: bool,
    /// When the iterations so far say that it is enough.
    soft_deadline: Option<Duration>,
    /// The pondered move was played when that had passed.
    soft_limit_passed_in_ponder: bool,
    /// When the clock was last looked at, and the longest time between two looks.
    last_check: Duration,
    longest_stall: Duration,
    /// When the last rest of its own will ended.
    last_throttle: Duration,
}

/// Shorter pauses are nothing to reckon with.
const MIN_STALL: Duration = Duration::from_millis(2);

/// A bit of work that deserves a rest.
const THROTTLE_MIN_WORK: Duration = Duration::from_millis(4);
/// No rest is longer.
const THROTTLE_MAX_SLEEP: Duration = Duration::from_millis(40);

impl TimeManager {
    /// Plans a search that begins now. `pondering` clocks start later. `pause` is what earlier searches say of
    /// this machine.
    pub(super) fn new(limits: &TimeLimits, overhead: Duration, ponder_allowed: bool, pause: Duration) -> TimeManager {
        let begun = limits.started_at.unwrap_or_else(Instant::now);
        TimeManager {
            started_at: begun,
            clock_started_at: (!limits.ponder).then_some(begun),
            budget: limits
                .clock
                .as_ref()
                .map(|clock| TimeBudget::for_clock(clock, limits.moves_made, overhead, ponder_allowed)),
            move_time: limits.move_time.map(|time| usable_move_time(time, overhead)),
            in_panic: false,
            soft_deadline: None,
            soft_limit_passed_in_ponder: false,
            last_check: begun.elapsed(),
            longest_stall: pause,
            last_throttle: Duration::ZERO,
        }
    }

    /// Since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started_at.elapsed()
    }

    /// The pondered move was played.
    pub fn start_clock(&mut self) {
        if self.clock_started_at.is_none() {
            self.clock_started_at = Some(Instant::now());
            self.soft_limit_passed_in_ponder = self.soft_deadline.is_some_and(|enough| self.elapsed() >= enough);
        }
    }

    /// True when not a moment more may be spent. To be asked often: on a machine with too much to do this thread
    /// is put aside now and then, and what such a pause has lasted is kept in hand for the next one, on the way
    /// to the host or here.
    pub fn is_hard_limit_reached(&mut self) -> bool {
        let now = self.started_at.elapsed();
        let pause = now.saturating_sub(self.last_check);
        self.last_check = now;
        if pause >= MIN_STALL && pause > self.longest_stall {
            self.longest_stall = pause;
        }
        self.remaining() == Some(Duration::ZERO)
    }

    /// When an iteration is broken off.
    fn hard_limit(&self) -> Option<Duration> {
        let of_clock = self.budget.map(|share| if self.in_panic { share.panic } else { share.hard });
        of_clock.into_iter().chain(self.move_time).min()
    }

    /// The search finds itself in trouble, or out of it: in trouble it may go on for longer.
    pub fn set_panic(&mut self, in_trouble: bool) {
        self.in_panic = in_trouble;
    }

    /// What may still be spent; `None` if no clock is running.
    fn remaining(&self) -> Option<Duration> {
        let (begun, hard) = (self.clock_started_at?, self.hard_limit()?);
        let kept = (self.longest_stall * 3 / 2).min(hard / 2);
        Some(if self.soft_limit_passed_in_ponder {
            Duration::ZERO
        } else {
            (hard - kept).saturating_sub(begun.elapsed())
        })
    }

    /// The rest that is due to a thread which leaves this share of the processor to others: a proportional one after
    /// each bit of work, and none beyond the end of its time.
    pub fn throttle_due(&self, share: f64) -> Option<Duration> {
        let worked = self.elapsed().saturating_sub(self.last_throttle);
        (share > 0.0 && worked >= THROTTLE_MIN_WORK).then(|| {
            let share = share.min(0.9);
            let rest = worked.mul_f64(share / (1.0 - share)).min(THROTTLE_MAX_SLEEP);
            self.remaining().map_or(rest, |left| rest.min(left))
        })
    }

    /// The thread has rested of its own will: that is no pause.
    pub fn throttled(&mut self) {
        self.last_check = self.started_at.elapsed();
        self.last_throttle = self.last_check;
    }

    /// What the next search should know of this machine: its longest pause, half forgotten.
    pub fn expected_stall(&self) -> Duration {
        let fading = self.longest_stall / 2;
        if fading < MIN_STALL { Duration::ZERO } else { fading }
    }

    /// True when another iteration is not worth starting.
    pub fn is_soft_limit_reached(&mut self, confidence: &TimeFactors) -> bool {
        let Some(share) = self.budget else { return false };
        // The time thought on the opponent's clock counts as thought.
        let enough = share.soft.mul_f64(confidence.scale());
        self.soft_deadline = Some(enough);
        self.clock_started_at.is_some() && self.elapsed() >= enough
    }

    /// True if a clock limits this search, so that an obvious move may be played at once.
    pub fn has_running_clock(&self) -> bool {
        self.budget.is_some() && self.clock_started_at.is_some()
    }
}

/// What is left of a fixed time when the way to the host is paid. Hosts that ask for so much a move seldom keep a clock by
/// it, and want it used: until told otherwise, no more than a twentieth is kept back.
fn usable_move_time(time: Duration, overhead: Duration) -> Duration {
    let most = if overhead <= DEFAULT_OVERHEAD { time / 20 } else { time / 4 };
    time.saturating_sub(overhead.min(most)).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_time_is_used_but_for_a_twentieth_unless_told_otherwise() {
        let milli = Duration::from_millis;
        for time in [1, 5, 20, 100, 200, 400, 2000, 60_000].map(milli) {
            assert!(usable_move_time(time, DEFAULT_OVERHEAD) >= time.mul_f64(0.95) || time <= milli(1), "{time:?}");
            assert!(usable_move_time(time, DEFAULT_OVERHEAD) <= time);
        }
        assert_eq!(usable_move_time(milli(2000), DEFAULT_OVERHEAD), milli(1980));
        assert_eq!(usable_move_time(milli(2000), milli(300)), milli(1700), "as the host wishes");
    }

    #[test]
    fn a_machine_that_stumbles_gets_a_wider_berth() {
        let limits = TimeLimits { move_time: Some(Duration::from_secs(1000)), ..TimeLimits::default() };
        let with_pause = |pause| {
            let mut plan = TimeManager::new(&limits, Duration::ZERO, false, Duration::from_secs(pause));
            let begun = Instant::now() - Duration::from_secs(900);
            (plan.started_at, plan.clock_started_at, plan.last_check) = (begun, Some(begun), begun.elapsed());
            plan
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
    fn no_rest_reaches_beyond_the_deadline() {
        let rest_at = |limits: TimeLimits, worked: u64, share: f64| {
            let mut plan = TimeManager::new(&limits, Duration::ZERO, false, Duration::ZERO);
            let begun = Instant::now() - Duration::from_millis(worked);
            (plan.started_at, plan.clock_started_at) = (begun, plan.clock_started_at.map(|_| begun));
            plan.throttle_due(share)
        };
        let hour = || TimeLimits { move_time: Some(Duration::from_secs(3600)), ..TimeLimits::default() };
        assert_eq!(rest_at(hour(), 3_599_990, 0.0), None, "nobody asked for it");
        assert_eq!(rest_at(hour(), 1_000, 0.75), Some(THROTTLE_MAX_SLEEP));
        assert!(rest_at(hour(), 3_599_990, 0.75).is_some_and(|rest| rest <= Duration::from_millis(10)));
        assert_eq!(rest_at(hour(), 3_700_000, 0.75), Some(Duration::ZERO));
        assert_eq!(rest_at(TimeLimits { ponder: true, ..hour() }, 3_700_000, 0.75), Some(THROTTLE_MAX_SLEEP));
        assert_eq!(rest_at(TimeLimits::default(), 3_700_000, 0.75), Some(THROTTLE_MAX_SLEEP), "no clock");
    }

    #[test]
    fn what_was_thought_enough_while_pondering_is_enough_at_the_hit() {
        let clock = Clock { time: Duration::from_secs(3600), ..Clock::default() };
        let limits = TimeLimits { clock: Some(clock), ponder: true, ..TimeLimits::default() };
        let sure = TimeFactors { stable_iterations: 9, best_move_node_share: 0.9, ..TimeFactors::default() };
        let after = |thought: Duration| {
            let mut plan = TimeManager::new(&limits, Duration::ZERO, true, Duration::ZERO);
            plan.started_at -= thought;
            plan.throttled();
            assert!(
                !plan.is_soft_limit_reached(&sure) && !plan.is_hard_limit_reached(),
                "nothing ends while pondering"
            );
            plan.start_clock();
            plan.is_hard_limit_reached()
        };
        assert!(after(Duration::from_secs(1800)));
        assert!(!after(Duration::from_secs(1)));
    }

    #[test]
    fn a_share_is_enough_for_the_sure_and_trouble_breaks_off_later() {
        let limits = TimeLimits {
            clock: Some(Clock { time: Duration::from_secs(3600), ..Clock::default() }),
            ..TimeLimits::default()
        };
        let mut plan = TimeManager::new(&limits, Duration::ZERO, false, Duration::ZERO);
        let share = plan.budget.expect("a clock");
        plan.started_at = Instant::now() - share.soft;
        assert!(plan.is_soft_limit_reached(&TimeFactors {
            stable_iterations: 9,
            best_move_node_share: 0.9,
            ..TimeFactors::default()
        }));
        assert!(!plan.is_soft_limit_reached(&TimeFactors {
            best_move_changes: 2.0,
            best_move_node_share: 0.3,
            ..TimeFactors::default()
        }));
        let begun = Instant::now() - share.hard;
        (plan.started_at, plan.clock_started_at, plan.last_check) = (begun, Some(begun), begun.elapsed());
        assert!(plan.is_hard_limit_reached());
        plan.set_panic(true);
        assert!(!plan.is_hard_limit_reached());
    }
}
