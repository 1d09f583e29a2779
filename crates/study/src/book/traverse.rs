//! Walks through the positions of a book, and lists its leaves as openings for engine matches. Books store keys only,
//! so positions are found by playing moves.

use super::mirror::MirrorKey;
use super::{Book, BookMove, ProbeError};
use std::collections::HashSet;
use xiangqi::{Move, Position, zobrist::Key};

/// The moves to every position that the book reaches in exactly this many plies, or earlier where it ends. Only moves
/// with a weight are followed; each position occurs once, in one orientation. At most `most` positions are followed per
/// ply.
pub fn leaf_lines(book: &dyn Book, plies: usize, most: usize) -> Result<Vec<Vec<Move>>, ProbeError> {
    let mut ends = Vec::new();
    let mut seen: HashSet<Key> = HashSet::new();
    let mut lines: Vec<Vec<Move>> = vec![Vec::new()];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for line in lines {
            let mut position = Position::start().after(&line);
            let folded = MirrorKey::of(&position);
            let mut played = HashSet::new();
            for entry in book.moves(&position)?.into_iter().filter(|entry| entry.weight > 0) {
                if !played.insert(folded.to_book_move(entry.mv)) {
                    continue;
                }
                position.play_unchecked(entry.mv);
                if longer.len() < most && seen.insert(MirrorKey::of(&position).key) {
                    let mut next = line.clone();
                    next.push(entry.mv);
                    longer.push(next);
                }
                position.undo();
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

/// The statistics of a traversal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WalkStats {
    /// The number of known positions, mirror images counted once.
    pub positions: u64,
    /// The number of their moves, mirror images counted once.
    pub moves: u64,
    /// The length of the longest line.
    pub plies: usize,
}

/// A position on the current line: its moves, and how many of them were followed.
struct WalkFrame {
    moves: Vec<Move>,
    next: usize,
}

/// Visits every book position reachable from here once, in either orientation: through book moves, and through other
/// legal moves whose resulting position is in the book. The visitor may cut off a branch.
pub fn walk(
    book: &dyn Book,
    start: &Position,
    visit: &mut dyn FnMut(&Position, &[BookMove]) -> bool,
) -> Result<WalkStats, ProbeError> {
    let mut position = start.clone();
    let mut seen = HashSet::new();
    let mut stats = WalkStats::default();
    let mut stack: Vec<WalkFrame> = Vec::new();
    stack.extend(enter_position(book, &position, &mut seen, &mut stats, visit)?);
    while let Some(frame) = stack.last_mut() {
        let Some(&mv) = frame.moves.get(frame.next) else {
            stack.pop();
            if !stack.is_empty() {
                position.undo();
            }
            continue;
        };
        frame.next += 1;
        position.play_unchecked(mv);
        match enter_position(book, &position, &mut seen, &mut stats, visit)? {
            Some(frame) => {
                stack.push(frame);
                stats.plies = stats.plies.max(stack.len());
            }
            None => position.undo(),
        }
    }
    Ok(stats)
}

/// Enters a position: its moves to follow, or `None` if it is unknown or was visited before.
fn enter_position(
    book: &dyn Book,
    position: &Position,
    seen: &mut HashSet<u64>,
    stats: &mut WalkStats,
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
    // One of two mirrored moves is enough.
    let distinct: HashSet<Move> = moves.iter().map(|entry| folded.to_book_move(entry.mv)).collect();
    stats.positions += 1;
    stats.moves += distinct.len() as u64;
    let goes_on = visit(position, &moves);
    let moves = if goes_on { position.legal_moves().to_vec() } else { Vec::new() };
    Ok(Some(WalkFrame { moves, next: 0 }))
}
