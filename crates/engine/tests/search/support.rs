//! Helpers shared by the search tests.

use chuhe_engine::search::{Control, Limits, NoReporter, Options, SearchResult, Searcher};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::Position;

/// A searcher with a small transposition table.
pub fn searcher() -> Searcher {
    Searcher::new(Options::default(), 4).expect("four megabytes")
}

/// Searches without a reporter.
pub fn search(searcher: &mut Searcher, position: &Position, limits: &Limits) -> SearchResult {
    searcher.search(position, limits, &Control::new(limits.ponder), &mut NoReporter)
}

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
            let moves: Vec<_> = position.legal_moves().moves().collect();
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
