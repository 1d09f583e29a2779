//! Points in time. They are the standard library's, except in a WebAssembly module without a system under it: there the
//! host lends its clocks, by `lend_clocks`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, lend_clocks};

use std::time::SystemTime;

/// The time of day.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn system_time() -> SystemTime {
    SystemTime::now()
}

/// The time of day.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn system_time() -> SystemTime {
    SystemTime::UNIX_EPOCH + host::since_epoch()
}

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod host {
    use std::ops::{Add, AddAssign, Sub, SubAssign};
    use std::sync::OnceLock;
    use std::time::Duration;

    /// A clock of the host: the time since some moment in the past.
    type HostClock = fn() -> Duration;

    /// The clock that never goes back, and the time since 1970.
    static CLOCKS: OnceLock<(HostClock, HostClock)> = OnceLock::new();

    /// Lends the clocks of the host: one that never goes back, and the time since 1970. The first ones stay; before they
    /// are lent, no time passes.
    pub fn lend_clocks(monotonic: HostClock, since_epoch: HostClock) {
        let _ = CLOCKS.set((monotonic, since_epoch));
    }

    /// The time since 1970.
    pub fn since_epoch() -> Duration {
        CLOCKS.get().map_or(Duration::ZERO, |(_, since_epoch)| since_epoch())
    }

    /// A point in time, like [`std::time::Instant`].
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment; the beginning of time before the clocks are lent.
        pub fn now() -> Instant {
            Instant(CLOCKS.get().map_or(Duration::ZERO, |(monotonic, _)| monotonic()))
        }

        /// The time since this point.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time since an earlier point; none if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;
        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }

    impl AddAssign<Duration> for Instant {
        fn add_assign(&mut self, time: Duration) {
            self.0 += time;
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Instant;
        fn sub(self, time: Duration) -> Instant {
            Instant(self.0.saturating_sub(time))
        }
    }

    impl SubAssign<Duration> for Instant {
        fn sub_assign(&mut self, time: Duration) {
            *self = *self - time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::host::{Instant, lend_clocks, since_epoch};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    static NOW: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn host_clock_measures_time_once_it_is_lent() {
        assert_eq!((Instant::now().elapsed(), since_epoch()), (Duration::ZERO, Duration::ZERO), "no clock yet");
        let seconds = || Duration::from_secs(NOW.load(Ordering::Relaxed));
        lend_clocks(seconds, || Duration::from_secs(1_800_000_000));
        NOW.store(5, Ordering::Relaxed);
        let begun = Instant::now();
        NOW.store(12, Ordering::Relaxed);
        assert_eq!((begun.elapsed(), since_epoch().as_secs()), (Duration::from_secs(7), 1_800_000_000));
        assert_eq!(begun.saturating_duration_since(Instant::now()), Duration::ZERO, "never negative");
        assert_eq!(begun + Duration::from_secs(7), Instant::now());
        assert!(begun - Duration::from_secs(100) <= begun, "nothing is before the beginning of the clock");
    }
}
