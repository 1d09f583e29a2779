//! Helpers shared by the tests of training.

use crate::common::{Folder, refusal, success};
use chuhe_lab::training::archive::{ArchiveConditions, GameArchive, GameArchiveWriter};
use chuhe_lab::training::game_format::{EndReason, LabelledMove, SearchEffort, SelfplayGame};
use rand::RngExt;
use rand::rngs::StdRng;
use std::path::Path;
use std::process::Command;
use xiangqi::Position;

/// The command `chuhe learn` with these arguments, in this folder.
pub fn learn_in(folder: &Folder, words: &[&str]) -> Command {
    folder.command(&[&["learn"], words].concat())
}

/// Its output after success.
pub fn report(folder: &Folder, words: &[&str]) -> String {
    success(&learn_in(folder, words).output().expect("chuhe runs"))
}

/// Its error message after failure.
pub fn complaint(folder: &Folder, words: &[&str]) -> String {
    refusal(&learn_in(folder, words).output().expect("chuhe runs"))
}

/// An archive without games.
pub fn new_archive(folder: &Folder, name: &str) -> GameArchiveWriter {
    GameArchiveWriter::create(&folder.path(name), &ArchiveConditions::new()).expect("a new file")
}

/// A game of random moves and scores.
pub fn random_game(number: u64, random: &mut StdRng) -> SelfplayGame {
    let mut start = Position::start();
    for _ in 0..random.random_range(0..8) {
        let moves = start.legal_moves();
        start.play_unchecked(moves[random.random_range(0..moves.len())]);
    }
    let start = Position::from_fen(&start.fen()).expect("a position");
    let mut position = start.clone();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(1..120) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())];
        let score = if random.random_bool(0.05) { 29_990 } else { random.random_range(-900..900) };
        let effort = random
            .random_bool(0.9)
            .then(|| SearchEffort { depth: random.random_range(0..64), nodes: 1 << random.random_range(0..50) });
        plies.push(LabelledMove { mv, score: if random.random() { score } else { -score }, effort });
        position.play_unchecked(mv);
    }
    let end = EndReason::ALL[random.random_range(0..EndReason::ALL.len())];
    SelfplayGame { number, start, plies, red_half_points: random.random_range(0..3), end }
}

/// Whether two games are equal.
pub fn same(one: &SelfplayGame, other: &SelfplayGame) -> bool {
    let head = |game: &SelfplayGame| (game.number, game.start.fen(), game.red_half_points, game.end);
    head(one) == head(other) && one.plies == other.plies
}

/// The games of an archive and its number of damaged bytes.
pub fn read(file: &Path) -> (Vec<SelfplayGame>, u64) {
    let mut archive = GameArchive::open(file).expect("a file of games");
    let games = archive.by_ref().map(|game| game.expect("a file that can be read")).collect();
    (games, archive.damaged_bytes)
}
