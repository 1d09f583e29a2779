//! Counting move paths in a way that can be stopped.

use super::job::Surroundings;
use crate::board::Position;
use crate::search::Control;
use crate::types::Move;
use std::time::Instant;

/// The count below each move, then the sum.
pub fn print(position: &mut Position, depth: u32, control: &Control, around: &Surroundings) {
    let begun = Instant::now();
    let mut sum = u64::from(depth == 0);
    let roots: Vec<Move> = if depth == 0 { Vec::new() } else { position.legal_moves().moves().collect() };
    for mv in roots {
        position.make(mv);
        let count = count_paths(position, depth - 1, control);
        position.unmake();
        let Some(count) = count else {
            around.output.say(&[around.dialect.message("perft: stopped")]);
            return;
        };
        sum += count;
        around.output.say(&[format!("{mv}: {count}")]);
        if around.output.is_closed() {
            return;
        }
    }
    around.output.say(&[around.dialect.totals(begun.elapsed(), sum), format!("Nodes searched: {sum}")]);
}

/// Move paths, or `None` if stopped; small subtrees are counted without looking up.
fn count_paths(position: &mut Position, depth: u32, control: &Control) -> Option<u64> {
    const SMALL: u32 = 3;
    match depth {
        0 => return Some(1),
        1 => return Some(position.count_legal()),
        _ if depth > SMALL && control.stopped() => return None,
        _ => {}
    }
    let mut sum = 0;
    for mv in position.legal_moves().moves() {
        position.make(mv);
        let count = count_paths(position, depth - 1, control);
        position.unmake();
        sum += count?;
    }
    Some(sum)
}
