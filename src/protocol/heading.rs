//! The line that a log begins with: who writes it, what about, and when.

use super::dialect::{NAME, VERSION};
use jiff::Timestamp;

/// The line, without its end.
pub fn heading(what: &str) -> String {
    format!("=== {NAME} {VERSION}, process {}, {:.0}: {what}", std::process::id(), Timestamp::now())
}
