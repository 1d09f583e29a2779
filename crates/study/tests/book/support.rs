//! Random books.

use chuhe_study::book::{BookEntry, GameCounts, MemoryBook};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::Position;

/// The position after these moves.
pub fn after(moves: &str) -> Position {
    let mut position = Position::start();
    for mv in moves.split_whitespace() {
        position.play(mv.parse().expect("a move")).expect("legal");
    }
    position
}

/// A book of random games.
pub fn random_book(seed: u64, with_games: bool) -> MemoryBook {
    let mut random = StdRng::seed_from_u64(seed);
    let mut pages = MemoryBook::default();
    for _ in 0..40 {
        let mut position = Position::start();
        for _ in 0..12 {
            let list = position.legal_moves();
            // Few moves per position, so that games transpose.
            let mv = list[random.random_range(0..list.len().min(4))];
            let games = GameCounts { won: random.random(), drawn: 2, lost: random.random_range(0..9) };
            *pages.entry(&position, mv) = BookEntry {
                weight: random.random_range(1..=u16::MAX),
                score: random.random::<bool>().then(|| random.random_range(-300..300)),
                games: if with_games { games } else { GameCounts::default() },
            };
            position.play_unchecked(mv);
        }
    }
    pages
}
