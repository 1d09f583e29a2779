//! Ranks from 1 to 10: set by option, or detected from the moves of the host.

use super::host::{Host, count, last, script, word_after};
use xiangqi::Position;
use xiangqi_record::RankBase;

/// The answer as a move of this position, written with ranks from 1 to 10.
fn played(answer: &str, position: &Position) -> String {
    let text = word_after(answer, "bestmove").expect("a move");
    let mv = RankBase::One.parse_move(text).unwrap_or_else(|| panic!("{answer}: no move with ranks from 1 to 10"));
    assert!(position.legal_moves().contains(&mv), "{answer} in {}", position.fen());
    text.to_string()
}

fn after(moves: &str) -> Position {
    super::host::after(moves)
}

#[test]
fn rank_base_option_applies_to_input_and_output() {
    for (mut host, set) in [(Host::uci(), "setoption name Ranks value 1-10"), (Host::ucci(), "setoption ranks 1-10")] {
        host.say(&format!("{set}\nposition startpos"));
        let lines = host.ask("go depth 6", "bestmove");
        played(&last(&lines), &after(""));
        for line in lines.iter().filter(|line| line.contains(" pv ")) {
            let mut position = after("");
            for word in line.split(" pv ").nth(1).expect("a variation").split_whitespace() {
                let mv = RankBase::One.parse_move(word).unwrap_or_else(|| panic!("{word} in {line}"));
                position.play(mv).unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
        host.say("position startpos moves h3e3 h10g8");
        assert!(host.pause().is_empty());
        played(&host.best("go depth 3"), &after("h2e2 h9g7"));
        host.say("position startpos moves h2e2");
        assert!(
            last(&host.pause()).contains("move 1: h2e2 is not legal: there is no piece on h2"),
            "in the words of the host"
        );
        let answer = host.best("position startpos\ngo searchmoves a4a5 depth 2");
        assert_eq!(word_after(&answer, "bestmove"), Some("a4a5"));
        let all: Vec<String> = after("").legal_moves().into_iter().map(|mv| RankBase::One.format_move(mv)).collect();
        let answer = host.best(&format!("position startpos\nbanmoves {}\ngo depth 2", all[1..].join(" ")));
        assert_eq!(word_after(&answer, "bestmove"), Some(all[0].as_str()));
        let fact = last(&host.ask("probe startpos", "pophash"));
        played(&fact, &after(""));
        let counts = host.ask("go perft 1", "Nodes");
        assert!(counts.contains(&String::from("h3e3: 1")), "{counts:#?}");
        host.say("setoption ranks auto\nposition startpos");
        assert!(host.pause().is_empty());
        super::host::legal_answer(&host.best("go depth 2"), &after(""));
    }
}

#[test]
fn rank_base_is_detected_from_legal_moves() {
    let mut host = Host::uci();
    host.say("setoption name UCI_Variant value xiangqi\nposition startpos moves h3e3 h10g8");
    assert_eq!(host.pause(), ["info string ranks are counted 1-10 from now on, as this host does"]);
    played(&host.best("go depth 4"), &after("h2e2 h9g7"));
    // The rank base stays where the moves prove nothing.
    played(&host.best("ucinewgame\nposition startpos\ngo depth 2"), &after(""));
    host.say("position startpos moves h2e2");
    assert_eq!(host.pause(), ["info string ranks are counted 0-9 from now on, as this host does"]);
}

#[test]
fn rank_base_is_detected_from_a_square() {
    let mut host = Host::uci();
    let fen = "4k4/r8/9/9/9/9/9/9/R8/3K5 b";
    host.say(&format!("position fen {fen} moves a9a10"));
    assert!(host.pause()[0].contains("1-10"));
    let mut host = Host::uci();
    let answer = host.best(&format!("position fen {fen}\ngo searchmoves a9a10 depth 2"));
    assert_eq!(word_after(&answer, "bestmove"), Some("a9a10"));
    let mut host = Host::ucci();
    host.say(&format!("position fen {fen}\nbanmoves a9a10"));
    assert!(host.pause()[0].contains("1-10"));
}

#[test]
fn rank_base_stays_without_proof() {
    let mut host = Host::uci();
    // Illegal in both rank bases.
    for bad in [
        "position startpos moves h2e2 h9g7 h0h5",
        "position startpos moves h3e3 h10g8 h1h6",
        "position startpos moves e10e9",
        "position startpos moves zz",
        "banmoves h3e3",
        "go searchmoves h3e3 depth 1",
    ] {
        host.say(bad);
        let lines = host.pause();
        assert!(!lines.iter().any(|line| line.contains("1-10")), "{bad}: {lines:#?}");
        assert!(lines.iter().any(|line| line.contains("info string ")), "{bad} is named");
    }
    // Legal in both, so the rank base stays.
    const BOTH: &str = "4k4/9/9/R8/R8/9/9/9/9/3K5 w";
    let board = host.ask(&format!("position fen {BOTH} moves a5b5\nd\nisready"), "readyok");
    assert!(board.iter().any(|line| line.contains("fen: 4k4/9/9/R8/1R7/")), "{board:#?}");
    // An explicit option is never overridden.
    host.say("setoption name Ranks value 0-9\nposition startpos moves h3e3");
    assert!(last(&host.pause()).contains("position refused"));
}

#[test]
fn rank_base_never_changes_during_a_search() {
    let mut host = Host::uci();
    let lines =
        host.ask("position startpos\ngo infinite\nposition startpos moves h3e3\ngo depth 2\nisready", "bestmove");
    super::host::legal_answer(&last(&lines), &after(""));
    played(&last(&host.listen_for(&["bestmove"])), &after("h2e2"));
    host.say("position startpos\ngo infinite\nsetoption name Ranks value 0-9");
    played(&host.best("stop"), &after(""));
    super::host::legal_answer(&host.best("go depth 2"), &after(""));
}

#[test]
fn board_is_shown_in_the_ranks_of_the_host() {
    let mut host = Host::uci();
    let mut board = |ranks: &str| {
        host.say(&format!("setoption name Ranks value {ranks}\nposition fen 3k5/9/9/9/9/9/9/9/3r5/4K4 w\nd"));
        let lines = host.pause();
        lines.iter().filter(|line| line.starts_with("moves ")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(board("0-9"), ["moves (1): e0f0"]);
    assert_eq!(board("1-10"), ["moves (1): e1f1"]);
}

#[test]
fn words_of_other_dialects_are_accepted() {
    let mut host = Host::ucci();
    for fine in [
        "uccinewgame",
        "uxinewgame",
        "setoption UCCI_Variant xiangqi",
        "setoption UCI_Variant xiangqi",
        "setoption name UCCI_Variant value xiangqi",
    ] {
        host.say(fine);
        assert_eq!(host.pause(), Vec::<String>::new(), "{fine}");
    }
    host.say("setoption UCCI_AnalyseMode true");
    assert_eq!(host.pause(), ["info message there is no option 'UCCI_AnalyseMode'"]);
    host.say("setoption UCCI_Variant chess");
    assert!(host.pause()[0].contains("'chess' is none of xiangqi"));
    assert_eq!(count(&host.ask("go time 50 increment 0 oppotime 50 oppoincrement 0", "bestmove"), "bestmove"), 1);
    let text = script(b"ucci\nsetoption usebook false\ngo time 60 increment 0 oppotime 60 oppoincrement 0\n");
    assert!(!text.contains("info message"), "{text}");
}
