//! Parallel loops over numbered parts; results are ordered by part, independent of the threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `work` for the parts `0..parts`, with one tool per thread.
pub fn for_each_part<T>(
    threads: usize,
    parts: usize,
    tool: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    let run_parts = || {
        let mut tool = tool();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            work(&mut tool, part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(parts) {
            // If no thread can be started, this one does all the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run_parts);
        }
        run_parts();
    });
}

/// Runs `work` for the parts `0..parts` and collects the results in order.
pub fn map_parts<R: Send>(threads: usize, parts: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let done = Mutex::new(Vec::with_capacity(parts));
    for_each_part(
        threads,
        parts,
        || (),
        |(), part| {
            let result = work(part);
            done.lock().expect("no worker panics").push((part, result));
        },
    );
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_unstable_by_key(|(part, _)| *part);
    done.into_iter().map(|(_, result)| result).collect()
}
