//! Unit tests of pruning.

use super::*;
use crate::score::INFINITE;
use crate::search::move_picker::is_capture;
use crate::search::testing::{node, quiet_move, random_positions, rng};

const DEPTHS: std::ops::RangeInclusive<i32> = 1..=24;
/// No captures are possible.
const QUIET: &str = "3k5/9/9/9/9/9/9/9/9/R3K4 w";

fn quiet_position() -> (Position, Move) {
    let position = Position::from_fen(QUIET).expect("a position");
    let mv = "a0a1".parse().expect("a move");
    assert!(position.legal_moves().contains(&mv) && position.see_ge(mv, 0));
    (position, mv)
}

fn skips_this(decision: PruneDecision) -> bool {
    matches!(decision, PruneDecision::Skip | PruneDecision::SkipRest)
}

fn skips_rest(decision: PruneDecision) -> bool {
    matches!(decision, PruneDecision::SearchSkipRest | PruneDecision::SkipRest)
}

/// Calls `check` with moves of random positions, at depths from 1 to 6.
fn for_random_moves(seed: u64, mut check: impl FnMut(&Position, Move, i32)) {
    for (index, position) in random_positions(&mut rng(seed), 300).iter().enumerate() {
        for mv in position.legal_moves() {
            check(position, mv, 1 + index as i32 % 6);
        }
    }
}

#[test]
fn prune_decision_never_skips_a_move_that_gives_check() {
    for_random_moves(1, |position, mv, depth| {
        let hopeless = NodeContext { static_eval: -5000, improving: false, ..node(depth) };
        let context = MoveContext {
            is_capture: is_capture(position, mv),
            gives_check: true,
            history: -50_000,
            ..quiet_move(mv, 100)
        };
        assert!(!skips_this(prune_decision(&hopeless, &context, 2000, position)), "{mv} in {}", position.fen());
    });
}

#[test]
fn prune_decision_skips_captures_by_see_alone() {
    let mut skipped = 0;
    for_random_moves(2, |position, mv, depth| {
        if !is_capture(position, mv) {
            return;
        }
        let context = MoveContext { is_capture: true, history: -50_000, ..quiet_move(mv, 100) };
        let hopeless = NodeContext { static_eval: -5000, ..node(depth) };
        let decision = prune_decision(&hopeless, &context, 2000, position);
        assert!(!skips_rest(decision), "{mv} in {}", position.fen());
        assert!(!skips_this(decision) || !position.see_ge(mv, 0), "{mv} in {}", position.fen());
        assert_eq!(decision, prune_decision(&node(depth), &context, 0, position), "{mv} in {}", position.fen());
        skipped += u32::from(skips_this(decision));
    });
    assert!(skipped > 10, "{skipped}");
}

#[test]
fn prune_decision_searches_the_first_quiet_moves_of_a_good_node() {
    let (position, mv) = quiet_position();
    for depth in DEPTHS {
        let decision = prune_decision(&node(depth), &quiet_move(mv, 1), 0, &position);
        assert_eq!(decision, PruneDecision::Search, "{depth}");
    }
}

#[test]
fn late_move_pruning_allows_more_quiet_moves_at_depth_and_when_improving() {
    let (position, mv) = quiet_position();
    let searched = |depth, improving| {
        let node = NodeContext { improving, ..node(depth) };
        let first_limit = |&number: &i32| skips_rest(prune_decision(&node, &quiet_move(mv, number), 0, &position));
        (1..5000).find(first_limit).expect("a limit")
    };
    for depth in 1..20 {
        assert!(searched(depth + 1, true) > searched(depth, true), "{depth}");
        assert!(searched(depth, true) > searched(depth, false), "{depth}");
    }
}

#[test]
fn late_move_pruning_holds_for_all_later_moves() {
    let (position, mv) = quiet_position();
    for depth in DEPTHS {
        let skips = |number| skips_rest(prune_decision(&node(depth), &quiet_move(mv, number), 0, &position));
        assert!((1..800).map(skips).is_sorted(), "{depth}");
    }
}

#[test]
fn futility_pruning_skips_every_lower_static_evaluation() {
    let (position, mv) = quiet_position();
    let skips = |depth, static_eval, mate_window| {
        let node = NodeContext { static_eval, mate_window, ..node(depth) };
        skips_this(prune_decision(&node, &quiet_move(mv, 2), 0, &position))
    };
    for depth in DEPTHS {
        assert!((-4000..1000).map(|eval| !skips(depth, eval, INFINITE)).is_sorted(), "{depth}");
        assert!(!(-4000..1000).any(|eval| skips(depth, eval, 0)), "{depth}: not allowed");
    }
    assert!(skips(1, -4000, INFINITE));
}

#[test]
fn history_pruning_skips_every_lower_history() {
    let (position, mv) = quiet_position();
    let node = |depth| NodeContext { mate_window: 0, ..node(depth) };
    let skips = |depth, history| {
        let context = MoveContext { history, ..quiet_move(mv, 2) };
        skips_this(prune_decision(&node(depth), &context, 0, &position))
    };
    for depth in DEPTHS {
        assert!((-50_000..10_000).step_by(100).map(|history| !skips(depth, history)).is_sorted(), "{depth}");
    }
    assert!(skips(1, -50_000) && !skips(1, 0));
}

#[test]
fn reverse_futility_margin_grows_with_depth_and_shrinks_when_improving() {
    for depth in 1..params::rfp_depth() {
        for improving in [false, true] {
            let margin = |depth| reverse_futility_margin(depth, improving);
            assert!(margin(depth + 1) > margin(depth));
        }
        assert!(reverse_futility_margin(depth, true) < reverse_futility_margin(depth, false));
    }
}
