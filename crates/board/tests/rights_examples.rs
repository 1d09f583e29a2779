//! An example of each kind of request: what is done before it, and its fields.

use crate::rights_board::{Board, Page, START, base64, game, game_of_two, pgn};
use chuhe_app::access::Access;
use chuhe_study::tactics;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;

/// Red mates in two.
const MATE: &str = "4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1";
/// In no book and no table.
const NO_BOOK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P2/1C5C1/9/RNBAKABNR w - - 0 1";

fn query(start: &str) -> Value {
    json!({ "start": start, "moves": [], "rules": "asian" })
}

fn with(mut fields: Value, more: Value) -> Value {
    let more = more.as_object().expect("fields").clone();
    fields.as_object_mut().expect("fields").extend(more);
    fields
}

/// A game that is in no list.
fn tree() -> Value {
    let node = |mv: &str| json!({ "parent": 0, "move": mv, "comment": "", "marks": [] });
    json!({ "start": START, "tags": [["Red", "戊"]], "result": "*", "nodes": [node(""), node("g3g4")] })
}

/// A file of tactics.
fn tactics_file() -> String {
    base64(tactics::write(&tactics::embedded()[..3]))
}

/// Does what an example needs before, as far as the page may, and returns its fields; nothing for a kind that is not known.
/// What is needed of the things that are kept is asked and done by the owner.
pub fn example(kind: &str, page: &Page, owner: &Page) -> Option<Value> {
    let begin = |seat: &str| {
        page.ask("new-game", game(seat));
        page.ask("play", json!({ "move": "h2e2" }));
    };
    let id = || owner.games().first().cloned().unwrap_or_default();
    let ids = || owner.games().into_iter().take(1).collect::<Vec<_>>();
    let card = || owner.cards().into_iter().find(|card| card["kind"] == "mistake").unwrap_or_default();
    let cards = || owner.cards().into_iter().take(1).map(|mut card| card["id"].take()).collect::<Vec<_>>();
    let settle = || page.board.settle(owner);
    let opened = |text: &str| {
        let tree = owner.ask("read-file", json!({ "bytes": base64(text), "name": "x.pgn" }))["tree"].take();
        if tree.is_null() { self::tree() } else { tree }
    };
    let review = |tree: &Value| {
        page.ask("review", json!({ "tree": tree, "rules": "asian", "time": 20 }));
        settle();
    };
    let other_game = || opened(&pgn("戊", "己", "G3-G4 G6-G5"));
    let tactic = || owner.ask("train tactic", json!({ "offset": 0 }))["id"].take();
    let ending = || {
        let shelves = owner.ask("train endings", json!({}))["shelves"].take();
        let is_held = |shelf: &&Value| shelf["offers"]["defend"] == true;
        let id = shelves.as_array().and_then(|all| Some(all.iter().find(is_held)?["id"].clone())).unwrap_or_default();
        json!({ "id": id, "side": "defend", "level": 3 })
    };
    let folder = || {
        owner.ask("list-games", json!({ "from": 0, "count": 1 }))["folders"]
            .get(0)
            .map_or(json!(1), |folder| folder["id"].clone())
    };
    Some(match kind {
        "play" => {
            page.ask("new-game", game("both"));
            json!({ "move": "h2e2" })
        }
        "undo" | "resign" | "offer-draw" | "hint" => {
            begin("both");
            json!({})
        }
        "answer-offer" => {
            page.ask("new-game", game_of_two());
            page.ask("play", json!({ "move": "h2e2" }));
            page.ask("offer-draw", json!({}));
            json!({ "number": 1, "accept": true })
        }
        "move-now" => {
            settle();
            page.ask("new-game", with(game("black"), json!({ "strength": "time 2", "position": NO_BOOK })));
            json!({})
        }
        "check-clock" => {
            page.ask("new-game", with(game("both"), json!({ "clock": "0.3" })));
            page.ask("play", json!({ "move": "h2e2" }));
            sleep(Duration::from_millis(320));
            json!({})
        }
        "new-game" => {
            begin("both");
            game("red")
        }
        "new-shared-game" => {
            begin("both");
            with(game_of_two(), json!({ "remote": "black" }))
        }
        "set-setting" => json!({ "name": "board", "value": "green" }),
        "allow-changes" => json!({ "allowed": true }),
        "save-analysis" | "keep-game" | "kept-review" => json!({ "tree": tree() }),
        "list-games" => json!({ "from": 0, "count": 5 }),
        "open-game" => json!({ "id": id() }),
        "replace-game" => json!({ "tree": tree(), "id": id() }),
        "rename-game" => json!({ "id": id(), "name": "Final" }),
        "delete-games" => json!({ "ids": ids() }),
        "restore-games" => {
            owner.ask("delete-games", json!({ "ids": ids() }));
            json!({})
        }
        "export-games" => json!({ "ids": ids(), "format": "pgn" }),
        "share-analysis" => {
            begin("both");
            page.ask("resign", json!({}));
            json!({ "tree": tree(), "line": [] })
        }
        "position-facts" | "played-here" => query(START),
        "analyse" => with(query(START), json!({ "number": 1, "lines": 1, "threat": false, "nodes": 1000 })),
        "stop-analysis" => json!({ "number": 1 }),
        "solve" => with(query(MATE), json!({ "number": 1, "seconds": 60, "nodes": 20_000 })),
        "solution-tree" => {
            page.ask("solve", with(query(MATE), json!({ "number": 1, "seconds": 60, "nodes": 20_000 })));
            settle();
            json!({ "all": false })
        }
        "read-file" => json!({ "bytes": base64(pgn("戊", "己", "G3-G4 G6-G5")), "name": "new.pgn" }),
        "write-file" => json!({ "tree": tree(), "format": "pgn" }),
        "picture" => with(query(START), json!({ "flipped": false, "arrows": [], "format": "svg", "style": {} })),
        "read-picture" => {
            let fields = json!({ "flipped": false, "arrows": [], "format": "png", "style": {} });
            json!({ "bytes": owner.ask("picture", with(query(START), fields))["bytes"] })
        }
        "review" => json!({ "tree": other_game(), "rules": "asian", "time": 20 }),
        "review-page" => {
            review(&tree());
            json!({})
        }
        "folders make" => json!({ "name": "Club" }),
        "folders rename" => json!({ "folder": folder(), "name": "Club" }),
        "folders delete" => json!({ "folder": folder() }),
        "folders put" => json!({ "ids": owner.games(), "folder": folder() }),
        "train today" | "train question" | "train rulings" | "train tactics" | "train tactic" => json!({ "offset": 0 }),
        "train try" => {
            let card = card();
            let question = owner.ask("train question", json!({ "offset": 0, "ids": [card["id"]] }))["question"].take();
            json!({ "id": card["id"], "move": question["legal"][0], "number": 1 })
        }
        "train hint" => json!({ "id": card()["id"], "step": 2 }),
        "train show" => json!({ "id": card()["id"] }),
        "train context" => json!({ "id": card()["id"], "answered": true }),
        "train answer" => json!({ "id": card()["id"], "rating": 3, "offset": 0 }),
        "train edit" => json!({ "id": card()["id"], "note": "x", "flagged": true, "deck": "y" }),
        "train drop" => json!({ "ids": cards() }),
        "train undrop" => {
            owner.ask("train drop", json!({ "ids": cards() }));
            json!({})
        }
        "train cards" => json!({ "offset": 0, "from": 0, "count": 5 }),
        "train learn" => {
            review(&other_game());
            json!({ "side": "red" })
        }
        "train export" => json!({ "answers": true }),
        "train import" => {
            let other = Board::used();
            let teacher = other.page(Access::Owner);
            teacher.ask("train learn", example("train learn", &teacher, &teacher)?);
            let bytes = teacher.ask("train export", json!({ "answers": false }))["bytes"].take();
            json!({ "bytes": bytes, "name": "deck.jsonl", "deck": "pupil" })
        }
        "train sheet" => json!({ "ids": cards(), "title": "x", "per_page": 4 }),
        "train add" => {
            owner.ask("train pause", json!({}));
            json!({ "games": ids() })
        }
        "train me" => json!({ "names": ["丙"] }),
        "train resume" => {
            owner.ask("train pause", json!({}));
            json!({})
        }
        "train cancel" => {
            owner.ask("train pause", json!({}));
            owner.ask("train add", json!({ "games": ids() }));
            json!({})
        }
        "train openings" => json!({ "side": "red", "moves": ["b2e2"], "offset": 0 }),
        "train openings-make" => {
            owner.ask("train openings-clear", json!({ "side": "red" }));
            json!({ "side": "red" })
        }
        "train openings-clear" => json!({ "side": "red" }),
        "train openings-mark" => json!({ "side": "black", "moves": ["h2e2", "h9g7"], "mark": "add" }),
        "train openings-file" => {
            json!({ "bytes": base64(pgn("戊", "己", "G3-G4 G6-G5")), "name": "x.pgn", "side": "red" })
        }
        "train openings-export" => json!({ "side": "red", "format": "pgn" }),
        "train openings-left" => json!({ "side": "red", "start": START, "moves": ["b2e2", "h9g7", "b0a2"] }),
        "train tactic-move" => json!({ "id": tactic(), "step": 0 }),
        "train tactic-answer" => json!({ "id": tactic(), "step": 0, "right": true, "rated": true, "offset": 0 }),
        "train own-level" => json!({ "first": 1450 }),
        "train tactic-run" => json!({ "solved": 1, "offset": 0 }),
        "train tactics-file" => json!({ "bytes": tactics_file(), "name": "mine.bin" }),
        "train tactics-own" => json!({ "bytes": tactics_file() }),
        "train tactics-close" => {
            owner.ask("train tactics-file", json!({ "bytes": tactics_file(), "name": "mine.bin" }));
            json!({})
        }
        "train ending" => ending(),
        "train ending-again" => {
            page.ask("train ending", ending());
            json!({})
        }
        "train ending-move" => {
            let played = page.ask("train ending", ending());
            let legal = played["legal"].as_array().cloned().unwrap_or_default();
            json!({ "move": legal.last().cloned().unwrap_or_else(|| "a0a1".into()) })
        }
        "train ruling-answer" => {
            let ruling = owner.ask("train rulings", json!({ "offset": 0 }))["ruling"].take();
            json!({ "id": ruling["id"], "key": ruling["choices"][0]["key"], "offset": 0 })
        }
        "present" | "resume-game" | "leave" | "game-ids" | "played-game" | "stop-solve" | "stop-review"
        | "review-room" | "train players" | "train pattern" | "train pause" | "train endings" => json!({}),
        _ => return None,
    })
}
