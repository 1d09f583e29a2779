//! Time: the only clock of the engine, and how much of it a move deserves.

use super::options::OVERHEAD;
use super::params;
use std::time::{Duration, Instant};

/// A moment in time, for those who only pass it on.
pub type Moment = Instant;

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

/// The limits of a search that a clock watches over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeLimits {
    /// A game clock.
    pub clock: Option<Clock>,
    /// Time for this move, all of it.
    pub move_time: Option<Duration>,
    /// The clock waits for the ponder hit.
    pub ponder: bool,
    /// When time began to count; `None` = now.
    pub begun: Option<Moment>,
}

/// How long this search may take.
#[derive(Clone, Debug)]
pub struct TimePlan {
    begun: Instant,
    /// When the clock began to count: at once, or at the ponder hit.
    clock_begun: Option<Instant>,
    /// Start no new iteration beyond this, before stretching.
    soft: Option<Duration>,
    /// Stop inside an iteration at this.
    hard: Option<Duration>,
    /// When the iterations so far say that it is enough.
    enough: Option<Duration>,
    /// The pondered move was played when that had passed.
    overdue: bool,
    /// When the clock was last looked at, and the longest time between two looks.
    last_look: Duration,
    longest_pause: Duration,
    /// When the last rest of its own will ended.
    last_rest: Duration,
}

/// Shorter pauses are nothing to reckon with.
const NOTICEABLE_PAUSE: Duration = Duration::from_millis(2);

/// A bit of work that deserves a rest.
const LEAST_WORK: Duration = Duration::from_millis(4);
/// No rest is longer.
const LONGEST_REST: Duration = Duration::from_millis(40);

/// What the iterations so far say about the decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct Confidence {
    /// For how many iterations the best move has been the same.
    pub stable_iterations: u32,
    /// How much the score fell against the iteration before, in points.
    pub score_drop: i32,
    /// Share of all nodes that went into the best move, 0.0 to 1.0.
    pub effort: f64,
}

impl TimePlan {
    /// Plans a search that begins now. `pondering` clocks start later. `pause` is what earlier searches say of
    /// this machine.
    pub(super) fn new(
        limits: &TimeLimits,
        overhead: Duration,
        ponder_allowed: bool,
        pause: Duration,
    ) -> TimePlan {
        let begun = limits.begun.unwrap_or_else(Instant::now);
        let mut plan = TimePlan {
            begun,
            clock_begun: (!limits.ponder).then_some(begun),
            soft: None,
            hard: limits.move_time.map(|time| usable(time, overhead)),
            enough: None,
            overdue: false,
            last_look: begun.elapsed(),
            longest_pause: pause,
            last_rest: Duration::ZERO,
        };
        if let Some(clock) = &limits.clock {
            let (soft, hard) = share(clock, overhead, ponder_allowed);
            plan.soft = Some(soft);
            plan.hard = Some(plan.hard.map_or(hard, |fixed| fixed.min(hard)));
        }
        plan
    }

    /// Since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The pondered move was played.
    pub fn start_clock(&mut self) {
        if self.clock_begun.is_none() {
            self.clock_begun = Some(Instant::now());
            self.overdue = self.enough.is_some_and(|enough| self.elapsed() >= enough);
        }
    }

    /// True when not a moment more may be spent. To be asked often: on a machine with too much to do this thread
    /// is put aside now and then, and what such a pause has lasted is kept in hand for the next one, on the way
    /// to the host or here.
    pub fn is_over(&mut self) -> bool {
        let now = self.begun.elapsed();
        let pause = now.saturating_sub(self.last_look);
        self.last_look = now;
        if pause >= NOTICEABLE_PAUSE && pause > self.longest_pause {
            self.longest_pause = pause;
        }
        self.left() == Some(Duration::ZERO)
    }

    /// What may still be spent; `None` if no clock is running.
    fn left(&self) -> Option<Duration> {
        let (begun, hard) = (self.clock_begun?, self.hard?);
        let kept = (self.longest_pause * 3 / 2).min(hard / 2);
        Some(if self.overdue { Duration::ZERO } else { (hard - kept).saturating_sub(begun.elapsed()) })
    }

    /// The rest that is due to a thread which leaves this share of the processor to others: a proportional one after
    /// each bit of work, and none beyond the end of its time.
    pub fn rest_due(&self, share: f64) -> Option<Duration> {
        let worked = self.elapsed().saturating_sub(self.last_rest);
        (share > 0.0 && worked >= LEAST_WORK).then(|| {
            let share = share.min(0.9);
            let rest = worked.mul_f64(share / (1.0 - share)).min(LONGEST_REST);
            self.left().map_or(rest, |left| rest.min(left))
        })
    }

