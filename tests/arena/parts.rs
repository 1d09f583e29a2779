//! Shards of a match, and merging their records.

use super::program::{arena, complaint, report, two_engines};
use crate::common::Folder;

const WORDS: [&str; 9] = ["--self", "a.toml", "b.toml", "--games", "18", "--nodes", "60", "--resign", "score=600"];

fn folder() -> Folder {
    two_engines("hash_mb = 1\n", "hash_mb = 1\nnodes = 20\n")
}

fn play(folder: &Folder, more: &[&str]) -> String {
    report(folder, &[&WORDS[..], more].concat())
}

#[test]
fn merged_shards_equal_the_whole_match() {
    let folder = folder();
    let whole = play(&folder, &["--pgn", "whole.pgn", "--json"]);
    for part in ["1", "2", "3", "4"] {
        let (shard, file) = (format!("{part}/4"), format!("{part}.pgn"));
        let text = play(&folder, &["--shard", &shard, "--pgn", &file, "--json"]);
        // Nine pairs: three, two, two, two.
        assert_eq!(text.lines().count(), if part == "1" { 7 } else { 5 }, "{text}");
    }
    let parts = ["--merge", "3.pgn", "1.pgn", "4.pgn", "2.pgn", "--json"];
    assert_eq!(report(&folder, &parts).lines().last(), whole.lines().last());
    assert_eq!(report(&folder, &["--merge", "whole.pgn", "--json"]).lines().last(), whole.lines().last());
    // A shard can be resumed.
    assert_eq!(play(&folder, &["--shard", "2/4", "--pgn", "2.pgn", "--resume", "--json"]).lines().count(), 1);

    let test = ["--sprt", "elo0=0,elo1=300,alpha=0.3,beta=0.3"];
    // Whatever the verdict is.
    let answer = |words: &[&str]| crate::common::stdout(&arena(&folder, words));
    let text = answer(&[&parts[..5], &test].concat());
    assert!(text.contains("a - b: +") && text.contains("SPRT logistic [0, 300]: LLR "), "{text}");
    let json = answer(&[&parts[..], &test].concat());
    let tested = answer(&[&WORDS[..], &test, &["--json"]].concat());
    assert!(tested.contains("\"normalized_elo\":"), "{tested}");
    let decision = |text: &str| text.split("\"decision\":").nth(1).map(|rest| rest[..4].to_string());
    assert_eq!(decision(&json), decision(&tested), "{json} {tested}");
}

#[test]
fn merge_refuses_records_that_do_not_belong_together() {
    let folder = folder();
    play(&folder, &["--shard", "1/9", "--pgn", "1.pgn"]);
    play(&folder, &["--shard", "2/9", "--pgn", "2.pgn"]);
    play(&folder, &["--shard", "3/9", "--pgn", "seed.pgn", "--seed", "7"]);
    folder.write("b.toml", "hash_mb = 1\nnodes = 21\n");
    play(&folder, &["--shard", "3/9", "--pgn", "nodes.pgn"]);
    let merge = |files: &[&str]| complaint(&folder, &[&["--merge"][..], files].concat());
    assert_eq!(merge(&["1.pgn", "2.pgn", "1.pgn"]), "chuhe: round 1 is both in 1.pgn and in 1.pgn\n");
    let told = merge(&["1.pgn", "seed.pgn"]);
    assert!(told.starts_with("chuhe: seed.pgn: game 1 cannot be counted together with the others: "), "{told}");
    assert!(
        told.contains("Openings was '8 random moves, balance 20, seed 7' and is '8 random moves, balance 20, seed 1'")
    );
    let told = merge(&["1.pgn", "nodes.pgn"]);
    assert!(told.contains("BlackEngine was '") && told.contains("; 21 nodes a move; "), "{told}");

    // The two games of a pair have different openings, for example from different builds.
    let text = folder.text("1.pgn");
    let (first, second) = text.split_at(text.rfind("[Game ").expect("two games"));
    let (other, _) = std::fs::read_to_string(folder.path("2.pgn")).map(|text| (text, ())).expect("a record");
    let other = other[other.rfind("[Game ").expect("two games")..].replace("[Round \"4\"]", "[Round \"2\"]");
    assert_ne!(second, other);
    folder.write("mixed.pgn", format!("{first}{other}"));
    assert!(
        merge(&["mixed.pgn"]).contains("game 2 cannot be counted together with the others: it has another opening")
    );

    folder.write("notes.txt", "nothing of the kind\n");
    folder.write("foreign.pgn", "[Red \"x\"]\n\n1. H2-E2 1-0\n\n");
    folder.write("empty.pgn", "");
    for file in ["notes.txt", "foreign.pgn", "empty.pgn"] {
        assert_eq!(merge(&[file]), format!("chuhe: {file} is no record of the arena\n"));
    }
    assert!(merge(&["nowhere.pgn"]).starts_with("chuhe: nowhere.pgn: "));
    // An incomplete last game and an empty record are accepted.
    folder.write("torn.pgn", format!("{text}{}", &text[..100]));
    let told = report(&folder, &["--merge", "torn.pgn", "empty.pgn", "--json"]);
    assert!(told.starts_with("{\"games\":2,"), "{told}");
}

#[test]
fn invalid_shards_are_refused() {
    let folder = folder();
    for shard in ["0/2", "3/2", "1", "1/0", "a/b", "-1/2"] {
        let output = arena(&folder, &[&WORDS[..], &["--shard", shard]].concat());
        assert_eq!(output.status.code(), Some(2), "{shard}");
    }
    let output = arena(&folder, &[&WORDS[..], &["--shard", "1/2", "--sprt", "elo0=0,elo1=5"]].concat());
    assert_eq!(output.status.code(), Some(2), "the parts cannot decide alone");
    folder.write("test.toml", "sprt = { elo0 = 0, elo1 = 5 }\n");
    let told = complaint(&folder, &[&WORDS[..], &["--config", "test.toml", "--shard", "1/2"]].concat());
    assert_eq!(told, "chuhe: --sprt cannot decide on one part of the games; give it to --merge\n");
    let output = arena(&folder, &["--merge", "a.toml", "--nodes", "5"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be used with"));
}
