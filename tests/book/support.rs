//! Running `chuhe book` as a user does, in a folder of its own, and books made by chance.

use chuhe::board::Position;
use chuhe::book::{Entry, Games, Pages};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that goes when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("chuhe-book-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file of the test");
        path
    }

    /// `chuhe book` with these words, run here.
    pub fn book(&self, words: &[&str]) -> Output {
        chuhe_in(&self.0, &[&["book"], words].concat())
    }

    /// Its standard output, after it ended well.
    pub fn report(&self, words: &[&str]) -> String {
        let output = self.book(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "chuhe book {words:?}: {told}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Its complaint, after it ended badly: one line.
    pub fn complaint(&self, words: &[&str]) -> String {
        let output = self.book(words);
        assert_eq!(output.status.code(), Some(2), "chuhe book {words:?}");
        let told = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(told.starts_with("chuhe: ") && told.lines().count() == 1, "{told}");
        told
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program with these words, in this folder.
pub fn chuhe_in(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(words)
        .current_dir(folder)
        .env_remove("CHUHE_LOG")
        .output()
        .expect("chuhe runs")
}

/// A position after these moves.
pub fn after(moves: &str) -> Position {
    let mut position = Position::start();
    for mv in moves.split_whitespace() {
        position.play(mv.parse().expect("a move")).expect("legal");
    }
    position
}

/// A book of random games.
pub fn random_book(seed: u64, with_games: bool) -> Pages {
    let mut random = StdRng::seed_from_u64(seed);
    let mut pages = Pages::default();
    for _ in 0..40 {
        let mut position = Position::start();
        for _ in 0..12 {
            let list = position.legal_moves();
            // Few moves of each position, so that games meet.
            let mv = list[random.random_range(0..list.len().min(4))].mv;
            let games = Games { won: random.random(), drawn: 2, lost: random.random_range(0..9) };
            *pages.entry(&position, mv) = Entry {
                weight: random.random_range(1..=u16::MAX),
                score: random.random::<bool>().then(|| random.random_range(-300..300)),
                games: if with_games { games } else { Games::default() },
            };
            position.make(mv);
        }
    }
    pages
}