    /// The thread has rested of its own will: that is no pause.
    pub fn rested(&mut self) {
        self.last_look = self.begun.elapsed();
        self.last_rest = self.last_look;
    }

    /// What the next search should know of this machine: its longest pause, half forgotten.
    pub fn pause_to_expect(&self) -> Duration {
        let fading = self.longest_pause / 2;
        if fading < NOTICEABLE_PAUSE { Duration::ZERO } else { fading }
    }

    /// True when another iteration is not worth starting.
    pub fn is_enough(&mut self, confidence: &Confidence) -> bool {
        let Some(soft) = self.soft else { return false };
        let part = |percent: i32| f64::from(percent) / 100.0;
        let (stable, changed) = (part(params::time_stable()), part(params::time_changed()));
        let instability = match confidence.stable_iterations {
            0 => changed,
            1 => stable + (changed - stable) * 0.6,
            2 => stable + (changed - stable) * 0.3,
            3 => stable + (changed - stable) * 0.15,
            _ => stable,
        };
        let falling = (1.0 + f64::from(confidence.score_drop) / 120.0).clamp(0.85, 1.6);
        let effort = (1.55 - confidence.effort).clamp(0.6, 1.3);
        // The time thought on the opponent's clock counts as thought.
        let enough = soft.mul_f64(instability * falling * effort);
        self.enough = Some(enough);
        self.clock_begun.is_some() && self.elapsed() >= enough
    }

    /// True if a clock limits this search, so that an obvious move may be played at once.
    pub fn is_clocked(&self) -> bool {
        self.soft.is_some() && self.clock_begun.is_some()
    }
}

/// What is left of a fixed time when the way to the host is paid. Hosts that ask for so much a move seldom keep a clock by
/// it, and want it used: until told otherwise, no more than a twentieth is kept back.
fn usable(time: Duration, overhead: Duration) -> Duration {
    let most = if overhead <= OVERHEAD { time / 20 } else { time / 4 };
    time.saturating_sub(overhead.min(most)).max(Duration::from_millis(1))
}

