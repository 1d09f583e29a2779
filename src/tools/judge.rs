//! `chuhe judge`: how a game stands after its last move, and why.

use super::judge_cases::{self, CasesError};
use super::position::PositionArgs;
use crate::record::SetupError;
use crate::rules::{Deed, RuleSet, Rules};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe judge --fen '4k4/9/9/c8/9/R8/9/9/9/3K5 b' --moves 'a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain
  chuhe judge --rules league --fen FEN --moves 'm1 m2 …'
  chuhe judge --cases cases.tsv        score the judge against a table of cases

A table of cases is tab-separated and begins with a line of column names: fen, moves_before, cycle, and a
column of verdicts (draw, w-loses, b-loses, ongoing) for each rule set that it knows. Of each case the moves
before are played, and then the cycle until the position has stood as often as the rule set asks.";

/// What `chuhe judge` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArgs {
    /// The rules of repetition: asian, league, computer or none [default: asian; all that a table knows]
    #[arg(long, value_name = "SET")]
    rules: Option<RuleSet>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
    #[command(flatten)]
    position: PositionArgs,
    /// Also say what each move of the repetition checked and chased
    #[arg(long)]
    explain: bool,
    /// Judge a table of cases instead, and say where it disagrees
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "explain"])]
    cases: Option<PathBuf>,
}

/// Why `chuhe judge` gave up.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// The game cannot be played.
    #[error(transparent)]
    Game(#[from] SetupError),
    /// The table of cases is none.
    #[error(transparent)]
    Cases(#[from] CasesError),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

/// Judges a game, or a table of them.
pub fn run(args: &JudgeArgs, out: &mut dyn Write) -> Result<(), JudgeError> {
    if let Some(path) = &args.cases {
        judge_cases::run(path, args.rules, args.natural_limit, out)?;
        return Ok(());
    }
    let rules = Rules::with_limit(args.rules.unwrap_or_default(), args.natural_limit);
    let position = args.position.position()?;
    writeln!(out, "{}", rules.judge(&position))?;
    if args.explain {
        explain(&rules.explain(&position), out)?;
    }
    Ok(())
}

fn explain(deeds: &[Deed], out: &mut dyn Write) -> io::Result<()> {
    for deed in deeds {
        let mut done = Vec::new();
        if deed.check {
            done.push("checks".to_string());
        }
        for (kind, square) in &deed.chased {
            done.push(format!("chases the {} on {square}", kind.name()));
        }
        let done = if done.is_empty() { "-".to_string() } else { done.join(", ") };
        // Padding a formatted value needs its text first.
        writeln!(out, "  {:<5}  {}  {done}", deed.mover.to_string(), deed.mv)?;
    }
    Ok(())
}
