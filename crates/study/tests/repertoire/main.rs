//! Tests of repertoires: against plain searches in the games, in files and back, as a part of the deck.

mod brute_force;
mod cards;
mod lines;

use crate::support;
use std::collections::HashSet;
use xiangqi::{Move, Position};

/// Pieces and side of a position; the same for its mirror image.
fn board(position: &Position) -> String {
    support::board(position).min(support::board(&position.mirrored()))
}

/// Where moves of a position lead to.
fn boards_after(position: &Position, moves: &[Move]) -> HashSet<String> {
    moves.iter().map(|&mv| board(&support::played_out(position, &[mv]))).collect()
}
