//! What belongs to an index: the file that is replaced at each change, so that a change is made whole or not at all.

use super::segment::damaged;
use chuhe_support::files::{read_regular, replace_regular};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file.
const NAME: &str = "chuhe-index.json";
/// No manifest is as large.
const MAX_SIZE: u64 = 1 << 24;

/// A segment that counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SegmentEntry {
    /// Its file is named after this number.
    pub number: u64,
    pub games: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// The number of the next segment.
    pub next: u64,
    /// The oldest games first.
    pub segments: Vec<SegmentEntry>,
    /// The length of the list of files.
    pub source_bytes: u64,
    /// The files whose games do not count any more, though segments have them.
    pub gone: Vec<u32>,
}

impl Manifest {
    /// Reads the manifest of a folder; `None` if there is none.
    pub fn read(folder: &Path) -> io::Result<Option<Manifest>> {
        match read_regular(&folder.join(NAME), MAX_SIZE) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| damaged()),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub fn write(&self, folder: &Path) -> io::Result<()> {
        replace_regular(&folder.join(NAME), &serde_json::to_vec(self)?)
    }

    pub fn games(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.games)).sum()
    }
}

const SEGMENT_ENDING: &str = ".segment";

/// The file of a segment.
pub fn segment_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}{SEGMENT_ENDING}"))
}

/// The number of a segment, by the name of its file.
pub fn segment_number(name: &str) -> Option<u64> {
    name.strip_suffix(SEGMENT_ENDING)?.parse().ok()
}

/// The file with the list of files.
pub fn source_list_path(folder: &Path) -> PathBuf {
    folder.join("files.jsonl")
}

/// The file that is locked by who adds games.
pub fn lock_path(folder: &Path) -> PathBuf {
    folder.join("lock")
}
