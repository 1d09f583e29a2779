//! Counting move paths: the proof that the move generator is right, and the measure of its speed.

use crate::board::Position;
use crate::types::Move;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many paths of `depth` moves there are; the last ply is counted without being listed.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let list = position.legal_moves();
            let mut nodes = 0;
            for mv in list.moves() {
                position.make(mv);
                nodes += perft(position, depth - 1);
                position.unmake();
            }
            nodes
        }
    }
}

/// The count below each move of the position, in generation order, shared out among threads.
pub fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves: Vec<Move> = position.legal_moves().moves().collect();
    let next = AtomicUsize::new(0);
    let counts = Mutex::new(vec![0; moves.len()]);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, moves.len().max(1)) {
            scope.spawn(|| {
                let mut position = position.clone();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&mv) = moves.get(index) else { break };
                    position.make(mv);
                    let nodes = perft(&mut position, depth - 1);
                    position.unmake();
                    counts.lock().expect("no counter panics")[index] = nodes;
                }
            });
        }
    });
    moves.into_iter().zip(counts.into_inner().expect("no counter panics")).collect()
}
