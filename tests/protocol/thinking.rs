//! Events during a search.

use super::host::{Host, after, count, last, legal_answer, word_after};

const CLOCK: &str = "time 300000 increment 0";

#[test]
fn infinite_search_waits_for_stop() {
    for go in ["go", "go infinite", "go depth infinite"] {
        let mut host = Host::ucci();
        host.say(go);
        assert_eq!(count(&host.pause(), "bestmove"), 0, "{go}");
        legal_answer(&host.best("stop"), &after(""));
        assert_eq!(host.ask("stop", "nobestmove"), ["nobestmove"], "answered once");
    }
}

#[test]
fn ponder_hit_starts_the_clock() {
    let mut host = Host::ucci();
    host.say("setoption usemillisec true\nsetoption ponder true");
    host.say("position startpos moves b0c2 b9c7\ngo ponder time 2000 increment 0");
    assert_eq!(count(&host.pause(), "bestmove"), 0, "no answer before the hit");
    legal_answer(&host.best("ponderhit"), &after("b0c2 b9c7"));
}

#[test]
fn ponder_search_that_has_ended_waits_for_the_hit() {
    let mut host = Host::uci();
    host.say("position startpos moves b0c2 b9c7\ngo ponder depth 1");
    assert_eq!(count(&host.pause(), "bestmove"), 0);
    legal_answer(&host.best("ponderhit"), &after("b0c2 b9c7"));
    host.say("ponderhit");
    assert_eq!(host.pause(), ["info string ponderhit: not pondering"]);
}

#[test]
fn ponder_miss_is_stopped_and_the_real_position_searched() {
    let mut host = Host::ucci();
    host.say(&format!("position startpos moves b0c2 b9c7\ngo ponder {CLOCK}"));
    legal_answer(&host.best("stop"), &after("b0c2 b9c7"));
    let answer = host.best("position startpos moves b0c2 h9g7\ngo depth 3");
    legal_answer(&answer, &after("b0c2 h9g7"));
}

#[test]
fn position_during_a_search_ends_it_with_an_answer() {
    let mut host = Host::ucci();
    let answer = host.best("position startpos\ngo infinite\nposition startpos moves h2e2");
    legal_answer(&answer, &after(""));
    legal_answer(&host.best("go depth 2"), &after("h2e2"));
}

#[test]
fn go_during_a_search_ends_it_with_an_answer() {
    let mut host = Host::ucci();
    host.say("go infinite\ngo infinite\ngo infinite\nstop\nisready");
    assert_eq!(count(&host.listen_for(&["readyok"]), "bestmove"), 3);
}

#[test]
fn greeting_during_a_search_ends_it_in_the_old_dialect() {
    let mut host = Host::uci();
    let lines = host.ask("position fen R2k5/1R7/9/9/9/9/9/9/9/4K4 b\ngo infinite\nucci", "ucciok");
    assert!(lines.contains(&"bestmove (none)".to_string()), "{lines:#?}");
}

#[test]
fn isready_board_and_probe_are_answered_during_a_search() {
    let mut host = Host::ucci();
    host.say("go infinite\nisready\nd\nprobe startpos\nbanmoves h2e2");
    let lines = host.listen_for(&["pophash"]);
    assert_eq!(count(&lines, "readyok"), 1);
    assert_eq!(count(&lines, "bestmove"), 0);
    assert!(lines.iter().any(|line| line.starts_with("fen: ")));
    assert!(host.pause().iter().any(|line| line.contains("from the next 'go' on")));
    host.best("stop");
}

#[test]
fn options_set_during_a_search_apply_afterwards() {
    let mut host = Host::ucci();
    host.say("go infinite\nsetoption hashsize 2\nsetoption multipv 2\nsetoption newgame");
    assert_eq!(count(&host.pause(), "bestmove"), 0, "the search goes on");
    host.best("stop");
    let lines = host.ask("go depth 3", "bestmove");
    assert!(lines.iter().any(|line| word_after(line, "multipv").is_some()), "{lines:#?}");
}

#[test]
fn perft_can_be_stopped() {
    let mut host = Host::ucci();
    host.say("perft 9\nisready");
    host.listen_for(&["readyok"]);
    host.say("stop");
    assert!(last(&host.listen_for(&["info"])).contains("perft: stopped"));
    assert!(host.best("go depth 1").starts_with("bestmove "));
}

