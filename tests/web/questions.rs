//! Requests of a page beside its game: position queries, analysis, import and export of games, review.

use super::client::{Page, Served};
use crate::common::{chuhe, success};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde_json::{Value, json};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn ask(page: &Page, name: &str, mut more: Value) -> Value {
    more["type"] = name.into();
    page.request(&more.to_string())
}

fn place(start: &str, moves: &[&str], more: Value) -> Value {
    let mut whole = json!({ "start": start, "moves": moves, "rules": "asian" });
    whole.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    whole
}

#[test]
fn position_query_is_answered() {
    let served = Served::begin();
    let page = served.open();
    let asked = place(START, &["h2e2"], json!({ "name_last": 1 }));
    let told = ask(&page, "position-facts", asked);
    assert_eq!(told["names"], json!(["C2.5"]));
    assert_eq!(told["legal"].as_array().map(Vec::len), Some(45));
    assert!(told["book"][0]["share"].as_u64().is_some_and(|share| share > 0), "{told}");
    assert!(told["opening"].is_string(), "{told}");
    // Fourfold repetition without a fault: a draw.
    let round = ["b0c2", "b9c7", "c2b0", "c7b9"];
    let told = ask(&page, "position-facts", place(START, &round.repeat(4), json!({})));
    assert!(told["verdict"].as_str().is_some_and(|text| text.contains("draw")), "{told}");
    let table = ask(&page, "position-facts", place("4k4/4a4/9/9/9/9/9/9/4R4/3K5 w", &[], json!({})));
    assert!(table["table"].as_str().is_some_and(|text| text.starts_with("Endgame table: red wins")), "{table}");
    for wrong in ["", "4k4/9/9 w", "9/9/9/9/9/9/9/9/9/9 w", "4k4/9/9/9/9/9/9/9/9/4K4 w"] {
        let told = ask(&page, "position-facts", place(wrong, &[], json!({})));
        assert!(told["error"].is_string(), "{wrong}: {told}");
    }
    assert!(ask(&page, "position-facts", place(START, &["h2h8"], json!({})))["error"].is_string());
}

#[test]
fn analysis_runs_until_it_is_stopped() {
    let served = Served::begin();
    let page = served.open();
    let mut events = page.stream();
    let mut think = place(START, &["h2e2", "h9g7"], json!({ "number": 7, "lines": 3, "threat": false, "nodes": null }));
    assert_eq!(ask(&page, "analyse", think.clone()), json!({}));
    let lines = |events: &Value| events["analysis"]["lines"].as_array().map_or(0, Vec::len);
    let first = events.until(|events| events["analysis"]["number"] == 7 && lines(events) == 3);
    let depth = |events: &Value| events["analysis"]["depth"].as_u64().unwrap_or(0);
    let later = events.until(|events| depth(events) > depth(&first));
    assert_eq!(later["analysis"]["final"], false);
    assert!(later["analysis"]["lines"][2]["names"][0].is_string(), "{later}");
    // A newer request replaces the first.
    think["number"] = json!(8);
    think["threat"] = json!(true);
    ask(&page, "analyse", think.clone());
    let threat = events.until(|events| events["analysis"]["number"] == 8 && lines(events) > 0);
    assert!(threat["analysis"]["lines"][0]["moves"][0].as_str().is_some_and(|mv| mv.as_bytes()[1] > b'4'), "{threat}");
    // An older request that arrives late is ignored; so is an older request to stop.
    think["number"] = json!(7);
    ask(&page, "analyse", think);
    ask(&page, "stop-analysis", json!({ "number": 6 }));
    let depth = |events: &Value| events["analysis"]["depth"].as_u64().unwrap_or(0);
    events.until(|events| events["analysis"]["number"] == 8 && depth(events) > depth(&threat) + 1);
    drop(events);
    while served.server.router().sessions.is_searching() {
        std::thread::yield_now();
    }
    assert_eq!(ask(&page, "stop-analysis", json!({ "number": 9 })), json!({}));
}

