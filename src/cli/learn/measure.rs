//! `chuhe learn measure`: compares networks by how well they predict the scores of games.

use super::game_archives::report_damage;
use chuhe_engine::nnue::{Network, large_network};
use chuhe_lab::training::LearnError;
use chuhe_lab::training::archive::game_files;
use chuhe_lab::training::measure::measure;
use chuhe_support::language::tr;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  chuhe learn relabel games/0009.games --out deep.games --nodes 12800
  chuhe learn measure old.net new.net --data deep.games
                              games that neither was trained on, scored again by deep searches; less is better";

/// Arguments of `chuhe learn measure`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct MeasureArgs {
    /// Networks; the one inside the program comes first in any case
    networks: Vec<PathBuf>,
    /// Files of games, or folders of them
    #[arg(long, required = true, num_args = 1.., value_name = "FILE|DIR")]
    data: Vec<PathBuf>,
}

/// Measures, and prints the table.
pub fn run(args: &MeasureArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    let mut networks = vec![large_network()];
    for file in &args.networks {
        networks.push(Arc::new(Network::open(file)?));
    }
    let measured = measure(&game_files(&args.data)?, &networks)?;
    if measured.positions == 0 {
        return Err(LearnError::Argument(tr!("no position in these games could be learned from")));
    }
    let name = |file: &PathBuf| file.display().to_string();
    let names: Vec<String> = std::iter::once("(inside)".to_string()).chain(args.networks.iter().map(name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    writeln!(out, "{} games, {} positions", measured.games, measured.positions)?;
    report_damage(measured.damaged, out)?;
    writeln!(out)?;
    writeln!(out, "{:<width$}      loss  at its best scale", "network")?;
    for (name, loss) in names.iter().zip(&measured.losses) {
        let (plain, scaled, factor) = (loss.plain, loss.scaled, loss.factor);
        writeln!(out, "{name:<width$}  {plain:.6}  {scaled:.6} × {factor:.2}")?;
    }
    Ok(())
}
