//! Openings for games that others play: the lines to the leaves of a book.
//!
//! Walks through a book: its positions are known by their keys alone, so that only who walks there finds them.

use super::mirror::MirrorKey;
use super::{Book, BookMove, ProbeError};
use chuhe_engine::board::Position;
use chuhe_engine::types::{Key, Move};
use std::collections::HashSet;

/// The moves to every position that a book leads to in so many plies, or in fewer where it ends; by moves that it plays,
/// each position once and on one wing. No more than `most` positions are followed from ply to ply.
pub fn leaf_lines(book: &dyn Book, plies: usize, most: usize) -> Result<Vec<Vec<Move>>, ProbeError> {
    let mut ends = Vec::new();
    let mut seen: HashSet<Key> = HashSet::new();
    let mut lines: Vec<Vec<Move>> = vec![Vec::new()];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for line in lines {
            let mut position = Position::start();
            line.iter().for_each(|&mv| position.make_unchecked(mv));
            let folded = MirrorKey::of(&position);
            let mut played = HashSet::new();
            for entry in book.moves(&position)?.into_iter().filter(|entry| entry.weight > 0) {
                if !played.insert(folded.to_book_move(entry.mv)) {
                    continue;
                }
                position.make_unchecked(entry.mv);
                if longer.len() < most && seen.insert(MirrorKey::of(&position).key) {
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

/// What a walk saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WalkStats {
    /// Positions that the book knows, mirror images counted once.
    pub positions: u64,
    /// Their moves, counted likewise.
    pub moves: u64,
    /// The longest way that was gone.
    pub plies: usize,
}

/// A position on the way: its moves, and how many of them were followed.
struct WalkFrame {
    moves: Vec<Move>,
    next: usize,
}

/// Visits every position that can be reached from here inside the book, each once, on either wing: by the book's own moves,
/// and by moves that it does not have where it knows the answer to them. Whoever visits may say that it goes no further
/// there.
pub fn walk(
    book: &dyn Book,
    start: &Position,
    visit: &mut dyn FnMut(&Position, &[BookMove]) -> bool,
) -> Result<WalkStats, ProbeError> {
    let mut position = start.clone();
    let mut seen = HashSet::new();
    let mut walked = WalkStats::default();
    let mut way: Vec<WalkFrame> = Vec::new();
    way.extend(enter_position(book, &position, &mut seen, &mut walked, visit)?);
    while let Some(stop) = way.last_mut() {
        let Some(&mv) = stop.moves.get(stop.next) else {
            way.pop();
            if !way.is_empty() {
                position.unmake();
            }
            continue;
        };
        stop.next += 1;
        position.make_unchecked(mv);
        match enter_position(book, &position, &mut seen, &mut walked, visit)? {
            Some(stop) => {
                way.push(stop);
                walked.plies = walked.plies.max(way.len());
            }
            None => position.unmake(),
        }
    }
    Ok(walked)
}

/// What goes on from a position; `None` if it is unknown or was seen before.
fn enter_position(
    book: &dyn Book,
    position: &Position,
    seen: &mut HashSet<u64>,
    walked: &mut WalkStats,
    visit: &mut dyn FnMut(&Position, &[BookMove]) -> bool,
) -> Result<Option<WalkFrame>, ProbeError> {
    let folded = MirrorKey::of(position);
    if seen.contains(&folded.key) {
        return Ok(None);
    }
    let moves = book.moves(position)?;
    if moves.is_empty() {
        return Ok(None);
    }
    seen.insert(folded.key);
    // Of twins one is enough.
    let faces: HashSet<Move> = moves.iter().map(|entry| folded.to_book_move(entry.mv)).collect();
    walked.positions += 1;
    walked.moves += faces.len() as u64;
    let goes_on = visit(position, &moves);
    let moves = if goes_on { position.legal_moves().moves().collect() } else { Vec::new() };
    Ok(Some(WalkFrame { moves, next: 0 }))
}
