//! Whether a solution holds when it is searched for longer.

use super::only_move::{SECOND_SOLUTION, TwoLines};
use super::tactic::Tactic;
use chuhe_engine::search::Control;
use xiangqi::Move;

/// What is wrong with a step of a solution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// The moves are not legal, or end with the other side.
    NotLegal,
    /// Another move is better at this move of the solver, from 1.
    Better { step: usize, mv: Move },
    /// There is a second solution there: it is worth only so much less.
    Second { step: usize, margin: f64 },
}

/// The first fault of a tactic by so many nodes at each move of the solver. Nothing outside if it was stopped.
pub fn find_fault(tactic: &Tactic, lines: &mut TwoLines, nodes: u64, control: &Control) -> Option<Option<Fault>> {
    if !tactic.is_sound() {
        return Some(Some(Fault::NotLegal));
    }
    let mut position = tactic.position()?;
    lines.forget();
    for (index, &mv) in tactic.moves.iter().enumerate() {
        if index % 2 == 0 {
            let best = lines.best(&position, nodes, control)?;
            let step = index / 2 + 1;
            if best.mv != mv {
                return Some(Some(Fault::Better { step, mv: best.mv }));
            }
            if best.margin < SECOND_SOLUTION {
                return Some(Some(Fault::Second { step, margin: best.margin }));
            }
        }
        position.play_unchecked(mv);
    }
    Some(None)
}
