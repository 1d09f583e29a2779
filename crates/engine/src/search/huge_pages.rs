//! Zeroed memory for the transposition table, with huge pages where the system supports them. Allocation fails with an
//! error instead of aborting, and pages are mapped only when populated or used.

#![allow(unsafe_code)]

use crate::memory::may_fail;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::hint::black_box;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cache line of eight atomic words.
#[repr(C, align(64))]
pub struct CacheLine(pub [AtomicU64; 8]);

const CACHE_LINE_BYTES: usize = std::mem::size_of::<CacheLine>();
/// Smallest page size.
const PAGE_BYTES: usize = 4096;
/// Size of a huge page.
pub const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Asks the system to map this range with huge pages, which reduces TLB misses. Failure does no harm and is ignored.
#[cfg(target_os = "linux")]
fn advise_huge_pages(start: NonNull<u8>, size: usize) {
    // SAFETY: the range is aligned to pages and lies in a block of ours; the advice changes no contents.
    unsafe { libc::madvise(start.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

/// A zero-initialized slice of cache lines.
pub struct CacheLines {
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<CacheLine>,
    count: usize,
}

impl CacheLines {
    /// Allocates `count` lines; `None` if there is not enough memory.
    pub fn new(count: usize) -> Option<CacheLines> {
        // A small alignment makes the allocator use calloc, which leaves untouched pages unmapped; the lines are
        // aligned by hand inside the block.
        let bytes = count.max(1).checked_mul(CACHE_LINE_BYTES)?;
        let alignment = if bytes >= HUGE_PAGE_BYTES { HUGE_PAGE_BYTES } else { CACHE_LINE_BYTES };
        let layout = Layout::from_size_align(bytes.checked_add(alignment)?, 16).ok()?;
        // SAFETY: the layout has a size above zero.
        let block = NonNull::new(may_fail(|| unsafe { alloc_zeroed(layout) }))?;
        let padding = block.as_ptr().align_offset(alignment);
        debug_assert!(padding < alignment);
        // SAFETY: the block is longer than the lines by the alignment, and the padding is less than that.
        let first = unsafe { block.add(padding) }.cast::<CacheLine>();
        if bytes >= HUGE_PAGE_BYTES {
            advise_huge_pages(first.cast(), bytes);
        }
        Some(CacheLines { block, layout, first, count: count.max(1) })
    }

    /// Maps the pages of a part of the memory. The contents stay unchanged, also under concurrent writes.
    pub fn populate(&self, part: Range<usize>) {
        for line in self[part].iter().step_by(PAGE_BYTES / CACHE_LINE_BYTES) {
            // `black_box` hides that the write changes nothing; a read would not map the page.
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

/// Prefetches a cache line.
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

#[cfg(all(test, target_os = "linux"))]
impl CacheLines {
    /// Resident memory of these lines in bytes; `None` if the system does not tell it for them alone.
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
    fn populate_maps_every_page() {
        let lines = CacheLines::new((33 << 20) / CACHE_LINE_BYTES).expect("memory");
        assert!(lines.resident().is_none_or(|bytes| bytes == 0), "no page is mapped before its use");
        lines.populate(0..lines.len());
        assert!(lines.resident().is_none_or(|bytes| bytes == size_of_val(&lines[..])));
        assert!(lines.iter().all(|line| line.0.iter().all(|word| word.load(Ordering::Relaxed) == 0)));
    }
}
