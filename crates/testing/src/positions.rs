//! Positions drawn by chance, the same for the same seed.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::Position;

/// The position of a FEN.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// Positions from random games, with their histories. Captures are sometimes preferred, so that endings occur too.
pub fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start();
        for _ in 0..rng.random_range(5..160) {
            let moves: Vec<_> = position.legal_moves().to_vec();
            if moves.is_empty() {
                break;
            }
            let captures: Vec<_> = moves.iter().copied().filter(|mv| position.piece_at(mv.to()).is_some()).collect();
            let from = if !captures.is_empty() && rng.random_bool(0.4) { &captures } else { &moves };
            position.play_unchecked(from[rng.random_range(0..from.len())]);
        }
        if position.has_legal_move() {
            found.push(position);
        }
    }
    found
}

/// Positions with kings, some red attackers and fewer black pieces on random squares, red to move.
pub fn sparse_positions(seed: u64, black_pieces: std::ops::Range<u32>) -> impl Iterator<Item = Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    std::iter::from_fn(move || {
        let mut board = [['1'; 9]; 10];
        let mut put = |rng: &mut StdRng, piece: char, ranks: std::ops::Range<usize>, files: std::ops::Range<usize>| {
            board[rng.random_range(ranks)][rng.random_range(files)] = piece;
        };
        for _ in 0..rng.random_range(2..4) {
            let piece = ['R', 'N', 'C', 'P'][rng.random_range(0..4)];
            put(&mut rng, piece, 0..5, 0..9);
        }
        for _ in 0..rng.random_range(black_pieces.clone()) {
            let piece = ['a', 'r', 'n', 'p'][rng.random_range(0..4)];
            put(&mut rng, piece, 0..5, 3..6);
        }
        put(&mut rng, 'k', 0..3, 3..6);
        put(&mut rng, 'K', 7..10, 3..6);
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        Some(Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))))
    })
    .flatten()
    .filter(Position::has_legal_move)
}
