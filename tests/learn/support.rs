//! What the tests of learning share.

use chuhe::board::Position;
use chuhe::learn::game::{End, Game, Ply};
use rand::Rng;
use rand::rngs::StdRng;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that goes when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("chuhe-learn-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `chuhe learn` with these words, in this folder.
pub fn learn_in(folder: &Folder, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("learn").args(words).current_dir(&folder.0);
    command
}

/// Runs it to its end.
pub fn learn(folder: &Folder, words: &[&str]) -> Output {
    learn_in(folder, words).output().expect("chuhe runs")
}

/// What it says, after it ended well.
pub fn report(folder: &Folder, words: &[&str]) -> String {
    let output = learn(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What it complains of, after it ended badly.
pub fn complaint(folder: &Folder, words: &[&str]) -> String {
    let output = learn(folder, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// A game of random moves and scores.
pub fn random_game(number: u64, random: &mut StdRng) -> Game {
    let mut start = Position::start();
    for _ in 0..random.random_range(0..8) {
        let moves = start.legal_moves();
        start.make(moves[random.random_range(0..moves.len())].mv);
    }
    let start = Position::from_fen(&start.fen()).expect("a position");
    let mut position = start.clone();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(1..120) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())].mv;
        let score = if random.random_bool(0.05) { 29_990 } else { random.random_range(-900..900) };
        plies.push(Ply { mv, score: if random.random() { score } else { -score } });
        position.make(mv);
    }
    let end = End::ALL[random.random_range(0..End::ALL.len())];
    Game { number, start, plies, red_half_points: random.random_range(0..3), end }
}

/// Whether two games are one and the same.
pub fn same(one: &Game, other: &Game) -> bool {
    let head = |game: &Game| (game.number, game.start.fen(), game.red_half_points, game.end);
    head(one) == head(other) && one.plies == other.plies
}

/// The games of a file, and how many bytes hold none.
pub fn read(file: &Path) -> (Vec<Game>, usize) {
    let mut games = Vec::new();
    let lost =
        chuhe::learn::archive::Archive::open(file).expect("a file of games").games(|game| games.push(game));
    (games, lost)
}
