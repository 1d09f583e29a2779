//! The count of move paths, on other threads, so that Ctrl-C is seen.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;
use xiangqi::Position;

/// Counts the move paths of this length from a position.
pub fn count(py: Python<'_>, position: &Position, depth: u32, threads: usize) -> PyResult<u64> {
    // Short ones are not worth a thread.
    if depth <= 2 {
        return Ok(position.clone().perft(depth));
    }
    let (moves, next, stopped) = (position.legal_moves().to_vec(), AtomicUsize::new(0), AtomicBool::new(false));
    let count = || {
        let (mut position, mut paths) = (position.clone(), 0);
        while let Some(&mv) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            position.play_unchecked(mv);
            paths += position.perft_until_stopped(depth - 1, &|| stopped.load(Ordering::Relaxed)).unwrap_or_default();
            position.undo();
        }
        paths
    };
    thread::scope(|scope| {
        let mut counting = Vec::new();
        for number in 0..threads {
            match thread::Builder::new().spawn_scoped(scope, count) {
                Ok(handle) => counting.push(handle),
                Err(error) if number == 0 => return Err(error.into()),
                // Those that run do the work.
                Err(_) => break,
            }
        }
        while !counting.iter().all(ScopedJoinHandle::is_finished) {
            py.detach(|| thread::sleep(Duration::from_millis(1)));
            if let Err(interrupt) = py.check_signals() {
                stopped.store(true, Ordering::Relaxed);
                return Err(interrupt);
            }
        }
        let joined = |handle: ScopedJoinHandle<'_, u64>| handle.join();
        let counts = counting.into_iter().map(joined).collect::<Result<Vec<u64>, _>>();
        counts.map(|counts| counts.iter().sum()).map_err(|cause| crate::errors::internal_error(cause.as_ref()))
    })
}
