//! What a match reports of its times, and a pair of games that is none; `transcripts::arena` has the rest.

use super::program::{complaint, report, two_engines};
use crate::common::Folder;
use chuhe_lab::arena::parse::{parse_engine, parse_sprt};
use chuhe_lab::arena::spec::{Budget, EngineProtocol, EngineSource, RankBase, TimeControl};
use std::time::Duration;
use xiangqi_record::{Game, pgn};

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
}

/// The two games of a pair have different openings, for example from different builds.
#[test]
fn pair_with_two_openings_is_not_merged() {
    let folder = two_engines("hash_mb = 1\n", "hash_mb = 1\nnodes = 20\n");
    let play = |shard: &str, file: &str| {
        let words = ["--self", "a.toml", "b.toml", "--games", "18", "--nodes", "60", "--shard", shard, "--pgn", file];
        report(&folder, &words);
        let text = folder.text(file);
        text.split_at(text.rfind("[Game ").expect("two games")).1.to_string()
    };
    let (own, other) = (play("1/9", "1.pgn"), play("2/9", "2.pgn").replace("[Round \"4\"]", "[Round \"2\"]"));
    assert_ne!(own, other);
    folder.write("mixed.pgn", folder.text("1.pgn").replace(&own, &other));
    let told = complaint(&folder, &["--merge", "mixed.pgn"]);
    assert!(told.contains("game 2 cannot be counted together with the others: it has another opening"), "{told}");
}

#[test]
fn engine_is_parsed_from_its_keys() {
    let text = "name=B,cmd=fairy-stockfish -x,arg=a\\,b,proto=uci,ranks=1-10,option.UCI_Variant=xiangqi,nodes=500";
    let engine = parse_engine(text).expect("an engine");
    assert_eq!((engine.name.as_str(), engine.budget), ("B", Some(Budget::Nodes(500))));
    let EngineSource::Program(program) = engine.driver else { panic!("a program") };
    assert_eq!(program.command, "fairy-stockfish");
    assert_eq!(program.arguments, ["-x", "a,b"]);
    assert_eq!((program.protocol, program.ranks), (Some(EngineProtocol::Uci), Some(RankBase::One)));
    assert_eq!(program.options, [("UCI_Variant".to_string(), "xiangqi".to_string())]);
}

#[test]
fn engine_without_a_name_gets_that_of_its_program() {
    assert_eq!(parse_engine("cmd=/usr/bin/best.exe").expect("an engine").name, "best");
}

#[test]
fn blanks_in_paths_survive() {
    let folder = Folder::new();
    let words = |text: &str| {
        let EngineSource::Program(program) = parse_engine(text).expect(text).driver else { panic!("a program") };
        [vec![program.command], program.arguments].concat()
    };
    assert_eq!(words("cmd=\"/My Engines/x\" -a 'b c' d\"e f\""), ["/My Engines/x", "-a", "b c", "de f"]);
    assert_eq!(words("cmd=\"/My, Engines/x\",arg=y z"), ["/My, Engines/x", "y z"]);
    assert_eq!(parse_engine("name=\"A, new\",cmd=x").expect("an engine").name, "A, new");
    assert_eq!(words(r"cmd=C:\engines\x.exe -q"), [r"C:\engines\x.exe", "-q"]);
    assert_eq!(words("cmd=x ''"), ["x", ""]);
    // Without quotes, too, if the file exists.
    let path = folder.write("my engine", "").display().to_string();
    assert_eq!(words(&format!("cmd={path},arg=a")), [path.as_str(), "a"]);
    assert_eq!(words(&format!("cmd={path} a")).len(), 3);
    let complaint = parse_engine("cmd='x").expect_err("an open quote").to_string();
    assert_eq!(complaint, "cmd: ''x' is not a command with all quotes closed");
}

#[cfg(unix)]
#[test]
fn program_in_a_folder_with_blanks_plays_from_the_command_line_and_from_a_file() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("My Engines")).expect("a folder");
    let deed = "[ \"$#$1\" = '1b c' ] && echo nobestmove";
    let path = super::program::engine(&folder, "My Engines/x", deed);
    let engine = format!("name=a,cmd='{path}' 'b c'");
    let config =
        format!("games = 2\nnodes = 9\n[[engine]]\nname = \"b\"\nproto = \"ucci\"\ncmd = [\"{path}\", \"b c\"]\n");
    folder.write("two.toml", config);
    let text = super::program::report(&folder, &["--engine", &engine, "--config", "two.toml"]);
    assert!(text.contains("(red resigns, 4 moves)"), "{text}");
}

#[test]
fn time_controls_are_parsed() {
    let seconds = Duration::from_secs_f64;
    let plain = TimeControl { base: seconds(10.0), increment: seconds(0.1), moves: None };
    assert_eq!("10+0.1".parse::<TimeControl>(), Ok(plain));
    let staged = TimeControl { base: seconds(60.0), increment: seconds(0.0), moves: Some(40) };
    assert_eq!("40/60".parse::<TimeControl>(), Ok(staged));
    for text in ["", "x", "10+", "0", "0/10", "-1", "1e9", "nan", "10+-1", "inf"] {
        assert!(text.parse::<TimeControl>().is_err(), "{text}");
    }
}

#[test]
fn bad_keys_and_values_are_named() {
    let complaint = |text: &str| parse_engine(text).expect_err(text).to_string();
    assert!(complaint("cmd=a,x=1").starts_with("'x' is not known here"));
    assert_eq!(complaint("name=a"), "engine 'a': cmd is missing");
    assert_eq!(complaint("cmd"), "'cmd': expected key=value");
    assert_eq!(complaint("cmd=a,proto=xboard"), "proto: 'xboard' is not ucci, uci or ask");
    assert_eq!(complaint("cmd=a,nodes=0"), "nodes: '0' is not a number above 0");
    assert_eq!(complaint("cmd=a,option.=1").split(' ').next(), Some("'option.'"));
    for text in ["elo0=5,elo1=5", "alpha=0", "beta=0.6", "elo0=nan", "gamma=1"] {
        assert!(parse_sprt(text).is_err(), "{text}");
    }
}
