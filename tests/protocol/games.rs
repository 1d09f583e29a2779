//! What goes with a move: draws taken and the rules of repetition heeded.

use super::host::{Host, word_after};

/// Nobody can win.
const DEAD: &str = "3ak4/9/9/9/9/9/9/9/4A4/3AK4 w - - 0 1";

#[test]
fn a_draw_offer_is_taken_when_nobody_can_win() {
    let mut host = Host::ucci();
    let answer = host.best(&format!("position fen {DEAD}\ngo draw depth 4"));
    assert!(answer.ends_with(" draw"), "{answer}");
    let answer = host.best("go depth 4");
    assert!(!answer.ends_with(" draw"), "nobody offered one: {answer}");
    host.say("go ponder depth 4");
    assert!(host.best("ponderhit draw").ends_with(" draw"));
}

#[test]
fn a_draw_offer_in_the_opening_is_not_taken() {
    let mut host = Host::ucci();
    let answer = host.best("position startpos\ngo draw depth 4");
    assert!(word_after(&answer, "bestmove").is_some() && !answer.contains("draw"), "{answer}");
}
