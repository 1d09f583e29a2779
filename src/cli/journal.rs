//! What the files of answers have in common that grow by lines and from which an interrupted command goes on.

use chuhe_support::files::open_locked;
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens or creates a journal for this process alone; `None` if another one writes to it.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.write(true).read(true).create(true).truncate(false);
    match open_locked(options, path) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        opened => opened.map(Some),
    }
}

/// Whether this may be what a crash leaves of a line: its beginning, or the zero bytes that some file systems leave where
/// nothing was written.
pub fn is_torn_line(bytes: &[u8], prefix: &[u8]) -> bool {
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    text.starts_with(prefix) || prefix.starts_with(&text)
}

/// A condition that is not as it was.
pub struct ChangedCondition {
    pub field: String,
    pub there: String,
    pub now: String,
}

/// The first of these conditions that a line was not made under.
pub fn changed_condition(there: &Map<String, Value>, now: &Map<String, Value>) -> Option<ChangedCondition> {
    now.iter().find_map(|(field, now)| {
        let there = there.get(field).unwrap_or(&Value::Null);
        let changed = || ChangedCondition { field: field.clone(), there: there.to_string(), now: now.to_string() };
        (there != now).then(changed)
    })
}
