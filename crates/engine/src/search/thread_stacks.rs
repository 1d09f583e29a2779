//! The threads of a search: their stacks, and whether there is memory for them.

use crate::memory::{available_memory_mb, may_fail};
use std::cell::Cell;
use std::hint::black_box;
use std::io;
use std::panic::resume_unwind;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};
use xiangqi::{worded_error, words};

/// The stack of a search thread. The search recurses hundreds of plies deep: about a megabyte in an optimized build, and
/// ten times as much in one without optimization.
const STACK_BYTES: usize = 16 << 20;

/// Memory that a thread needs besides its stack, in megabytes.
const THREAD_MB: usize = 4;

/// There is not enough memory for this many search threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadMemoryError(pub usize);

worded_error!(ThreadMemoryError, |error| words!("no memory for {count} threads", count = &error.0));

/// Checks that there is memory for this many threads, because the allocations of a thread cannot fail with a message.
pub fn check_thread_memory(threads: usize) -> Result<(), ThreadMemoryError> {
    // There a search has one thread, and memory that was asked for once is not given back.
    if cfg!(target_family = "wasm") {
        return Ok(());
    }
    let error = ThreadMemoryError(threads);
    if available_memory_mb().is_some_and(|available| threads.saturating_mul(THREAD_MB) > available) {
        return Err(error);
    }
    // In pieces, as the threads will ask for it: the system may limit the address space.
    let mut pieces = Vec::with_capacity(threads);
    for _ in 0..threads {
        let mut piece = Vec::<u8>::new();
        may_fail(|| piece.try_reserve_exact(STACK_BYTES + (THREAD_MB << 20))).map_err(|_| error)?;
        pieces.push(black_box(piece));
    }
    Ok(())
}

/// As many of these threads as there is memory for, at least one.
pub fn affordable_threads(wanted: usize) -> usize {
    let mut count = wanted.max(1);
    while count > 1 && check_thread_memory(count).is_err() {
        count /= 2;
    }
    count
}

thread_local! {
    /// Whether this thread has the stack that a search needs.
    static HAS_SEARCH_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Starts a thread with the stack that a search needs. Searches on it start no thread of their own, which saves time
/// where there are many small ones.
pub fn spawn_searching<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() -> R + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, R>> {
    Builder::new().name(name).stack_size(STACK_BYTES).spawn_scoped(scope, move || {
        HAS_SEARCH_STACK.set(true);
        work()
    })
}

/// Runs the main thread of a search and waits for it. Where no thread can be started it runs on the caller's.
pub(super) fn run_main_thread<R: Send>(mut search: impl FnMut() -> R + Send) -> R {
    if cfg!(target_family = "wasm") || HAS_SEARCH_STACK.get() {
        return search();
    }
    let result = thread::scope(|scope| {
        let main = spawn_searching(scope, "search-0".to_string(), &mut search)?;
        Ok::<R, io::Error>(main.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    result.unwrap_or_else(|error| {
        log::warn!("no thread for a search: {error}");
        search()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses this much stack.
    #[inline(never)]
    fn use_stack(kilobytes: usize) -> u8 {
        let frame = black_box([kilobytes as u8; 1024]);
        if kilobytes == 0 { frame[0] } else { use_stack(kilobytes - 1) ^ frame[kilobytes % 1024] }
    }

    #[test]
    fn main_thread_has_a_large_stack() {
        run_main_thread(|| use_stack(STACK_BYTES / 1024 / 2));
    }

    #[test]
    fn search_on_a_searching_thread_stays_there() {
        let is_same = |caller: thread::ThreadId| run_main_thread(|| thread::current().id()) == caller;
        assert!(!is_same(thread::current().id()));
        thread::scope(|scope| {
            let worker = spawn_searching(scope, "worker".to_string(), || {
                use_stack(STACK_BYTES / 1024 / 2);
                is_same(thread::current().id())
            });
            assert!(worker.expect("a thread").join().expect("no panic"));
        });
    }
}
