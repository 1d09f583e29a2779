//! What people are used to from other programs that play engines against each other: exit codes, spelling, numbers.

use super::program::{arena, report, two_engines};
use crate::common::{CHUHE, Folder, stderr, stdout};
use xiangqi_record::pgn;

#[test]
fn exit_code_tells_the_verdict_of_the_sprt() {
    let folder = Folder::new();
    folder.write("strong.toml", "hash_mb = 1\nnodes = 2000\n");
    folder.write("weak.toml", "hash_mb = 1\nnodes = 20\n");
    let sprt = ["--sprt", "elo0=0,elo1=300,alpha=0.3,beta=0.3"];
    let run = |engines: [&str; 2], games: &str| {
        let words = ["--self", engines[0], engines[1], "--games", games, "--resign", "moves=3,score=800"];
        let output = arena(&folder, &[&words[..], &sprt].concat());
        (output.status.code(), stdout(&output))
    };
    let (code, text) = run(["strong.toml", "weak.toml"], "2000");
    assert!(code == Some(0) && text.contains("H1 accepted"), "{code:?} {text}");
    let (code, text) = run(["weak.toml", "strong.toml"], "2000");
    assert!(code == Some(1) && text.contains("H0 accepted"), "{code:?} {text}");
    folder.write("other.toml", "hash_mb = 1\nnodes = 20\n");
    let words = ["--self", "weak.toml", "other.toml", "--games", "2", "--max-moves", "5"];
    let output = arena(&folder, &[&words[..], &["--sprt", "elo0=0,elo1=5"]].concat());
    assert!(output.status.code() == Some(4) && stdout(&output).contains("undecided"), "{}", stdout(&output));
}

#[test]
fn equal_programs_are_said_to_play_the_same_moves() {
    let folder = two_engines("hash_mb = 1\n", "hash_mb = 1\n");
    let words = ["--self", "a.toml", "b.toml", "--nodes", "20", "--max-moves", "4", "--games"];
    let sentence = "a and b score the same in every pair";
    assert!(report(&folder, &[&words[..], &["20"]].concat()).contains(sentence));
    assert!(!report(&folder, &[&words[..], &["18"]].concat()).contains(sentence), "too few pairs to say so");
    let chinese = report(&folder, &[&["--lang", "zh"], &words[..], &["2"]].concat());
    assert!(chinese.contains("第 1 盘：a - b") && chinese.contains("盘数") && !chinese.contains("moves"), "{chinese}");
}

#[test]
fn odd_number_of_games_is_told_to_be_rounded_up() {
    let folder = two_engines("hash_mb = 1\n", "hash_mb = 1\n");
    let words = ["--self", "a.toml", "b.toml", "--nodes", "20", "--max-moves", "4", "--games"];
    let output = arena(&folder, &[&words[..], &["3"]].concat());
    assert_eq!(stderr(&output), "chuhe: 3 games are no whole pairs: each pairing has 4\n");
    assert_eq!(stdout(&output).matches("too long, 4 moves").count(), 4);
    assert_eq!(stderr(&arena(&folder, &[&words[..], &["2"]].concat())), "");
}

#[test]
fn command_line_of_another_program_plays_the_match() {
    let folder = Folder::new();
    let command = format!("cmd={CHUHE}");
    let line = "-engine CMD name=a option.usebook=false -engine CMD name=b nodes=10 -each proto=ucci nodes=20 -rounds 1 \
                -repeat -maxmoves 4 -pgnout file=x.pgn -srand 5";
    let words: Vec<&str> = line.split(' ').map(|word| if word == "CMD" { &command } else { word }).collect();
    let text = report(&folder, &words);
    assert_eq!(text.matches("too long, 4 moves").count(), 2, "{text}");
    let record = folder.text("x.pgn");
    assert!(record.contains("20 nodes a move") && record.contains("10 nodes a move"), "{record}");
    // What has no equivalent is named whole.
    let refused = stderr(&arena(&folder, &["-engine", &command, "-use-affinity", "1"]));
    assert!(refused.contains("unexpected argument '--use-affinity' found"), "{refused}");
    // Keys may stand apart behind our own spelling, too.
    let unfit = stderr(&arena(&folder, &["--engine", &command, "--sprt", "elo0=0", "elo1=5", "kind=a"]));
    assert!(unfit.contains("'kind' is not known here; known are elo0, elo1, alpha, beta, model"), "{unfit}");
    let unfit = stderr(&arena(&folder, &["-engine", &command, "-openings", "file=x", "policy=encounter"]));
    assert_eq!(unfit, "chuhe: -openings policy=encounter has no equivalent here\n");
    let unfit = stderr(&arena(&folder, &["-engine", &command, "-pgnout", "file=x", "nps=false", "colour=false"]));
    assert_eq!(unfit, "chuhe: -pgnout colour=false has no equivalent here\n");
}

#[test]
fn first_engine_plays_red_where_colours_are_fixed() {
    let folder = Folder::new();
    folder.write("openings.txt", "startpos moves h2e2\nstartpos moves b2e2\nstartpos moves g3g4\n");
    let (a, b) = (format!("name=a,cmd={CHUHE},proto=ucci"), format!("name=b,cmd={CHUHE},proto=ucci"));
    let words = ["--engine", &a, "--engine", &b, "--nodes", "20", "--max-moves", "4", "--no-swap", "--games", "4"];
    let more = [
        "--openings",
        "openings.txt",
        "--first-opening",
        "2",
        "--pgn",
        "x.pgn",
        "--log",
        "x.log",
        "--log-level",
        "info",
    ];
    report(&folder, &[&words[..], &more].concat());
    let record = folder.text("x.pgn");
    assert_eq!((record.matches("[Red \"a\"]").count(), record.matches("[Black \"b\"]").count()), (4, 4));
    assert!(record.contains("colours fixed") && folder.text("x.log").contains("arena"), "{record}");
    // The openings from the second one on.
    let first: Vec<String> = pgn::read(&record)
        .into_iter()
        .map(|game| game.expect("a game").moves().next().expect("a move").to_string())
        .collect();
    assert_eq!(first, ["b2e2", "b2e2", "g3g4", "g3g4"]);
    let merged = stdout(&arena(&folder, &["--merge", "x.pgn", "--sprt", "elo0=0,elo1=5,model=normalized"]));
    assert!(merged.contains("SPRT normalized [0, 5]: LLR"), "{merged}");
}
