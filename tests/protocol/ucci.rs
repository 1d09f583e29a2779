//! The commands and output of UCCI.

use super::host::{Host, count, last, program, script, wait, word_after};
use std::io::Write;
use xiangqi::Position;

/// A rook mates on the next move.
const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1";
/// Black to move is mated.
const MATED: &str = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1";

#[test]
fn greeting_declares_what_hosts_need() {
    let mut host = Host::start();
    let lines = host.ask("ucci", "ucciok");
    for word in ["name", "version", "copyright", "author", "user"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("id {word} "))), "id {word} in {lines:#?}");
    }
    for option in [
        "option usemillisec type check default true",
        "option hashsize type spin default 16 min 0 max 33554432",
        "option idle type combo var none var small var medium var large default none",
        "option newgame type button",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option} in {lines:#?}");
    }
    for line in lines.iter().filter(|line| line.starts_with("option ")) {
        let name = word_after(line, "option").unwrap();
        assert_eq!(name, name.to_lowercase(), "UCCI's option names are single words in lower case");
        assert_eq!(word_after(line, name), Some("type"), "{line}");
    }
}

#[test]
fn commands_before_the_greeting_are_taken_as_ucci() {
    assert!(script(b"isready\nquit\n").starts_with("readyok\nbye\n"));
    assert!(script(b"position startpos\ngo depth 1\n").contains("\nbestmove "));
}

#[test]
fn stop_without_a_search_is_answered() {
    let mut host = Host::ucci();
    assert_eq!(host.ask("stop", "nobestmove"), ["nobestmove"]);
}

#[test]
fn quit_answers_bye_and_exits() {
    let mut host = Host::ucci();
    host.say("quit");
    let (lines, status) = host.leave();
    assert_eq!(lines, ["bye"]);
    assert!(status.success());
}

#[test]
fn depth_zero_evaluates_without_a_move() {
    let mut host = Host::ucci();
    host.say("go depth 0");
    let lines = host.listen_for(&["nobestmove"]);
    assert!(lines.iter().any(|line| line.starts_with("info depth 0 score ")), "{lines:#?}");
    assert_eq!(count(&lines, "bestmove"), 0);
}

