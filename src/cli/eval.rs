//! `chuhe analyse --eval`: the static evaluation as a table.

use super::position_args::PositionArgs;
use chuhe_engine::nnue::{Explanation, explain, large_network};
use chuhe_engine::score::Score;
use chuhe_support::messages::Localize;
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write;
use xiangqi::{Piece, Position, Square};

/// Prints the terms of the evaluation, a row each, and the sum.
pub fn run(position: &PositionArgs, is_json: bool, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let position = position.position()?;
    let explanation = explain(&large_network(), &position);
    let text = if is_json { json(&position, &explanation).to_string() } else { explanation.localized() };
    writeln!(out, "{text}")?;
    Ok(())
}

fn json(position: &Position, explanation: &Explanation) -> Value {
    let piece = |&(square, piece, worth): &(Square, Piece, Option<Score>)| json!({"square": square.to_string(), "piece": piece.letter(), "worth": worth});
    json!({
        "fen": position.fen(),
        "network": explanation.network,
        "evaluation": explanation.total,
        "can_win": explanation.has_winning_material,
        "head": explanation.output_bucket,
        "heads": explanation.output_scores,
        "pieces": explanation.pieces.iter().map(piece).collect::<Vec<_>>(),
    })
}
