//! The library: what it lists and finds, and that nothing is lost, doubled or torn, whatever fails.

use chuhe_app::library::record::{GameId, Source, StoredGame};
use chuhe_app::library::{GameFilter, Library};
use chuhe_testing::Folder;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use xiangqi_record::{Game, GameResult, RecordFile};

fn open(folder: &Folder) -> Library {
    Library::new(folder.path("").into(), Arc::default())
}

/// A game of two moves between these players.
fn game(red: &str, black: &str, result: &str) -> Game {
    let pgn = format!("[Red \"{red}\"]\n[Black \"{black}\"]\n[Date \"2026.11.20\"]\n\n1. H2-E2 H9-G7 {result}\n");
    let file = RecordFile::read(pgn.into_bytes());
    let game = file.games().next().expect("a game").expect("a sound one").game;
    assert_eq!(game.result, GameResult::from_token(result).expect("a result"));
    game
}

fn stored(red: &str) -> StoredGame {
    StoredGame::new(&game(red, "乙", "1-0"), Source::Opened, "cup.pgn")
}

fn filter(fields: Value) -> GameFilter {
    serde_json::from_value(fields).expect("a filter")
}

fn list(library: &Library, fields: Value) -> Value {
    serde_json::to_value(library.list(&filter(fields), 0, 200)).expect("JSON")
}

