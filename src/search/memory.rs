//! Zeroed memory for the hash table: from the system as it is, so that a large table costs nothing until it is
//! used, and refused rather than aborted when there is not enough.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// A cache line of hash entries: eight atomic words.
#[repr(C, align(64))]
pub struct Line(pub [AtomicU64; 8]);

const LINE: usize = std::mem::size_of::<Line>();

/// A slice of lines whose memory began as zeros.
pub struct Lines {
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<Line>,
    count: usize,
}

impl Lines {
    /// Asks for `count` lines; `None` if the system has not that much.
    pub fn new(count: usize) -> Option<Lines> {
        // Memory of small alignment comes from calloc, which leaves untouched pages to the system; the lines
        // are aligned by hand inside it.
        let size = count.max(1).checked_mul(LINE)?.checked_add(LINE)?;
        let layout = Layout::from_size_align(size, 16).ok()?;
        // SAFETY: the layout has a size above zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let padding = block.as_ptr().align_offset(LINE);
        debug_assert!(padding < LINE);
        // SAFETY: the block is one line longer than the lines, and the padding is shorter than a line.
        let first = unsafe { block.add(padding) }.cast::<Line>();
        Some(Lines { block, layout, first, count: count.max(1) })
    }
}

impl Deref for Lines {
    type Target = [Line];
    #[inline]
    fn deref(&self) -> &[Line] {
        // SAFETY: `first` is aligned and `count` lines behind it belong to the block, which lives as long as
        // `self`; all-zero bytes are valid atomics, and they are only ever changed through shared references.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // SAFETY: the block came from the same allocator with the same layout.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

// SAFETY: the lines hold nothing but atomics, and the block is owned.
unsafe impl Send for Lines {}
// SAFETY: as above; shared access goes through atomics.
unsafe impl Sync for Lines {}

/// Tells the processor that a line will be read soon.
#[inline]
pub fn prefetch(line: &Line) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on memory and the address is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// Memory that the system could still give, in megabytes, where it tells.
pub fn available_mb() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}
