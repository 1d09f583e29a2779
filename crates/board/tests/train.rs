//! Training through the requests of pages: games in, reviews behind, exercises, answers, decks of other people.

use crate::inline_board::{Asks, Files, Page};
use crate::rights_board::pgn;
use base64::prelude::*;
use serde_json::{Value, json};

/// Two games of 甲, of which one comes twice, and one of others.
fn some_games() -> String {
    let [first, second] = ["H2-E2 H9-G7", "B2-E2 B9-C7"];
    [pgn("甲", "乙", first), pgn("丙", "丁", "H2-E2 B9-C7"), pgn("甲", "丁", second), pgn("甲", "丁", first)].concat()
}

/// What a test asks of training.
trait Trains: Asks {
    /// Reads a file of games; returns their numbers.
    fn read(&self, text: &str) -> Value {
        self.ask(json!({ "bytes": BASE64_STANDARD.encode(text), "name": "cup.pgn" }), "read-file")["ids"].take()
    }

    fn today(&self) -> Value {
        self.train("today", json!({ "offset": 480 }))
    }

    fn question(&self) -> Value {
        self.train("question", json!({ "offset": 480 }))["question"].take()
    }
}

impl<T: Asks> Trains for T {}

/// A page with the mistakes of `some_games` as cards.
fn reviewed() -> Page {
    let page = Page::open(Files::new());
    let ids = page.read(&some_games());
    page.train("me", json!({ "names": ["甲"], "nodes": 2000 }));
    assert_eq!(page.train("add", json!({ "games": ids })), json!({ "queued": 4 }));
    page.finish();
    page
}

fn import(page: &impl Trains, bytes: &[u8], deck: Option<&str>) -> Value {
    page.train("import", json!({ "bytes": BASE64_STANDARD.encode(bytes), "name": "deck.jsonl", "deck": deck }))
}

fn export(page: &impl Trains, deck: Option<&str>, answers: bool) -> Vec<u8> {
    let file = page.train("export", json!({ "deck": deck, "answers": answers }));
    BASE64_STANDARD.decode(file["bytes"].as_str().expect("a file")).expect("base64")
}

#[test]
fn mistakes_of_the_person_become_exercises() {
    let page = reviewed();
    let state = page.last("train");
    assert_eq!((&state["games"], &state["done"], &state["others"]), (&json!(4), &json!(4), &json!(1)), "{state}");
    assert_eq!(
        (&state["failed"], &state["known"], &state["current"]),
        (&json!([]), &json!(1), &Value::Null),
        "{state}"
    );
    let today = page.today();
    let cards = today["cards"].as_u64().expect("a count");
    assert!(cards >= 2 && today["due"]["mistake"] == cards && state["kept"] == cards, "{today} {state}");
    assert_eq!((&today["me"], &today["storage_error"]), (&json!(["甲"]), &Value::Null));
    assert_eq!(today["decks"][0], json!({ "name": "", "cards": cards, "due": cards }));
    let players = page.train("players", json!({}));
    let is_first = |place: &usize| players["players"][place] == json!({ "name": "甲", "games": 3 });
    assert!((0..2).any(|place| is_first(&place)), "{players}");
    // The question tells nothing of its answer.
    let question = page.question();
    let known =
        ["answers", "check", "count", "deck", "fen", "flagged", "forbidden", "game", "id", "kind", "legal", "lost"];
    let more = ["move_number", "moves", "note", "number", "opening", "played", "player", "ply", "side"];
    let fields: Vec<&str> = question.as_object().expect("fields").keys().map(String::as_str).collect();
    assert_eq!(fields, [&known[..], &more].concat());
    assert_eq!(
        (&question["played"]["iccs"], &question["move_number"], &question["side"]),
        (&json!("f1f9"), &json!(4), &json!("red"))
    );
    assert_eq!((&question["played"]["name"], &question["game"]["date"]), (&json!("R4+8"), &json!("2026.11.20")));
    assert!(question["lost"].as_f64().is_some_and(|lost| lost > 0.3), "{question}");
    assert!(question["legal"].as_array().is_some_and(|moves| moves.contains(&json!("f1f9"))));
    let pattern = page.train("pattern", json!({}));
    assert_eq!((&pattern["mistakes"], &pattern["games"]), (&json!(cards), &json!(2)), "{pattern}");
    assert_eq!(
        (&pattern["months"][0]["key"], &pattern["reasons"][0]["key"]),
        (&json!("2026-11"), &json!("lost a piece"))
    );
}