/// The red players of the list, the latest first.
fn players(library: &Library) -> Vec<String> {
    let games = list(library, json!({}))["games"].take();
    games.as_array().expect("games").iter().map(|game| game["red"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn library_lists_the_latest_first_and_finds_by_words_result_and_source() {
    let folder = Folder::new();
    let library = open(&folder);
    library.add(vec![stored("王天一"), stored("郑惟桐")]).expect("room");
    let played = StoredGame::new(&game("Player", "Chuhe 1, level 3", "0-1"), Source::Played, "");
    library.put(None, played).expect("room");
    let library = open(&folder);
    assert_eq!(players(&library), ["Player", "王天一", "郑惟桐"], "a file keeps its order");
    let shown = list(&library, json!({ "search": "王天" }));
    assert_eq!((&shown["total"], &shown["found"]), (&json!(3), &json!(1)));
    let row = &shown["games"][0];
    assert_eq!((&row["moves"], &row["result"], &row["last"]), (&json!(2), &json!("1-0"), &json!("h9g7")));
    assert_eq!((&row["file"], &row["date"]), (&json!("cup.pgn"), &json!("2026.11.20")));
    assert_eq!(row["opening"], "Central Cannon", "{row}");
    let names = |sort: &str| {
        let games = list(&library, json!({ "sort": sort }))["games"].take();
        games
            .as_array()
            .expect("games")
            .iter()
            .map(|game| game["red"].as_str().unwrap_or_default().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("oldest"), ["郑惟桐", "王天一", "Player"]);
    assert_eq!(names("name"), ["Player", "王天一", "郑惟桐"]);
    for (fields, found) in [
        (json!({ "search": "CUP 郑" }), 1),
        (json!({ "search": "cup nobody" }), 0),
        (json!({ "search": "中炮" }), 3),
        (json!({ "search": "level 3" }), 1),
        (json!({ "result": "1-0" }), 2),
        (json!({ "result": "0-1", "source": "played" }), 1),
        (json!({ "source": "kept" }), 0),
    ] {
        assert_eq!(list(&library, fields.clone())["found"], found, "{fields}");
        assert_eq!(library.ids(&filter(fields)).len(), found);
    }
}

#[test]
fn thousands_of_games_are_kept_and_read_a_part_at_a_time() {
    let folder = Folder::new();
    let games = (0..2000).map(|number| stored(&format!("player-{number:04}"))).collect();
    let ids = open(&folder).add(games).expect("room");
    assert_eq!(ids.len(), 2000);
    let library = open(&folder);
    let part = serde_json::to_value(library.list(&GameFilter::default(), 1990, 50)).expect("JSON");
    assert_eq!(
        (&part["total"], &part["from"], part["games"].as_array().map(Vec::len)),
        (&json!(2000), &json!(1990), Some(10))
    );
    assert_eq!(part["games"][9]["red"], "player-1999");
    let far = serde_json::to_value(library.list(&GameFilter::default(), 9999, 50)).expect("JSON");
    assert_eq!(far["games"], json!([]));
    assert_eq!(library.get(ids[7]).expect("a game").0.tag("Red"), Some("player-0007"));
    // The same file again adds nothing.
    let again = (0..2000).map(|number| stored(&format!("player-{number:04}"))).collect();
    assert_eq!(library.add(again).expect("room"), ids);
    assert_eq!(list(&library, json!({}))["total"], 2000);
}

#[test]
fn game_with_the_highest_number_leaves_numbers_to_others() {
    for highest in ["99999999999999999", "99999999999999998"] {
        let folder = Folder::new();
        let library = open(&folder);
        let ids = library.add(vec![stored("first"), stored("second")]).expect("room");
        let file = "library/000001.games";
        let text = folder.text(file).replace(&ids[0].to_string(), highest);
        folder.write(file, text);
        let library = open(&folder);
        let added = library.add((0..3).map(|number| stored(&format!("later {number}"))).collect()).expect("room");
        library.add(vec![stored("last")]).expect("room");
        let library = open(&folder);
        assert_eq!(players(&library).len(), 6, "{highest}: {:?}", players(&library));
        for id in added {
            let red = library.get(id).expect("it is there").0.tag("Red").unwrap_or_default().to_string();
            assert!(id <= GameId::LAST && red.starts_with("later"), "{id} {red}");
        }
    }
}

#[test]
fn removed_games_come_back_to_their_places() {
    let folder = Folder::new();
    let library = open(&folder);
    let ids = library.add(vec![stored("a"), stored("b"), stored("c"), stored("d")]).expect("room");
    library.rename(ids[1], "The best one").expect("room");
    assert_eq!(library.remove(&[ids[1], ids[3], GameId(7)]).expect("room"), 2);
    assert_eq!(players(&library), ["a", "c"]);
    assert!(library.get(ids[1]).is_err());
    assert_eq!(library.restore().expect("room"), 2);
    assert_eq!(library.restore().expect("room"), 0);
    let library = open(&folder);
    assert_eq!(players(&library), ["a", "b", "c", "d"]);
    assert_eq!(list(&library, json!({ "search": "best" }))["games"][0]["red"], "b");
    assert_eq!(library.remove(&ids).expect("room"), 4);
    assert!(fs::read_dir(folder.path("library")).expect("a folder").next().is_none(), "no empty files");
}

#[test]
fn games_of_earlier_versions_and_of_the_terminal_are_taken_over_once() {
    let folder = Folder::new();
    let node = |mv| json!({ "parent": 0, "move": mv, "comment": "seen", "marks": [1] });
    let tree = json!({ "start": xiangqi::fen::START_FEN, "tags": [["Red", "analysed"]], "result": "*",
        "nodes": [node(""), node("h2e2")] });
    fs::create_dir(folder.path("analysed")).expect("a folder");
    folder.write("analysed/20261123101112000.json", tree.to_string());
    folder
        .write("games.pgn", xiangqi_record::pgn::write(&game("archived", "x", "0-1"), xiangqi_record::Notation::Iccs));
    for _ in 0..2 {
        let library = open(&folder);
        assert_eq!(players(&library), ["archived", "analysed"]);
        let (analysed, about) = library.get(GameId(20_261_123_101_112_000)).expect("under its number");
        assert_eq!((about.source, about.date.as_str()), (Source::Kept, "2026.11.23"));
        assert_eq!(analysed[analysed.last()].comment, "seen");
        assert!(!folder.path("analysed/20261123101112000.json").exists());
    }
    let library = open(&folder);
    let archived = library.ids(&filter(json!({ "search": "archived" })));
    library.remove(&archived).expect("room");
    assert_eq!(players(&open(&folder)), ["analysed"], "what was deleted stays deleted");
}

/// In builds with assertions each step of the disk can be made to fail.
#[cfg(debug_assertions)]
#[test]
fn file_of_games_is_kept_whole_or_not_at_all_whatever_step_fails() {
    use chuhe_support::files::{Failing, set_failing};
    for index in 0.. {
        let folder = Folder::new();
        let library = open(&folder);
        library.put(None, stored("first")).expect("room");
        set_failing(Failing::Once(index));
        let many = (0..400).map(|number| stored(&format!("p{number}"))).collect();
        let outcome = library.add(many);
        let steps = set_failing(Failing::None);
        let count = if outcome.is_ok() { 401 } else { 1 };
        assert_eq!(list(&library, json!({}))["total"], count, "step {index}");
        assert_eq!(list(&open(&folder), json!({}))["total"], count, "step {index}");
        // A removal that fails loses nothing that it does not name.
        set_failing(Failing::Once(index));
        let all = library.ids(&filter(json!({ "search": "first" })));
        let removed = library.remove(&all).unwrap_or(0);
        set_failing(Failing::None);
        assert_eq!(list(&open(&folder), json!({}))["total"], count - removed, "step {index}");
        if steps <= index {
            break;
        }
    }
}
