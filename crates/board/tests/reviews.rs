//! Reviews are kept with their games: over a restart, and however a game is opened again; a damaged one harms nothing.

use crate::inline_board::{Asks, Files, Page};
use base64::prelude::*;
use serde_json::{Value, json};

/// Red gives a rook away.
const GAME: &str = "[Red \"Ann\"]\n[Black \"Bob\"]\n\n1. A0-A1 B9-C7 2. A1-D1 A9-A8 3. D1-D9 E9-D9 0-1\n";
const QUIET: &str = "[Red \"Cat\"]\n[Black \"Dan\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 1/2-1/2\n";

/// Opens a game from a file; returns its number and its tree.
fn open(page: &Page, pgn: &str) -> (String, Value) {
    let reply = page.ask(json!({ "bytes": BASE64_STANDARD.encode(pgn), "name": "games.pgn" }), "read-file");
    (reply["ids"][0].as_str().expect("a number").to_string(), reply["tree"].clone())
}

fn review(page: &Page, tree: &Value) {
    assert_eq!(page.ask(json!({ "tree": tree, "rules": "asian", "time": 20 }), "review"), json!({}));
    page.finish();
}

/// The review that was kept, without the tags of the game, which a file may have more of.
fn kept(page: &Page, tree: &Value) -> Value {
    let mut reply = page.ask(json!({ "tree": tree }), "kept-review");
    if let Some(review) = reply["review"].as_object_mut() {
        review.remove("tags");
    }
    reply
}

/// The reviews of the list by red's name.
fn listed(page: &Page) -> Vec<(String, Value)> {
    let games = page.ask(json!({ "from": 0, "count": 50 }), "list-games")["games"].take();
    let games = games.as_array().expect("games").clone();
    games.into_iter().map(|game| (game["red"].as_str().expect("a name").to_string(), game["review"].clone())).collect()
}

/// The name of the file of the only review.
fn review_file(files: &Files) -> String {
    let mut names = files.keys().filter(|name| name.starts_with("reviews/"));
    let name = names.next().expect("a review").clone();
    assert_eq!(names.next(), None);
    name
}

#[test]
fn damaged_review_is_told_and_made_again() {
    let page = Page::open(Files::new());
    let (id, tree) = open(&page, GAME);
    review(&page, &tree);
    let whole = page.files();
    let name = review_file(&whole);
    let text = String::from_utf8(whole[&name].clone()).expect("text");
    let cut = |length: usize| text.as_bytes()[..length].to_vec();
    let foreign = text.replacen("\"network\"", "\"netting\"", 1).into_bytes();
    let newer = text.replacen("\"format\":1", "\"format\":9", 1).into_bytes();
    for bytes in [Vec::new(), cut(10), cut(text.len() / 2), vec![0xFF; 200], foreign, newer.clone()] {
        let mut files = whole.clone();
        files.insert(name.clone(), bytes.clone());
        let page = Page::open(files);
        let reply = kept(&page, &tree);
        assert!(reply["error"].as_str().is_some_and(|text| text.starts_with("The review")), "{reply}");
        assert!(page.ask(json!({ "id": id }), "open-game")["tree"].is_object(), "the game opens");
        listed(&page);
        page.ask(json!({}), "review-room");
        review(&page, &tree);
        if bytes == newer {
            assert_eq!(page.files()[&name], newer, "it is left as it is");
        } else {
            assert!(kept(&page, &tree)["review"].is_object(), "it is made again");
        }
    }
    // That of another network is shown, and says so.
    let mut files = whole.clone();
    let checksum = text.split("\"network\":\"").nth(1).and_then(|rest| rest.get(..8)).expect("a checksum");
    files.insert(name, text.replacen(checksum, "00000000", 1).into_bytes());
    let page = Page::open(files);
    assert_eq!(kept(&page, &tree)["review"]["kept"]["is_stale"], true);
    assert_eq!(listed(&page)[0].1["is_stale"], true);
}

#[test]
fn oldest_reviews_go_when_the_room_is_full() {
    let page = Page::open(Files::new());
    let (_, tree) = open(&page, GAME);
    let (_, other) = open(&page, QUIET);
    review(&page, &tree);
    review(&page, &other);
    assert_eq!(page.ask(json!({}), "review-room")["count"], 2);
    page.ask(json!({ "name": "review-room", "value": "0" }), "set-setting");
    review(&page, &other);
    let room = page.ask(json!({}), "review-room");
    let files = page.files();
    assert_eq!((&room["count"], &room["bytes"]), (&json!(1), &json!(files[&review_file(&files)].len())));
    assert_eq!(kept(&page, &tree)["review"], Value::Null, "the older one");
    assert!(kept(&page, &other)["review"].is_object());
}

#[test]
fn reviews_of_the_training_are_kept_but_push_out_no_other() {
    let queue = |page: &Page, id: &str, nodes: u64| {
        page.ask(json!({ "do": "me", "names": ["Ann", "Cat"], "nodes": nodes }), "train");
        assert_eq!(page.ask(json!({ "do": "add", "games": [id] }), "train"), json!({ "queued": 1 }));
        page.finish();
    };
    let page = Page::open(Files::new());
    let (id, tree) = open(&page, GAME);
    queue(&page, &id, 2000);
    let found = kept(&page, &tree)["review"].take();
    assert!(found["moves"][4]["why"].as_array().is_some_and(|why| !why.is_empty()), "{found}");
    assert!(listed(&page)[0].1["nodes"].is_number());
    // One that somebody has asked for is not replaced by a shorter one.
    let page = Page::open(Files::new());
    let (id, tree) = open(&page, GAME);
    review(&page, &tree);
    let longer = kept(&page, &tree);
    queue(&page, &id, 1000);
    assert_eq!(kept(&page, &tree), longer);
    // Nor does it go for those of the training.
    let (other, quiet) = open(&page, QUIET);
    page.ask(json!({ "name": "review-room", "value": "0" }), "set-setting");
    queue(&page, &other, 1000);
    assert_eq!(kept(&page, &tree), longer);
    assert_eq!(kept(&page, &quiet)["review"], Value::Null);
}

#[test]
fn what_stands_beside_an_exercise_tells_nothing_before_the_answer() {
    let page = Page::open(Files::new());
    let (game, _) = open(&page, GAME);
    page.train("me", json!({ "names": ["Ann"], "nodes": 2000 }));
    page.train("add", json!({ "games": [game] }));
    page.finish();
    let question = page.train("question", json!({ "offset": 480 }))["question"].take();
    let (id, ply) = (&question["id"], question["ply"].as_u64().expect("a number") as usize);
    let length = |value: &Value| value.as_array().map_or(0, Vec::len);
    let before = page.train("context", json!({ "id": id, "answered": false }));
    assert_eq!((length(&before["moves"]), length(&before["curve"])), (ply, ply + 1), "{before}");
    assert_eq!((&before["from"], &before["answers"]), (&json!(0), &json!([])));
    page.train("answer", json!({ "id": id, "rating": 1, "offset": 480 }));
    let after = page.train("context", json!({ "id": id, "answered": true }));
    assert_eq!(after["moves"][ply], question["played"]);
    assert_eq!((length(&after["moves"]), length(&after["curve"])), (6, 7), "the whole game: {after}");
    assert_eq!((length(&after["answers"]), &after["answers"][0]["right"]), (1, &json!(false)));
    let gone = page.train("context", json!({ "id": "0000000000000000", "answered": true }));
    assert!(gone["error"].is_string(), "{gone}");
}