#[test]
fn scores_are_plain_numbers_and_mates_shorten() {
    let mut host = Host::ucci();
    host.say(&format!("position fen {MATED}\ngo depth 3"));
    let lines = host.listen_for(&["nobestmove"]);
    assert!(lines.iter().any(|line| line.starts_with("info depth 0 score -30000 ")), "{lines:#?}");
    host.say("position startpos\ngo depth 4");
    let lines = host.listen_for(&["bestmove"]);
    assert!(!lines.iter().any(|line| line.contains(" cp ") || line.contains(" mate ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth 1 score ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("info time ") && line.contains(" nodes ")));
    // Some hosts only read lines with all fields.
    let whole = lines.iter().find(|line| line.starts_with("info depth 4 ")).expect("an iteration");
    for word in ["score", "nodes", "nps", "time", "pv"] {
        assert!(word_after(whole, word).is_some(), "{word} in {whole}");
    }
}

#[test]
fn mate_score_falls_with_distance() {
    let mut host = Host::ucci();
    let lines = host.ask(&format!("position fen {MATE_IN_ONE}\ngo depth 5"), "bestmove");
    let score = lines.iter().rev().find_map(|line| word_after(line, "score")).expect("a score");
    assert_eq!(score, "29999", "mate in one ply");
}

#[test]
fn banned_moves_are_not_played_while_another_exists() {
    let moves: Vec<String> = Position::start().legal_moves().into_iter().map(|mv| mv.to_string()).collect();
    let all_but_one: Vec<&str> = moves.iter().map(String::as_str).filter(|mv| *mv != "b0c2").collect();
    let mut host = Host::ucci();
    let answer = host.best(&format!("position startpos\nbanmoves {}\ngo depth 3", all_but_one.join(" ")));
    assert_eq!(word_after(&answer, "bestmove"), Some("b0c2"));
    // The ban lasts until the next position, and accumulates.
    let answer = host.best("go depth 3");
    assert_eq!(word_after(&answer, "bestmove"), Some("b0c2"));
    let answer = host.best("banmoves b0c2\ngo depth 3");
    let played = word_after(&answer, "bestmove").expect("a move although all are banned").to_string();
    assert!(moves.contains(&played));
    // A new position clears it.
    let answer = host.best(&format!("banmoves {}\nposition startpos\ngo nodes 2000", moves[1..].join(" ")));
    assert!(word_after(&answer, "bestmove").is_some());
}

#[test]
fn ban_of_the_only_good_move_is_respected() {
    let mut host = Host::ucci();
    let answer = host.best(&format!("position fen {MATE_IN_ONE}\ngo depth 4"));
    let mate = word_after(&answer, "bestmove").expect("a move");
    let answer = host.best(&format!("banmoves {mate}\ngo depth 4"));
    assert_ne!(word_after(&answer, "bestmove"), Some(mate));
}

#[test]
fn ban_of_an_invalid_move_is_reported() {
    let mut host = Host::ucci();
    host.say("banmoves h2e2 a0a9 zz");
    assert_eq!(host.pause(), ["info message banmoves: not legal here: a0a9 zz"]);
}

#[test]
fn refused_position_keeps_the_old_one_with_its_bans() {
    let mut host = Host::ucci();
    host.say("position startpos moves h2e2\nbanmoves h9g7");
    for (bad, named) in [
        ("position startpos moves h2e2 h9g7 h0h5", "move 3: h0h5"),
        ("position startpos moves h2e2 nonsense", "move 2: 'nonsense'"),
        ("position fen 9/9/9 w", "ranks"),
        ("position fen", "FEN"),
        ("position", "expected"),
        ("position startpos h2e2", "'h2e2' where 'moves' was expected"),
    ] {
        host.say(bad);
        let lines = host.pause();
        assert_eq!(lines.len(), 1, "{bad}: {lines:#?}");
        assert!(lines[0].starts_with("info message ") && lines[0].contains(named), "{bad}: {lines:#?}");
    }
    host.say("d");
    let lines = host.pause();
    assert!(lines.iter().any(|line| line.contains("1C2C4/9/RNBAKABNR b - - 1 1")), "{lines:#?}");
}

#[test]
fn a_go_after_a_refused_position_answers_no_move_until_one_is_accepted() {
    let refused = "go refused: the last position was refused, and no other one has come since";
    for (mut host, reply, word) in [(Host::ucci(), "nobestmove", "message"), (Host::uci(), "bestmove 0000", "string")] {
        for bad in [
            "position startpos moves h2e2 h9g7 h0h5",
            "position fen 9/9/9 w",
            "position fen",
            "position",
            "position startpos h2e2",
            "startpos h2e2",
        ] {
            host.say(&format!("position startpos moves h2e2\n{bad}"));
            assert_eq!(host.pause().len(), 1, "{bad}");
            // Neither a new game nor a second `go` is another position.
            for go in [
                "go depth 1",
                "go infinite",
                "ucinewgame\ngo ponder depth 1",
                "go perft 1",
                "go nodes 100 searchmoves h2e2",
            ] {
                host.say(go);
                assert_eq!(host.pause(), [format!("info {word} {refused}"), reply.to_string()], "{bad}, {go}");
            }
        }
        // What is probed is not searched.
        host.say("position startpos\nprobe fen rubbish");
        host.pause();
        assert!(host.best("go depth 1").starts_with("bestmove "));
    }
}

#[test]
fn searchmoves_without_a_legal_move_say_that_all_are_searched() {
    let mut host = Host::uci();
    let all = "info string searchmoves: names no legal move, so all are searched";
    for (go, is_told) in [
        ("go depth 1 searchmoves", true),
        ("go depth 1 searchmoves a0a9", true),
        ("go searchmoves h2e3 b9c7 depth 1", true),
        ("go searchmoves a0a9 h2e2 depth 1", false),
        ("go depth 1", false),
    ] {
        let lines = host.ask(go, "bestmove");
        assert_eq!(lines.iter().any(|line| line == all), is_told, "{go}: {lines:#?}");
    }
}

#[test]
fn probe_prints_the_hash_entry() {
    let mut host = Host::ucci();
    assert_eq!(last(&host.ask("probe startpos", "pophash")), "pophash");
    assert_eq!(last(&host.ask("probe fen rubbish", "pophash")), "pophash");
    let answer = host.best("position startpos\ngo depth 6");
    let best = word_after(&answer, "bestmove").expect("a move");
    let fact = last(&host.ask("probe startpos", "pophash"));
    assert_eq!(word_after(&fact, "bestmove"), Some(best), "{fact}");
    assert!(fact.contains("bound "), "{fact}");
    assert!(word_after(&fact, "depth").is_some_and(|depth| depth.parse::<u32>().is_ok()), "{fact}");
    host.say("setoption newgame");
    assert_eq!(last(&host.ask("probe startpos", "pophash")), "pophash");
}

#[test]
fn options_are_case_insensitive_and_bounded() {
    let mut host = Host::ucci();
    for fine in [
        "setoption USEMILLISEC on",
        "setoption UseMillisec TRUE",
        "setoption usemillisec off",
        "setoption hashsize 8",
        "setoption hashsize 0",
        "setoption Threads 2",
        "setoption idle LARGE",
        "setoption newgame",
        "setoption usebook off",
        "setoption bookfiles C:\\books\\book.dat",
    ] {
        host.say(fine);
        assert_eq!(host.pause(), Vec::<String>::new(), "{fine}");
    }
    for (bad, named) in [
        ("setoption", "name is missing"),
        ("setoption no_such_option", "there is no option 'no_such_option'"),
        ("setoption usemillisec maybe", "'maybe' is neither true nor false"),
        ("setoption usemillisec", "'' is neither"),
        ("setoption threads 0x10", "'0x10' is not a number from 0 to 1024"),
        ("setoption threads 9999999999999999999999", "is not a number"),
        ("setoption hashsize -1", "'-1' is not a number"),
        ("setoption idle sometimes", "is none of none, small, medium, large"),
        ("setoption hashsize 1048576", "no memory for a hash table of 1048576 MB; it stays at"),
    ] {
        host.say(bad);
        let lines = host.pause();
        assert_eq!(lines.len(), 1, "{bad}: {lines:#?}");
        assert!(lines[0].starts_with("info message ") && lines[0].contains(named), "{bad}: {lines:#?}");
    }
    assert!(host.best("go depth 2").starts_with("bestmove "));
}

#[test]
fn promotion_variant_changes_the_rules() {
    const FEN: &str = "3k5/9/9/9/9/9/9/9/9/3AK4 w - - 0 1";
    let mut host = Host::ucci();
    host.say(&format!("position fen {FEN} moves d0d0"));
    assert!(host.pause()[0].contains("d0d0"), "no move of the normal game");
    host.say(&format!("setoption promotion true\nposition fen {FEN} moves d0d0\nd"));
    let lines = host.pause();
    assert!(lines.iter().any(|line| line.contains("fen: 3k5/9/9/9/9/9/9/9/9/3PK4 b")), "{lines:#?}");
    host.say("setoption promotion false");
    assert!(last(&host.pause()).contains("the position stays as it was"));
}

#[test]
fn program_log_includes_the_conversation() {
    let path = std::env::temp_dir().join(format!("chuhe-program-log-{}.txt", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut child = program().arg("--log").arg(&path).env_remove("CHUHE_LOG").spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"isready\n").expect("the program listens");
    assert!(wait(&mut child).success());
    let log = std::fs::read_to_string(&path).expect("a log");
    assert!(log.contains("> isready") && log.contains("< readyok"), "{log}");
    let _ = std::fs::remove_file(&path);
}

#[test]
fn logfile_option_records_the_conversation() {
    let path = std::env::temp_dir().join(format!("chuhe-log-{}.txt", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut host = Host::ucci();
    host.say(&format!("setoption logfile {}", path.display()));
    host.pause();
    host.say("setoption logfile\nisready");
    host.listen_for(&["readyok"]);
    let log = std::fs::read_to_string(&path).expect("a log");
    assert!(log.contains("> isready") && log.contains("< readyok"), "{log}");
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].starts_with(concat!("=== Chuhe ", env!("CARGO_PKG_VERSION"))), "who: {log}");
    assert!(lines[0].contains(", 20") && lines[0].ends_with("Z: a conversation"), "when and what: {log}");
    assert!(lines[1].ends_with(&format!("> setoption logfile {}", path.display())), "from its beginning: {log}");
    let _ = std::fs::remove_file(&path);
    host.say("setoption logfile /no/such/directory/log");
    assert!(host.pause()[0].contains("no log in '/no/such/directory/log'"));
}
