//! Tests of analyses: their lines, and the pool of analysts.

use crate::CHINESE;
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::analyse::{
    Analysis, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, GamePosition, Query, QueryId, QueryTask,
    SearchBudget, line_verdict, null_move_position,
};
use chuhe_study::book::{self, EMBEDDED_BOOK_NAME};
use chuhe_support::language::Language;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use xiangqi::{Color, Ending, Move, Position, RuleSet, Rules};
use xiangqi_record::{Notation, PositionSpec, notation};

// The lines of an analysis: moves, scores, tablebases, books, and verdicts.

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

// The pool: many queries, one final update for each, all of them cancellable.

fn endless() -> Query {
    Query { report_interval: Some(Duration::ZERO), ..Query::new(spot("startpos")) }
}

#[test]
fn pool_serves_by_priority_then_by_age() {
    let pool = AnalystPool::open(1, &equipment()).expect("a pool");
    let busy = Answers::to(&pool, endless(), 0);
    busy.next();
    let (sender, order) = mpsc::channel();
    for (name, priority) in [("second", 0), ("last", -7), ("third", 0), ("first", 3)] {
        let sender = sender.clone();
        pool.submit(query("startpos", 50), priority, Box::new(move |_| sender.send(name).expect("heard")));
    }
    pool.cancel(busy.ticket);
    let order: Vec<&str> = (0..4).map(|_| order.recv_timeout(PATIENCE).expect("an answer")).collect();
    assert_eq!(order, ["first", "second", "third", "last"]);
}

#[test]
fn update_handler_may_submit_another_query() {
    let pool = Arc::new(AnalystPool::open(1, &equipment()).expect("a pool"));
    let busy = Answers::to(&pool, endless(), 0);
    busy.next();
    let (other, (sender, again)) = (Arc::downgrade(&pool), mpsc::channel());
    let asker = Box::new(move |_| {
        let pool = other.upgrade().expect("open");
        sender.send(Answers::to(&pool, query("startpos", 50), 0)).expect("heard");
    });
    let waiting = pool.submit(query("startpos", 50), 0, asker);
    pool.cancel(waiting);
    pool.cancel(busy.ticket);
    assert!(again.recv_timeout(PATIENCE).expect("another query").last().0.complete);
}

// Queries and pools for the tests.

/// Long enough for any machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub fn equipment() -> AnalystResources {
    let book = book::open_book(Path::new(EMBEDDED_BOOK_NAME)).expect("the book inside the program");
    AnalystResources {
        version: "test",
        threads: 1,
        hash_mb: 1,
        tablebases: Arc::new(Tablebase::built_in()),
        books: vec![book],
    }
}

pub fn spot(line: &str) -> GamePosition {
    GamePosition::from_position(&PositionSpec::parse_line(line).position().expect(line))
}

/// A query about this position with a node limit.
pub fn query(line: &str, nodes: u64) -> Query {
    Query { budget: SearchBudget { nodes: Some(nodes), ..SearchBudget::default() }, ..Query::new(spot(line)) }
}

/// The updates of a submitted query.
pub struct Answers {
    pub ticket: QueryId,
    words: Receiver<AnalysisUpdate>,
}

impl Answers {
    /// Submits a query.
    pub fn to(pool: &AnalystPool, query: Query, priority: i64) -> Answers {
        let (sender, words) = mpsc::channel();
        // A test may stop receiving early.
        let asker = Box::new(move |word| drop(sender.send(word)));
        Answers { ticket: pool.submit(query, priority, asker), words }
    }

    /// The next update.
    pub fn next(&self) -> AnalysisUpdate {
        self.words.recv_timeout(PATIENCE).expect("a word")
    }

    /// The final update, and the number of updates before it. Checks that none follows.
    pub fn last(&self) -> (Analysis, usize) {
        let mut before = 0;
        loop {
            match self.next() {
                AnalysisUpdate::Partial(_) => before += 1,
                AnalysisUpdate::Final(analysis) => {
                    assert!(self.words.recv_timeout(PATIENCE).is_err(), "a word behind the last one");
                    return (analysis, before);
                }
            }
        }
    }
}

/// The answer to a query.
pub fn answer(query: Query) -> Analysis {
    Answers::to(&AnalystPool::open(1, &equipment()).expect("a pool"), query, 0).last().0
}

pub fn json(analysis: &Analysis) -> serde_json::Value {
    Language::CHINESE.install(|| CHINESE.to_vec());
    serde_json::to_value(AnalysisReport::of(analysis, &equipment())).expect("JSON")
}
