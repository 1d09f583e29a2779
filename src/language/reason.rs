//! Why the system refused something, in the reader's language: its own words are those of its own language.

use super::tr;
use std::io::{self, ErrorKind};

/// What an error of the system says to people. What is made by this program, or is of a kind that has no word here, speaks
/// for itself.
pub fn reason(error: &io::Error) -> String {
    if error.raw_os_error().is_none() {
        return error.to_string();
    }
    match error.kind() {
        ErrorKind::NotFound => tr!("no such file or folder"),
        ErrorKind::PermissionDenied => tr!("permission denied"),
        ErrorKind::AlreadyExists => tr!("it exists already"),
        ErrorKind::NotADirectory => tr!("it is no folder"),
        ErrorKind::IsADirectory => tr!("it is a folder"),
        ErrorKind::StorageFull => tr!("no space is left on the disk"),
        ErrorKind::ReadOnlyFilesystem => tr!("the file system can only be read"),
        ErrorKind::FileTooLarge => tr!("the file would be too large"),
        ErrorKind::InvalidFilename => tr!("no file can have this name"),
        _ => error.to_string(),
    }
}
