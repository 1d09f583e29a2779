//! The options that hosts of other engines send: declared by their names, obeyed, and neutral at their defaults.

use super::host::{Host, last, word_after};
use crate::common::Folder;

/// Sends options and returns what is answered.
fn told(host: &mut Host, options: &[&str]) -> String {
    for option in options {
        host.say(&format!("setoption name {option}"));
    }
    host.pause().join("\n")
}

/// The judge's word on a position.
fn state(host: &mut Host, position: &str) -> String {
    host.say(&format!("position {position}\nd"));
    let lines = host.pause();
    lines.iter().find_map(|line| line.strip_prefix("state: ").map(String::from)).expect("a state")
}

/// Red checks with every move.
const CHECKS: &str =
    "fen 3k5/9/9/9/9/9/9/9/9/R3K4 w moves a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9 d9d8";
/// Red chases a cannon with every move.
const CHASES: &str =
    "fen 3k5/9/9/c8/9/9/9/9/1R7/4K4 w moves b1a1 a6b6 a1b1 b6a6 b1a1 a6b6 a1b1 b6a6 b1a1 a6b6 a1b1 b6a6";
/// Nobody does anything.
const WAITS: &str = "startpos moves a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9";
/// Black may complete the same.
const BLACK_MAY_REPEAT: &str = "startpos moves a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0";
/// A quiet move ends the game.
const LAST_PLY: &str = "fen r2k5/9/9/9/9/9/9/9/9/5K2R w - - 119 60";

#[test]
fn options_of_other_engines_are_declared_with_their_values() {
    let lines = Host::start().ask("uci", "uciok");
    for declared in [
        "Hash type spin default 16 min 0 max 33554432",
        "Threads type spin default 1 min 0 max 1024",
        "Repetition Rule type combo default RuleSet var RuleSet var AsianRule var ChineseRule var SkyRule \
         var ComputerRule var AllowChase var NoJudgement",
        "Draw Rule type combo default None var None var DrawAsBlackWin var DrawAsRedWin var DrawRepAsBlackWin \
         var DrawRepAsRedWin",
        "Sixty Move Rule type check default true",
        "Rule60MaxPly type spin default 0 min 0 max 9999",
        "Mate Threat Depth type spin default 5 min 1 max 10",
        "ScoreType type combo default PawnValueNormalized var PawnValueNormalized var Elo var Raw",
        "LU_Output type check default true",
        "NumaPolicy type string default auto",
        "nodestime type spin default 0 min 0 max 10000",
        "Debug Log File type string default <empty>",
    ] {
        assert!(lines.contains(&format!("option name {declared}")), "{declared}: {lines:#?}");
    }
}

#[test]
fn repetition_rule_chooses_a_rule_set_before_the_option_of_ours() {
    let mut host = Host::uci();
    for (word, check_loses, chase_loses) in [
        ("AsianRule", true, true),
        ("ChineseRule", true, true),
        ("ComputerRule", true, true),
        ("AllowChase", true, false),
        ("NoJudgement", false, false),
    ] {
        assert_eq!(told(&mut host, &[&format!("Repetition Rule value {word}"), "RuleSet value asian"]), "");
        assert_eq!(state(&mut host, CHECKS).contains("red-loses"), check_loses, "{word}");
        assert_eq!(state(&mut host, CHASES).contains("red-loses"), chase_loses, "{word}");
    }
    // The default sent back, in any order, leaves the choice to the option of ours.
    assert_eq!(told(&mut host, &["Repetition Rule value RuleSet", "RuleSet value none"]), "");
    assert!(state(&mut host, CHECKS).contains("draw"));
    assert_eq!(told(&mut host, &["Repetition Rule value SkyRule", "Rule60MaxPly value 140"]), "");
    let rules = host.ask("position startpos\ngo depth 1", "bestmove");
    assert!(
        rules.contains(&"info string rules: tiantian, a draw after 140 plies without a capture".into()),
        "{rules:#?}"
    );
    assert!(told(&mut host, &["Repetition Rule value Nonsense"]).contains("is none of RuleSet, AsianRule"));
}

