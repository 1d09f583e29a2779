//! `chuhe learn measure`: compares networks by how well they predict the scores of games.

use super::report_damage;
use crate::cli::error::{CliError, cli_error};
use chuhe_engine::nnue::win_rate::{MAX_MATERIAL, WIN_RATE, WinRateModel};
use chuhe_engine::nnue::{Network, large_network};
use chuhe_engine::score::MINOR;
use chuhe_lab::training::archive::{ArchiveReader, game_files};
use chuhe_lab::training::measure::{ResultCounts, chances, fit, measure};
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
pub fn run(args: &MeasureArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let mut networks = vec![large_network()];
    for file in &args.networks {
        networks.push(Arc::new(Network::open(file)?));
    }
    let measured = measure(&game_files(&args.data, None)?, &networks)?;
    if measured.positions == 0 {
        return Err(cli_error!("no position in these games could be learned from"));
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

/// With fewer games the numbers are noise.
const MIN_GAMES: u64 = 1000;
/// Arguments of `chuhe learn winrate`.
#[derive(Args)]
pub struct WinRateArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Fits the model, and prints how well it fits.
pub fn run_win_rate(args: &WinRateArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let mut counts = ResultCounts::default();
    let files = game_files(&args.files, None)?;
    let mut reader = ArchiveReader::of(&files);
    for game in &mut reader {
        counts.add_game(&game?);
    }
    let ArchiveReader { games, damaged_bytes: damaged, .. } = reader;
    if games < MIN_GAMES {
        let least = MIN_GAMES;
        return Err(cli_error!("too few games to fit chances: {games}, and {least} are the least", games, least));
    }
    let model = fit(&counts);
    writeln!(out, "{games} games, {} positions", counts.positions())?;
    report_damage(damaged, out)?;
    writeln!(
        out,
        "log loss {:.4}; with the numbers inside the program {:.4}\n",
        counts.cross_entropy(&model),
        counts.cross_entropy(&WIN_RATE)
    )?;
    print_table(&counts, &model, out)?;
    let list = |numbers: &[f64]| -> String {
        numbers.iter().map(|number| format!("{number:.4}")).collect::<Vec<_>>().join(", ")
    };
    let (half, spread) = (list(&model.half), list(&model.spread));
    writeln!(out, "\npub const WIN_RATE: WinRateModel = WinRateModel {{ half: [{half}], spread: [{spread}] }};")?;
    Ok(())
}

/// The results of positions for each band of centipawns, beside the model's; and, by material, the score from which
/// half of the games are won.
fn print_table(counts: &ResultCounts, model: &WinRateModel, out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(out, "material      positions  hundredths of a minor piece in 100 centipawns")?;
    for low in (0..MAX_MATERIAL).step_by(7) {
        let band = low + 1..=low + 7;
        let inside = counts.cells.iter().filter(|((material, _), _)| band.contains(material));
        let positions: f64 = inside.flat_map(|(_, results)| results).sum();
        writeln!(
            out,
            "{:>2} to {:>2}  {positions:>13}  {:.0}",
            band.start(),
            band.end(),
            model.at(low + 4).half() * 100.0 / f64::from(MINOR)
        )?;
    }
    writeln!(out, "\ncentipawns    positions  won, drawn, lost (%)   by the model")?;
    for low in (-250..250).step_by(50) {
        let (mut seen, mut expected) = ([0.0; 3], [0.0; 3]);
        for (&(material, score), results) in &counts.cells {
            if (low..low + 50).contains(&model.at(material).centipawns(score)) {
                let all: f64 = results.iter().sum();
                let chances = chances(model, material, score);
                seen.iter_mut().zip(results).for_each(|(sum, count)| *sum += count);
                expected.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += all * chance);
            }
        }
        let all = seen.iter().sum::<f64>();
        let [a, b, c] = seen.map(|count| 100.0 * count / all.max(1.0));
        let [d, e, f] = expected.map(|count| 100.0 * count / all.max(1.0));
        let band = format!("{low} to {}", low + 49);
        writeln!(out, "{band:<12}{all:>11}  {a:4.0} {b:4.0} {c:4.0}        {d:4.0} {e:4.0} {f:4.0}")?;
    }
    Ok(())
}
