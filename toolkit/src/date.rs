//! The current UTC date and time, for logs and records.

use std::fmt::Display;
use std::time::SystemTime;

/// `2026-11-23T08:20:00Z`
pub fn now() -> impl Display {
    humantime::format_rfc3339_seconds(SystemTime::now())
}

/// `2026.11.23`, as in game records.
pub fn today() -> String {
    let now = now().to_string();
    now.split('T').next().unwrap_or_default().replace('-', ".")
}