#[test]
fn moves_that_are_none_are_refused_and_answers_survive_a_restart() {
    let page = reviewed();
    let id = page.question()["id"].take();
    page.train("try", json!({ "id": id, "move": "a0a9", "number": 4 }));
    page.finish();
    assert!(page.last("trial")["error"].as_str().is_some_and(|error| error.contains("a0a9")));
    assert!(page.train("try", json!({ "id": id, "move": "what", "number": 5 }))["error"].is_string());
    let left = page.train("answer", json!({ "id": id, "rating": 1, "move": "f1f9", "offset": 480 }))["left"].take();
    let tried = |answered: bool| {
        page.train("context", json!({ "id": id, "answered": answered }))["answers"][0]["tried"]["iccs"].take()
    };
    assert_eq!((tried(true), tried(false)), (json!("f1f9"), Value::Null), "not before the question is answered");
    let next = page.question();
    assert_eq!((&next["number"], next["id"] == id), (&json!(2), false), "{next}");
    // Nothing is reviewed again.
    let page = Page::open(page.files());
    assert_eq!(page.question(), next);
    let today = page.today();
    assert_eq!((&today["due"]["mistake"], &today["me"]), (&left, &json!(["甲"])));
    let ids = page.ask(json!({}), "game-ids")["ids"].take();
    page.train("add", json!({ "games": ids }));
    page.finish();
    let state = page.last("train");
    assert_eq!((&state["known"], &state["others"], &state["mistakes"]), (&json!(3), &json!(1), &json!(0)), "{state}");
    assert_eq!(page.today()["cards"], today["cards"]);
}

#[test]
fn cards_of_two_pupils_are_told_apart_by_who_moved() {
    let page = Page::open(Files::new());
    let games = [pgn("Hu", "Xu", "H2-E2 H9-G7"), pgn("Xu", "Hu", "B2-E2 B9-C7")].concat();
    page.train("me", json!({ "names": [], "nodes": 2000 }));
    page.train("add", json!({ "games": page.read(&games) }));
    page.finish();
    let found = |text: &str| page.train("cards", json!({ "from": 0, "count": 50, "offset": 0, "text": text }));
    let (all, hu, xu) = (found(""), found("hu"), found("Xu"));
    let of = |name: &str, found: &Value| {
        let cards = found["cards"].as_array().expect("cards");
        assert!(!cards.is_empty() && cards.iter().all(|card| card["player"] == name), "{found}");
        cards.iter().map(|card| card["id"].clone()).collect::<Vec<_>>()
    };
    let (of_hu, of_xu) = (of("Hu", &hu), of("Xu", &xu));
    assert_eq!(all["found"], of_hu.len() + of_xu.len());
    let asked = page.train("question", json!({ "offset": 0, "ids": of_hu }));
    assert_eq!(asked["question"]["player"], "Hu", "nobody is asked as if it were the reader's mistake");
    let sheet = page.train("sheet", json!({ "ids": of_hu, "title": "", "per_page": 6 }));
    let html = BASE64_STANDARD.decode(sheet["bytes"].as_str().expect("a file")).expect("base64");
    let html = String::from_utf8(html).expect("text");
    assert!(
        html.contains("Name <i>Hu</i>") && html.contains("Hu (Red), move ") && !html.contains("Xu (Red)"),
        "{html}"
    );
}

