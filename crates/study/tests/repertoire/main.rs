//! Tests of repertoires: against plain searches in the games, in files and back, as a part of the deck.

mod brute_force;
mod cards;
mod lines;

use std::collections::HashSet;
use xiangqi::{Move, Position};

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

fn after(text: &str) -> Position {
    let mut position = Position::start();
    moves(text).into_iter().for_each(|mv| position.play(mv).expect("a legal move"));
    position
}

/// Pieces and side of a position; the same for its mirror image.
fn board(position: &Position) -> String {
    let board = |position: &Position| position.fen().split(' ').take(2).collect::<Vec<_>>().join(" ");
    board(position).min(board(&position.mirrored()))
}

/// Where moves of a position lead to.
fn boards_after(position: &Position, moves: &[Move]) -> HashSet<String> {
    let after = |&mv: &Move| {
        let mut next = position.clone();
        next.play(mv).expect("a legal move");
        board(&next)
    };
    moves.iter().map(after).collect()
}
