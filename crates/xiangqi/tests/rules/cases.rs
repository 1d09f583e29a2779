//! The table of cases: positions of rule books with the verdict of each rule set.

use super::endings::{Cycle, exchanged, outcome};
use xiangqi::{RuleSet, Rules};

const TABLE: &str = include_str!("../data/rule_cases.tsv");
const JUDGING: [RuleSet; 3] = [RuleSet::Asian, RuleSet::League, RuleSet::Computer];

/// Every cycle with the expected outcome under each rule set.
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

#[test]
fn judge_agrees_with_the_table_of_cases() {
    assert!(table().len() > 90);
    assert_eq!(disagreements(Cycle::clone, |expected| expected), Vec::<String>::new());
}

/// The bishop steps off and onto the line of its cannon, and the horse blocks it: red newly attacks the rook with every
/// move. Black's rook attacks the other cannon all the time, and black only saves the rook.
#[test]
fn chase_excludes_blocking_the_line_of_an_attacker() {
    let fen = "3akabC1/9/4b4/r3p4/p1p6/4P4/P1P5n/NCr1B4/4A4/R2AK1B2 w";
    let cycle = Cycle::new(fen, "h9h2 i3g2", "e2g4 g2h4 g4e2 h4g2");
    for plies in 0..4 {
        let verdict = cycle.rotated(plies).verdict(RuleSet::Asian);
        assert_eq!(verdict.to_string(), "red-loses perpetual chase of the rook on c2");
    }
}

/// Two rooks chase two cannons, one of which chases one of the rooks: both sides chase.
#[test]
fn chase_of_two_by_two_counts_against_a_chaser() {
    let cycle = Cycle::new("4ka3/c2R1R2c/4b4/9/9/9/9/9/9/4K4 w", "", "f8f6 f9e8 f6f8 e8f9");
    for plies in 0..4 {
        assert_eq!(outcome(&cycle.rotated(plies).verdict(RuleSet::Asian)), "draw");
    }
}

#[test]
fn verdicts_are_equal_for_mirrored_cases() {
    assert_eq!(disagreements(Cycle::mirrored, |expected| expected), Vec::<String>::new());
}

#[test]
fn verdicts_are_exchanged_for_exchanged_sides() {
    assert_eq!(disagreements(Cycle::color_flipped, exchanged), Vec::<String>::new());
    assert_eq!(disagreements(|cycle| cycle.color_flipped().mirrored(), exchanged), Vec::<String>::new());
}

#[test]
fn verdicts_do_not_depend_on_the_start_of_the_cycle() {
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
fn judge_uses_the_last_rounds_of_a_longer_game() {
    for (cycle, verdicts) in table() {
        for (set, expected) in verdicts {
            let rules = Rules { natural_limit: 0, ..Rules::new(set) };
            for more in 1..3 {
                let verdict = rules.judge(&cycle.played(set.repetition_count() - 1 + more));
                assert_eq!(outcome(&verdict), expected, "{set}, {more} more rounds: {cycle:?}");
            }
            assert_eq!(outcome(&rules.judge(&cycle.played(set.repetition_count() - 2))), "ongoing", "{cycle:?}");
        }
    }
}

#[test]
fn rule_set_none_draws_every_repetition() {
    for (cycle, _) in table() {
        assert_eq!(cycle.verdict(RuleSet::None).to_string(), "draw repetition");
    }
}

#[test]
fn losing_moves_contain_the_move_that_completes_a_loss() {
    for (cycle, verdicts) in table() {
        for (set, expected) in verdicts {
            let rules = Rules { natural_limit: 0, ..Rules::new(set) };
            let mut position = cycle.played(set.repetition_count() - 1);
            let last = position.last_move().expect("a move");
            position.undo();
            let own_loss = if position.side() == xiangqi::Color::Red { "w-loses" } else { "b-loses" };
            let losing = rules.losing_moves(&position);
            assert_eq!(losing.contains(&last), expected == own_loss, "{set}: {cycle:?}");
        }
    }
}
