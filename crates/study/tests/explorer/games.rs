//! Games by chance that share many positions, and a plain count of them.

use crate::support::board;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use xiangqi::{Move, Position};
use xiangqi_record::{Encoding, Game, GameResult, Notation, OutputFormat};

const PLAYERS: [&str; 5] = ["王伟", "Anna Berg", "李强", "J. Smith", ""];
const DATES: [&str; 6] = ["2020.01.05", "2021.??.??", "2021.12.??", "2024-02-29", "????.??.??", ""];

/// Games in which few moves are chosen from, half of them in the mirror: positions come again in other orders, mirrored,
/// and twice in a game.
pub fn games(count: usize, seed: u64) -> Vec<Game> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(|_| game(&mut rng, 50)).collect()
}

/// The same, of no more than 30 plies.
pub fn short_games(count: usize, seed: u64) -> Vec<Game> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(|_| game(&mut rng, 30)).collect()
}

fn game(rng: &mut StdRng, longest: usize) -> Game {
    let is_mirrored = rng.random_bool(0.5);
    let mut position = Position::start();
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(1..=longest) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.random_range(0..legal.len().min(3))];
        position.play(mv).expect("a legal move");
        moves.push(if is_mirrored { mv.mirror() } else { mv });
    }
    let mut game = Game::from_moves(&Position::start(), moves).expect("legal moves");
    let name = |rng: &mut StdRng| PLAYERS[rng.random_range(0..PLAYERS.len())];
    game.set_tag("Red", name(rng));
    game.set_tag("Black", name(rng));
    game.set_tag("Date", DATES[rng.random_range(0..DATES.len())]);
    game.result = GameResult::ALL[rng.random_range(0..4)];
    game
}

/// Writes games into a file; of XQF the first one alone.
pub fn write(folder: &Path, name: &str, games: &[Game]) -> PathBuf {
    let path = folder.join(name);
    let format = OutputFormat::from_path(&path).expect("a known ending").expect("an ending");
    let bytes: Vec<u8> = games
        .iter()
        .flat_map(|game| format.write(game, Notation::Wxf, Encoding::Utf8).expect("pieces as in a set"))
        .collect();
    std::fs::write(&path, bytes).expect("the folder can be written to");
    path
}

/// What a plain count says of a move: all games, those that red won, drew and lost.
pub type Count = [u64; 4];

/// Counts the games that reach a position within 30 plies by comparing boards, also with the mirrored one.
pub fn plain_count<'a>(position: &Position, games: impl Iterator<Item = &'a Game>) -> (u64, BTreeMap<String, Count>) {
    let (wanted, mirrored) = (board(position), board(&position.mirrored()));
    let mut all = 0;
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for game in games {
        let mut at = game.start().clone();
        let mut played: HashSet<Option<Move>> = HashSet::new();
        let mut moves = game.moves();
        for _ in 0..=30 {
            let (here, mv) = (board(&at), moves.next());
            if here == wanted {
                played.insert(mv);
            } else if here == mirrored {
                played.insert(mv.map(Move::mirror));
            }
            match mv {
                Some(mv) => at.play(mv).expect("a legal move"),
                None => break,
            }
        }
        all += u64::from(!played.is_empty());
        for mv in played.into_iter().flatten() {
            let count = counts.entry(mv.to_string()).or_default();
            count[0] += 1;
            match game.result {
                GameResult::RedWins => count[1] += 1,
                GameResult::Draw => count[2] += 1,
                GameResult::BlackWins => count[3] += 1,
                GameResult::Unknown => {}
            }
        }
    }
    (all, counts)
}

/// Positions of the games up to ply 30, some of them mirrored, and one that no game has.
pub fn questions(games: &[Game], count: usize, seed: u64) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut questions = vec![Position::start()];
    for _ in 0..count {
        let game = &games[rng.random_range(0..games.len())];
        let mut position = Position::start();
        for mv in game.moves().take(rng.random_range(0..=30)) {
            position.play(mv).expect("a legal move");
        }
        questions.push(if rng.random_bool(0.3) { position.mirrored() } else { position });
    }
    questions.push(Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w").expect("two kings"));
    questions
}
