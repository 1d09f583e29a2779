//! The rules in the search: `ending_in_search` against `judge`.

use super::cases::table;
use super::game::{Cycle, game, play};
use super::shuffles::cycles;
use chuhe_testing::sample_count;
use xiangqi::{Color, Ending, RuleSet, Rules};

#[test]
fn ending_in_search_agrees_with_judge_when_the_count_is_full() {
    let known = table().into_iter().map(|(cycle, _)| cycle);
    for cycle in known.chain(cycles(sample_count(2000), 11)) {
        for set in RuleSet::ALL {
            let rules = Rules { natural_limit: 0, ..Rules::new(set) };
            // Far from the root `cxa` is approximated, and counters do not wait for a repetition.
            let plies: &[usize] = match set {
                RuleSet::Cxa => &[0, 1, 2],
                RuleSet::Tiantian => &[],
                _ => &[0, 1, 4, 100],
            };
            for rounds in [set.repetition_count() - 1, set.repetition_count()] {
                let position = cycle.played(rounds);
                let expected = rules.judge(&position).ending;
                for &ply in plies {
                    assert_eq!(rules.ending_in_search(&position, ply), expected, "{set}: {cycle:?}");
                }
            }
        }
    }
}

#[test]
fn ending_in_search_judges_repetitions_inside_the_tree() {
    for (cycle, _) in table() {
        let length = cycle.moves.len();
        for set in RuleSet::ALL {
            let rules = Rules { natural_limit: 0, ..Rules::new(set) };
            let position = cycle.played(1);
            assert_eq!(rules.ending_in_search(&position, length - 1), None, "{set}: {cycle:?}");
            let ending = rules.ending_in_search(&position, length);
            let verdict = cycle.verdict(set).ending;
            if set == RuleSet::Tiantian {
                continue;
            } else if set == RuleSet::Cxa {
                // A forbidden repetition may be taken for a draw.
                assert!(ending == verdict || ending == Some(Ending::Draw), "{set}: {cycle:?}");
            } else {
                assert_eq!(ending, verdict, "{set}: {cycle:?}");
            }
        }
    }
}

#[test]
fn ending_in_search_leaves_the_position_unchanged() {
    for cycle in cycles(300, 12) {
        let position = cycle.played(2);
        let before = (position.fen(), position.key(), position.last_move(), position.history_len());
        Rules::default().ending_in_search(&position, 50);
        assert_eq!((position.fen(), position.key(), position.last_move(), position.history_len()), before);
        assert!(position.is_consistent());
    }
}

#[test]
fn ending_in_search_stops_at_null_moves() {
    let cycle = Cycle::new("4k4/9/9/9/9/9/9/9/R8/3K5 w", "", "a1b1 e9e8 b1a1 e8e9");
    let mut position = cycle.played(0);
    play(&mut position, &cycle.moves);
    position.play_null();
    position.play_null();
    assert_eq!(Rules::default().ending_in_search(&position, 20), None);
}

#[test]
fn ending_in_search_draws_by_material() {
    let position = game("3k5/9/9/9/9/9/9/9/4r4/4K4 w", "e0e1");
    for set in RuleSet::ALL {
        assert_eq!(Rules::new(set).ending_in_search(&position, 1), Some(Ending::Draw));
    }
}

#[test]
fn ending_in_search_prefers_mate_to_the_natural_limit() {
    // The last quiet ply of the limit, the 120th, mates.
    let mated = game("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 119 80", "b0b9");
    assert_eq!(Rules::default().ending_in_search(&mated, 1), None);
    assert_eq!(Rules::default().judge(&mated).ending, Some(Ending::Loss(Color::Black)));
    let escapes = game("3k5/9/9/9/9/9/9/9/9/1R2K4 w - - 119 80", "b0b9");
    assert_eq!(Rules::default().ending_in_search(&escapes, 1), Some(Ending::Draw));
    let off = Rules { natural_limit: 0, ..Rules::default() };
    assert_eq!(off.ending_in_search(&escapes, 1), None);
}
