//! Games over HTTP: actions of a page and the resulting events.

use super::client::{Page, Served};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn begin(page: &Page, seat: &str, strength: &str, position: &str) {
    let body = format!(
        "{{\"type\":\"new-game\",\"seat\":\"{seat}\",\"strength\":\"{strength}\",\"rules\":\"asian\",\"position\":\"{position}\"}}"
    );
    assert_eq!(page.request(&body), json!({}));
}

fn plies(events: &Value) -> usize {
    events["game"]["moves"].as_array().map_or(0, Vec::len)
}

#[test]
fn pages_are_independent() {
    let served = Served::begin();
    let (one, other) = (served.open(), served.open());
    assert_ne!(one.id, other.id);
    let (mut of_one, mut of_other) = (one.stream(), other.stream());
    one.begin("both", "asian");
    other.begin("both", "asian");
    one.play("h2e2");
    other.play("g3g4");
    other.play("g6g5");
    assert_eq!(of_one.until(|events| plies(events) == 1)["game"]["moves"][0], "h2e2");
    assert_eq!(of_other.until(|events| plies(events) == 2)["game"]["moves"][0], "g3g4");
    // A duplicated page continues with a copy of the game.
    let copy = one.open_again();
    let copy = Page { port: one.port, token: one.token.clone(), id: copy["page"].as_str().expect("a page").into() };
    assert_ne!(copy.id, one.id);
    copy.play("h9g7");
    copy.stream().until(|events| plies(events) == 2);
    let still = one.events();
    assert_eq!(plies(&still), 1);
}

#[test]
fn page_that_was_given_up_comes_back_to_its_game() {
    let served = Served::begin();
    let page = served.open();
    page.begin("both", "asian");
    page.play("h2e2");
    page.request("{\"type\":\"leave\"}");
    // As after a minute and a half without a word.
    while !served.server.router().sessions.remove_gone_clients() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(page.ask(&format!("/events/{}", page.id), "{\"after\":0}")["closed"], true);
    let again = page.open_again();
    let again = Page { port: page.port, token: page.token.clone(), id: again["page"].as_str().expect("a page").into() };
    assert_ne!(again.id, page.id);
    assert_eq!(plies(&again.events()), 1);
}

#[test]
fn first_page_is_not_taken_for_gone_while_it_opens() {
    // A program that ends with its last page asks all the time.
    for _ in 0..20 {
        let served = Served::begin();
        std::thread::scope(|scope| {
            let opening = scope.spawn(|| served.open());
            while !opening.is_finished() {
                assert!(!served.server.router().sessions.remove_gone_clients());
            }
        });
    }
}

#[test]
fn page_over_the_limit_is_refused() {
    let served = Served::begin();
    let pages: Vec<Page> = (0..6).map(|_| served.open()).collect();
    let refused = pages[0].ask("/open", "{\"page\":null}");
    assert!(refused["error"].as_str().is_some_and(|text| text.starts_with("6 boards")), "{refused}");
    // Those without a stream poll for events.
    let streams: Vec<_> = pages.iter().take(4).map(|page| (page.stream(), page)).collect();
    for (mut stream, _) in streams {
        stream.until(|events| events["game"].is_object());
    }
    assert_eq!(pages[5].events()["game"]["side"], "red");
}

#[test]
fn search_is_cancelled_when_its_page_closes() {
    let served = Served::begin();
    let page = served.open();
    let mut events = page.stream();
    // A position that no book knows.
    begin(&page, "black", "time 3600", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 90");
    events.until(|events| events["game"]["thinking"] == true);
    let waits_for = |searching| {
        while served.server.router().sessions.is_searching() != searching {
            std::thread::yield_now();
        }
    };
    waits_for(true);
    drop(events);
    waits_for(false);
    // When the page returns, the engine thinks again.
    page.open_again();
    waits_for(true);
    page.request("{\"type\":\"leave\"}");
    waits_for(false);
}

/// Waits until the user is to move, or the game is over; the engine is told to move at once.
fn settle(page: &Page) -> Value {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        page.request("{\"type\":\"move-now\"}");
        let game = page.events()["game"].clone();
        let is_users = game["legal"].as_array().is_some_and(|legal| !legal.is_empty());
        if game["thinking"] == false && (is_users || !game["end"].is_null()) {
            return game;
        }
        assert!(Instant::now() < until, "nobody moves: {game:#}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn engine_goes_on_when_its_page_is_back() {
    let served = Served::begin();
    let page = served.open();
    begin(&page, "red", "time 600", "");
    page.play("a0a1");
    page.request("{\"type\":\"leave\"}");
    // As after an interruption of the network, it asks for the rest of the events alone.
    let mut events = page.stream();
    let until = Instant::now() + Duration::from_secs(60);
    let is_thinking = |events: &Value| {
        assert!(Instant::now() < until, "nobody thinks");
        events["game"]["thinking"] == true && events["game"]["turn"].as_u64() > Some(2)
    };
    events.until(is_thinking);
    assert_eq!(plies(&json!({ "game": settle(&page) })), 2);
}

#[test]
fn requests_in_any_order_are_answered_by_threads_too() {
    const NAMES: [&str; 8] = ["play", "play", "play", "hint", "move-now", "undo", "offer-draw", "resign"];
    let served = Served::begin();
    let page = served.open();
    let mut number: u32 = 1;
    for order in 0..60 {
        begin(&page, if order % 2 == 0 { "red" } else { "black" }, "level 1", "");
        for _ in 0..8 {
            // Numbers of a linear congruential generator: those of Numerical Recipes.
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let name = NAMES[(number >> 24) as usize % NAMES.len()];
            let mv = page.events()["game"]["legal"][0].as_str().unwrap_or("a0a1").to_string();
            let answer = page.request(&json!({ "type": name, "move": mv }).to_string());
            assert!(answer == json!({}) || answer["error"].is_string(), "{name}: {answer}");
        }
        settle(&page);
    }
}
