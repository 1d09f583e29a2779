//! How much memory the machine has, and which allocations may fail.

pub use chuhe_engine::memory::may_fail;
#[cfg(target_os = "linux")]
pub use chuhe_engine::memory::total_memory_mb;

/// The memory of the machine in megabytes; `None` if the system does not say.
#[cfg(target_os = "macos")]
pub fn total_memory_mb() -> Option<usize> {
    let output = std::process::Command::new("/usr/sbin/sysctl").args(["-n", "hw.memsize"]).output().ok()?;
    let bytes: u64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    usize::try_from(bytes >> 20).ok()
}

/// The memory of the machine in megabytes; `None` if the system does not say.
#[cfg(windows)]
pub fn total_memory_mb() -> Option<usize> {
    crate::windows::total_memory_mb()
}

/// The memory of the machine in megabytes; `None` if the system does not say.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub fn total_memory_mb() -> Option<usize> {
    None
}
