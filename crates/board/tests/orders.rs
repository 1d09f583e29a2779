//! What a page may ask for in whatever order, with the engine's tasks ending between any two requests: a game never waits
//! for an engine that does nothing.

use super::inline_board::{Asks, Files, Page};
use serde_json::{Value, json};

const ORDERS: u64 = 400;
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// In no book; a game that soon ends; one in which Chuhe has the move whoever plays red.
const POSITIONS: [&str; 3] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P2/1C5C1/9/RNBAKABNR w - - 0 1",
    "4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P2/1C5C1/9/RNBAKABNR b - - 0 1",
];

/// A small generator of numbers, the same on every machine (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

fn query(game: &Value) -> Value {
    json!({ "start": game["start"], "moves": game["moves"], "rules": "asian", "number": 1, "lines": 1, "threat": false })
}

fn tree(game: &Value) -> Value {
    json!({ "start": game["start"], "tags": [], "result": "*", "nodes": [] })
}

/// Everything that the page asks for while a game is there: the name of the request and its fields.
fn request(numbers: &mut Numbers, game: &Value) -> (&'static str, Value) {
    let names = [
        "play",
        "play",
        "play",
        "play",
        "hint",
        "hint",
        "move-now",
        "move-now",
        "undo",
        "offer-draw",
        "resign",
        "new-game",
        "check-clock",
        "present",
        "answer-offer",
        "played-game",
        "position-facts",
        "analyse",
        "stop-analysis",
        "solve",
        "stop-solve",
        "list-games",
        "set-setting",
        "resume-game",
        "save-analysis",
        "leave",
    ];
    let name = *numbers.pick(&names);
    let fields = match name {
        "play" => match game["legal"].as_array() {
            Some(legal) if !legal.is_empty() => json!({ "move": numbers.pick(legal) }),
            _ => json!({ "move": "a3a4" }),
        },
        "new-game" => {
            let seat = *numbers.pick(&["red", "black", "red", "black", "both"]);
            let clock = *numbers.pick(&[None, Some("300+5")]);
            let strength = *numbers.pick(&["level 1", "time 600"]);
            json!({ "seat": seat, "strength": strength, "rules": "asian", "position": numbers.pick(&POSITIONS), "clock": clock })
        }
        "answer-offer" => json!({ "number": 1, "accept": true }),
        "position-facts" | "analyse" => query(game),
        "stop-analysis" => json!({ "number": 1 }),
        "solve" => {
            let mut fields = query(game);
            fields["seconds"] = 1.into();
            fields
        }
        "list-games" => json!({ "from": 0, "count": 5 }),
        "set-setting" => json!({ "name": "theme", "value": "dark" }),
        "save-analysis" => json!({ "tree": tree(game) }),
        _ => json!({}),
    };
    (name, fields)
}

/// Whether the game is over, or is the user's to go on with, or the engine is at it.
fn goes_on(game: &Value) -> bool {
    let has_moves = game["legal"].as_array().is_some_and(|legal| !legal.is_empty());
    !game["end"].is_null() || has_moves || game["thinking"] == true
}

/// One order of requests. Returns them, and what the game came to.
fn play_order(seed: u64) -> (Vec<String>, Value) {
    let mut numbers = Numbers(seed);
    let page = Page::open(Files::new());
    let mut asked = Vec::new();
    let mut ask = |page: &Page, name: &'static str, fields: Value| {
        let answer = page.ask(fields.clone(), name);
        asked.push(format!("{name} {fields} -> {answer}"));
        let error = &answer["error"];
        assert!(error.is_null() || error != "", "{answer}");
        if name == "leave" {
            page.open_again();
        }
        let game = page.last("game");
        assert!(goes_on(&game), "seed {seed}: nobody has to do anything: {asked:#?} {game:#}");
        let sent = answer.as_object().is_some_and(serde_json::Map::is_empty);
        if name == "hint" && sent && game["thinking"] == false {
            panic!("seed {seed}: a hint is asked for, and nobody looks for it: {asked:#?} {game:#}");
        }
    };
    let seat = *numbers.pick(&["red", "black"]);
    let position = *numbers.pick(&POSITIONS);
    let game = json!({ "seat": seat, "strength": "time 600", "rules": "asian", "position": position });
    ask(&page, "new-game", game);
    for _ in 0..3 + numbers.below(12) {
        // Between two requests a task has not begun, or searches, or ends.
        match numbers.below(4) {
            0 => {}
            1 => page.run_for(1 + numbers.below(3)),
            2 => page.run_for(4 + numbers.below(12)),
            _ => page.settle(),
        }
        let (name, fields) = request(&mut numbers, &page.last("game"));
        ask(&page, name, fields);
    }
    // What is asked for last comes, too: nothing else waits for it.
    page.settle();
    let game = page.last("game");
    if game["end"].is_null() {
        ask(&page, "hint", json!({}));
        page.settle();
        assert_eq!(page.last("hint")["turn"], game["turn"], "seed {seed}: no hint comes: {asked:#?}");
    }
    (asked, page.last("game"))
}

#[test]
fn game_never_hangs_in_any_order_of_requests() {
    let began = std::time::Instant::now();
    for seed in 0..ORDERS {
        let (asked, game) = play_order(seed);
        assert!(game["thinking"] == false && goes_on(&game), "seed {seed}: {asked:#?} {game:#}");
    }
    println!("{ORDERS} orders in {:.1} s", began.elapsed().as_secs_f32());
}

#[test]
fn request_that_cannot_be_met_says_why() {
    let page = Page::open(Files::new());
    let game = json!({ "seat": "black", "strength": "time 600", "rules": "asian", "position": START });
    page.ask(game, "new-game");
    let why = |name: &str| page.ask(json!({}), name)["error"].clone();
    for name in ["hint", "offer-draw"] {
        assert_eq!(why(name), "Chuhe is thinking: ask again when it has finished.", "{name}");
    }
    page.settle();
    assert_eq!(page.ask(json!({}), "resign"), json!({}));
    for name in ["hint", "offer-draw", "resign"] {
        assert_eq!(why(name), "The game is over.", "{name}");
    }
    assert_eq!(
        page.ask(json!({ "number": 1, "accept": true }), "answer-offer")["error"],
        "There is no offer any more."
    );
}
