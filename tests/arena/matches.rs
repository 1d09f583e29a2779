//! Regular matches: programs, in-process engines, round robin, gauntlet, SPRT.

use super::program::{report, two_engines};
use crate::common::{CHUHE, Folder};
use std::process::Command;
use xiangqi_record::{Game, pgn};

#[test]
fn round_robin_of_three_engines_is_played_from_a_configuration() {
    let folder = Folder::new();
    folder.write("strong.toml", "name = \"strong\"\nnodes = 300\n");
    let config = format!(
        "games = 2\ndepth = 1\nmax-moves = 30\nself = [\"strong.toml\"]\nresign = {{ moves = 2, score = 1500 }}\n\
         [[engine]]\nname = \"ucci\"\ncmd = '{CHUHE}'\nproto = \"ucci\"\noption = {{ hashsize = 1 }}\n\
         [[engine]]\nname = \"asked\"\ncmd = '{CHUHE}'\n"
    );
    folder.write("league.toml", config);
    let text = report(&folder, &["--config", "league.toml", "--pgn", "league.pgn", "--notation", "wxf"]);
    for line in ["strong - ucci: ", "strong - asked: ", "ucci - asked: "] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!text.contains("times"), "nobody failed: {text}");
    let record = folder.text("league.pgn");
    let games = pgn::read(&record);
    assert_eq!(games.len(), 6);
    for game in games {
        let game = game.expect("a readable game");
        assert_eq!(game.tag("Format"), Some("WXF"));
        assert_eq!(game.main_line_nodes().next().expect("moves").comment, "book");
        let last = &game[game.last()].comment;
        assert!(last.contains('/') && last.ends_with('s'), "{last}");
    }
}

#[test]
fn command_line_overrides_the_configuration() {
    let folder = two_engines("", "");
    folder.write("match.toml", "self = [\"a.toml\", \"b.toml\"]\ngames = 8\nnodes = 100\nmax-moves = 10\n");
    let text = report(&folder, &["--config", "match.toml", "--games", "2", "--json"]);
    assert_eq!(text.lines().count(), 3, "{text}");
    // So do options that replace others; repeatable options are added.
    folder.write("clock.toml", "self = [\"a.toml\"]\ntc = \"600\"\nopenings = \"nowhere.txt\"\ngames = 2\n");
    let words = ["--self", "b.toml", "--nodes", "50", "--random-openings", "1", "--max-moves", "5", "--json"];
    let text = report(&folder, &[&words[..], &["--config", "clock.toml"]].concat());
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("\"red\":\"b\",\"black\":\"a\""), "{text}");
}

#[test]
fn in_process_match_is_reproducible() {
    let folder = two_engines("hash_mb = 1\n", "hash_mb = 1\nnodes = 100\n");
    let words = ["--self", "a.toml", "b.toml", "--games", "6", "--nodes", "400", "--seed", "9", "--json"];
    let sorted = |more: &[&str]| {
        let text = report(&folder, &[&words[..], more].concat());
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&[]), sorted(&["--concurrency", "2"]));
    assert_ne!(sorted(&[]), sorted(&["--plies", "10"]));
}

#[test]
fn games_end_by_adjudication_and_by_length() {
    let folder = two_engines("", "");
    let words = ["--self", "a.toml", "b.toml", "--games", "2", "--nodes", "50"];
    let long = report(&folder, &[&words[..], &["--max-moves", "5"]].concat());
    assert_eq!(long.matches("1/2-1/2  (too long, 5 moves)").count(), 2, "{long}");
    let drawn = report(&folder, &[&words[..], &["--draw", "from=6,moves=2,score=100000"]].concat());
    assert_eq!(drawn.matches("1/2-1/2  (adjudicated by score, 6 moves)").count(), 2, "{drawn}");
}

#[test]
fn time_usage_is_reported_for_matches_and_for_records() {
    let folder = two_engines("skill = 0\nhash_mb = 1\n", "skill = 1\nhash_mb = 1\n");
    let words = ["--self", "a.toml", "b.toml", "--games", "2", "--max-moves", "25", "--margin", "60000"];
    let clocked = [&words[..], &["--tc", "600", "--pgn", "m.pgn"]].concat();
    let text = report(&folder, &clocked);
    let (_, paces) = text.split_once("\ns/move").expect("a table of times");
    assert!(paces.starts_with("   left "), "{paces}");
    // A game of such weak players may end early.
    let record = folder.text("m.pgn");
    let games: Vec<Game> = pgn::read(&record).into_iter().map(|game| game.expect("a readable game")).collect();
    let longest = |name: &str| {
        // Moves of the opening take no time.
        let moves = |game: &Game| {
            let first = usize::from(game.tag("Red") != Some(name));
            game.main_line_nodes().skip(first).step_by(2).filter(|node| node.comment != "book").count()
        };
        games.iter().map(moves).max().expect("games")
    };
    let told = report(&folder, &[&clocked[..], &["--resume", "--json"]].concat());
    let last: serde_json::Value = serde_json::from_str(told.trim()).expect("one line of JSON");
    for engine in last["engines"].as_array().expect("engines") {
        let left = engine["clock"]["left"].as_f64().expect("a part");
        let seconds = engine["clock"]["seconds"].as_array().expect("seconds by tens of moves");
        assert!((0.5..=1.0).contains(&left), "{engine}");
        let name = engine["name"].as_str().expect("a name");
        assert_eq!(seconds.len(), longest(name).div_ceil(10), "{engine}");
    }
    let unclocked = report(&folder, &[&words[..], &["--nodes", "100"]].concat());
    assert!(!unclocked.contains("s/move"), "{unclocked}");
}

#[test]
fn selfplay_is_reproducible_and_without_violations() {
    let words = ["selfplay", "--games", "6", "--nodes", "60", "--seed", "2"];
    let run = || Command::new(CHUHE).args(words).output().expect("chuhe runs");
    let (first, second) = (run(), run());
    assert!(first.status.success());
    let text = String::from_utf8_lossy(&first.stdout);
    assert!(text.starts_with("selfplay: 6 games, ") && text.ends_with(" 0 violations\n"), "{text}");
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn two_games_give_no_error_and_no_los() {
    let folder = two_engines("", "nodes = 20\n");
    let words = ["--self", "a.toml", "b.toml", "--games", "2", "--nodes", "2000", "--resign", "moves=2,score=500"];
    let text = report(&folder, &words);
    assert!(!text.contains("LOS") && !text.contains("± 0"), "{text}");
    let text = report(&folder, &[&words[..], &["--json"]].concat());
    let last = text.lines().last().unwrap_or("");
    assert!(last.contains("\"elo_error\":null") && last.contains("\"superiority\":null"), "{last}");
    assert!(!last.contains("_error\":0"), "{last}");
}

#[test]
fn gauntlet_table_has_a_row_with_error_for_each_opponent() {
    let folder = Folder::new();
    for (name, nodes) in [("a", 300), ("b", 20), ("c", 40)] {
        folder.write(&format!("{name}.toml"), format!("hash_mb = 1\nnodes = {nodes}\n"));
    }
    let words = ["--self", "a.toml", "b.toml", "c.toml", "--gauntlet", "--games", "4", "--max-moves", "12"];
    let text = report(&folder, &words);
    let (_, table) = text.split_once("against  games  points      %    +    =    -  Elo of a (95 %)\n").expect(&text);
    let rows: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(rows.len(), 2, "{text}");
    for (row, name) in rows.iter().zip(["b", "c"]) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(&words[..2], [name, "4"], "{text}");
    }
    assert!(!text.contains("a - b: +"), "the rows say it: {text}");
}
