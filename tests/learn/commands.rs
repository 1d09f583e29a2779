//! The subcommands of `chuhe learn`, run as a user does.

use super::support::{complaint, learn_in, read, report};
use crate::common::Folder;
use chuhe_lab::training::game_format::{self, LabelledMove};
use chuhe_lab::training::samples::is_quiet_position;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn fitted_network_plays_and_is_fitted_further() {
    let folder = Folder::new();
    report(&folder, &["play", "--out", "games", "--nodes", "40", "--threads", "2", "--games", "60", "--seed", "3"]);
    let shown = report(&folder, &["show", "games"]);
    assert!(shown.contains("nodes       40") && shown.contains("games       60, red +"), "{shown}");
    // Labels have the full resolution of search scores.
    let (games, _) = read(&folder.path("games/0001.games"));
    let scores = games.iter().flat_map(|game| &game.plies).map(|ply| ply.score);
    assert!(scores.filter(|score| score % 4 != 0).count() > 100);
    let told =
        report(&folder, &["fit", "--data", "games", "--out", "toy.net", "--set", "hidden=32", "--set", "epochs=3"]);
    assert_eq!(told.lines().filter(|line| line.starts_with("pass ")).count(), 3, "{told}");
    for file in ["toy.net", "toy.toml", "toy.svg", "toy.checkpoint"] {
        assert!(folder.path(file).is_file(), "{file}");
    }
    report(&folder, &["play", "--out", "games", "--nodes", "40", "--games", "2", "--net", "toy.net"]);
    assert!(folder.path("games/0002.games").is_file(), "another evaluation, another file");
    // Training continues from the network or its checkpoint, in its own architecture unless given otherwise.
    for from in ["toy.net", "toy.checkpoint"] {
        let told =
            report(&folder, &["fit", "--data", "games", "--from", from, "--out", "more.net", "--set", "epochs=1"]);
        assert_eq!(told.lines().filter(|line| line.starts_with("pass ")).count(), 1, "{told}");
        let kept = folder.text("more.toml");
        assert!(kept.lines().nth(1).is_some_and(|line| line.starts_with("hidden = 32 ")), "{kept}");
        let words = ["fit", "--data", "games", "--from", from, "--out", "wide.net", "--set", "hidden=64"];
        assert!(complaint(&folder, &words).contains("cannot continue with 64"), "{from}");
    }
    // The written settings can be read again.
    report(&folder, &["fit", "--data", "games", "--out", "again.net", "--settings", "toy.toml", "--set", "epochs=1"]);
    assert!(folder.text("again.toml").contains("\nhidden = 32 "));
}

#[test]
fn cpu_share_is_reported_and_polite_play_is_for_unix() {
    let folder = Folder::new();
    let told = report(&folder, &["play", "--out", "games", "--nodes", "20", "--games", "2"]);
    assert_eq!(told.contains(" processors"), cfg!(unix), "{told}");
    let words = ["play", "--out", "games", "--nodes", "20", "--polite", "--games", "2"];
    if cfg!(unix) {
        assert!(report(&folder, &words).contains("2 games, "));
    } else {
        assert!(complaint(&folder, &words).contains("--polite: "));
    }
}

#[test]
fn killed_selfplay_keeps_whole_games_and_resumes() {
    let folder = Folder::new();
    let file = folder.path("games/0001.games");
    let words = ["play", "--out", "games", "--nodes", "20", "--seed", "9"];
    let mut before = 0;
    for _ in 0..3 {
        let mut child =
            learn_in(&folder, &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("chuhe runs");
        let patience = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(20));
            let now = if file.exists() && file.metadata().is_ok_and(|file| file.len() > 200) {
                read(&file).0.len()
            } else {
                0
            };
            if now > before {
                break;
            }
            assert!(patience.elapsed() < Duration::from_secs(120), "no game in two minutes");
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        before = read(&file).0.len();
    }
    report(&folder, &[&words[..], &["--games", "2"]].concat());
    let (games, _) = read(&file);
    assert!(games.len() >= before + 2);
    let mut numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), games.len(), "every game once");
    assert!(!folder.path("games/0002.games").exists());
}

