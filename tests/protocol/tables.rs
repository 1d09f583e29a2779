//! What tables make of the scores in a conversation; `transcripts::tables` has their files.

use super::host::{Host, word_after};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use xiangqi::Position;

/// Horse against advisor: won.
const WON: &str = "4k4/4a4/9/9/9/9/9/1N7/9/3K5 w";
/// The same with the horse where the advisor may capture it.
const NEAR: &str = "4k4/4a4/9/3N5/9/9/9/9/9/3K5 w";
/// Horse against both advisors: drawn.
const DRAWN: &str = "4ka3/4a4/9/9/9/9/9/9/4N4/3K5 w";

/// The moves and the score of each line: `None` for a mate, else centipawns.
fn lines(told: &[String]) -> Vec<(String, Option<i32>)> {
    let told = told.iter().filter(|line| line.starts_with("info depth"));
    let line = |line: &String| {
        let score = word_after(line, "cp").map(|score| score.parse().expect("a number"));
        let mate: Option<i32> = word_after(line, "mate").map(|moves| moves.parse().expect("a number"));
        assert!(score.is_some() != mate.is_some(), "{line}");
        (word_after(line, "pv").expect("a variation").to_string(), score)
    };
    told.map(line).collect()
}

#[test]
fn table_result_of_the_root_is_printed() {
    let mut host = Host::uci();
    host.say(&format!("position fen {WON}"));
    let won = lines(&host.ask("go depth 14", "bestmove"));
    assert!(won.len() >= 5 && won.iter().all(|(_, score)| score.is_none_or(|score| score > 5_000)), "{won:?}");
    host.say(&format!("position fen {DRAWN}"));
    let drawn = lines(&host.ask("go depth 14", "bestmove"));
    assert!(drawn.len() >= 5 && drawn.iter().all(|(_, score)| *score == Some(0)), "{drawn:?}");
    // With black to move the position is lost.
    host.say(&format!("position fen {} b", WON.trim_end_matches(" w")));
    let lost = lines(&host.ask("go depth 10", "bestmove"));
    assert!(lost.iter().all(|(_, score)| score.is_none_or(|score| score < -5_000)), "{lost:?}");
}

#[test]
fn lines_have_the_table_scores_of_their_moves() {
    let shelf = Tablebase::built_in();
    let mut host = Host::uci();
    host.say("setoption name MultiPV value 20");
    let start = Position::from_fen(NEAR).expect("a position");
    host.say(&format!("position fen {NEAR}"));
    let told = lines(&host.ask("go depth 8", "bestmove"));
    let (mut won, mut drawn) = (0, 0);
    for (mv, score) in told {
        let mut next = start.clone();
        next.play(mv.parse().expect("a move")).expect("legal");
        match shelf.probe(&next) {
            Some(ProbeResult::Loss(_)) => {
                won += 1;
                assert!(score.is_none_or(|score| score > 5_000), "{mv} wins: {score:?}");
            }
            Some(ProbeResult::Draw) => {
                drawn += 1;
                assert_eq!(score, Some(0), "{mv}");
            }
            other => panic!("{mv}: {other:?}"),
        }
    }
    assert!(won > 0 && drawn > 0, "{won} {drawn}");
    // A drawn position is not scored as won because another move would have won.
    let bad = start.legal_moves().into_iter().find(|&mv| {
        let mut next = start.clone();
        next.play_unchecked(mv);
        shelf.probe(&next) == Some(ProbeResult::Draw)
    });
    let bad = bad.expect("a move that gives the win away");
    let told = lines(&host.ask(&format!("setoption name MultiPV value 1\ngo depth 8 searchmoves {bad}"), "bestmove"));
    assert!(told.iter().all(|(_, score)| *score == Some(0)), "{bad}: {told:?}");
}
