//! What only Windows can tell: the code page of older programs, and who else uses the console.
#![allow(unsafe_code)]

use windows_sys::Win32::Globalization::GetACP;
use windows_sys::Win32::System::Console::GetConsoleProcessList;
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

/// The memory of the machine in megabytes; `None` if the system does not say.
pub fn total_memory_mb() -> Option<usize> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure says how long it is.
    let known = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
    // A 32-bit program can address no more than it is told.
    let bytes = status.ullTotalPhys.min(status.ullTotalVirtual);
    if known { usize::try_from(bytes >> 20).ok() } else { None }
}
