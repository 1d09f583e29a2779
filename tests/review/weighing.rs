//! The findings of a review.

use super::support::{GAME, kinds, reviewed};
use crate::common::Folder;

#[test]
fn blunder_is_found_marked_and_refuted() {
    let review = reviewed(&Folder::new(), GAME, &["--nodes", "20000"]);
    let moves = review["moves"].as_array().expect("moves");
    let marked: Vec<(u64, &str)> = moves
        .iter()
        .filter_map(|entry| Some((entry["ply"].as_u64()?, entry["mark"].as_str().filter(|mark| *mark != "!")?)))
        .collect();
    assert_eq!(marked, [(11, "??")], "nothing else is to be blamed");
    let blunder = &moves[10];
    assert_eq!((blunder["side"].as_str(), blunder["chinese"].as_str()), (Some("red"), Some("车九平八")));
    assert!(blunder["loss"].as_f64() > Some(0.2) && blunder["cost"].as_i64() > Some(100), "{blunder}");
    assert_ne!(blunder["better"][0], blunder["move"]);
    assert_eq!(review["positions"][11]["best"][0], "b7b0", "the rook is taken");
    assert_eq!(moves[11]["mark"], "!", "and that is the only good move");
    assert_eq!(review["decisive"].as_array().expect("a list"), &[11]);
    let (red, black) = (&review["sides"]["red"], &review["sides"]["black"]);
    assert!(red["accuracy"].as_f64() < black["accuracy"].as_f64(), "{red} {black}");
    assert_eq!((&red["blunders"], &black["blunders"]), (&1.into(), &0.into()));
}

#[test]
fn node_limit_applies_to_every_position() {
    let review = reviewed(&Folder::new(), GAME, &["--nodes", "4000"]);
    for place in review["positions"].as_array().expect("positions") {
        assert!(place["nodes"].as_u64() <= Some(4000 + 1024), "{place}");
    }
}

#[test]
fn missed_mate_is_reported() {
    // The rook mates on d0; red puts it where black's rook takes it.
    let review = reviewed(&Folder::new(), "2rk5/9/9/9/9/9/9/9/4K4/R8 w moves a0c0", &["--nodes", "5000"]);
    let entry = &review["moves"][0];
    assert_eq!((&entry["before"]["mate"], &entry["better"][0]), (&1.into(), &"a0d0".into()), "{entry}");
    assert_eq!((kinds(entry)[0], &entry["events"][0]["moves"]), ("missed-mate", &1.into()), "{entry}");
    assert_eq!(entry["mark"], "??");
    // A mate that is played is not a missed one.
    let review = reviewed(&Folder::new(), "2rk5/9/9/9/9/9/9/9/4K4/R8 w moves a0d0", &["--nodes", "5000"]);
    let entry = &review["moves"][0];
    assert_eq!(kinds(entry), ["game-over"], "{entry}");
    assert_eq!((&entry["loss"], &entry["after"]["mate"]), (&0.0.into(), &0.into()));
}

#[test]
fn lost_tablebase_win_is_reported() {
    let review = reviewed(&Folder::new(), "3k5/R8/9/9/9/9/9/9/4K4/9 w moves a8d8", &["--nodes", "3000"]);
    let tables: Vec<_> = (0..2).map(|ply| review["positions"][ply]["table"].as_str()).collect();
    assert_eq!(tables, [Some("win"), Some("draw")]);
    let entry = &review["moves"][0];
    assert!(kinds(entry).contains(&"win-thrown-away") && entry["mark"] == "??", "{entry}");
}

#[test]
fn rule_verdicts_are_reported() {
    let game = "4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4";
    let review = reviewed(&Folder::new(), game, &["--nodes", "1000"]);
    let moves = review["moves"].as_array().expect("moves");
    assert!(kinds(&moves[3]).contains(&"repetition"), "{}", moves[3]);
    let last = moves.last().expect("a move");
    assert!(kinds(last).contains(&"game-over"), "{last}");
    assert_eq!(
        last["events"].as_array().expect("events").last().expect("one")["reason"],
        "perpetual chase of the cannon on a6"
    );
    assert_eq!(last["after"]["chance"], 0.0, "red has lost by it");
    let review = reviewed(&Folder::new(), game, &["--nodes", "1000", "--rules", "none"]);
    assert_eq!(review["moves"][7]["after"]["chance"], 0.5, "without such rules it is a draw");
}

#[test]
fn review_is_deterministic() {
    let folder = Folder::new();
    let words = ["--nodes", "2000"];
    assert_eq!(reviewed(&folder, GAME, &words), reviewed(&folder, GAME, &words));
    let deeper = reviewed(&folder, GAME, &["--depth", "6"]);
    assert!(deeper["positions"].as_array().expect("positions").iter().all(|place| place["depth"] == 6));
}
