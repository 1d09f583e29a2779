//! Which allocations may fail, and how much memory a machine without Linux has.

use std::cell::Cell;

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Does work that copes with a lack of memory.
pub(crate) fn may_fail<T>(work: impl FnOnce() -> T) -> T {
    let before = MAY_FAIL.replace(true);
    let result = work();
    MAY_FAIL.set(before);
    result
}

/// Whether this thread copes with a lack of memory now, as it does while it reads a file whole. The allocator of a program
/// may end it with a message at any other time.
pub fn is_failure_expected() -> bool {
    MAY_FAIL.get()
}

/// The memory of the machine in megabytes; `None` if the system does not say, as on Linux, where the engine knows it.
#[cfg(target_os = "macos")]
pub fn total_memory_mb() -> Option<usize> {
    let output = std::process::Command::new("/usr/sbin/sysctl").args(["-n", "hw.memsize"]).output().ok()?;
    let bytes: u64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    usize::try_from(bytes >> 20).ok()
}

#[cfg(windows)]
pub use crate::windows::total_memory_mb;

#[cfg(not(any(target_os = "macos", windows)))]
pub fn total_memory_mb() -> Option<usize> {
    None
}
