//! The current UTC date and time, for logs and records.

use std::fmt::Display;
use std::time::{Duration, SystemTime};

/// The time since 1970, where the host of a WebAssembly module lends it.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
static CLOCK: std::sync::OnceLock<fn() -> Duration> = std::sync::OnceLock::new();

/// Lends a clock: the time since 1970. Before that no time passes.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn lend_clock(clock: fn() -> Duration) {
    let _ = CLOCK.set(clock);
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn system_time() -> SystemTime {
    SystemTime::UNIX_EPOCH + CLOCK.get().map_or(Duration::ZERO, |clock| clock())
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system_time() -> SystemTime {
    SystemTime::now()
}

/// `2026-11-23T08:20:00Z`
pub fn now() -> impl Display {
    humantime::format_rfc3339_seconds(system_time())
}

/// `2026.11.23`, as in game records.
pub fn today() -> String {
    let now = now().to_string();
    now.split('T').next().unwrap_or_default().replace('-', ".")
}

/// The seconds since 1970.
pub fn unix_seconds() -> i64 {
    system_time().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// The date so many days after the first of 1970: `2026-11-23`. Up to the year 9999.
pub fn iso_day(days: u32) -> String {
    let day = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(days) * 86_400);
    humantime::format_rfc3339_seconds(day).to_string().split('T').next().unwrap_or_default().to_string()
}
