//! Zeroed memory for the hash table: from the system as it is, so that a large table costs nothing until it is
//! populated or used, and refused rather than aborted when there is not enough.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::hint::black_box;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cache line of hash entries: eight atomic words.
#[repr(C, align(64))]
pub struct CacheLine(pub [AtomicU64; 8]);

const CACHE_LINE_BYTES: usize = std::mem::size_of::<CacheLine>();
/// The system hands memory out in pages of this size, or in larger ones.
const PAGE_BYTES: usize = 4096;
/// What the processor can map with one entry of its page tables, where the system agrees.
pub const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Lets the system map this range in huge pages: a probe of a large table then seldom waits for the page
/// tables. A refusal does no harm and is not looked at.
#[cfg(target_os = "linux")]
fn advise_huge_pages(start: NonNull<u8>, size: usize) {
    // SAFETY: the range is aligned to pages and lies in a block of ours; the advice changes no contents.
    unsafe { libc::madvise(start.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

/// A slice of lines whose memory began as zeros.
pub struct CacheLines {
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<CacheLine>,
    count: usize,
}

impl CacheLines {
    /// Asks for `count` lines; `None` if the system has not that much.
    pub fn new(count: usize) -> Option<CacheLines> {
        // Memory of small alignment comes from calloc, which leaves untouched pages to the system; the lines
        // are aligned by hand inside it.
        let wanted = count.max(1).checked_mul(CACHE_LINE_BYTES)?;
        let alignment = if wanted >= HUGE_PAGE_BYTES { HUGE_PAGE_BYTES } else { CACHE_LINE_BYTES };
        let layout = Layout::from_size_align(wanted.checked_add(alignment)?, 16).ok()?;
        // SAFETY: the layout has a size above zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let padding = block.as_ptr().align_offset(alignment);
        debug_assert!(padding < alignment);
        // SAFETY: the block is longer than the lines by the alignment, and the padding is less than that.
        let first = unsafe { block.add(padding) }.cast::<CacheLine>();
        if wanted >= HUGE_PAGE_BYTES {
            advise_huge_pages(first.cast(), wanted);
        }
        Some(CacheLines { block, layout, first, count: count.max(1) })
    }

    /// Has the system hand out a part of the memory. The contents stay as they are, whoever else writes.
    pub fn populate(&self, part: Range<usize>) {
        for line in self[part].iter().step_by(PAGE_BYTES / CACHE_LINE_BYTES) {
            // A write that changes nothing; the compiler must not know that, or it makes a read of it, for which
            // the system hands nothing out.
            line.0[0].fetch_or(black_box(0), Ordering::Relaxed);
        }
    }
}

impl Deref for CacheLines {
    type Target = [CacheLine];
    #[inline]
    fn deref(&self) -> &[CacheLine] {
        // SAFETY: `first` is aligned and `count` lines behind it belong to the block, which lives as long as
        // `self`; all-zero bytes are valid atomics, and they are only ever changed through shared references.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl Drop for CacheLines {
    fn drop(&mut self) {
        // SAFETY: the block came from the same allocator with the same layout.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

// SAFETY: the lines hold nothing but atomics, and the block is owned.
unsafe impl Send for CacheLines {}
// SAFETY: as above; shared access goes through atomics.
unsafe impl Sync for CacheLines {}

/// Tells the processor that a line will be read soon.
#[inline]
pub fn prefetch_line(line: &CacheLine) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on memory and the address is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// Memory that the system could still give, in megabytes, where it tells: what is free, and no more than the group
/// of processes may still have that this one belongs to, as in a container.
pub fn available_memory_mb() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let available = number_after(&text, "MemAvailable:")? >> 10;
    Some(cgroup_available_mb().map_or(available, |room| room.min(available)))
}

/// What the process group may have beyond what it holds; `None` without a limit.
fn cgroup_available_mb() -> Option<usize> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let told =
        |file: &str| std::fs::read_to_string(format!("/sys/fs/cgroup{}/{file}", path.trim_end_matches('/'))).ok();
    let limit: usize = told("memory.max")?.trim().parse().ok()?;
    // What the group holds for good; files that the system keeps for it can be dropped.
    let held = told("memory.stat").and_then(|text| number_after(&text, "anon")).unwrap_or(0);
    Some(limit.saturating_sub(held) >> 20)
}

/// The number on the line that begins with this word.
fn number_after(text: &str, word: &str) -> Option<usize> {
    let mut lines = text.lines().map(str::split_whitespace);
    lines.find_map(|mut words| (words.next() == Some(word)).then(|| words.next()?.parse().ok())?)
}

#[cfg(all(test, target_os = "linux"))]
impl CacheLines {
    /// Memory that the system has handed out for these lines, in bytes; `None` where it does not tell, or only
    /// together with that of others.
    pub fn resident(&self) -> Option<usize> {
        let own = self.as_ptr().addr()..self.as_ptr_range().end.addr();
        let listing = std::fs::read_to_string("/proc/self/smaps").ok()?;
        let mut inside = false;
        let mut kilobytes = 0;
        for line in listing.lines() {
            let mut words = line.split_whitespace();
            let word = words.next()?;
            if let Some((start, end)) = word.split_once('-') {
                let number = |text| usize::from_str_radix(text, 16).ok();
                let mapped = number(start)?..number(end)?;
                inside = mapped.start < own.end && own.start < mapped.end;
                if inside && (mapped.start < own.start || own.end < mapped.end) {
                    return None;
                }
            } else if inside && word == "Rss:" {
                kilobytes += words.next()?.parse::<usize>().ok()?;
            }
        }
        Some(kilobytes << 10)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_listings_of_the_system_are_read() {
        let text = "MemTotal:       24689308 kB\nMemAvailable:   23456789 kB\nanon 4096\nanon_thp 7";
        assert_eq!(number_after(text, "MemAvailable:"), Some(23_456_789));
        assert_eq!(number_after(text, "anon"), Some(4096));
        assert_eq!(number_after(text, "file"), None);
        assert_eq!(number_after("memory.max max", "memory.max"), None);
    }

    #[test]
    fn populated_memory_is_there() {
        let lines = CacheLines::new((33 << 20) / CACHE_LINE_BYTES).expect("memory");
        assert!(lines.resident().is_none_or(|bytes| bytes == 0), "nothing is handed out before it is needed");
        lines.populate(0..lines.len());
        assert!(lines.resident().is_none_or(|bytes| bytes == size_of_val(&lines[..])));
        assert!(lines.iter().all(|line| line.0.iter().all(|word| word.load(Ordering::Relaxed) == 0)));
    }
}
