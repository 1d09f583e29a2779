//! The current UTC date and time, for logs and records.

use chuhe_engine::instant::system_time;
use std::fmt::Display;

/// `2026-11-23T08:20:00Z`
pub fn now() -> impl Display {
    humantime::format_rfc3339_seconds(system_time())
}

/// `2026.11.23`, as in game records.
pub fn today() -> String {
    let now = now().to_string();
    now.split('T').next().unwrap_or_default().replace('-', ".")
}