#[test]
fn batch_mode_reads_nothing_before_the_answer() {
    let mut host = Host::ucci();
    host.say("setoption batch on\nposition startpos moves h2e2\ngo depth 4\nposition startpos\ngo depth 4\nisready");
    let lines = host.listen_for(&["readyok"]);
    let answers: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove ")).collect();
    assert_eq!(answers.len(), 2);
    legal_answer(answers[0], &after("h2e2"));
    legal_answer(answers[1], &after(""));
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "not cut short: {lines:#?}");
    // Batch mode still reads commands when only a command can end the search.
    legal_answer(&host.best("go infinite\nstop"), &after(""));
}

#[test]
fn hash_table_is_probed_during_a_search() {
    let mut host = Host::ucci();
    host.best("go depth 6");
    let fact = last(&host.ask("go infinite\nprobe startpos", "pophash"));
    assert!(word_after(&fact, "bestmove").is_some(), "{fact}");
    host.best("stop");
}

#[test]
fn iterations_are_printed_once_and_in_order() {
    // Two bare kings and an advisor: hundreds of iterations in no time.
    let mut host = Host::uci();
    let lines = host.ask("position fen 3ak4/9/9/9/9/9/9/9/9/3K5 w\ngo depth 200", "bestmove");
    // A slow machine also prints single moves, and bounds.
    let iterations = lines.iter().filter(|line| line.contains(" pv ") && !line.contains("bound "));
    let depths: Vec<u32> = iterations.filter_map(|line| word_after(line, "depth")?.parse().ok()).collect();
    // The newest at most, and always the last.
    assert!(depths.is_sorted_by(|one, other| one < other) && depths.starts_with(&[1, 2, 3]), "{depths:?}");
    assert_eq!(depths.last(), Some(&200));
}

/// Depths of the exact lines with this number of MultiPV.
fn depths_of_line(lines: &[String], multipv: &str) -> Vec<u32> {
    let exact = lines.iter().filter(|line| line.contains(" pv ") && !line.contains("bound "));
    let own = exact.filter(|line| word_after(line, "multipv") == Some(multipv));
    own.filter_map(|line| word_after(line, "depth")?.parse().ok()).collect()
}

#[test]
fn every_depth_of_every_line_is_sent() {
    let mut host = Host::uci();
    host.say("setoption name OwnBook value false");
    for (multipv, depth) in [(1, 12), (3, 9)] {
        let go = format!(
            "setoption name MultiPV value {multipv}\nucinewgame\nposition startpos moves h2e2 h9g7\ngo depth {depth}"
        );
        let lines = host.ask(&go, "bestmove");
        for line in 1..=multipv {
            assert_eq!(depths_of_line(&lines, &line.to_string()), (1..=depth).collect::<Vec<u32>>(), "{lines:#?}");
        }
    }
}

#[test]
fn lowest_skills_send_a_scored_line() {
    let mut host = Host::ucci();
    for skill in 0..=3 {
        host.say(&format!("setoption usebook false\nsetoption skill {skill}"));
        for moves in ["", " moves h2e2", " moves h2e2 h9g7 h0g2", " moves b0c2 b9c7 a0b0"] {
            let lines = host.ask(&format!("position startpos{moves}\ngo depth 9"), "bestmove");
            assert!(lines.iter().any(|line| word_after(line, "score").is_some()), "skill {skill}{moves}: {lines:#?}");
        }
    }
}

#[test]
fn new_game_is_handled_at_once() {
    let mut host = Host::ucci();
    host.best("setoption hashsize 256\ngo depth 5");
    host.say("setoption newgame\nisready\nstop\nsetoption hashsize 1\nsetoption newgame\nsetoption multipv 2");
    let lines = host.listen_for(&["nobestmove"]);
    assert_eq!(lines, ["readyok", "nobestmove"]);
    assert!(host.pause().is_empty());
    let lines = host.ask("go depth 3", "bestmove");
    assert!(lines.iter().any(|line| word_after(line, "multipv").is_some()), "{lines:#?}");
}

#[test]
fn dialogue_of_the_protocol_runs_as_written() {
    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let mut host = Host::ucci();
    host.say(&format!("setoption usemillisec true\nposition fen {START}"));
    // A depth limit, not a time: there is a ponder move even on a slow machine.
    let answer = host.best("go depth 8");
    let best = legal_answer(&answer, &after(""));
    let reply = word_after(&answer, "ponder").expect("a reply to ponder on").to_string();
    // The clock runs from the ponder hit.
    host.say(&format!("position fen {START} moves {best} {reply}\ngo ponder time 950 increment 0"));
    assert_eq!(count(&host.pause(), "bestmove"), 0);
    legal_answer(&host.best("ponderhit draw"), &after(&format!("{best} {reply}")));
}
