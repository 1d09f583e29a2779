//! `chuhe eval`: the static evaluation as a table.

use super::position_args::PositionArgs;
use chuhe_engine::nnue::{Explanation, explain, large_network};
use chuhe_engine::score::Score;
use chuhe_support::messages::Localize;
use clap::Args;
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write;
use xiangqi::{Piece, Position, Square};

const EXAMPLES: &str = "\
Examples:
  chuhe eval
  chuhe eval h2e2 h9g7              after these moves from the start position
  chuhe eval game.pgn --ply 30      after 30 plies of a game
  chuhe eval --json                 for scripts
  chuhe eval \"2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w\"";

/// Arguments of `chuhe eval`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the terms of the evaluation, a row each, and the sum.
pub fn run(args: &EvalArgs, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let position = args.position.position()?;
    let explanation = explain(&large_network(), &position);
    let text = if args.json { json(&position, &explanation).to_string() } else { explanation.localized() };
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
