//! Helpers of the unit tests: random positions, and inputs to pruning and reductions.

use super::node::{MoveContext, NodeContext};
use crate::score::{INFINITE, NONE};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xiangqi::{Move, Position};

/// Positions with legal moves from random games. Captures are sometimes preferred, so that endings occur too.
pub(super) fn random_positions(rng: &mut StdRng, count: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::start();
        for _ in 0..rng.random_range(0..140) {
            let moves: Vec<Move> = position.legal_moves().to_vec();
            let captures: Vec<Move> = moves.iter().copied().filter(|mv| position.piece_at(mv.to()).is_some()).collect();
            let choice = if !captures.is_empty() && rng.random_bool(0.4) { &captures } else { &moves };
            let Some(mv) = random_element(rng, choice) else { break };
            position.play_unchecked(mv);
        }
        if position.has_legal_move() {
            positions.push(position);
        }
    }
    positions
}

pub(super) fn random_element<T: Copy>(rng: &mut StdRng, choice: &[T]) -> Option<T> {
    (!choice.is_empty()).then(|| choice[rng.random_range(0..choice.len())])
}

pub(super) fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// An improving node off the PV, with the static evaluation at alpha and a table move.
pub(super) fn node(depth: i32) -> NodeContext {
    NodeContext {
        depth,
        alpha: 0,
        mate_window: INFINITE,
        tt_score: NONE,
        static_eval: 0,
        in_check: false,
        improving: true,
        was_pv: false,
        cut_node: false,
        has_tt_move: true,
        tt_move_is_capture: false,
        child_cutoffs: 0,
    }
}

/// A quiet move without history.
pub(super) fn quiet_move(mv: Move, move_number: i32) -> MoveContext {
    MoveContext { mv, move_number, is_capture: false, gives_check: false, history: 0 }
}
