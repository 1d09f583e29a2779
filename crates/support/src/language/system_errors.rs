//! Translated texts for errors whose own texts are English: of the operating system and the standard library.

use super::{Language, tr};
use std::error::Error;
use std::io::{self, ErrorKind};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// No thread can be started, not even one.
#[derive(Debug, thiserror::Error)]
#[error("{}", tr!("cannot start a thread: {reason}", reason = reason(_0)))]
pub struct NoThread(pub io::Error);

/// The text of an error in the current language. In English, and where no translation exists, it is the error's own
/// text. The texts of Windows come in the language of the system, so errors of the system are always worded here there.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    let translated = if let Some(error) = error.downcast_ref::<io::Error>() {
        io_error_text(error, cfg!(windows))
    } else if Language::current() == Language::ENGLISH {
        None
    } else {
        let whole = error.downcast_ref::<ParseIntError>().and_then(parse_int_error_text);
        whole.or_else(|| error.is::<ParseFloatError>().then(|| tr!("it is no number")))
    };
    translated.unwrap_or_else(|| error.to_string())
}

/// `is_system_localized`: the system words its errors in a language of its own.
fn io_error_text(error: &io::Error, is_system_localized: bool) -> Option<String> {
    let is_english = Language::current() == Language::ENGLISH;
    let code = error.raw_os_error();
    if is_english && (code.is_none() || !is_system_localized) {
        return None;
    }
    // An error wrapped around one of this program.
    if let Some(inner) = error.get_ref() {
        return Some(inner.to_string());
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
        // Reported by the standard library, without a code of the system.
        ErrorKind::InvalidData if code.is_none() => tr!("it is no text in UTF-8"),
        ErrorKind::AddrInUse if is_system_localized => tr!("it is in use"),
        _ => return code.filter(|_| is_system_localized).map(system_error_text),
    })
}

/// An error of a system with a language of its own, for which there is no kind.
fn system_error_text(code: i32) -> String {
    if SHARING_VIOLATIONS.contains(&code) {
        tr!("another program has it open")
    } else {
        tr!("error {code} of the system", code)
    }
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
        // One that the program has made from its kind.
        let error = io::Error::from(ErrorKind::NotADirectory);
        assert_eq!(Language::ENGLISH.with(|| io_error_text(&error, true)), None);
    }
}
