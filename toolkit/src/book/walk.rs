//! Walks through a book: its positions are known by their keys alone, so that only who walks there finds them.

use super::answer::{Book, BookMove, ProbeError};
use super::fold::Folded;
use chuhe_engine::board::Position;
use chuhe_engine::types::Move;
use std::collections::HashSet;

/// What a walk saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Walked {
    /// Positions that the book knows, mirror images counted once.
    pub positions: u64,
    /// Their moves, counted likewise.
    pub moves: u64,
    /// The longest way that was gone.
    pub plies: usize,
}

/// A position on the way: its moves, and how many of them were followed.
struct Stop {
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
) -> Result<Walked, ProbeError> {
    let mut position = start.clone();
    let mut seen = HashSet::new();
    let mut walked = Walked::default();
    let mut way: Vec<Stop> = Vec::new();
    way.extend(arrive(book, &position, &mut seen, &mut walked, visit)?);
    while let Some(stop) = way.last_mut() {
        let Some(&mv) = stop.moves.get(stop.next) else {
            way.pop();
            if !way.is_empty() {
                position.unmake();
            }
            continue;
        };
        stop.next += 1;
        position.make(mv);
        match arrive(book, &position, &mut seen, &mut walked, visit)? {
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
fn arrive(
    book: &dyn Book,
    position: &Position,
    seen: &mut HashSet<u64>,
    walked: &mut Walked,
    visit: &mut dyn FnMut(&Position, &[BookMove]) -> bool,
) -> Result<Option<Stop>, ProbeError> {
    let folded = Folded::of(position);
    if seen.contains(&folded.key) {
        return Ok(None);
    }
    let moves = book.moves(position)?;
    if moves.is_empty() {
        return Ok(None);
    }
    seen.insert(folded.key);
    // Of twins one is enough.
    let faces: HashSet<Move> = moves.iter().map(|entry| folded.fold(entry.mv)).collect();
    walked.positions += 1;
    walked.moves += faces.len() as u64;
    let goes_on = visit(position, &moves);
    let moves = if goes_on { position.legal_moves().moves().collect() } else { Vec::new() };
    Ok(Some(Stop { moves, next: 0 }))
}