#[test]
fn limit_of_moves_by_other_names_comes_before_the_option_of_ours() {
    let mut host = Host::uci();
    let limit = "fen r2k5/9/9/9/9/9/9/9/9/5K2R w - - 88 60 moves i0i1";
    for (options, draws) in [
        (["Rule60MaxPly value 89", "NaturalLimit value 120"], true),
        (["Rule60MaxPly value 0", "NaturalLimit value 120"], false),
        (["Rule60MaxPly value 0", "NaturalLimit value 80"], true),
        (["Sixty Move Rule value false", "Rule60MaxPly value 80"], false),
        (["Sixty Move Rule value true", "Rule60MaxPly value 80"], true),
    ] {
        assert_eq!(told(&mut host, &options), "");
        assert_eq!(state(&mut host, limit).contains("draw natural limit"), draws, "{options:?}");
    }
    // Otherwise the limit is that of the rule set.
    assert_eq!(told(&mut host, &["Rule60MaxPly value 0", "NaturalLimit value -1", "RuleSet value league"]), "");
    assert!(state(&mut host, &limit.replace("- - 88", "- - 99")).contains("draw natural limit"));
    assert!(told(&mut host, &["Sixty Move Rule value maybe"]).contains("neither true nor false"));
    assert!(told(&mut host, &["Rule60MaxPly value -1"]).contains("from 0 to 9999"));
}

#[test]
fn draw_rule_is_obeyed_by_the_judge() {
    let mut host = Host::uci();
    let limit = LAST_PLY.to_string() + " moves i0i1";
    for (rule, repetition, natural) in [
        ("None", "draw repetition", "draw natural limit"),
        ("DrawAsBlackWin", "red-loses repetition", "red-loses natural limit"),
        ("DrawAsRedWin", "black-loses repetition", "black-loses natural limit"),
        ("DrawRepAsBlackWin", "red-loses repetition", "draw natural limit"),
        ("DrawRepAsRedWin", "black-loses repetition", "draw natural limit"),
    ] {
        assert_eq!(told(&mut host, &[&format!("Draw Rule value {rule}")]), "");
        assert_eq!(state(&mut host, WAITS), repetition, "{rule}");
        assert_eq!(state(&mut host, &limit), natural, "{rule}");
        assert!(state(&mut host, CHECKS).contains("red-loses perpetual check"), "{rule}");
    }
}

#[test]
fn draw_rule_is_obeyed_by_the_search() {
    let mut host = Host::uci();
    let mut search = |rule: &str, position: &str| {
        let lines = host.ask(
            &format!("ucinewgame\nsetoption name Draw Rule value {rule}\nposition {position}\ngo depth 4"),
            "bestmove",
        );
        let score = lines.iter().rev().find_map(|line| word_after(line, "cp")).expect("a score").parse::<i32>();
        (score.expect("a number"), last(&lines))
    };
    assert!(search("DrawAsRedWin", LAST_PLY).0 > 28_000);
    assert!(search("DrawAsBlackWin", LAST_PLY).0 < -28_000);
    for even in ["None", "DrawRepAsRedWin", "DrawRepAsBlackWin"] {
        assert!(search(even, LAST_PLY).0.abs() < 1000, "{even}");
    }
    for wins in ["DrawAsBlackWin", "DrawRepAsBlackWin"] {
        let (score, best) = search(wins, BLACK_MAY_REPEAT);
        assert!(score > 28_000 && best.starts_with("bestmove a8a9"), "{wins}: {score} {best}");
    }
    for loses in ["DrawAsRedWin", "DrawRepAsRedWin"] {
        let (score, best) = search(loses, BLACK_MAY_REPEAT);
        assert!(score.abs() < 1000 && !best.starts_with("bestmove a8a9"), "{loses}: {score} {best}");
    }
    // Who plays is told once, at the next search.
    let lines = host.ask("setoption name Draw Rule value DrawAsRedWin\nposition startpos\ngo depth 1", "bestmove");
    let rules = "info string rules: asian, a draw after 120 plies without a capture; a draw counts as a win for Red";
    assert!(lines.contains(&rules.into()), "{lines:#?}");
}

