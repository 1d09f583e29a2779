//! `chuhe explore`: what people and scripts get from files and from an index.

use crate::common::{Folder, answered, refusal, stderr, stdout, success};
use serde_json::Value;

const GAMES: &str = "\
[Red \"王嘉良\"]\n[Black \"B\"]\n[Date \"2020.05.01\"]\n[Result \"1-0\"]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n\n\
[Red \"C\"]\n[Black \"王嘉良\"]\n[Date \"2021.05.01\"]\n[Result \"0-1\"]\n\n1. B2-E2 B9-C7 0-1\n\n\
[Red \"D\"]\n[Black \"E\"]\n[Result \"1/2-1/2\"]\n\n1. H2-E2 B9-C7 1/2-1/2\n\n\
[Red \"D\"]\n[Black \"E\"]\n[Result \"*\"]\n\n1. C3-C4 *\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("a line of JSON")
}

/// The moves of an answer, with games, results and score.
fn moves(answer: &Value) -> Vec<String> {
    let one = |entry: &Value| {
        let words = ["move", "games", "red", "draws", "black", "score"].map(|name| entry[name].to_string());
        words.join(" ").replace('"', "")
    };
    answer["moves"].as_array().expect("moves").iter().map(one).collect()
}

#[test]
fn mirrored_games_count_with_the_move_as_it_is_on_this_side() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    for index in [&[][..], &["--index", "index"]] {
        let ask = |words: &[&str]| {
            json(&success(&folder.chuhe(&[&["explore", "games.pgn", "--json"], index, words].concat())))
        };
        let start = ask(&[]);
        assert_eq!(start["games"], 4);
        assert_eq!(moves(&start), ["h2e2 2 1 1 0 0.75", "b2e2 1 0 0 1 0.0", "c3c4 1 0 0 0 null"]);
        // The second game is the mirror image: its B9-C7 is H9-G7 here.
        let cannon = ask(&["--position", "startpos moves h2e2"]);
        assert_eq!(moves(&cannon), ["h9g7 2 1 0 1 0.5", "b9c7 1 0 1 0 0.5"]);
        assert_eq!(cannon["opening"]["chinese"], "中炮");
        let mirrored = ask(&["--position", "炮八平五"]);
        assert_eq!(moves(&mirrored), ["b9c7 2 1 0 1 0.5", "h9g7 1 0 1 0 0.5"]);
        let of_player = ask(&["--player", "王嘉良", "--colour", "黑方", "--games", "3"]);
        assert_eq!(moves(&of_player), ["b2e2 1 0 0 1 0.0"]);
        assert_eq!(of_player["list"][0]["game"], 2);
        assert_eq!(of_player["list"][0]["date"], "2021-05-01");
        assert_eq!(moves(&ask(&["--until", "2020"])), ["h2e2 1 1 0 0 1.0"]);
        assert_eq!(moves(&ask(&["--result", "*"])), ["c3c4 1 0 0 0 null"]);
        assert_eq!(ask(&["--source", "elsewhere"])["games"], 0);
    }
}

#[test]
fn index_answers_without_games_and_reads_only_what_is_new() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    assert!(refusal(&folder.chuhe(&["explore", "--index", "index"])).contains("there is no index of games yet"));
    success(&folder.chuhe(&["explore", "games.pgn", "--index", "index"]));
    folder.write("games.pgn", format!("{GAMES}\n[Red \"New\"]\n\n1. H2-E2 1-0\n"));
    success(&folder.chuhe(&["explore", "games.pgn", "--index", "index"]));
    let csv = success(&folder.chuhe(&["explore", "--index", "index", "--csv"]));
    assert_eq!(csv.lines().next(), Some("move,games,red,draws,black,score,last"));
    assert_eq!(csv.lines().nth(1), Some("h2e2,3,2,1,0,0.8333,2020-05-01"));
    let text = success(&folder.chuhe(&["explore", "--index", "index", "--lang", "zh", "--games", "1"]));
    assert!(text.contains("炮二平五") && text.contains("王嘉良") && text.contains("第 2 盘"), "{text}");
    let english = success(&folder.chuhe(&["explore", "--index", "index", "--position", "h2e2"]));
    assert!(english.contains("Central Cannon") && english.contains("black's score"), "{english}");
    let unseen = success(&folder.chuhe(&["explore", "--index", "index", "--position", "a0a1"]));
    assert!(unseen.contains("no game reached this position"), "{unseen}");
    folder.write("index/foreign.txt", "");
    success(&folder.chuhe(&["explore", "games.pgn", "--index", "index"]));
}

#[test]
fn explore_refuses_what_it_cannot_use() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    std::fs::create_dir(folder.path("other")).expect("a folder");
    folder.write("other/mine.txt", "mine");
    folder.write("torn.pgn", "[Red \"a\"]\n\n1. H2-E2 A0-A9 1-0\n");
    let refuses = |words: &[&str], reason: &str| {
        let message = refusal(&folder.chuhe(&[&["explore"], words].concat()));
        assert!(message.contains(reason), "{words:?}: {message}");
    };
    refuses(&[], "GAMES");
    refuses(&["missing.pgn"], "missing.pgn");
    refuses(&["games.pgn", "--index", "other"], "holds something else");
    refuses(&["games.pgn", "--index", "games.pgn"], "games.pgn");
    refuses(&["-", "--index", "index"], "an index takes files");
    refuses(&["games.pgn", "--position", "a0a5"], "a0a5");
    refuses(&["games.pgn", "--since", "yesterday"], "is no date");
    refuses(&["games.pgn", "--result", "won"], "is no result");
    refuses(&["games.pgn", "--colour", "red"], "--player");
    refuses(&["games.pgn", "--player", "x", "--colour", "green"], "is no side");
    let torn = folder.chuhe(&["explore", "torn.pgn", "--json"]);
    assert_eq!(torn.status.code(), Some(1), "{}", stderr(&torn));
    assert_eq!(json(&stdout(&torn))["games"], 1, "what is sound of it counts");
    let piped = answered(&mut folder.command(&["explore", "-", "--json"]), GAMES.as_bytes());
    assert_eq!(json(&success(&piped))["games"], 4);
}
