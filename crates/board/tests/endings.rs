//! Endings and rulings through the requests of pages.

use crate::inline_board::{Asks, Files, Page, ServedPage};
use chuhe_app::context::AppContext;
use chuhe_app::save_store::SaveStore;
use chuhe_engine::tablebase::{Material, ProbeResult, TableBuilder, TableFormat, Tablebase, table_path};
use chuhe_testing::Folder;
use serde_json::{Value, json};
use std::sync::Arc;
use xiangqi::{Move, Position};

fn page() -> Page {
    Page::open(Files::new())
}

/// The position of an ending on a page.
fn position_of(view: &Value) -> Position {
    let mut position = Position::from_fen(view["start"].as_str().expect("a FEN")).expect("a position");
    for mv in view["moves"].as_array().expect("moves") {
        position.play(mv.as_str().expect("a move").parse().expect("a move")).expect("a legal move");
    }
    position
}

/// The position after a move.
fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// The moves after which the tables say that the other side loses, or does not win, and the others.
fn by_result(tables: &Tablebase, position: &Position, is_win: bool) -> (Vec<Move>, Vec<Move>) {
    position.legal_moves().into_iter().partition(|&mv| match tables.probe(&after(position, mv)) {
        Some(ProbeResult::Loss(_)) => true,
        Some(ProbeResult::Win(_)) => false,
        _ => !is_win,
    })
}

#[test]
fn endings_are_on_shelves_with_grades() {
    let page = page();
    let shelves = page.train("endings", json!({}))["shelves"].take();
    let all = shelves.as_array().expect("shelves");
    assert_eq!(all.len(), 108);
    let rook = all.iter().find(|shelf| shelf["id"] == "KRKAA").expect("a shelf");
    assert_eq!(rook["name"], "lone rook against two advisors");
    assert_eq!((&rook["grade"], &rook["red"], &rook["black"]), (&json!("won"), &json!("KR"), &json!("KAA")));
    assert_eq!(rook["offers"], json!({ "attack": true, "defend": false }));
    assert_eq!(rook["passes"], json!({ "attack": 0, "defend": 0, "needed": 2 }));
}

#[test]
fn endings_of_table_files_are_on_shelves_and_are_defended_longest() {
    let folder = Folder::new();
    let write = |name: &str, bytes: &[u8]| {
        let path = table_path(folder.root(), name.parse().expect("a material"));
        std::fs::write(path, bytes).expect("a file");
    };
    let mut builder = TableBuilder::new(2);
    for name in ["KPK", "KPPK"] {
        let material: Material = name.parse().expect("a material");
        write(name, &builder.encode(material, TableFormat::Dtm).expect("a table").bytes);
    }
    // A damaged one, and one with captures that lead to no table.
    write("KPKP", b"rubbish");
    write("KRPKA", &builder.encode("KPPK".parse().expect("a material"), TableFormat::Dtm).expect("a table").bytes);
    let tables = Arc::new(Tablebase::open(&[folder.root().to_path_buf()]));
    let mut app = AppContext::new("test", SaveStore::disabled());
    app.resources.tablebases = Arc::clone(&tables);
    let page = ServedPage::of(app);
    let shelves = page.train("endings", json!({}))["shelves"].take();
    let all = shelves.as_array().expect("shelves");
    assert_eq!(all.len(), 109);
    assert_eq!((&all[108]["id"], &all[108]["name"]), (&json!("KPPK"), &json!("two pawns against bare king")));
    assert_eq!(all[108]["grade"], "won");
    let mut replies = 0;
    for _ in 0..4 {
        let mut view = page.train("ending", json!({ "id": "KPPK", "side": "attack", "level": 3 }));
        // Any move that keeps the win, so that the mate is far away at times.
        while view["state"] == "on" && replies < 60 {
            let mut position = position_of(&view);
            let (kept, _) = by_result(&tables, &position, true);
            let mv = kept[replies % kept.len()];
            view = page.train("ending-move", json!({ "move": mv.to_string() }));
            position.play(mv).expect("a legal move");
            if view["state"] == "on" {
                let left = tables.probe(&position).and_then(ProbeResult::plies).expect("a distance");
                let after = position_of(&view);
                assert_eq!(tables.probe(&after).and_then(ProbeResult::plies), Some(left - 1), "{after}");
                replies += 1;
            }
        }
    }
    assert!(replies >= 10, "{replies}");
}

