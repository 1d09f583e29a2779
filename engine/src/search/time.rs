//! Time: the only clock of the engine, and when a search has had enough of it.

use super::options::OVERHEAD;
use super::time_plan::{Clock, Confidence, Share};
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
    pub begun: Option<Moment>,
    /// How many moves the side to move has made in this game.
    pub moves_made: u32,
}

/// How long this search may take.
#[derive(Clone, Debug)]
pub struct TimePlan {
    begun: Instant,
    /// When the clock began to count: at once, or at the ponder hit.
    clock_begun: Option<Instant>,
    /// What the game clock has for this move.
    share: Option<Share>,
    /// The time that is fixed for this move.
    fixed: Option<Duration>,
    /// The score is falling, and nothing better has been found yet.
    in_trouble: bool,
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
        TimePlan {
            begun,
            clock_begun: (!limits.ponder).then_some(begun),
            share: limits
                .clock
                .as_ref()
                .map(|clock| Share::of(clock, limits.moves_made, overhead, ponder_allowed)),
            fixed: limits.move_time.map(|time| usable(time, overhead)),
            in_trouble: false,
            enough: None,
            overdue: false,
            last_look: begun.elapsed(),
            longest_pause: pause,
            last_rest: Duration::ZERO,
        }
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

    /// When an iteration is broken off.
    fn hard(&self) -> Option<Duration> {
        let of_clock = self.share.map(|share| if self.in_trouble { share.in_trouble } else { share.hard });
        of_clock.into_iter().chain(self.fixed).min()
    }

    /// The search finds itself in trouble, or out of it: in trouble it may go on for longer.
    pub fn set_trouble(&mut self, in_trouble: bool) {
        self.in_trouble = in_trouble;
    }

    /// What may still be spent; `None` if no clock is running.
    fn left(&self) -> Option<Duration> {
        let (begun, hard) = (self.clock_begun?, self.hard()?);
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
        let Some(share) = self.share else { return false };
        // The time thought on the opponent's clock counts as thought.
        let enough = share.usual.mul_f64(confidence.stretch());
        self.enough = Some(enough);
        self.clock_begun.is_some() && self.elapsed() >= enough
    }

    /// True if a clock limits this search, so that an obvious move may be played at once.
    pub fn is_clocked(&self) -> bool {
        self.share.is_some() && self.clock_begun.is_some()
    }
}

/// What is left of a fixed time when the way to the host is paid. Hosts that ask for so much a move seldom keep a clock by
/// it, and want it used: until told otherwise, no more than a twentieth is kept back.
fn usable(time: Duration, overhead: Duration) -> Duration {
    let most = if overhead <= OVERHEAD { time / 20 } else { time / 4 };
    time.saturating_sub(overhead.min(most)).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let sure = Confidence { stable_iterations: 9, effort: 0.9, ..Confidence::default() };
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
    fn a_share_is_enough_for_the_sure_and_trouble_breaks_off_later() {
        let limits = TimeLimits {
            clock: Some(Clock { time: Duration::from_secs(3600), ..Clock::default() }),
            ..TimeLimits::default()
        };
        let mut plan = TimePlan::new(&limits, Duration::ZERO, false, Duration::ZERO);
        let share = plan.share.expect("a clock");
        plan.begun = Instant::now() - share.usual;
        assert!(plan.is_enough(&Confidence { stable_iterations: 9, effort: 0.9, ..Confidence::default() }));
        assert!(!plan.is_enough(&Confidence { changes: 2.0, effort: 0.3, ..Confidence::default() }));
        let begun = Instant::now() - share.hard;
        (plan.begun, plan.clock_begun, plan.last_look) = (begun, Some(begun), begun.elapsed());
        assert!(plan.is_over());
        plan.set_trouble(true);
        assert!(!plan.is_over());
    }
}