#[test]
fn score_type_changes_the_unit_and_not_the_move() {
    let mut host = Host::uci();
    // Red has a horse less.
    let position = "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w";
    let mut search = |unit: &str| {
        let ask = format!("ucinewgame\nsetoption name ScoreType value {unit}\nposition {position}\ngo depth 6");
        let lines = host.ask(&ask, "bestmove");
        let score = lines.iter().rev().find_map(|line| word_after(line, "cp")).expect("a score").parse::<i32>();
        (score.expect("a number"), last(&lines))
    };
    let [centipawns, elo, raw] = ["PawnValueNormalized", "Elo", "Raw"].map(&mut search);
    assert!(
        raw.0 < centipawns.0 && raw.0 < elo.0 && centipawns.0 < -50 && elo.0 < -50,
        "{centipawns:?} {elo:?} {raw:?}"
    );
    assert!(centipawns.0 != elo.0 && [&centipawns.1, &elo.1].iter().all(|best| **best == raw.1));
}

#[test]
fn nodestime_counts_nodes_instead_of_milliseconds() {
    let mut host = Host::uci();
    let mut nodes = |go: &str| {
        let ask = format!("ucinewgame\nsetoption name nodestime value 10\nposition startpos\n{go}");
        let lines = host.ask(&ask, "bestmove");
        let totals = lines.iter().rev().find(|line| line.starts_with("info nodes ")).expect("the totals");
        (word_after(totals, "nodes").expect("a number").parse::<u64>().expect("a number"), last(&lines))
    };
    // An hour would be waited for in vain.
    let by_time = nodes("go movetime 3600");
    assert!((30_000..=40_000).contains(&by_time.0), "{by_time:?}");
    let by_clock = nodes("go wtime 60000 btime 60000");
    assert!((1_000..=400_000).contains(&by_clock.0), "{by_clock:?}");
    assert_eq!(nodes("go wtime 60000 btime 60000"), by_clock);
}

#[test]
fn network_that_another_engine_names_as_its_default_is_no_error() {
    let mut host = Host::uci();
    let answer = told(&mut host, &["EvalFile value another-engine.nnue"]);
    assert_eq!(
        answer,
        "info string evalfile: there is no another-engine.nnue here; the network inside the program evaluates"
    );
    // A name with a folder was meant.
    let answer = told(&mut host, &["EvalFile value nowhere/another-engine.nnue"]);
    assert!(answer.contains("the evaluation stays as it is"), "{answer}");
    host.best("go depth 1");
}

#[test]
fn debug_log_file_is_a_log_file_unless_the_other_is_set() {
    let folder = Folder::new();
    let [other, own] = ["other.txt", "own.txt"].map(|name| folder.path(name));
    let mut host = Host::uci();
    told(&mut host, &[&format!("Debug Log File value {}", other.display())]);
    told(&mut host, &[&format!("LogFile value {}", own.display()), "Debug Log File value <empty>"]);
    host.best("go depth 1");
    let text = |path| std::fs::read_to_string(path).expect("a log");
    assert!(text(&other).contains("> isready") && !text(&other).contains("bestmove"));
    assert!(text(&own).contains("bestmove"));
}

#[test]
fn sizes_beyond_the_machine_are_refused_by_a_sentence() {
    let mut host = Host::uci();
    let answer = told(&mut host, &["Hash value 33554432"]);
    assert!(answer.contains("no memory for a hash table of 33554432 MB; it stays at 16 MB"), "{answer}");
    host.best("go depth 1");
}

#[cfg(unix)]
#[test]
fn threads_beyond_the_memory_are_refused_by_a_sentence() {
    // Two gigabytes of address space are not enough for a thousand stacks.
    let program = format!("ulimit -v 2000000; exec '{}'", env!("CARGO_BIN_EXE_chuhe"));
    let mut shell = std::process::Command::new("sh");
    let script = b"uci\nsetoption name Threads value 1024\ngo depth 1\nquit\n";
    let output = crate::common::answered(shell.args(["-c", &program]), script);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("no memory for 1024 threads; it stays at 1"), "{text}");
    assert!(text.contains("bestmove "), "{text}");
}
