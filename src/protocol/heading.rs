//! The line that a log begins with: who writes it, what about, and when.

use super::dialect::{NAME, VERSION};
use chuhe_toolkit::date;

/// The line, without its end.
pub fn heading(what: &str) -> String {
    format!("=== {NAME} {VERSION}, process {}, {}: {what}", std::process::id(), date::now())
}
