//! The files that an index has the games of. Their list grows by lines of JSON; the last line of a file counts.

use super::segment::damaged;
use chuhe_support::files::{AppendFile, open_locked, open_regular};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::Path;

/// What is known of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourceState {
    pub id: u32,
    pub path: String,
    /// The bytes of its beginning that are in the index.
    pub bytes: u64,
    /// Their CRC-32.
    pub sum: u32,
    /// The games that were read of it, with those that could not be read.
    pub read: u64,
    /// All of it is in the index. If not, `bytes` is the whole file, or, of PGN, what was read of it.
    pub is_finished: bool,
    /// It has changed, and its games do not count any more.
    #[serde(default)]
    pub is_gone: bool,
}

/// Reads the list, of which so many bytes count.
pub fn read(path: &Path, length: u64) -> io::Result<Vec<SourceState>> {
    let mut sources: Vec<SourceState> = Vec::new();
    if length == 0 {
        return Ok(sources);
    }
    let mut text = Vec::new();
    open_regular(path)?.take(length).read_to_end(&mut text)?;
    if text.len() as u64 != length {
        return Err(damaged());
    }
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let source: SourceState = serde_json::from_slice(line).map_err(|_| damaged())?;
        let place = source.id as usize;
        if place == sources.len() {
            sources.push(source);
        } else {
            *sources.get_mut(place).ok_or_else(damaged)? = source;
        }
    }
    Ok(sources)
}

/// Adds lines behind those that count; returns how many bytes count then.
pub fn append(path: &Path, length: u64, changed: &[SourceState]) -> io::Result<u64> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = AppendFile::new(open_locked(options, path)?, length)?;
    let mut lines = Vec::new();
    for source in changed {
        serde_json::to_writer(&mut lines, source)?;
        lines.push(b'\n');
    }
    file.append(&lines)?;
    Ok(file.len())
}