#[test]
fn game_import_and_export_keep_variations() {
    let served = Served::begin();
    let page = served.open();
    let text =
        "[Red \"甲\"]\n[Result \"1-0\"]\n\n1. 炮二平五 {当头炮} 马8进7 (1... 炮8平5 $1 2. 马二进三) 2. 马二进三 1-0\n";
    let encoded = |bytes: &[u8]| BASE64.encode(bytes);
    let read = |bytes: &[u8]| ask(&page, "read-file", json!({ "bytes": encoded(bytes), "name": "cup.pgn" }));
    let told = read(text.as_bytes());
    assert_eq!((&told["format"], told["ids"].as_array().map(Vec::len)), (&"PGN".into(), Some(1)));
    let tree = &told["tree"];
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(6), "{tree}");
    assert_eq!(tree["nodes"][1]["comment"], "当头炮");
    for format in ["pgn", "xqf", "ubb"] {
        let written = ask(&page, "write-file", json!({ "format": format, "tree": tree }));
        assert_eq!(written["name"], format!("甲.{format}"));
        let again = ask(&page, "read-file", json!({ "bytes": written["bytes"] }));
        let moves = |tree: &Value| -> Vec<Value> {
            tree["nodes"].as_array().expect("nodes").iter().map(|node| node["move"].clone()).collect()
        };
        let (mut before, mut after) = (moves(tree), moves(&again["tree"]));
        before.sort_by_key(Value::to_string);
        after.sort_by_key(Value::to_string);
        assert_eq!(before, after, "{format}");
    }
    assert!(read(b"\x89PNG\r\n\x1a\n\0\0\0\0")["error"].is_string());
    assert!(ask(&page, "read-file", json!({ "bytes": "???" }))["error"].is_string());
    let picture = ask(
        &page,
        "picture",
        json!({
            "start": START, "moves": ["h2e2"], "rules": "asian", "flipped": true, "arrows": ["h9g7"], "format": "png"
        }),
    );
    assert!(picture["bytes"].as_str().is_some_and(|bytes| bytes.starts_with("iVBORw0KGgo")), "a PNG");
    let with_arrows = |count: usize| {
        let mut asked = place(START, &[], json!({}));
        asked["flipped"] = json!(false);
        asked["arrows"] = json!(vec!["h2e2"; count]);
        asked["format"] = json!("svg");
        ask(&page, "picture", asked)
    };
    assert!(with_arrows(64)["bytes"].is_string());
    assert_eq!(with_arrows(65)["error"], "A picture has at most 64 arrows.");
    let moves = json!({
        "start": START, "moves": ["h2e2", "h9g7"], "rules": "asian", "flipped": false, "arrows": [], "format": "apng",
        "style": { "pieces": "letters", "board": "green", "coordinates": "none", "octagons": "on" },
    });
    let animated = ask(&page, "picture", moves);
    let bytes = BASE64.decode(animated["bytes"].as_str().expect("bytes")).expect("base64");
    assert_eq!(bytes.windows(4).filter(|name| name == b"fcTL").count(), 3, "three positions");
}

#[test]
fn moves_of_a_line_are_named_at_once() {
    let served = Served::begin();
    let page = served.open();
    let mut asked = place(START, &["h2e2", "h9g7", "h0g2", "i9h9"], json!({}));
    for (named, wanted) in [(0, vec![]), (2, vec!["H2+3", "R9.8"]), (9, vec!["C2.5", "H8+7", "H2+3", "R9.8"])] {
        asked["name_last"] = json!(named);
        let told = ask(&page, "position-facts", asked.clone());
        let names: Vec<&str> =
            told["names"].as_array().expect("names").iter().filter_map(|name| name.as_str()).collect();
        assert_eq!(names, wanted);
    }
}

#[test]
fn game_that_is_too_long_is_not_cut() {
    let served = Served::begin();
    let page = served.open();
    let node = |id: usize| {
        let mv = ["a9a8", "a0a1", "a8a9", "a1a0"][id % 4];
        json!({ "parent": id.saturating_sub(1), "move": if id == 0 { "" } else { mv }, "comment": "", "marks": [] })
    };
    // The first move is red's.
    let nodes: Vec<Value> = (0..20_002).map(node).collect();
    let tree = json!({ "start": START, "tags": [], "result": "*", "nodes": nodes });
    let told = ask(&page, "write-file", json!({ "format": "pgn", "tree": tree }));
    assert!(told["error"].as_str().is_some_and(|text| text.contains("20000")), "{}", told["error"]);
}

/// Mate in two moves by e8f7 alone.
const MATE_IN_TWO: &str = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1";

#[test]
fn solution_is_that_of_the_command() {
    let served = Served::begin();
    let page = served.open();
    let mut events = page.stream();
    let asked = place(MATE_IN_TWO, &[], json!({ "number": 3, "seconds": 60, "nodes": 1_000_000 }));
    assert!(ask(&page, "solution-tree", json!({ "all": true }))["error"].is_string());
    assert_eq!(ask(&page, "solve", asked), json!({}));
    let told = events.until(|events| events["solution"]["number"] == 3 && events["solution"]["result"].is_object());
    let result = &told["solution"]["result"];
    let printed = success(&chuhe(&["mates", "check", MATE_IN_TWO, "--nodes", "1000000", "--json"]));
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(result["soundness"], report["soundness"]);
    assert_eq!((&result["moves"][0], &result["settled"]), (&report["solution"]["key"], &json!(true)));
    let first = result["sentences"][0].as_str().expect("a sentence");
    assert!(first.starts_with("Mate in 2 by A5+6, proven"), "{first}");
    let tree = |all: bool| ask(&page, "solution-tree", json!({ "all": all }))["tree"].clone();
    let whole = tree(true);
    let moves = report["tree"].as_array().expect("a tree").len();
    assert!(whole["nodes"].as_array().is_some_and(|nodes| nodes.len() > moves), "all moves, and duals: {whole}");
    assert!(whole["nodes"][0]["comment"].as_str().is_some_and(|text| text.contains("proven")), "{whole}");
    let line = tree(false);
    assert_eq!(line["nodes"][3]["move"], result["moves"][2]);
}

#[test]
fn solving_ends_when_it_is_stopped() {
    let served = Served::begin();
    let page = served.open();
    let mut events = page.stream();
    let asked = place(START, &[], json!({ "number": 4, "seconds": 3600, "nodes": null }));
    assert_eq!(ask(&page, "solve", asked), json!({}));
    events.until(|events| events["solution"]["ruled_out"].as_u64() > Some(0));
    assert!(served.server.router().sessions.is_searching());
    ask(&page, "stop-solve", json!({}));
    let told = events.until(|events| events["solution"]["result"].is_object());
    let result = &told["solution"]["result"];
    assert_eq!((&result["settled"], &result["finished"]), (&json!(false), &json!(false)));
    assert!(!served.server.router().sessions.is_searching());
}
