//! Perft: counts move paths, to test move generation, make and unmake.

use super::position::Position;
use crate::types::Move;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum depth: beyond any feasible count, and within the stack of any thread.
pub const MAX_PERFT: u32 = 64;
/// At or below this depth a stop is not polled.
const POLL_DEPTH: u32 = 3;

/// The number of paths, in total and below each first move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathCount {
    /// The total.
    pub nodes: u64,
    /// The count of each legal first move, ordered by the move's text; empty at depth 0.
    pub below: Vec<(Move, u64)>,
}

impl Position {
    /// Counts the paths of `depth` moves below each first move, which the threads share.
    pub fn divide(&self, depth: u32, threads: usize) -> PathCount {
        if depth == 0 {
            return PathCount { nodes: 1, below: Vec::new() };
        }
        let mut moves: Vec<Move> = self.legal_moves().to_vec();
        moves.sort_by_key(Move::to_string);
        let next = AtomicUsize::new(0);
        let counts = Mutex::new(vec![0; moves.len()]);
        std::thread::scope(|scope| {
            let count = || {
                let mut position = self.clone();
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(&mv) = moves.get(index)
                {
                    position.play_unchecked(mv);
                    let nodes = position.perft(depth - 1);
                    position.undo();
                    counts.lock().expect("no counter panics")[index] = nodes;
                }
            };
            // If the system starts no more threads, those that run do the work, at least this one.
            for _ in 1..threads.clamp(1, moves.len().max(1)) {
                if std::thread::Builder::new().spawn_scoped(scope, count).is_err() {
                    break;
                }
            }
            count();
        });
        let counts = counts.into_inner().expect("no counter panics");
        PathCount { nodes: counts.iter().sum(), below: moves.into_iter().zip(counts).collect() }
    }

    /// Counts the paths of `depth` moves; the last ply is counted without a list.
    pub fn perft(&mut self, depth: u32) -> u64 {
        self.perft_until_stopped(depth, &|| false).expect("nobody stops it")
    }

    /// The same as [`Position::perft`], but returns `None` once `stopped` is true.
    pub fn perft_until_stopped(&mut self, depth: u32, stopped: &dyn Fn() -> bool) -> Option<u64> {
        match depth {
            0 => return Some(1),
            1 => return Some(self.count_legal()),
            _ if depth > POLL_DEPTH && stopped() => return None,
            _ => {}
        }
        let mut paths = 0;
        for mv in self.legal_moves() {
            self.play_unchecked(mv);
            let below = self.perft_until_stopped(depth - 1, stopped);
            self.undo();
            paths += below?;
        }
        Some(paths)
    }
}
