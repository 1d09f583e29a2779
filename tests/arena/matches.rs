//! What a match reports of its times, and a pair of games that is none; `transcripts::arena` has the rest.

use super::program::{complaint, report, two_engines};
use xiangqi_record::{Game, pgn};

#[test]
fn time_usage_is_reported_for_matches_and_for_records() {
    let folder = two_engines("skill = 0\nhash_mb = 1\n", "skill = 1\nhash_mb = 1\n");
    let words = ["--self", "a.toml", "b.toml", "--games", "2", "--max-moves", "25", "--margin", "60000"];
    let clocked = [&words[..], &["--tc", "600", "--pgn", "m.pgn"]].concat();
    let text = report(&folder, &clocked);
    let (_, paces) = text.split_once("\ns/move").expect("a table of times");
    assert!(paces.starts_with("   left "), "{paces}");
    // A game of such weak players may end early.
    let record = folder.text("m.pgn");
    let games: Vec<Game> = pgn::read(&record).into_iter().map(|game| game.expect("a readable game")).collect();
    let longest = |name: &str| {
        // Moves of the opening take no time.
        let moves = |game: &Game| {
            let first = usize::from(game.tag("Red") != Some(name));
            game.main_line_nodes().skip(first).step_by(2).filter(|node| node.comment != "book").count()
        };
        games.iter().map(moves).max().expect("games")
    };
    let told = report(&folder, &[&clocked[..], &["--resume", "--json"]].concat());
    let last: serde_json::Value = serde_json::from_str(told.trim()).expect("one line of JSON");
    for engine in last["engines"].as_array().expect("engines") {
        let left = engine["clock"]["left"].as_f64().expect("a part");
        let seconds = engine["clock"]["seconds"].as_array().expect("seconds by tens of moves");
        assert!((0.5..=1.0).contains(&left), "{engine}");
        let name = engine["name"].as_str().expect("a name");
        assert_eq!(seconds.len(), longest(name).div_ceil(10), "{engine}");
    }
}

/// The two games of a pair have different openings, for example from different builds.
#[test]
fn pair_with_two_openings_is_not_merged() {
    let folder = two_engines("hash_mb = 1\n", "hash_mb = 1\nnodes = 20\n");
    let play = |shard: &str, file: &str| {
        let words = ["--self", "a.toml", "b.toml", "--games", "18", "--nodes", "60", "--shard", shard, "--pgn", file];
        report(&folder, &words);
        let text = folder.text(file);
        text.split_at(text.rfind("[Game ").expect("two games")).1.to_string()
    };
    let (own, other) = (play("1/9", "1.pgn"), play("2/9", "2.pgn").replace("[Round \"4\"]", "[Round \"2\"]"));
    assert_ne!(own, other);
    folder.write("mixed.pgn", folder.text("1.pgn").replace(&own, &other));
    let told = complaint(&folder, &["--merge", "mixed.pgn"]);
    assert!(told.contains("game 2 cannot be counted together with the others: it has another opening"), "{told}");
}
