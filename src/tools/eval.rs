//! `chuhe eval`: the static evaluation as a table.

use super::position::PositionArgs;
use crate::arena::quoted;
use crate::board::Position;
use crate::eval::{Explanation, explain, large_network};
use clap::Args;
use std::error::Error;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  chuhe eval
  chuhe eval --moves 'h2e2 h9g7'
  chuhe eval --json                 for scripts
  chuhe eval --fen \"2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w\"";

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
    let text = if args.json { json(&position, &explanation) } else { explanation.to_string() };
    writeln!(out, "{text}")?;
    Ok(())
}

fn json(position: &Position, explanation: &Explanation) -> String {
    let pieces = explanation.pieces.iter().map(|(square, piece, worth)| {
        let worth = worth.map_or("null".to_string(), |worth| worth.to_string());
        format!("{{\"square\": \"{square}\", \"piece\": \"{}\", \"worth\": {worth}}}", piece.letter())
    });
    let heads: Vec<String> = explanation.heads.iter().map(ToString::to_string).collect();
    format!(
        "{{\"fen\": \"{}\", \"network\": {}, \"evaluation\": {}, \"winning_chances\": {}, \"head\": {}, \
         \"heads\": [{}], \"pieces\": [{}]}}",
        position.fen(),
        quoted(&explanation.network),
        explanation.total,
        explanation.winning_chances,
        explanation.head,
        heads.join(", "),
        pieces.collect::<Vec<_>>().join(", ")
    )
}
