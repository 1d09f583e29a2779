//! `chuhe eval`: the static evaluation as a table.

use super::position::PositionArgs;
use crate::eval::{explain, large_network};
use clap::Args;
use std::error::Error;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  chuhe eval
  chuhe eval --moves 'h2e2 h9g7'
  chuhe eval --fen \"2bakab2/r2r5/1cn1c1n2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w\"";

/// Arguments of `chuhe eval`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
}

/// Prints the terms of the evaluation, a row each, and the sum.
pub fn run(args: &EvalArgs, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "{}", explain(&large_network(), &args.position.position()?))?;
    Ok(())
}
