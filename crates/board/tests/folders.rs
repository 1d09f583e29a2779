//! The folders of the list of games: made, renamed, deleted, filled; that their games stay, and what is refused.

use chuhe_app::library::Library;
use chuhe_app::library::record::{GameId, Source, StoredGame};
use chuhe_testing::Folder;
use serde_json::{Value, json};
use std::sync::Arc;
use xiangqi::Position;
use xiangqi_record::Game;

fn open(folder: &Folder) -> Library {
    Library::new(folder.path("").into(), Arc::default())
}

fn stored(red: &str) -> StoredGame {
    let mut game = Game::from_moves(&Position::start(), ["h2e2".parse().expect("a move")]).expect("legal");
    game.set_tag("Red", red);
    StoredGame::new(&game, Source::Opened, "")
}

/// Changes folders; an error is told in English.
fn change(library: &Library, what: &str, fields: Value) -> Result<Value, String> {
    let folder = || serde_json::from_value(fields["folder"].clone()).expect("a number");
    let name = fields["name"].as_str().unwrap_or_default();
    let reply = match what {
        "make" => library.make_folder(name),
        "rename" => library.rename_folder(folder(), name),
        "delete" => library.delete_folder(folder()),
        _ => {
            let ids: Vec<GameId> = serde_json::from_value(fields["ids"].clone()).expect("numbers");
            library.put_into_folder(&ids, folder())
        }
    };
    reply.map(|reply| json!(reply)).map_err(|error| error.english())
}

fn list(library: &Library, fields: Value) -> Value {
    json!(library.list(&serde_json::from_value(fields).expect("a filter"), 0, 200))
}

/// The names of the folders with the numbers of their games.
fn folders(library: &Library) -> Vec<(String, u64)> {
    let folders = list(library, json!({}))["folders"].take();
    let folder = |folder: &Value| (folder["name"].as_str().map(str::to_string), folder["games"].as_u64());
    folders.as_array().expect("folders").iter().filter_map(|one| Some((folder(one).0?, folder(one).1?))).collect()
}

#[test]
fn games_are_put_into_folders_and_stay_when_these_go() {
    let disk = Folder::new();
    let library = open(&disk);
    // Games of several files of the list.
    let ids = library.add((0..600).map(|number| stored(&format!("player-{number}"))).collect()).expect("room");
    let made = change(&library, "make", json!({ "name": " 中炮 🐎  开局 " })).expect("a folder")["folder"].take();
    let other = change(&library, "make", json!({ "name": "Cup" })).expect("a folder")["folder"].take();
    let put = |library: &Library, ids: &[GameId], folder: &Value| {
        change(library, "put", json!({ "ids": ids, "folder": folder })).expect("a folder")["count"].take()
    };
    assert_eq!(put(&library, &ids[..400], &made), 400);
    assert_eq!(put(&library, &ids[399..401], &other), 2);
    let expected = [("Cup".to_string(), 2), ("中炮 🐎 开局".to_string(), 399)];
    assert_eq!(folders(&library), expected);
    let library = open(&disk);
    assert_eq!(folders(&library), expected, "after a restart");
    let found = |library: &Library, folder: &Value| list(library, json!({ "folder": folder }))["found"].take();
    assert_eq!(
        (found(&library, &made), found(&library, &other), found(&library, &json!(0))),
        (json!(399), json!(2), json!(199))
    );
    // What is written into a game, and a game that comes back, leave it where it is.
    library.put(Some(ids[400]), stored("changed")).expect("room");
    library.remove(&ids[399..400]).expect("a game");
    assert_eq!(found(&library, &other), 1);
    library.restore().expect("a game");
    assert_eq!(found(&library, &other), 2);
    change(&library, "rename", json!({ "folder": other, "name": "Trophée" })).expect("a name");
    change(&library, "delete", json!({ "folder": made })).expect("a folder");
    assert_eq!((folders(&library), found(&library, &json!(0))), (vec![("Trophée".to_string(), 2)], json!(598)));
    // A new folder gets none of the games of one that was deleted, whether the program was restarted or not.
    for library in [&library, &open(&disk)] {
        let new =
            change(library, "make", json!({ "name": format!("new {}", folders(library).len()) })).expect("a folder");
        assert_eq!((found(library, &new["folder"]), list(library, json!({}))["total"].take()), (json!(0), json!(600)));
    }
    assert_eq!(put(&open(&disk), &ids[399..401], &json!(0)), 2);
    assert_eq!(found(&open(&disk), &json!(0)), 600);
}

#[test]
fn names_have_no_marks_that_turn_or_hide_text() {
    let disk = Folder::new();
    let library = open(&disk);
    change(&library, "make", json!({ "name": "\u{202E}pu\u{200B}C\u{2066}" })).expect("a folder");
    assert_eq!(folders(&library), [("puC".to_string(), 0)]);
    // What is left of a name is what others are compared with.
    assert!(change(&library, "make", json!({ "name": "pu\u{2060}C" })).expect_err("there").contains("puC"));
    assert!(change(&library, "make", json!({ "name": "\u{202E}\u{FEFF} \u{E0041}" })).is_err());
    let mut game = Game::new(&Position::start());
    game.set_tag("Red", "\u{202E}nwod");
    game.set_tag("Event", "a\u{200F}b\nc");
    let stored = StoredGame::new(&game, Source::Opened, "\u{202D}x.pgn");
    assert_eq!((&*stored.about.red, &*stored.about.event, &*stored.about.file), ("nwod", "ab c", "x.pgn"));
    library.add(vec![stored]).expect("room");
    assert_eq!(list(&library, json!({}))["games"][0]["red"], "nwod");
}

#[test]
fn folders_that_are_not_there_are_refused_with_a_sentence() {
    let disk = Folder::new();
    let library = open(&disk);
    for (what, fields) in [
        ("rename", json!({ "folder": 99, "name": "x" })),
        ("delete", json!({ "folder": 99 })),
        ("put", json!({ "ids": [], "folder": 99 })),
    ] {
        assert!(change(&library, what, fields).expect_err(what).contains("not there any more"));
    }
}
