//! Unit tests of reductions.

use super::*;
use crate::search::node::{MoveContext, NodeContext};
use crate::search::testing::{node, quiet_move};
use xiangqi::{Move, Square};

const DEPTHS: std::ops::RangeInclusive<i32> = 1..=70;
const NUMBERS: std::ops::RangeInclusive<i32> = 1..=130;

/// A move, of which the reduction asks nothing.
const ANY_MOVE: Move = Move::new(Square::new(0, 0), Square::new(0, 1));

/// All combinations of depth and move number.
fn cases() -> impl Iterator<Item = (i32, i32)> {
    DEPTHS.flat_map(|depth| NUMBERS.map(move |number| (depth, number)))
}

fn reduction(change_node: impl Fn(&mut NodeContext), change_move: impl Fn(&mut MoveContext)) -> Vec<i32> {
    let reduction = |(depth, number)| {
        let (mut node, mut mv) = (node(depth), quiet_move(ANY_MOVE, number));
        change_node(&mut node);
        change_move(&mut mv);
        late_move_reduction(&node, &mv)
    };
    cases().map(reduction).collect()
}

fn all_greater(left: &[i32], right: &[i32]) -> bool {
    left.iter().zip(right).all(|(left, right)| left > right)
}

#[test]
fn base_lmr_grows_with_depth_and_move_number_from_zero_to_the_depth() {
    for (depth, number) in cases() {
        assert!(base_lmr(depth + 1, number) >= base_lmr(depth, number), "{depth} {number}");
        assert!(base_lmr(depth, number + 1) >= base_lmr(depth, number), "{depth} {number}");
        assert!((0..=100 * depth).contains(&base_lmr(depth, number)), "{depth} {number}");
    }
    assert!(base_lmr(20, 40) > base_lmr(5, 5));
}

#[test]
fn late_move_reduction_grows_with_the_move_number() {
    for depth in DEPTHS {
        let of = |number| late_move_reduction(&node(depth), &quiet_move(ANY_MOVE, number));
        assert!(NUMBERS.map(of).is_sorted(), "{depth}");
    }
}

#[test]
fn late_move_reduction_is_larger_where_a_fail_low_is_likely() {
    let plain = reduction(|_| (), |_| ());
    let cut_node = reduction(|node| node.cut_node = true, |_| ());
    assert!(all_greater(&cut_node, &plain));
    assert!(all_greater(&reduction(|node| (node.cut_node, node.has_tt_move) = (true, false), |_| ()), &cut_node));
    assert!(all_greater(&reduction(|node| node.improving = false, |_| ()), &plain));
    assert!(all_greater(&reduction(|node| node.tt_move_is_capture = true, |_| ()), &plain));
    assert!(all_greater(&reduction(|node| node.child_cutoffs = 100, |_| ()), &plain));
    assert!(all_greater(&reduction(|_| (), |mv| mv.history = -20_000), &plain));
}

#[test]
fn late_move_reduction_is_smaller_for_promising_moves() {
    let plain = reduction(|_| (), |_| ());
    let pv = reduction(|node| node.was_pv = true, |_| ());
    assert!(all_greater(&plain, &pv));
    assert!(all_greater(&pv, &reduction(|node| (node.was_pv, node.tt_score) = (true, node.alpha + 1), |_| ())));
    assert!(all_greater(&plain, &reduction(|node| node.in_check = true, |_| ())));
    assert!(all_greater(&plain, &reduction(|_| (), |mv| mv.gives_check = true)));
    assert!(all_greater(&plain, &reduction(|_| (), |mv| mv.is_capture = true)));
    assert!(all_greater(&plain, &reduction(|_| (), |mv| mv.history = 20_000)));
}

#[test]
fn reduced_depth_lies_between_one_and_the_full_depth() {
    for new_depth in -2..=130 {
        for reduction in -2000..=20_000 {
            let depth = reduced_depth(new_depth, reduction);
            assert!(depth >= 1 && depth <= new_depth.max(1), "{new_depth} {reduction}");
        }
    }
}
