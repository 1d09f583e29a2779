//! Translated texts for errors of the operating system and the standard library, whose own texts are English.

use super::{Language, tr};
use std::error::Error;
use std::io::{self, ErrorKind};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// The text of an error in the current language. In English, and where no translation exists, it is the error's own
/// text.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    let translated = if Language::current() == Language::ENGLISH {
        None
    } else if let Some(error) = error.downcast_ref::<io::Error>() {
        io_error_text(error)
    } else {
        error
            .downcast_ref::<ParseIntError>()
            .and_then(parse_int_error_text)
            .or_else(|| error.is::<ParseFloatError>().then(|| tr!("it is no number")))
    };
    translated.unwrap_or_else(|| error.to_string())
}

fn io_error_text(error: &io::Error) -> Option<String> {
    if error.raw_os_error().is_none() {
        // An error made by this program or wrapped around one, or invalid UTF-8 reported by the standard library.
        let is_no_text = error.get_ref().is_none() && error.kind() == ErrorKind::InvalidData;
        let no_text = || is_no_text.then(|| tr!("it is no text in UTF-8"));
        return error.get_ref().map(|inner| inner.to_string()).or_else(no_text);
    }
    Some(match error.kind() {
        ErrorKind::NotFound => tr!("no such file or folder"),
        ErrorKind::PermissionDenied => tr!("permission denied"),
        ErrorKind::AlreadyExists => tr!("it exists already"),
        ErrorKind::NotADirectory => tr!("it is no folder"),
        ErrorKind::IsADirectory => tr!("it is a folder"),
        ErrorKind::DirectoryNotEmpty => tr!("the folder is not empty"),
        ErrorKind::StorageFull => tr!("no space is left on the disk"),
        ErrorKind::ReadOnlyFilesystem => tr!("the file system can only be read"),
        ErrorKind::FileTooLarge => tr!("the file would be too large"),
        ErrorKind::InvalidFilename => tr!("no file can have this name"),
        ErrorKind::OutOfMemory => tr!("there is no memory left"),
        _ => return None,
    })
}

fn parse_int_error_text(error: &ParseIntError) -> Option<String> {
    Some(match error.kind() {
        IntErrorKind::Empty => tr!("a number is missing"),
        IntErrorKind::InvalidDigit => tr!("it is no whole number"),
        IntErrorKind::PosOverflow => tr!("the number is too large"),
        IntErrorKind::NegOverflow => tr!("the number is too small"),
        _ => return None,
    })
}
