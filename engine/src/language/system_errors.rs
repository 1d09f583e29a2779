//! Translated texts for errors of the operating system and the standard library, whose own texts are English.

use super::{Language, tr};
use std::error::Error;
use std::io::{self, ErrorKind};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// The text of an error in the current language. In English, and where no translation exists, it is the error's own
/// text. The texts of Windows come in the language of the system, so errors of the system are always worded here there.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    let translated = if let Some(error) = error.downcast_ref::<io::Error>() {
        io_error_text(error, cfg!(windows))
    } else if Language::current() == Language::ENGLISH {
        None
    } else {
        error
            .downcast_ref::<ParseIntError>()
            .and_then(parse_int_error_text)
            .or_else(|| error.is::<ParseFloatError>().then(|| tr!("it is no number")))
    };
    translated.unwrap_or_else(|| error.to_string())
}

/// `is_system_localized`: the system words its errors in a language of its own.
fn io_error_text(error: &io::Error, is_system_localized: bool) -> Option<String> {
    let is_english = Language::current() == Language::ENGLISH;
    let Some(code) = error.raw_os_error() else {
        // An error made by this program or wrapped around one, or invalid UTF-8 reported by the standard library.
        let is_no_text = error.get_ref().is_none() && error.kind() == ErrorKind::InvalidData;
        let no_text = || is_no_text.then(|| tr!("it is no text in UTF-8"));
        return if is_english { None } else { error.get_ref().map(|inner| inner.to_string()).or_else(no_text) };
    };
    if is_english && !is_system_localized {
        return None;
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
        ErrorKind::AddrInUse if is_system_localized => tr!("it is in use"),
        _ if is_system_localized && SHARING_VIOLATIONS.contains(&code) => tr!("another program has it open"),
        _ if is_system_localized => tr!("error {code} of the system", code),
        _ => return None,
    })
}

/// The codes of Windows for a file that is open elsewhere, or locked.
const SHARING_VIOLATIONS: [i32; 2] = [32, 33];

fn parse_int_error_text(error: &ParseIntError) -> Option<String> {
    Some(match error.kind() {
        IntErrorKind::Empty => tr!("a number is missing"),
        IntErrorKind::InvalidDigit => tr!("it is no whole number"),
        IntErrorKind::PosOverflow => tr!("the number is too large"),
        IntErrorKind::NegOverflow => tr!("the number is too small"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_localized_system_are_never_in_its_own_words() {
        for code in 1..200 {
            let error = io::Error::from_raw_os_error(code);
            let text = Language::ENGLISH.with(|| io_error_text(&error, true)).expect("a text");
            assert!(!text.contains(&error.to_string()) && !text.contains("os error"), "{code}: {text}");
            assert_eq!(Language::ENGLISH.with(|| io_error_text(&error, false)), None);
        }
    }
}
