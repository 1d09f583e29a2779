//! Unit tests of the move picker.

use super::*;
use crate::search::history::ContinuationHistory;
use crate::search::testing::{random_element, random_positions, rng};
use rand::RngExt;
use rand::rngs::StdRng;
use std::sync::Arc;

const MODES: [PickerMode; 3] =
    [PickerMode::Full, PickerMode::Quiescence { checks: false }, PickerMode::Quiescence { checks: true }];

fn histories() -> Histories {
    Histories::new(&Arc::new(ContinuationHistory::new()))
}

/// A legal move, no move, or a move that may be illegal.
fn random_hint(rng: &mut StdRng, legal: &[Move]) -> Option<Move> {
    match rng.random_range(0..4) {
        0 => None,
        1 => Move::from_bits(rng.random()),
        _ => random_element(rng, legal),
    }
}

fn random_hints(rng: &mut StdRng, legal: &[Move]) -> OrderingHints {
    OrderingHints {
        tt_move: random_hint(rng, legal),
        killers: [random_hint(rng, legal), random_hint(rng, legal)],
        counter_move: random_hint(rng, legal),
        continuation_keys: [None; 3],
    }
}

fn pick_all(position: &Position, mode: PickerMode, hints: OrderingHints) -> Vec<Move> {
    let histories = histories();
    let mut picker = MovePicker::new(position, mode, hints);
    std::iter::from_fn(|| picker.next(position, &histories)).collect()
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

/// Calls `check` with random positions, their legal moves and random hints.
fn for_random_nodes(seed: u64, mut check: impl FnMut(&Position, Vec<Move>, OrderingHints)) {
    let mut rng = rng(seed);
    let mut in_check = 0;
    for position in random_positions(&mut rng, 300) {
        let legal: Vec<Move> = position.legal_moves().to_vec();
        let hints = random_hints(&mut rng, &legal);
        in_check += u32::from(position.in_check());
        check(&position, legal, hints);
    }
    assert!(in_check >= 5, "only {in_check} positions in check");
}

#[test]
fn picker_yields_each_legal_move_once() {
    for_random_nodes(1, |position, legal, hints| {
        let picked = pick_all(position, PickerMode::Full, hints);
        assert_eq!(sorted(picked), sorted(legal), "{}", position.fen());
    });
}

#[test]
fn picker_yields_each_evasion_once_in_every_mode() {
    for_random_nodes(2, |position, legal, hints| {
        if position.in_check() {
            let legal = sorted(legal);
            for mode in MODES {
                assert_eq!(sorted(pick_all(position, mode, hints)), legal, "{}", position.fen());
            }
        }
    });
}

#[test]
fn picker_yields_captures_that_lose_little_and_safe_checks_in_quiescence() {
    for_random_nodes(3, |position, legal, hints| {
        if position.in_check() {
            return;
        }
        for checks in [false, true] {
            let picked = pick_all(position, PickerMode::Quiescence { checks }, hints);
            let is_quiet_check = |mv| checks && !is_capture(position, mv) && position.gives_check(mv);
            for &mv in &picked {
                assert!(legal.contains(&mv), "{mv} in {}", position.fen());
                assert!(is_capture(position, mv) || is_quiet_check(mv), "{mv} in {}", position.fen());
                assert_eq!(picked.iter().filter(|&&other| other == mv).count(), 1, "{mv} in {}", position.fen());
            }
            let is_wanted = |mv| {
                is_capture(position, mv) && position.see_ge(mv, -params::good_capture_margin())
                    || is_quiet_check(mv) && position.see_ge(mv, 0)
            };
            let missing = legal.iter().find(|&&mv| is_wanted(mv) && !picked.contains(&mv));
            assert_eq!(missing, None, "{}", position.fen());
        }
    });
}

#[test]
fn picker_yields_the_table_move_first() {
    for_random_nodes(4, |position, legal, hints| {
        let hints = OrderingHints { tt_move: Some(legal[legal.len() / 2]), ..hints };
        assert_eq!(pick_all(position, PickerMode::Full, hints).first().copied(), hints.tt_move, "{}", position.fen());
    });
}

#[test]
fn picker_ignores_illegal_hints() {
    for_random_nodes(5, |position, legal, _| {
        let null = Some(Move::new(legal[0].from(), legal[0].from()));
        let hints = OrderingHints {
            tt_move: null,
            killers: [null, legal.first().map(|mv| Move::new(mv.to(), mv.from()))],
            counter_move: null,
            ..Default::default()
        };
        assert_eq!(sorted(pick_all(position, PickerMode::Full, hints)), sorted(legal), "{}", position.fen());
    });
}

#[test]
fn picker_skips_quiets_but_no_capture_on_request() {
    for_random_nodes(6, |position, legal, hints| {
        if position.in_check() {
            return;
        }
        let histories = histories();
        let mut picker = MovePicker::new(position, PickerMode::Full, hints);
        picker.skip_quiets();
        let tt_move = picker.tt_move();
        let picked = std::iter::from_fn(|| picker.next(position, &histories)).collect();
        let expected = legal.into_iter().filter(|&mv| Some(mv) == tt_move || is_capture(position, mv)).collect();
        assert_eq!(sorted(picked), sorted(expected), "{}", position.fen());
    });
}

#[test]
fn picker_yields_bad_captures_last() {
    let histories = histories();
    for_random_nodes(7, |position, _, _| {
        let mut picker = MovePicker::new(position, PickerMode::Full, OrderingHints::default());
        let mut in_bad_captures = false;
        while let Some(mv) = picker.next(position, &histories) {
            let is_bad = picker.is_in_bad_captures();
            assert!(is_bad || !in_bad_captures, "{mv} in {}", position.fen());
            assert!(!is_bad || is_capture(position, mv) && !position.see_ge(mv, 0), "{mv} in {}", position.fen());
            in_bad_captures = is_bad;
        }
    });
}
