//! The lessons of the page: each can be solved, by the moves that the rules say and by no others.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use xiangqi::{Move, Position, Rules};

const LESSONS: &str = include_str!("../src/page/train/lessons.json");
const LANGUAGES: [&str; 4] = ["en", "zh", "zh-Hant", "vi"];

fn lessons() -> Vec<Value> {
    serde_json::from_str(LESSONS).expect("JSON")
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

/// The position in which the first move is asked for.
fn position_of(lesson: &Value) -> Position {
    let mut position: Position = lesson["fen"].as_str().expect("a FEN").parse().expect("a position");
    for text in texts(&lesson["before"]) {
        position.play(text.parse().expect("a move")).expect("a legal move");
    }
    position
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play(mv).expect("a legal move");
    next
}

#[test]
fn lessons_are_forty_small_boards_with_short_sentences() {
    let all = lessons();
    assert_eq!(all.len(), 40);
    let topics: BTreeSet<&str> = all.iter().filter_map(|lesson| lesson["topic"].as_str()).collect();
    for topic in
        ["rook", "cannon", "horse", "elephant", "advisor", "king", "pawn", "check", "mate", "stalemate", "repetition"]
    {
        assert!(topics.contains(topic), "{topic}");
    }
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for lesson in &all {
        for language in LANGUAGES {
            let text = lesson[language].as_str().unwrap_or_default();
            let sentences = text.matches(['.', '?', '。', '？']).count();
            assert!(!text.is_empty() && sentences <= 2 && text.chars().count() < 130, "{language}: {text}");
            *told.entry(language).or_default() += 1;
        }
        // Nobody sees the end of a game before the first move.
        let position = position_of(lesson);
        assert!(position.has_legal_move() && Rules::default().judge(&position).ending.is_none(), "{lesson}");
    }
}

#[test]
fn solutions_are_the_moves_that_reach_the_goal() {
    for lesson in lessons() {
        let start = position_of(&lesson);
        let goal = lesson["goal"].as_str().expect("a goal");
        let steps: Vec<Vec<&str>> = lesson["steps"].as_array().expect("steps").iter().map(texts).collect();
        let first: BTreeSet<&str> = steps[0].iter().copied().collect();
        let legal: Vec<Move> = start.legal_moves().to_vec();
        let reaches = |is_reached: &dyn Fn(&Position, Move) -> bool| -> BTreeSet<String> {
            legal.iter().filter(|&&mv| is_reached(&after(&start, mv), mv)).map(ToString::to_string).collect()
        };
        let wanted = match goal {
            "check" => reaches(&|next, _| next.in_check()),
            "mate" => reaches(&|next, _| next.in_check() && !next.has_legal_move()),
            "stalemate" => reaches(&|next, _| !next.in_check() && !next.has_legal_move()),
            "save" => {
                assert!(start.in_check(), "{lesson}");
                reaches(&|_, _| true)
            }
            "free" => {
                let losing = Rules::default().losing_moves(&start).len();
                assert!(losing > 0 && losing < legal.len() && first.is_empty(), "{lesson}");
                continue;
            }
            // Those that go to the same points.
            "take" | "exact" => {
                assert!(first.iter().all(|text| legal.iter().any(|mv| mv.to_string() == *text)), "{lesson}");
                first.iter().map(ToString::to_string).collect()
            }
            other => panic!("{other} is no goal"),
        };
        let first: BTreeSet<String> = first.into_iter().map(ToString::to_string).collect();
        assert!(!first.is_empty() && first == wanted, "{lesson}: {wanted:?}");
        // The moves that follow: an answer, and what is done then.
        let mut position = start;
        for step in &steps {
            let mv: Move = step[0].parse().expect("a move");
            position.play(mv).unwrap_or_else(|error| panic!("{lesson}: {error}"));
        }
        assert_eq!(steps.len() % 2, 1, "{lesson}");
    }
}
