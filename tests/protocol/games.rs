//! Draws, resignation and the rules of repetition in a game.

use super::host::{Host, word_after};

/// Neither side can win.
const DEAD: &str = "3ak4/9/9/9/9/9/9/9/4A4/3AK4 w - - 0 1";

#[test]
fn draw_offer_is_accepted_when_neither_side_can_win() {
    let mut host = Host::ucci();
    let answer = host.best(&format!("position fen {DEAD}\ngo draw depth 4"));
    assert!(answer.ends_with(" draw"), "{answer}");
    let answer = host.best("go depth 4");
    assert!(!answer.ends_with(" draw"), "nobody offered one: {answer}");
    host.say("go ponder depth 4");
    assert!(host.best("ponderhit draw").ends_with(" draw"));
}

#[test]
fn draw_offer_in_the_opening_is_declined() {
    let mut host = Host::ucci();
    let answer = host.best("position startpos\ngo draw depth 4");
    assert!(word_after(&answer, "bestmove").is_some() && !answer.contains("draw"), "{answer}");
}

/// Black has a bare king, red two rooks: mate in a few moves.
const LOST: &str = "3k5/9/9/9/9/9/9/9/R8/1R2K4 b - - 0 1";

#[test]
fn lost_game_is_resigned_after_several_moves() {
    let mut host = Host::ucci();
    host.say(&format!("setoption usemillisec true\nposition fen {LOST}"));
    // Resignation needs a clock: an analysis, however long, never resigns.
    for _ in 0..4 {
        assert!(!host.best("go depth 6").ends_with("resign"));
    }
    let answers: Vec<String> = (0..3).map(|_| host.best("go time 3000 increment 0")).collect();
    let resigns: Vec<bool> = answers.iter().map(|answer| answer.ends_with(" resign")).collect();
    assert_eq!(resigns, [false, false, true], "{answers:#?}");
    // A draw is accepted instead.
    assert!(host.best("go draw time 3000 increment 0").ends_with(" draw"));
    // A new game resets the count.
    host.say(&format!("setoption newgame\nposition fen {LOST}"));
    assert!(!host.best("go time 3000 increment 0").ends_with("resign"));
}

#[test]
fn uci_never_resigns_and_offers_no_draw() {
    let mut host = Host::uci();
    let dead = "3ak4/9/9/9/9/9/9/9/4A4/3AK4 w - - 0 1";
    let answer = host.best(&format!("position fen {dead}\ngo draw wtime 1000 btime 1000"));
    assert!(!answer.contains("draw"), "{answer}");
    host.say(&format!("position fen {LOST}"));
    for _ in 0..5 {
        assert!(!host.best("go wtime 3000 btime 3000").contains("resign"));
    }
}

/// A rook checks a king to and fro: once more, on e5, and perpetual check loses.
const CHECKING: &str = "position fen 4k4/9/9/9/6R2/9/9/9/9/3K5 w \
                        moves g5e5 e9f9 e5f5 f9e9 f5e5 e9f9 e5f5 f9e9";

/// Bans all moves but these.
fn leaving(host: &mut Host, left: &[&str]) -> String {
    host.say(&format!("{CHECKING}\nd"));
    let board = host.pause();
    let moves = board.iter().find(|line| line.starts_with("moves ")).expect("a list of moves");
    let banned: Vec<&str> = moves.split_whitespace().skip(2).filter(|mv| !left.contains(mv)).collect();
    format!("banmoves {}", banned.join(" "))
}

#[test]
fn losing_repetition_is_avoided() {
    for rules in ["asian", "computer"] {
        let mut host = Host::ucci();
        host.say(&format!("setoption ruleset {rules}"));
        let bans = leaving(&mut host, &["f5e5", "f5f0"]);
        let answer = host.best(&format!("{bans}\ngo depth 1"));
        assert_eq!(word_after(&answer, "bestmove"), Some("f5f0"), "{rules}");
    }
}

#[test]
fn losing_repetition_is_played_if_it_is_the_only_move() {
    let mut host = Host::ucci();
    let bans = leaving(&mut host, &["f5e5"]);
    let answer = host.best(&format!("{bans}\ngo depth 2"));
    assert_eq!(word_after(&answer, "bestmove"), Some("f5e5"));
}
