//! Counting move paths in a way that can be stopped.

use super::dialect::Dialect;
use super::output::Output;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::search::Control;
use chuhe_engine::types::Move;
use chuhe_toolkit::record::Ranks;
use std::time::Instant;

/// The count below each move, then the sum.
pub fn print(
    position: &mut Position,
    depth: u32,
    control: &Control,
    output: &Output,
    dialect: &dyn Dialect,
    ranks: Ranks,
) {
    let begun = Instant::now();
    let mut sum = u64::from(depth == 0);
    let roots: Vec<Move> = if depth == 0 { Vec::new() } else { position.legal_moves().moves().collect() };
    for mv in roots {
        position.make(mv);
        let count = position.perft_unless(depth - 1, &|| control.stopped());
        position.unmake();
        let Some(count) = count else {
            output.say(&[dialect.message(&tr!("perft: stopped"))]);
            return;
        };
        sum += count;
        output.say(&[format!("{}: {count}", ranks.write(mv))]);
        if output.is_closed() {
            return;
        }
    }
    output.say(&[dialect.totals(begun.elapsed(), sum), format!("Nodes searched: {sum}")]);
}
