//! What a path names for people: a file, or standard input.

use crate::language::tr;
use std::path::Path;

/// Whether a path means standard input or output: `-`.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// What messages call something that is read.
pub fn shown(path: &Path) -> String {
    if is_standard(path) { tr!("standard input") } else { path.display().to_string() }
}
