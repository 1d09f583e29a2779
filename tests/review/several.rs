//! Reviews of several games of a file, and of a part of them.

use super::support::says;
use crate::common::{Folder, refusal, stderr, stdout};
use serde_json::Value;

const GAMES: &str =
    "[Red \"a\"]\n\n1. h2e2 h9g7 *\n\n[Red \"b\"]\n\n1. b2e2 *\n\n[Red \"c\"]\n\n1. h2d2 a9a8 2. h0g2 *\n";

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["review", "games.pgn", "--nodes", "200", "--threads", "1", "--hash", "1"], more].concat()
}

fn reviews(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn numbers(text: &str) -> Vec<u64> {
    reviews(text).iter().map(|review| review["game"].as_u64().expect("a number")).collect()
}

#[test]
fn several_games_are_reviewed_as_one_would_be() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let all = says(&folder, &words(&["--game", "all", "--json", "-"]));
    assert_eq!(numbers(&all), [1, 2, 3]);
    for (mut review, number) in reviews(&all).into_iter().zip(["1", "2", "3"]) {
        let alone = reviews(&says(&folder, &words(&["--game", number, "--json", "-"]))).remove(0);
        review.as_object_mut().expect("an object").remove("game");
        assert_eq!(review, alone);
    }
    assert_eq!(numbers(&says(&folder, &words(&["--game", "2..3", "--json", "-"]))), [2, 3]);
    let tables = says(&folder, &words(&["--game", "1..2", "--pgn", "out.pgn", "--json", "out.jsonl", "--lang", "en"]));
    assert!(
        tables.starts_with("game 1\n") && tables.contains("game 2\n") && tables.ends_with("out.jsonl\n"),
        "{tables}"
    );
    assert_eq!(folder.text("out.pgn").matches("[Annotator \"Chuhe").count(), 2);
    assert_eq!(numbers(&folder.text("out.jsonl")), [1, 2]);
}

#[test]
fn shards_review_each_game_once() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let part = |shard| numbers(&says(&folder, &words(&["--shard", shard, "--json", "-"])));
    assert_eq!((part("1/2"), part("2/2")), (vec![1, 3], vec![2]));
}

#[test]
fn faults_of_one_game_do_not_keep_the_others_from_a_review() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES.replace("[Red \"b\"]", "[FEN \"rubbish\"]"));
    let output = folder.chuhe(&words(&["--game", "all", "--json", "-"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("game 2"), "{}", stderr(&output));
    let told = reviews(&stdout(&output));
    assert_eq!(numbers(&stdout(&output)), [1, 2, 3]);
    assert!(told[1]["error"].as_str().is_some_and(|error| error.starts_with("game 2")), "{}", told[1]);
}

#[test]
fn a_page_is_about_one_game() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    let told = refusal(&folder.chuhe(&words(&["--game", "all", "--html", "page.html"])));
    assert!(told.contains("--html: a page is about one game"), "{told}");
    assert!(!folder.path("page.html").exists());
}
