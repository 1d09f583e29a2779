//! How much memory this process may use, as Linux tells it. A control group (container, service) can allow less than
//! the machine has. And which allocations may fail.

use std::cell::Cell;
use std::fs::read_to_string;

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Does work that copes with a lack of memory.
pub fn may_fail<T>(work: impl FnOnce() -> T) -> T {
    let before = MAY_FAIL.replace(true);
    let result = work();
    MAY_FAIL.set(before);
    result
}

/// Whether this thread copes with a lack of memory now, as it does while a table is allocated. The allocator of a program
/// may end it with a message at any other time.
pub fn is_failure_expected() -> bool {
    MAY_FAIL.get()
}

/// A control group's limit and what it holds, in bytes.
struct CgroupMemory {
    limit: usize,
    /// Anonymous memory only: the page cache can be dropped.
    held: usize,
}

/// The memory of the machine in megabytes, limited by the control group of this process; `None` if the system does not
/// tell.
pub fn total_memory_mb() -> Option<usize> {
    let total = meminfo_mb("MemTotal:")?;
    Some(cgroup_memory().map_or(total, |group| total.min(group.limit >> 20)))
}

/// Available memory in megabytes, limited by the control group of this process; `None` if the system does not tell.
pub(crate) fn available_memory_mb() -> Option<usize> {
    let available = meminfo_mb("MemAvailable:")?;
    Some(cgroup_memory().map_or(available, |group| available.min(group.limit.saturating_sub(group.held) >> 20)))
}

fn meminfo_mb(name: &str) -> Option<usize> {
    Some(number_after(&read_to_string("/proc/meminfo").ok()?, name)? >> 10)
}

/// The memory of the control group, by version 2 or 1; `None` without a limit.
fn cgroup_memory() -> Option<CgroupMemory> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let (path, is_version_2) = memory_group(&groups)?;
    let root = if is_version_2 { "/sys/fs/cgroup" } else { "/sys/fs/cgroup/memory" };
    let told = |file: &str| {
        // Inside a container the group of the host is mounted as the root.
        [path, ""].into_iter().find_map(|path| read_to_string(format!("{root}{path}/{file}")).ok())
    };
    let (limit_file, held_name) =
        if is_version_2 { ("memory.max", "anon") } else { ("memory.limit_in_bytes", "total_rss") };
    // Without a limit version 2 says `max`, version 1 a number beyond every machine.
    let limit = told(limit_file)?.trim().parse().ok()?;
    let held = told("memory.stat").and_then(|text| number_after(&text, held_name)).unwrap_or(0);
    Some(CgroupMemory { limit, held })
}

/// The path of the group that limits memory, without a slash at its end, and whether it is of version 2.
fn memory_group(groups: &str) -> Option<(&str, bool)> {
    let version_1 = groups.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        controllers.split(',').any(|name| name == "memory").then_some((path, false))
    });
    let version_2 = || groups.lines().find_map(|line| line.strip_prefix("0::")).map(|path| (path, true));
    version_1.or_else(version_2).map(|(path, version)| (path.trim_end_matches('/'), version))
}

/// The number after this word at the start of a line.
fn number_after(text: &str, word: &str) -> Option<usize> {
    let mut lines = text.lines().map(str::split_whitespace);
    lines.find_map(|mut words| (words.next() == Some(word)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_after_reads_system_files() {
        let text = "MemTotal:       24689308 kB\nMemAvailable:   23456789 kB\nanon 4096\nanon_thp 7";
        assert_eq!(number_after(text, "MemAvailable:"), Some(23_456_789));
        assert_eq!(number_after(text, "anon"), Some(4096));
        assert_eq!(number_after(text, "file"), None);
        assert_eq!(number_after("memory.max max", "memory.max"), None);
    }

    #[test]
    fn memory_group_is_found_in_both_versions() {
        assert_eq!(memory_group("0::/user.slice/chuhe.service\n"), Some(("/user.slice/chuhe.service", true)));
        assert_eq!(memory_group("0::/\n"), Some(("", true)));
        let mixed = "12:cpu,cpuacct:/a\n7:memory:/docker/0123\n1:name=systemd:/b\n0::/c\n";
        assert_eq!(memory_group(mixed), Some(("/docker/0123", false)));
        assert_eq!(memory_group(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn available_memory_is_part_of_the_total() {
        let (total, available) = (total_memory_mb().expect("told"), available_memory_mb().expect("told"));
        assert!(0 < available && available <= total, "{available} of {total}");
    }
}
