//! Requests of a page beside its game: position queries, analysis, import and export of games, review.

use super::client::{Page, Served};
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
fn files_that_are_no_games_and_pictures_with_too_many_arrows_are_refused() {
    let served = Served::begin();
    let page = served.open();
    for bytes in ["iVBORw0KGgoAAAAA", "???"] {
        assert!(ask(&page, "read-file", json!({ "bytes": bytes }))["error"].is_string());
    }
    let with_arrows = |count: usize| {
        let more = json!({ "flipped": false, "arrows": vec!["h2e2"; count], "format": "svg" });
        ask(&page, "picture", place(START, &[], more))
    };
    assert!(with_arrows(64)["bytes"].is_string());
    assert_eq!(with_arrows(65)["error"], "A picture has at most 64 arrows.");
    let moves = json!({
        "flipped": false, "arrows": [], "format": "apng",
        "style": { "pieces": "letters", "board": "green", "coordinates": "none", "octagons": "on" },
    });
    let animated = ask(&page, "picture", place(START, &["h2e2", "h9g7"], moves));
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
