//! The fit of the win rate model.

use super::support::{complaint, new_archive, random_game, report};
use crate::common::Folder;
use chuhe_engine::nnue::win_rate::{MAX_MATERIAL, WIN_RATE, WinRateModel};
use chuhe_engine::nnue::{EvalMode, evaluate, large_network};
use chuhe_lab::training::measure::{ResultCounts, fit};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

#[test]
fn win_rate_fit_recovers_the_model_that_made_the_results() {
    for truth in [
        WinRateModel { half: [4.9, -3.4, 1.9], spread: [3.4, 0.7] },
        WinRateModel { half: [4.0, 0.0, 0.0], spread: [4.0, -0.5] },
    ] {
        let mut counts = ResultCounts::default();
        for material in 0..=MAX_MATERIAL {
            for score in (-1200..=1200).step_by(40) {
                let [win, loss] = truth.at(material).win_loss(f64::from(score));
                counts.add(material, score, [win, 1.0 - win - loss, loss].map(|chance| 100.0 * chance));
            }
        }
        let found = fit(&counts);
        for (found, wanted) in found.half.iter().chain(&found.spread).zip(truth.half.iter().chain(&truth.spread)) {
            assert!((found - wanted).abs() < 1e-3, "{found} for {wanted}");
        }
        assert!(counts.cross_entropy(&found) <= counts.cross_entropy(&truth) + 1e-9);
    }
}

#[test]
fn win_rate_command_prints_parameters_that_fit_the_games() {
    let folder = Folder::new();
    let mut random = StdRng::seed_from_u64(15);
    let mut writer = new_archive(&folder, "some.games");
    for number in 0..1200 {
        let mut game = super::support::random_game(number, &mut random);
        // The score is constant from red's side, and the result is drawn with its probabilities.
        let red_score: i32 = random.random_range(-600..600);
        let [win, loss] = WIN_RATE.at(MAX_MATERIAL).win_loss(f64::from(red_score));
        let chance = random.random::<f64>();
        game.red_half_points = if chance < win {
            2
        } else if chance < win + loss {
            0
        } else {
            1
        };
        let mut position = game.start.clone();
        for ply in &mut game.plies {
            ply.score = if position.side() == xiangqi::Color::Red { red_score } else { -red_score };
            position.play_unchecked(ply.mv);
        }
        writer.add(&game).expect("room");
    }
    writer.flush().expect("room");
    let told = report(&folder, &["winrate", "some.games"]);
    assert!(told.starts_with("1200 games, "), "{told}");
    assert!(told.lines().last().expect("a line").starts_with("pub const WIN_RATE: WinRateModel"), "{told}");
    let last = told.lines().find(|line| line.starts_with("36 to 42")).expect("all pieces");
    let half: f64 = last.split_whitespace().last().expect("a number").parse().expect("a number");
    let wanted = WIN_RATE.at(39).half() / 4.0;
    assert!((half / wanted - 1.0).abs() < 0.3, "{half} for {wanted}: {told}");
    report(&folder, &["play", "--out", "few", "--nodes", "20", "--games", "3", "--seed", "1"]);
    assert!(complaint(&folder, &["winrate", "few"]).contains("too few games to fit chances: 3"));
}

/// Writes a few games with half the scores of the built-in network; returns the file name.
fn halved(folder: &Folder) -> &'static str {
    let mut random = StdRng::seed_from_u64(5);
    let mut writer = new_archive(folder, "halved.games");
    let knowledge = EvalMode::Network(large_network());
    for number in 0..20 {
        let mut game = random_game(number, &mut random);
        let mut position = game.start.clone();
        for ply in &mut game.plies {
            ply.score = evaluate(&knowledge, &position) / 2;
            position.play_unchecked(ply.mv);
        }
        writer.add(&game).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    "halved.games"
}

#[test]
fn network_predicts_its_own_scores_up_to_a_factor() {
    let folder = Folder::new();
    let games = halved(&folder);
    std::fs::write(folder.path("medium.net"), chuhe_engine::nnue::medium_network().to_bytes()).expect("a new file");
    let text = report(&folder, &["measure", "medium.net", "--data", games]);
    assert!(text.starts_with("20 games, "), "{text}");
    let numbers = |name: &str| -> Vec<f64> {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let (inside, medium) = (numbers("(inside)"), numbers("medium.net"));
    assert!(inside[0] > 0.001 && inside[1] < 0.00001 && (0.49..0.51).contains(&inside[2]), "{text}");
    assert!(medium[1] > 100.0 * inside[1] && medium[1] <= medium[0], "{text}");
}
