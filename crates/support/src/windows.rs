//! Queries of Windows: the code page of older programs, who else uses the console, and what it can show.
#![allow(unsafe_code)]

use std::ptr::null;
use windows_sys::Win32::Globalization::GetACP;
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, ENABLE_PROCESSED_OUTPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING,
    FillConsoleOutputCharacterW, GetConsoleMode, GetConsoleProcessList, GetConsoleScreenBufferInfo, GetStdHandle,
    STD_OUTPUT_HANDLE, SetConsoleCursorPosition, SetConsoleMode, WriteConsoleW,
};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

/// The ANSI code page: the encoding of programs without Unicode.
pub fn ansi_code_page() -> u32 {
    // SAFETY: the function takes no arguments and cannot fail.
    unsafe { GetACP() }
}

/// Whether no other program uses this console: Explorer made it for this program, and it closes with it.
pub fn is_alone_at_console() -> bool {
    let mut processes = [0_u32; 2];
    // SAFETY: the buffer holds as many entries as the function is told.
    let count = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), processes.len() as u32) };
    count == 1
}

/// Switches escape codes on at the console of standard output; false if it would show them as text. A terminal of Unix
/// programs, which is a pipe here, obeys them.
///
/// Before Windows 10 a console refuses. Wine's accepts and shows them all the same, so it is tried: a code that does nothing
/// must not move the cursor.
pub fn enable_escape_codes() -> bool {
    /// Saves the position of the cursor.
    const CODE: [u16; 3] = [0x1b, b'[' as u16, b's' as u16];
    // SAFETY: all functions report a handle that is none of a console, and write only to the variables they are given.
    unsafe {
        let console = GetStdHandle(STD_OUTPUT_HANDLE);
        let mut mode = 0;
        if GetConsoleMode(console, &mut mode) == 0 {
            return true;
        }
        let wanted = mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING;
        if SetConsoleMode(console, wanted) == 0 {
            return false;
        }
        let cursor = || {
            let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
            let known = GetConsoleScreenBufferInfo(console, &mut info) != 0;
            if known { Some(info.dwCursorPosition) } else { None }
        };
        let Some(before) = cursor() else { return false };
        let mut written = 0;
        WriteConsoleW(console, CODE.as_ptr(), CODE.len() as u32, &mut written, null());
        if cursor().is_some_and(|after| (after.X, after.Y) == (before.X, before.Y)) {
            return true;
        }
        FillConsoleOutputCharacterW(console, u16::from(b' '), CODE.len() as u32, before, &mut written);
        SetConsoleCursorPosition(console, before);
        SetConsoleMode(console, mode);
        false
    }
}

/// The memory of the machine in megabytes; `None` if the system does not say.
pub fn total_memory_mb() -> Option<usize> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure says how long it is.
    let known = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
    // A 32-bit program can address no more than it is told.
    let bytes = status.ullTotalPhys.min(status.ullTotalVirtual);
    if known { usize::try_from(bytes >> 20).ok() } else { None }
}
