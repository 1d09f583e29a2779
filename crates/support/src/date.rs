//! The current UTC date and time, for logs and records.

use chuhe_engine::instant::system_time;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

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