#[test]
fn relabel_changes_scores_and_keeps_games() {
    let folder = Folder::new();
    report(&folder, &["play", "--out", "games", "--nodes", "20", "--games", "4", "--seed", "1"]);
    let words = ["relabel", "games", "--out", "new.games", "--nodes", "300"];
    let told = report(&folder, &words);
    assert!(told.contains("new.games: 4 games"), "{told}");
    let (mut old, _) = read(&folder.path("games/0001.games"));
    let (mut new, _) = read(&folder.path("new.games"));
    old.sort_by_key(|game| game.plies.len());
    new.sort_by_key(|game| game.plies.len());
    assert_eq!(old.len(), new.len());
    let mut changed = 0;
    for (old, new) in old.iter().zip(&new) {
        assert_eq!((old.start.fen(), old.end), (new.start.fen(), new.end));
        assert!(old.plies.iter().map(|ply| ply.mv).eq(new.plies.iter().map(|ply| ply.mv)));
        changed += old.plies.iter().zip(&new.plies).filter(|(old, new)| old.score != new.score).count();
    }
    assert!(changed > 50, "{changed} scores changed");
    // Finished games are not relabelled again, and files with other conditions are not extended.
    let size = folder.path("new.games").metadata().expect("a file").len();
    assert!(report(&folder, &words).starts_with("0 games, 0 positions, "));
    assert_eq!(folder.path("new.games").metadata().expect("a file").len(), size);
    let told = complaint(&folder, &["relabel", "games", "--out", "new.games", "--nodes", "301"]);
    assert!(told.contains("new.games: holds other games"), "{told}");
    // Games of several files are numbered consecutively.
    let words = ["relabel", "games", "new.games", "--out", "both.games", "--nodes", "30", "--threads", "2"];
    assert!(report(&folder, &words).contains("both.games: 8 games"));
    let (both, _) = read(&folder.path("both.games"));
    let mut numbers: Vec<u64> = both.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..8));
    let told = complaint(&folder, &["relabel", "games", "gone.games", "--out", "none.games"]);
    assert!(told.contains("gone.games: ") && !folder.path("none.games").exists(), "{told}");
}

#[test]
fn every_option_selects_training_targets() {
    let folder = Folder::new();
    let play = ["play", "--out", "games", "--nodes", "20", "--every", "4", "--deep", "300", "--games", "4"];
    report(&folder, &[&play[..], &["--seed", "1"]].concat());
    let (games, _) = read(&folder.path("games/0001.games"));
    for game in &games {
        let deep = |index: usize| (game.number + index as u64).is_multiple_of(4);
        for (index, ply) in game.plies.iter().enumerate() {
            assert_eq!(ply.is_training_target(), deep(index), "ply {index} of game {}", game.number);
        }
    }
    let nodes = |ply: &LabelledMove| ply.effort.filter(|_| ply.is_training_target()).map(|effort| effort.nodes);
    let deepest = games.iter().flat_map(|game| &game.plies).filter_map(nodes).max();
    assert!(deepest.is_some_and(|nodes| nodes >= 300), "{deepest:?}");

    // Relabelling selects among quiet positions, so that no search is wasted.
    report(&folder, &["relabel", "games", "--out", "new.games", "--nodes", "300", "--every", "3"]);
    let (new, _) = read(&folder.path("new.games"));
    let (mut quiet, mut taught) = (0, 0);
    for game in &new {
        let old = games.iter().find(|old| old.start.fen() == game.start.fen()).expect("the same game");
        let mut position = game.start.clone();
        for (ply, old) in game.plies.iter().zip(&old.plies) {
            if is_quiet_position(&position, ply.mv) {
                quiet += 1;
                taught += usize::from(ply.is_training_target());
                assert!(ply.is_training_target() || ply.score == old.score);
            }
            position.play_unchecked(ply.mv);
        }
    }
    assert!(taught.abs_diff(quiet / 3) <= games.len(), "{taught} of {quiet}");
    let shown = report(&folder, &["show", "new.games"]);
    assert!(shown.contains("every       3"), "{shown}");
}

#[test]
fn archives_are_merged_into_one_file() {
    let folder = Folder::new();
    for seed in ["1", "2", "3"] {
        let words = ["play", "--out", seed, "--nodes", "20", "--games", "4", "--seed", seed];
        report(&folder, &words);
    }
    // An incomplete block is reported and costs only itself.
    let torn = folder.path("2/0001.games");
    let bytes = std::fs::read(&torn).expect("a file");
    std::fs::write(&torn, &bytes[..bytes.len() - 3]).expect("a file");
    let told = report(&folder, &["merge", "1", "2", "3", "--out", "all.games"]);
    assert!(told.contains("11 games of 3 files") && told.contains("bytes of the files hold no"), "{told}");
    let (games, lost) = read(&folder.path("all.games"));
    assert!(games.iter().map(|game| game.number).eq(0..11) && lost == 0);
    let mut starts: Vec<String> = games.iter().map(game_format::write).collect();
    starts.sort();
    starts.dedup();
    assert_eq!(starts.len(), 11, "other seeds, other games");
    // Common conditions are kept.
    let shown = report(&folder, &["show", "all.games"]);
    assert!(shown.contains("nodes       20") && shown.contains("damping     none"), "{shown}");
    assert!(shown.contains("0001.games") && !shown.contains("seed  "), "{shown}");
}
