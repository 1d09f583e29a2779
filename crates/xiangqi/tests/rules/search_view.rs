//! The rules in the search: `ending_in_search` against `judge`.

use super::cases::table;
use super::endings::{Cycle, game, moves, play};
use super::shuffles::cycles;
use chuhe_testing::sample_count;
use xiangqi::{Color, Ending, Move, Position, Reason, RuleSet, Rules};

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

// The counters of the Tiantian platform: which side must change, when, and what is drawn.

const RULES: Rules = Rules { natural_limit: 120, ..Rules::new(RuleSet::Tiantian) };

/// Repeats the round until a move is forbidden or the game is over; returns the number of the move and the side that
/// made it.
fn until_forbidden(fen: &str, round: &str) -> Option<(usize, Color)> {
    let mut position = game(fen, "");
    for (ply, mv) in moves(round).into_iter().cycle().take(80).enumerate() {
        if RULES.losing_moves(&position).contains(&mv) {
            return Some((ply, position.side()));
        }
        play(&mut position, &[mv]);
        if RULES.judge(&position).ending.is_some() {
            return None;
        }
    }
    None
}

/// The results that players report of the platform.
#[test]
fn counters_agree_with_reports_of_players() {
    let reports = [
        ("3kc4/4a4/5a3/9/1C1r5/9/2R6/4B4/4A4/2B1KA3 w", "b5b4 d5d4 b4b5 d4d5", Some(Color::Black)),
        ("1nbaka3/9/4b4/pN1rp3p/5n3/2P4p1/P3P3P/1C5c1/4A4/2BAKN1R1 w", "b6c8 d6d8 c8b6 d8d6", Some(Color::Black)),
        ("3rkabC1/4a4/9/p6r1/3n4C/6pp1/PR2P1n2/9/2R6/2BAKAB2 w", "i5e5 h6e6 e5i5 e6h6", Some(Color::Black)),
        ("4kabC1/3r1C3/n3b1R2/p5p1p/4p4/6P2/Pr2c3c/4N4/4N4/2RAKAB2 w", "c0c9 d8d9 c9c0 d9d8", Some(Color::Black)),
        ("2b1k4/4acN2/9/5P3/9/2B6/3p4p/4n4/4AC3/3K1A3 b", "e2f4 e1f2 f4e2 f2e1", Some(Color::Red)),
        ("5ab2/4k4/3a5/9/2b6/2B1c4/9/3ABp3/CnC1Ap3/4K4 w", "e0d0 e4d4 d0e0 d4e4", None),
    ];
    for (fen, round, who) in reports {
        assert_eq!(until_forbidden(fen, round).map(|(_, side)| side), who, "{fen}");
    }
}

#[test]
fn counters_forbid_the_seventh_chase_of_one_piece() {
    let (fen, round) = ("4k4/9/9/c8/9/R8/9/9/9/3K5 b", "a6b6 a4b4 b6a6 b4a4");
    assert_eq!(until_forbidden(fen, round), Some((13, Color::Red)));
}

#[test]
fn counters_limit_checks_by_the_number_of_checkers() {
    // One rook: the seventh check is forbidden.
    let (fen, round) = ("4k4/R8/9/9/9/9/9/9/9/3K5 w", "a8a9 e9e8 a9a8 e8e9");
    assert_eq!(until_forbidden(fen, round), Some((12, Color::Red)));
    // A capture resets the counter, and so does an idle move.
    let mut position = game(fen, "a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a7 e9e8");
    play(&mut position, &moves("a7a8 e8e9 a8a9 e9e8"));
    assert!(RULES.losing_moves(&position).is_empty());
}

#[test]
fn judge_reports_a_forbidden_move() {
    let cycle = Cycle::new("4k4/R8/9/9/9/9/9/9/9/3K5 w", "", "a8a9 e9e8 a9a8 e8e9");
    let mut position = cycle.played(3);
    assert_eq!(RULES.judge(&position).ending, None);
    play(&mut position, &cycle.moves[..1]);
    assert_eq!(RULES.judge(&position).to_string(), "red-loses forbidden move");
}

#[test]
fn counters_draw_the_fifth_idle_repetition() {
    let cycle = Cycle::new("3k5/9/9/9/9/9/9/r8/9/4K3R w", "", "i0h0 a2b2 h0i0 b2a2");
    assert_eq!(RULES.judge(&cycle.played(3)).ending, None);
    assert_eq!(RULES.judge(&cycle.played(4)).to_string(), "draw repetition");
}

#[test]
fn counters_draw_a_game_of_400_plies() {
    let position = game("3k5/9/9/9/9/9/9/r8/9/4K3R w - - 0 200", "i0h0 a2b2");
    assert_eq!(RULES.judge(&position).reason, Reason::GameLength);
}

#[test]
fn playable_moves_exclude_forbidden_moves() {
    let cycle = Cycle::new("4k4/R8/9/9/9/9/9/9/9/3K5 w", "", "a8a9 e9e8 a9a8 e8e9");
    let position: Position = cycle.played(3);
    let all: Vec<Move> = position.legal_moves().to_vec();
    let left = RULES.playable_moves(&position, all.clone());
    assert!(!left.contains(&cycle.moves[0]) && left.len() == all.len() - RULES.losing_moves(&position).len());
}
