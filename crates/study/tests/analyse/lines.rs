//! The lines of an analysis: moves, scores, tablebases, books, and verdicts.

use super::support::{answer, json, query, spot};
use chuhe_study::analyse::{Query, QueryTask, SearchBudget, line_verdict, null_move_position};
use serde_json::{Value, json};
use xiangqi::{Color, Ending, Move, Position, RuleSet, Rules};
use xiangqi_record::{Notation, notation};

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().expect(word)).collect()
}

#[test]
fn analysis_has_the_requested_number_of_distinct_lines() {
    let analysis = answer(Query { lines: 4, ..query("startpos moves h2e2", 20_000) });
    assert!(analysis.complete && analysis.nodes >= 19_000);
    let firsts: std::collections::BTreeSet<Move> = analysis.lines.iter().map(|line| line.moves[0]).collect();
    assert_eq!((analysis.lines.len(), firsts.len()), (4, 4));
    let report = json(&analysis);
    let lines = report["lines"].as_array().expect("lines");
    assert_eq!(report["best"], lines[0]["moves"]);
    assert_eq!(report["side"], "black");
    for line in lines {
        // Legal to the end, and the same in Chinese.
        let mut position = analysis.position.clone();
        let texts =
            line["moves"].as_array().expect("moves").iter().zip(line["moves_chinese"].as_array().expect("moves"));
        for (text, chinese) in texts {
            let mv: Move = text.as_str().expect("text").parse().expect("a move");
            assert_eq!(chinese, &notation::format(&position, mv, Notation::Chinese));
            position.play(mv).expect("legal");
        }
        let chance = line["chance"].as_f64().expect("a chance");
        assert!((0.0..=1.0).contains(&chance));
        // Red has moved: what is good for black is below zero.
        let score = line["score"].as_i64().expect("a score");
        assert!(score == 0 || (score > 0) == (chance > 0.5), "{line}");
    }
    assert!(report["book"].as_array().expect("a book").len() > 1, "{report}");
    assert_eq!(report["played"], json!(["h2e2"]));
    assert_eq!(report["opening"]["chinese"], "中炮");
    assert_eq!(report["conditions"]["nodes"], 20_000);
}

/// A rook chases an unprotected cannon.
const CHASE: &str = "4k4/9/9/c8/9/R8/9/9/9/3K5 b";
const ROUND: &str = "a6b6 a4b4 b6a6 b4a4";

#[test]
fn line_verdict_judges_and_explains_repetitions() {
    let start = spot(CHASE).position();
    let judged = |set| line_verdict(&start, &moves(ROUND), &Rules::new(set));
    let asian = judged(RuleSet::Asian).expect("an end");
    assert_eq!(asian.judgement.verdict.ending, Some(Ending::Loss(Color::Red)));
    assert_eq!((asian.plies, asian.cycle), (4, 4));
    assert!(asian.move_facts.iter().any(|deed| !deed.newly_chased.is_empty() && deed.mover == Color::Red));
    assert_eq!(judged(RuleSet::None).expect("an end").judgement.verdict.ending, Some(Ending::Draw));
    assert!(line_verdict(&start, &moves("a6b6 a4b4"), &Rules::default()).is_none(), "nothing has come back");
    // The last move completes the count: moves after it are void.
    let full = spot(&format!("{CHASE} moves {ROUND}")).position();
    let asian = line_verdict(&full, &moves(&format!("{ROUND} a6c6")), &Rules::default()).expect("an end");
    assert_eq!((asian.plies, asian.cycle), (4, 0));
}

#[test]
fn finished_games_are_searched_only_if_they_continued() {
    let over = format!("{CHASE} moves {ROUND} {ROUND}");
    let analysis = answer(query(&over, 1000));
    let report = json(&analysis);
    assert_eq!((&report["verdict"]["result"], &report["nodes"]), (&json!("0-1"), &json!(0)));
    assert_eq!((&report["chance"], &report["lines"]), (&json!(0.0), &json!([])));
    assert!(report["verdict"]["reason"].as_str().is_some_and(|reason| reason.starts_with("perpetual chase")));
    let went_on = spot(&format!("{over} a6c6")).at(8).expect("a spot");
    let analysis = answer(Query { position: went_on, ..query("startpos", 1000) });
    assert!(!analysis.lines.is_empty() && json(&analysis)["verdict"]["result"] == "0-1");
    let mated = answer(query("3k5/R8/1R7/9/9/9/9/9/9/4K4 w moves b7b9", 1000));
    assert_eq!(json(&mated)["mate"], 0);
    assert_eq!(json(&mated)["verdict"]["chinese"], "将死，红胜");
}

#[test]
fn analysis_contains_tablebase_results() {
    let report = json(&answer(query("3a5/9/4k4/9/9/9/9/9/9/N2K5 w", 2000)));
    assert_eq!(report["table"], "win");
    assert_eq!(report["lines"][0]["table"], "win", "{report}");
    let black = json(&answer(query("4k4/9/4b4/9/4P4/9/9/9/9/3AK4 b", 2000)));
    assert!(black["table"].is_string() && black["lines"][0]["table"] == black["table"], "{black}");
}

#[test]
fn evaluation_searches_nothing() {
    let report = json(&answer(Query { task: QueryTask::Evaluate, ..query("startpos moves h2e2", 1) }));
    assert_eq!((&report["nodes"], &report["lines"], &report["depth"]), (&json!(0), &json!([]), &json!(0)));
    assert_eq!(report["evaluation"], report["score"]);
    assert_eq!(report["conditions"]["task"], "evaluate");
}

#[test]
fn mate_task_finds_and_disproves_mates() {
    let mate = |line: &str, moves| {
        let query = Query { task: QueryTask::Mate(moves), budget: SearchBudget::default(), ..query(line, 1) };
        json(&answer(query))
    };
    let found = mate("3k5/9/9/9/9/9/9/9/R8/1R2K4 w", 1);
    assert_eq!((&found["mate"], &found["mate_search"]["found"]), (&json!(1), &json!(1)));
    assert_eq!(found["best"], json!(["a1d1"]));
    let none = mate("startpos", 1);
    assert_eq!((&none["mate_search"]["found"], &none["mate_search"]["ruled_out"]), (&Value::Null, &json!(1)));
    assert_eq!(none["complete"], true);
}

#[test]
fn null_move_position_shows_the_threat() {
    let start = Position::start();
    let passed = null_move_position(&start).expect("no check");
    assert_eq!((passed.side(), passed.history_len()), (Color::Black, 0));
    let in_check = spot("3k5/9/9/9/9/9/9/9/3R5/4K4 b").position();
    assert!(null_move_position(&in_check).is_none());
}