/// Soft and hard limit for a move on this clock.
fn share(clock: &Clock, overhead: Duration, ponder_allowed: bool) -> (Duration, Duration) {
    // An emergency reserve on top of the overhead: hosts and machines stumble.
    let reserve = (overhead + clock.time / 20).min(clock.time / 2);
    let left = clock.time.saturating_sub(reserve).as_secs_f64();
    let increment = clock.increment.as_secs_f64();
    let moves =
        clock.moves_to_go.map_or(f64::from(params::time_moves()), |moves| f64::from(moves.clamp(1, 40)));
    let sudden = clock.moves_to_go.is_none();
    let mut soft = left / (moves + if sudden { 0.0 } else { 0.5 }) + increment * 0.8;
    if let Some(opponent) = clock.opponent_time {
        // Ahead on the clock: spend some of it; behind: hurry a little.
        let balance = left / opponent.as_secs_f64().max(0.01);
        soft *= balance.powf(0.25).clamp(0.85, 1.15);
    }
    if ponder_allowed {
        soft *= 1.2;
    }
    let most = match clock.moves_to_go {
        Some(1) => left,
        Some(_) => left * 0.6,
        None => left * 0.3 + increment * 0.5,
    };
    let most = most.min(left).max(0.001);
    let soft = soft.min(most).max(0.001);
    let hard = (soft * f64::from(params::time_stretch()) / 100.0).min(most).max(0.001);
    (Duration::from_secs_f64(soft), Duration::from_secs_f64(hard))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clock_is_ever_overspent() {
        for time in [0, 1, 5, 20, 50, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 5000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    for overhead in [0, 20, 5000] {
                        let clock = Clock {
                            time: Duration::from_millis(time),
                            increment: Duration::from_millis(increment),
                            moves_to_go,
                            ..Clock::default()
                        };
                        let (soft, hard) = share(&clock, Duration::from_millis(overhead), true);
                        assert!(soft <= hard, "{clock:?}");
                        assert!(hard <= clock.time.max(Duration::from_millis(1)), "{clock:?} {hard:?}");
                        if time >= 1000 {
                            let reserve = overhead.min(time / 2);
                            assert!(hard.as_millis() as u64 + reserve <= time, "{clock:?} {hard:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_fixed_time_is_used_but_for_a_twentieth_unless_told_otherwise() {
        let milli = Duration::from_millis;
        for time in [1, 5, 20, 100, 200, 400, 2000, 60_000].map(milli) {
            assert!(usable(time, OVERHEAD) >= time.mul_f64(0.95) || time <= milli(1), "{time:?}");
            assert!(usable(time, OVERHEAD) <= time);
        }
        assert_eq!(usable(milli(2000), OVERHEAD), milli(1980));
        assert_eq!(usable(milli(2000), milli(300)), milli(1700), "as the host wishes");
    }

    #[test]
    fn a_machine_that_stumbles_gets_a_wider_berth() {
        let limits = TimeLimits { move_time: Some(Duration::from_secs(1000)), ..TimeLimits::default() };
        let with_pause = |pause| {
            let mut plan = TimePlan::new(&limits, Duration::ZERO, false, Duration::from_secs(pause));
            let begun = Instant::now() - Duration::from_secs(900);
            (plan.begun, plan.clock_begun, plan.last_look) = (begun, Some(begun), begun.elapsed());
            plan
        };
        assert!(!with_pause(60).is_over());
        assert!(with_pause(70).is_over());
        assert!(with_pause(100_000).is_over(), "however long it was");
        let mut steady = with_pause(0);
        assert!(!steady.is_over());
        assert_eq!(steady.pause_to_expect(), Duration::ZERO);
        let mut stumbling = with_pause(0);
        stumbling.last_look = Duration::from_secs(820);
        assert!(stumbling.is_over());
        assert!(stumbling.pause_to_expect() >= Duration::from_secs(40));
    }

    #[test]
    fn no_rest_reaches_beyond_the_deadline() {
        let rest_at = |limits: TimeLimits, worked: u64, share: f64| {
            let mut plan = TimePlan::new(&limits, Duration::ZERO, false, Duration::ZERO);
            let begun = Instant::now() - Duration::from_millis(worked);
            (plan.begun, plan.clock_begun) = (begun, plan.clock_begun.map(|_| begun));
            plan.rest_due(share)
        };
        let hour = || TimeLimits { move_time: Some(Duration::from_secs(3600)), ..TimeLimits::default() };
        assert_eq!(rest_at(hour(), 3_599_990, 0.0), None, "nobody asked for it");
        assert_eq!(rest_at(hour(), 1_000, 0.75), Some(LONGEST_REST));
        assert!(rest_at(hour(), 3_599_990, 0.75).is_some_and(|rest| rest <= Duration::from_millis(10)));
        assert_eq!(rest_at(hour(), 3_700_000, 0.75), Some(Duration::ZERO));
        assert_eq!(rest_at(TimeLimits { ponder: true, ..hour() }, 3_700_000, 0.75), Some(LONGEST_REST));
        assert_eq!(rest_at(TimeLimits::default(), 3_700_000, 0.75), Some(LONGEST_REST), "no clock");
    }

    #[test]
    fn what_was_thought_enough_while_pondering_is_enough_at_the_hit() {
        let clock = Clock { time: Duration::from_secs(3600), ..Clock::default() };
        let limits = TimeLimits { clock: Some(clock), ponder: true, ..TimeLimits::default() };
        let sure = Confidence { stable_iterations: 9, score_drop: 0, effort: 0.9 };
        let after = |thought: Duration| {
            let mut plan = TimePlan::new(&limits, Duration::ZERO, true, Duration::ZERO);
            plan.begun -= thought;
            plan.rested();
            assert!(!plan.is_enough(&sure) && !plan.is_over(), "nothing ends while pondering");
            plan.start_clock();
            plan.is_over()
        };
        assert!(after(Duration::from_secs(1800)));
        assert!(!after(Duration::from_secs(1)));
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let limits = TimeLimits {
            clock: Some(Clock { time: Duration::from_secs(3600), ..Clock::default() }),
            ..TimeLimits::default()
        };
        let mut plan = TimePlan::new(&limits, Duration::ZERO, false, Duration::ZERO);
        let soft = plan.soft.unwrap();
        plan.begun = Instant::now() - soft;
        assert!(plan.is_enough(&Confidence { stable_iterations: 9, score_drop: 0, effort: 0.9 }));
        assert!(!plan.is_enough(&Confidence { stable_iterations: 0, score_drop: 60, effort: 0.3 }));
    }
}
