//! Test positions: from random games, from random setups, and a list of sharp ones.

use super::generation::TABLE;
use chuhe_testing::plain::{Plain, Point, point_name, points};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use xiangqi::{Move, Position, Square};

/// Positions of random games and setups, determined by the seed.
pub fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let start = if rng.random_bool(0.7) { scattered(&mut rng, false) } else { Position::start() };
        // Skip some moves so that positions differ by more than one.
        let mut skip = 0;
        random_game(&mut rng, start, 120, |position| {
            if skip == 0 && found.len() < count {
                found.push(position.clone());
                skip = 3;
            }
            skip = skip.max(1) - 1;
        });
    }
    found
}

/// Plays random moves, preferring checks, and visits every position.
pub fn random_game(rng: &mut StdRng, mut position: Position, plies: usize, mut visit: impl FnMut(&mut Position)) {
    for _ in 0..plies {
        visit(&mut position);
        let Some(mv) = random_move(rng, &position) else { return };
        position.play_unchecked(mv);
    }
}

/// A random legal move, often a check; `None` if there is no legal move.
pub fn random_move(rng: &mut StdRng, position: &Position) -> Option<Move> {
    let legal: Vec<Move> = position.legal_moves().to_vec();
    let checks: Vec<Move> = legal.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
    let pool = if !checks.is_empty() && rng.random_bool(0.4) { checks } else { legal };
    pool.choose(rng).copied()
}

/// A random setup, more often with few pieces than with many.
pub fn scattered(rng: &mut StdRng, promotion: bool) -> Position {
    loop {
        if let Some(position) = try_scatter(rng, promotion) {
            return position;
        }
    }
}

fn try_scatter(rng: &mut StdRng, promotion: bool) -> Option<Position> {
    let mut board = Plain { at: [['.'; 9]; 10], red_to_move: true, promotion };
    for red in [true, false] {
        let crowd = *[2, 4, 6, 9, 12, 15].choose(rng).expect("not empty");
        let kinds = ["RNCPAB", "RRNNCCPPPAABB", "CCCR", "NNNNRC", "RCP"].choose(rng).expect("not empty");
        put_at_random(rng, &mut board, 'K', red)?;
        for _ in 0..crowd {
            let letter = *kinds.as_bytes().choose(rng).expect("not empty") as char;
            // Skip a piece that finds no free square.
            let _ = put_at_random(rng, &mut board, letter, red);
        }
    }
    let side = if rng.random_bool(0.5) { 'w' } else { 'b' };
    Position::from_fen_variant(&format!("{} {side}", board.board_text()), promotion).ok()
}

fn put_at_random(rng: &mut StdRng, board: &mut Plain, letter: char, red: bool) -> Option<()> {
    let free: Vec<Point> =
        points().filter(|&point| board.get(point) == '.' && can_stand(letter, red, point, board.promotion)).collect();
    let letter = if red { letter } else { letter.to_ascii_lowercase() };
    board.set(*free.choose(rng)?, letter);
    Some(())
}

/// True if a piece may be set up on the point, counted from its own side.
fn can_stand(letter: char, red: bool, (file, rank): Point, promotion: bool) -> bool {
    let rank = if red { rank } else { 9 - rank };
    let palace = (3..=5).contains(&file) && rank <= 2;
    match letter {
        'K' => palace,
        'A' => palace && (file + rank) % 2 == 1,
        'B' => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        'P' => rank >= 5 || rank >= 3 && file % 2 == 0 || promotion,
        _ => true,
    }
}

/// The positions of the perft table.
pub fn sharp() -> impl Iterator<Item = Position> {
    TABLE.iter().map(|(fen, _)| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

pub fn point(square: Square) -> Point {
    (square.file().into(), square.rank().into())
}

pub fn square((file, rank): Point) -> Square {
    Square::new(file as u8, rank as u8)
}

/// The sorted names of points, for comparison with a plain board.
pub fn names(points: impl IntoIterator<Item = Point>) -> Vec<String> {
    let mut names: Vec<String> = points.into_iter().map(point_name).collect();
    names.sort();
    names
}