#[test]
fn queue_survives_a_restart_and_passes_over_a_bad_game() {
    let page = Page::open(Files::new());
    let mut ids = page.read(&some_games());
    ids.as_array_mut().expect("numbers").insert(1, "20200101000000000".into());
    page.train("me", json!({ "names": ["甲"], "nodes": 2000 }));
    page.train("add", json!({ "games": ids }));
    assert_eq!(page.last("train")["games"], 5);
    // The page is closed in the middle of the first game.
    page.run_until_request(3);
    let page = Page::open(page.files());
    page.finish();
    let state = page.last("train");
    assert_eq!((&state["games"], &state["done"]), (&json!(5), &json!(5)), "{state}");
    assert_eq!(
        (&state["failed"][0]["title"], state["failed"].as_array().map(Vec::len)),
        (&json!("20200101000000000"), Some(1))
    );
    assert!(page.today()["cards"].as_u64() >= Some(2));
    // Paused, nothing is reviewed, not even after a restart.
    let ids = page.read(&pgn("甲", "戊", "C3-C4 C6-C5"));
    page.train("pause", json!({}));
    page.train("add", json!({ "games": ids }));
    page.finish();
    let page = Page::open(page.files());
    page.finish();
    let state = page.today()["queue"].take();
    assert_eq!((&state["paused"], &state["done"], &state["games"]), (&json!(true), &json!(0), &json!(1)));
    page.train("resume", json!({}));
    page.finish();
    assert_eq!(page.last("train")["done"], 1);
    let ids = page.read(&pgn("甲", "己", "C3-C4 G6-G5"));
    page.train("pause", json!({}));
    page.train("add", json!({ "games": ids }));
    assert_eq!(page.train("cancel", json!({})), json!({}));
    assert_eq!(page.today()["queue"]["games"], 0);
}

#[test]
fn reviews_wait_while_the_person_plays_and_finished_games_come_by_themselves() {
    let page = Page::open(Files::new());
    let ids = page.read(&some_games());
    page.begin("level 1");
    page.train("me", json!({ "names": ["甲"], "nodes": 2000 }));
    page.train("add", json!({ "games": ids }));
    page.play();
    page.finish();
    let state = page.last("train");
    assert_eq!((&state["waits"], &state["done"]), (&json!(true), &json!(0)), "{state}");
    // Who trains does not play.
    page.today();
    page.finish();
    let state = page.last("train");
    assert_eq!((&state["waits"], &state["done"]), (&json!(false), &json!(4)));
    let cards = page.today()["cards"].as_u64();
    // The game goes on, and is given up after some moves.
    for _ in 0..5 {
        let mv = page.last("game")["legal"][0].take();
        assert_eq!(page.ask(json!({ "move": mv }), "play"), json!({}));
        page.finish();
    }
    page.ask(json!({}), "resign");
    assert_eq!(page.last("train")["games"], 1);
    page.finish();
    let state = page.last("train");
    assert_eq!((&state["done"], &state["others"], &state["known"]), (&json!(1), &json!(0), &json!(0)), "{state}");
    assert!(page.today()["cards"].as_u64() >= cards);
}

#[test]
fn games_with_help_say_nothing_of_the_strength_of_the_person() {
    let page = Page::open(Files::new());
    // Each begins with another move: the same game counts once.
    let games = [("a3a4", None, 1), ("c3c4", Some("hint"), 1), ("g3g4", Some("undo"), 1), ("e3e4", None, 2)];
    for (first, help, counted) in games {
        page.begin("level 1");
        assert_eq!(page.ask(json!({ "move": first }), "play"), json!({}));
        page.finish();
        if let Some(help) = help {
            page.ask(json!({}), help);
            page.finish();
            let mv = page.last("game")["legal"][0].take();
            page.ask(json!({ "move": mv }), "play");
            page.finish();
        }
        page.ask(json!({}), "resign");
        page.finish();
        assert_eq!(page.train("own-level", json!({ "first": 1450 }))["games"], counted, "{help:?}");
    }
}

#[test]
fn tactic_that_is_asked_again_says_whether_it_was_answered() {
    let page = Page::open(Files::new());
    let asked = page.train("tactic", json!({ "offset": 0 }));
    let again = || page.train("tactic", json!({ "offset": 0, "id": asked["id"] }));
    assert_eq!((&again()["fen"], &again()["answered"]), (&asked["fen"], &json!(false)));
    let answer = json!({ "id": asked["id"], "step": 0, "right": true, "rated": true, "offset": 0 });
    assert!(page.train("tactic-answer", answer)["change"].as_i64() > Some(0));
    assert_eq!(again()["answered"], true);
}

