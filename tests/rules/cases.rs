//! The table of cases: diagrams of rule books with the verdict of each rule system.

use super::game::{Cycle, outcome};
use chuhe::rules::{RuleSet, Rules};

const TABLE: &str = include_str!("../data/rule_cases.tsv");
const JUDGING: [RuleSet; 3] = [RuleSet::Asian, RuleSet::League, RuleSet::Computer];

/// Every cycle with the expected outcome for each rule set.
pub fn table() -> Vec<(Cycle, Vec<(RuleSet, &'static str)>)> {
    let mut lines = TABLE.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    assert_eq!(header[..3], ["fen", "moves_before", "cycle"]);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let expected = |set: RuleSet| {
                let column = header.iter().position(|name| *name == set.name()).expect("a column");
                (set, fields[column])
            };
            (Cycle::new(fields[0], fields[1], fields[2]), JUDGING.map(expected).to_vec())
        })
        .collect()
}

fn disagreements(image: impl Fn(&Cycle) -> Cycle, expect: impl Fn(&str) -> &str) -> Vec<String> {
    let mut found = Vec::new();
    for (cycle, verdicts) in table() {
        for (set, expected) in verdicts {
            let cycle = image(&cycle);
            let verdict = cycle.verdict(set);
            if outcome(&verdict) != expect(expected) {
                found.push(format!("{set}: not {}, but {verdict}: {cycle:?}", expect(expected)));
            }
        }
    }
    found
}

fn exchanged(outcome: &str) -> &str {
    match outcome {
        "w-loses" => "b-loses",
        "b-loses" => "w-loses",
        other => other,
    }
}

#[test]
fn every_case_is_judged_as_the_table_says() {
    assert!(table().len() > 90);
    assert_eq!(disagreements(Cycle::clone, |expected| expected), Vec::<String>::new());
}

#[test]
fn mirrored_cases_are_judged_alike() {
    assert_eq!(disagreements(Cycle::mirrored, |expected| expected), Vec::<String>::new());
}

#[test]
fn exchanged_sides_exchange_the_verdict() {
    assert_eq!(disagreements(Cycle::color_flipped, exchanged), Vec::<String>::new());
    assert_eq!(disagreements(|cycle| cycle.color_flipped().mirrored(), exchanged), Vec::<String>::new());
}

#[test]
fn it_does_not_matter_where_in_the_round_the_count_is_full() {
    for (cycle, verdicts) in table() {
        for (set, expected) in verdicts {
            for plies in 1..cycle.moves.len() {
                let verdict = cycle.rotated(plies).verdict(set);
                assert_eq!(outcome(&verdict), expected, "{set}, {plies} later: {cycle:?}");
            }
        }
    }
}

#[test]
fn a_game_played_on_is_judged_by_its_last_rounds() {
    for (cycle, verdicts) in table() {
        for (set, expected) in verdicts {
            let rules = Rules { set, natural_limit: 0 };
            for more in 1..3 {
                let verdict = rules.judge(&cycle.played(set.count() - 1 + more));
                assert_eq!(outcome(&verdict), expected, "{set}, {more} more rounds: {cycle:?}");
            }
            assert_eq!(outcome(&rules.judge(&cycle.played(set.count() - 2))), "ongoing", "{cycle:?}");
        }
    }
}

#[test]
fn without_rules_every_repetition_draws() {
    for (cycle, _) in table() {
        assert_eq!(cycle.verdict(RuleSet::None).to_string(), "draw repetition");
    }
}

#[test]
fn the_move_that_completes_a_loss_is_known_before_it_is_made() {
    for (cycle, verdicts) in table() {
        for (set, expected) in verdicts {
            let rules = Rules { set, natural_limit: 0 };
            let mut position = cycle.played(set.count() - 1);
            let last = position.last_move();
            position.unmake();
            let own_loss = if position.side() == chuhe::types::Color::Red { "w-loses" } else { "b-loses" };
            let losing = rules.losing_moves(&position);
            assert_eq!(losing.contains(&last), expected == own_loss, "{set}: {cycle:?}");
        }
    }
}
