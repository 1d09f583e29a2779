//! `go mate` in conversations.

use super::host::{Host, count, word_after};

/// Mate in two moves, and no sooner.
const TWO: &str = "position fen 5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1";
/// Two rooks against a bare king.
const ONE: &str = "position fen 3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1";

#[test]
fn mate_is_printed_in_both_dialects_with_its_lower_bound() {
    let mut host = Host::uci();
    let lines = host.ask(&format!("{TWO}\ngo mate 5"), "bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:#?}");
    assert!(lines.contains(&"info string there is no mate in 1 move".to_string()), "{lines:#?}");
    let shortest = "info string mate in 2 moves, and there is no shorter one";
    assert_eq!(lines.iter().filter(|line| *line == shortest).count(), 1, "{lines:#?}");
    assert_eq!(count(&lines, "bestmove"), 1);

    let mut host = Host::ucci();
    let lines = host.ask(&format!("{TWO}\ngo mate 5"), "bestmove");
    assert!(lines.iter().any(|line| line.contains(" score 29997 ")), "{lines:#?}");
    assert!(lines.contains(&"info message mate in 2 moves, and there is no shorter one".to_string()));
}

#[test]
fn absence_of_a_mate_is_answered() {
    let mut host = Host::ucci();
    let lines = host.ask(&format!("{TWO}\ngo mate 1"), "bestmove");
    assert!(lines.contains(&"info message there is no mate in 1 move".to_string()), "{lines:#?}");
    let lines = host.ask("position startpos\ngo mate 2", "bestmove");
    assert_eq!(
        lines.iter().filter(|line| *line == "info message there is no mate in 2 moves").count(),
        1,
        "{lines:#?}"
    );
}

#[test]
fn mate_search_obeys_stop_and_limits() {
    let mut host = Host::uci();
    host.say("position startpos\ngo mate 40");
    assert_eq!(count(&host.pause(), "bestmove"), 0);
    assert_eq!(host.ask("isready", "readyok").last().map(String::as_str), Some("readyok"));
    let lines = host.ask("stop", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string no mate found; ")), "{lines:#?}");
    // A clock ends it, and so does a node limit.
    assert_eq!(count(&host.ask("go mate 40 movetime 50", "bestmove"), "bestmove"), 1);
    assert_eq!(count(&host.ask("go mate 40 nodes 30000", "bestmove"), "bestmove"), 1);
    assert_eq!(count(&host.ask("go mate 40 wtime 1000 btime 1000", "bestmove"), "bestmove"), 1);
}

#[test]
fn mate_search_while_pondering_waits_for_ponderhit() {
    let mut host = Host::uci();
    host.say(&format!("{ONE}\ngo ponder mate 3"));
    let lines = host.pause();
    assert_eq!(count(&lines, "bestmove"), 0, "{lines:#?}");
    assert_eq!(count(&host.ask("ponderhit", "bestmove"), "bestmove"), 1);
}

#[test]
fn banned_moves_do_not_mate() {
    let mut host = Host::ucci();
    let answer = host.best(&format!("{ONE}\ngo mate 1"));
    let mate = word_after(&answer, "bestmove").expect("a move").to_string();
    let lines = host.ask(&format!("banmoves {mate}\ngo mate 1"), "bestmove");
    assert!(!lines.last().expect("an answer").contains(&mate));
}

#[test]
fn mate_length_is_clamped() {
    let mut host = Host::uci();
    let lines = host.ask(&format!("{ONE}\ngo mate 4000000000"), "bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:#?}");
}