#[test]
fn a_fault_becomes_a_card_and_the_ending_goes_on_before_it() {
    let page = page();
    // A position in which some moves give the win away, and one keeps it without ending the game.
    let (view, fault, kept) = (0..60)
        .find_map(|_| {
            let view = page.train("ending", json!({ "id": "KPK", "side": "attack", "level": 3 }));
            let position = position_of(&view);
            let (kept, faults) = by_result(&Tablebase::built_in(), &position, true);
            let goes_on = |&mv: &Move| after(&position, mv).has_legal_move();
            Some((view, *faults.first()?, kept.into_iter().find(goes_on)?))
        })
        .expect("a fault is possible");
    assert_eq!((&view["side"], &view["goal"], &view["state"]), (&json!("red"), &json!("win"), &json!("on")));
    let spoiled = page.train("ending-move", json!({ "move": fault.to_string() }));
    assert_eq!((&spoiled["state"], &spoiled["legal"]), (&json!("spoiled"), &json!([])));
    assert!(spoiled["sentence"].as_str().is_some_and(|text| text.starts_with("Move 1, ")), "{spoiled}");
    let cards = page.train("cards", json!({ "offset": 0, "kind": "ending", "from": 0, "count": 9 }));
    assert_eq!((&cards["found"], &cards["cards"][0]["title"]), (&json!(1), &json!("lone pawn against bare king")));
    let again = page.train("ending-again", json!({}));
    assert_eq!((&again["moves"], &again["state"]), (&json!([]), &json!("on")));
    let on = page.train("ending-move", json!({ "move": kept.to_string() }));
    assert_eq!(on["moves"].as_array().map(Vec::len), Some(2), "the program replies: {on}");
    // What the table calls wrong is wrong in the exercise, too.
    let question = page.train("question", json!({ "offset": 0, "kind": "ending" }))["question"].take();
    assert_eq!(question["played"]["iccs"], fault.to_string());
}

#[test]
fn an_ending_is_passed_when_it_was_held_twice() {
    let page = page();
    for round in 0..2 {
        let mut view = page.train("ending", json!({ "id": "KPKAABB", "side": "defend", "level": 1 }));
        assert_eq!((&view["side"], &view["goal"]), (&json!("black"), &json!("hold")));
        while view["state"] == "on" {
            let (kept, _) = by_result(&Tablebase::built_in(), &position_of(&view), false);
            view = page.train("ending-move", json!({ "move": kept[0].to_string() }));
        }
        assert_eq!(view["state"], "passed", "{view}");
        let shelves = page.train("endings", json!({}))["shelves"].take();
        let shelf = shelves.as_array().and_then(|all| all.iter().find(|shelf| shelf["id"] == "KPKAABB"));
        assert_eq!(shelf.map(|shelf| shelf["passes"]["defend"].clone()), Some(json!(round + 1)));
    }
}

#[test]
fn requests_of_endings_that_make_no_sense_are_refused() {
    let page = page();
    let refused = |what: &str, fields: Value| page.train(what, fields)["error"].is_string();
    assert!(refused("ending-move", json!({ "move": "e0e1" })) && refused("ending-again", json!({})));
    assert!(refused("ending", json!({ "id": "KQK", "side": "attack", "level": 1 })));
    assert!(refused("ending", json!({ "id": "KCK", "side": "attack", "level": 1 })), "it is never won");
    page.train("ending", json!({ "id": "KRK", "side": "attack", "level": 9 }));
    assert!(refused("ending-move", json!({ "move": "a0a0" })) && refused("ending-move", json!({ "move": "nonsense" })));
    assert!(refused("ruling-answer", json!({ "id": "F0", "key": "draw", "offset": 0 })));
}

#[test]
fn rulings_are_asked_once_and_come_back_when_they_are_due() {
    let page = page();
    let ask = |after: Value| page.train("rulings", json!({ "offset": 0, "after": after }))["ruling"].take();
    let first = ask(Value::Null);
    assert_eq!((&first["left"], first["choices"].as_array().map(Vec::len)), (&json!(60), Some(3)));
    assert_ne!(ask(first["id"].clone())["id"], first["id"]);
    let start = Position::from_fen(first["fen"].as_str().expect("a FEN")).expect("a position");
    let mut position = start.clone();
    for mv in first["moves"].as_array().expect("moves") {
        position.play(mv.as_str().expect("a move").parse().expect("a move")).expect("a legal move");
    }
    let answer = |key: &str| page.train("ruling-answer", json!({ "id": first["id"], "key": key, "offset": 0 }));
    let verdict = answer("draw");
    assert_eq!(verdict["right"], verdict["answer"] == "draw");
    assert!(verdict["sentence"].as_str().is_some_and(|text| text.contains("wins")), "{verdict}");
    // What each move of the repetition does, with what it threatens to play.
    let deeds = verdict["deeds"].as_array().expect("deeds");
    let played: Vec<&Value> = deeds.iter().map(|deed| &deed["move"]["iccs"]).collect();
    let moves = first["moves"].as_array().expect("moves");
    assert_eq!(played, moves.iter().skip(moves.len() - deeds.len()).collect::<Vec<_>>());
    assert!(deeds.len() >= 4 && deeds.iter().any(|deed| deed["text"].as_str().is_some_and(|t| t.contains("chase"))));
    (0..deeds.len()).for_each(|_| position.undo());
    for deed in deeds {
        let mover = position.side();
        position.play(deed["move"]["iccs"].as_str().expect("a move").parse().expect("a move")).expect("a legal move");
        for threat in deed["threats"].as_array().expect("threats") {
            let threat: xiangqi::Move = threat.as_str().expect("a move").parse().expect("a move");
            let color = |at| position.piece_at(at).map(|piece| piece.color());
            assert!(color(threat.from()) == Some(mover) && color(threat.to()) != Some(mover), "{deed}");
        }
    }
    let next = ask(Value::Null);
    assert_ne!(next["id"], first["id"], "it is due later");
    assert_eq!(next["left"], 59);
    let cards = page.train("cards", json!({ "offset": 0, "kind": "ruling", "from": 0, "count": 9 }));
    assert_eq!((&cards["found"], &cards["cards"][0]["answers"]), (&json!(1), &json!(1)));
}
