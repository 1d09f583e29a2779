//! Measuring networks by the scores of games.

use super::support::{new_archive, random_game, report};
use crate::common::Folder;
use chuhe_engine::nnue::{EvalMode, evaluate, large_network};
use rand::SeedableRng;
use rand::rngs::StdRng;

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
