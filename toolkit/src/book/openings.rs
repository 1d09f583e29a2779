//! Openings for games that others play: the lines to the leaves of a book.

use super::answer::{Book, ProbeError};
use super::fold::Folded;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Key, Move};
use std::collections::HashSet;

/// The moves to every position that a book leads to in so many plies, or in fewer where it ends; by moves that it plays,
/// each position once and on one wing. No more than `most` positions are followed from ply to ply.
pub fn openings(book: &dyn Book, plies: usize, most: usize) -> Result<Vec<Vec<Move>>, ProbeError> {
    let mut ends = Vec::new();
    let mut seen: HashSet<Key> = HashSet::new();
    let mut lines: Vec<Vec<Move>> = vec![Vec::new()];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for line in lines {
            let mut position = Position::start();
            line.iter().for_each(|&mv| position.make(mv));
            let folded = Folded::of(&position);
            let mut played = HashSet::new();
            for entry in book.moves(&position)?.into_iter().filter(|entry| entry.weight > 0) {
                if !played.insert(folded.fold(entry.mv)) {
                    continue;
                }
                position.make(entry.mv);
                if longer.len() < most && seen.insert(Folded::of(&position).key) {
                    let mut next = line.clone();
                    next.push(entry.mv);
                    longer.push(next);
                }
                position.unmake();
            }
            if played.is_empty() && !line.is_empty() {
                ends.push(line);
            }
        }
        lines = longer;
    }
    ends.extend(lines.into_iter().filter(|line| !line.is_empty()));
    Ok(ends)
}