#[test]
fn review_of_the_page_makes_cards_of_its_mistakes() {
    let page = Page::open(Files::new());
    assert!(page.train("learn", json!({ "side": "red" }))["error"].is_string(), "there is no review yet");
    let upload = json!({ "bytes": BASE64_STANDARD.encode(pgn("甲", "乙", "H2-E2 H9-G7")), "name": "" });
    let tree = page.ask(upload, "read-file")["tree"].take();
    page.ask(json!({ "tree": tree, "rules": "asian", "time": 20 }), "review");
    page.finish();
    let learnt = page.train("learn", json!({ "side": "red" }));
    let ids = learnt["ids"].clone();
    assert!(ids.as_array().is_some_and(|ids| !ids.is_empty()) && learnt["known"] == 0, "{learnt}");
    let question = page.train("question", json!({ "offset": 0, "ids": ids }));
    assert_eq!((&question["question"]["id"], &question["question"]["game"]["title"]), (&ids[0], &json!("甲 – 乙")));
    // How many mistakes there are, and what was better, depends on the time of the review; that the rook is lost has a reason.
    let has_reason = |id: &Value| page.train("show", json!({ "id": id }))["reason"].is_string();
    assert!(ids.as_array().is_some_and(|ids| ids.iter().any(has_reason)), "{ids}");
    page.train("drop", json!({ "ids": [ids[0]] }));
    let again = page.train("learn", json!({ "side": "red" }));
    let count = ids.as_array().map_or(0, Vec::len);
    assert_eq!((&again["ids"], &again["known"]), (&ids, &json!(count - 1)), "what was dropped is back");
    assert_eq!(page.today()["cards"], count);
}

#[test]
fn decks_travel_between_devices_and_people() {
    let desk = reviewed();
    let id = desk.question()["id"].take();
    desk.train("answer", json!({ "id": id, "rating": 3, "offset": 480 }));
    let phone = Page::open(Files::new());
    let brought = import(&phone, &export(&desk, None, true), None);
    let cards = desk.today()["cards"].take();
    assert_eq!((&brought["cards"], &brought["answers"], &brought["bad"]), (&cards, &json!(1), &json!(0)), "{brought}");
    assert_eq!(phone.today()["due"], desk.today()["due"]);
    let again = import(&phone, &export(&desk, None, true), None);
    assert_eq!((&again["cards"], &again["answers"]), (&json!(0), &json!(0)), "{again}");
    // A coach's homework, and the answers to it.
    let pupil = Page::open(Files::new());
    assert_eq!(import(&pupil, &export(&desk, Some(""), false), Some("Wang"))["cards"], cards);
    assert_eq!(pupil.today()["decks"][1]["name"], "Wang");
    pupil.train("answer", json!({ "id": id, "rating": 1, "offset": 0 }));
    let brought = import(&desk, &export(&pupil, Some("Wang"), true), Some("Li"));
    assert_eq!((&brought["cards"], &brought["answers"]), (&json!(0), &json!(1)), "{brought}");
    assert_eq!(desk.train("pattern", json!({ "deck": "Li" }))["right"], 0.0);
    assert_eq!(desk.train("pattern", json!({}))["right"], 1.0);
    // What is no deck.
    let before = export(&phone, None, true);
    let newer = b"{\"chuhe\":\"train\",\"format\":9}\n";
    for (bytes, word) in [(&b"\x00\xff"[..], "no file"), (b"", "no file"), (b"{}\n", "no file"), (newer, "newer")] {
        let refused = import(&phone, bytes, None);
        assert!(refused["error"].as_str().is_some_and(|error| error.contains(word)), "{refused}");
    }
    assert_eq!(import(&phone, b"{\"chuhe\":\"train\",\"format\":1}\nrubbish\n", None)["bad"], 1);
    assert_eq!(export(&phone, None, true), before);
}
