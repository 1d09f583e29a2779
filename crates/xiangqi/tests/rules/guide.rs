//! The examples of `docs/rules.md`: diagrams agree with their FENs, verdicts with the judge.

use super::game::Cycle;
use std::path::PathBuf;
use xiangqi::{RuleSet, Rules};

const GUIDE: &str = include_str!("../../../../docs/rules.md");
const CHINESE: &str = include_str!("../../../../docs/rules.zh-CN.md");

/// The code blocks with a diagram, with the fields below it.
fn examples() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    GUIDE
        .split("```text\n")
        .skip(1)
        .filter_map(|block| block.split("```").next()?.split_once("\n\n"))
        .map(|(diagram, fields)| {
            (diagram, fields.lines().filter_map(|line| line.split_once(' ')).map(|(k, v)| (k, v.trim())).collect())
        })
        .collect()
}

/// The diagram in the form of the guide.
fn drawn(fen: &str) -> String {
    let mut text = String::new();
    for (index, row) in fen.split(' ').next().unwrap_or_default().split('/').enumerate() {
        text.push_str(&format!("{} ", 9 - index));
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(count) => text.push_str(&" .".repeat(count as usize)),
                None => text.push_str(&format!(" {letter}")),
            }
        }
        text.push('\n');
    }
    text + "   a b c d e f g h i"
}

#[test]
fn guide_examples_agree_with_the_judge() {
    let examples = examples();
    assert!(examples.len() >= 10);
    for (diagram, fields) in examples {
        let field = |name: &str| {
            let found = fields.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
            found.unwrap_or_else(|| panic!("no {name} below\n{diagram}"))
        };
        assert_eq!(diagram, drawn(field("fen")));
        let cycle = Cycle::new(field("fen"), "", field("cycle"));
        for set in [RuleSet::Asian, RuleSet::League, RuleSet::Computer] {
            let position = cycle.played(set.repetition_count() - 1);
            let verdict = Rules::new(set).judge(&position);
            assert_eq!(verdict.to_string(), field(set.name()), "{set}: {cycle:?}");
        }
    }
}

#[test]
fn guide_languages_have_equal_paragraphs_and_examples() {
    let number = |text: &'static str| text.split([' ', '*']).next().unwrap_or_default();
    let blocks = |guide: &'static str| guide.split("```").skip(1).step_by(2).collect::<Vec<_>>();
    // What the program prints is in the language of the page: the program's tests compare it.
    let examples = |guide: &'static str| {
        let is_common = |line: &&str| {
            line.starts_with("fen ") || line.starts_with("cycle ") || line.starts_with(|c: char| c.is_ascii_digit())
        };
        blocks(guide).into_iter().map(|block| block.lines().filter(is_common).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(examples(GUIDE), examples(CHINESE));
    let paragraphs = |guide: &'static str| guide.split("**§").skip(1).map(number).collect::<Vec<_>>();
    assert_eq!(paragraphs(GUIDE), paragraphs(CHINESE));
    let sections = |guide: &'static str| guide.split("\n## ").skip(1).map(number).collect::<Vec<_>>();
    assert_eq!(sections(GUIDE), sections(CHINESE));
}

#[test]
fn guide_has_every_paragraph_cited_in_the_code() {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut cited = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a file");
        for citation in text.split('§').skip(1) {
            let number: String =
                citation.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
            let number = number.trim_end_matches('.');
            if number.is_empty() {
                continue;
            }
            let headline = format!("## {number} ");
            let paragraph = [format!("**§{number}**"), format!("**§{number} ")];
            let exists = GUIDE.contains(&headline) || paragraph.iter().any(|text| GUIDE.contains(text));
            assert!(exists, "{} cites §{number}", path.display());
            cited += 1;
        }
    }
    assert!(cited > 20, "only {cited} citations");
}
