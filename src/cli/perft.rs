//! `chuhe perft`: counts move paths, to verify the move generator and measure its speed.

use super::error::CliError;
use super::position_args::PositionArgs;
use super::values::{choice, group_digits, number_in};
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::text_width::pad_right;
use clap::Args;
use serde_json::json;
use std::io::{self, Write};
use std::time::Instant;
use xiangqi::perft::{MAX_PERFT, PathCount};
use xiangqi_record::RankBase;

const EXAMPLES: &str = "\
Examples:
  chuhe perft 5                            133,312,995 paths from the start position
  chuhe perft 3 --divide                   the count below each first move
  chuhe perft 6 --threads 8                the first moves shared out among 8 threads
  chuhe perft 4 --json                     for scripts
  chuhe perft 4 --plain --ranks 1-10       in the form of other engines, to be compared with theirs
  chuhe perft 4 '3ak4/9/9/9/9/9/9/9/4R4/4K4 w'
  chuhe perft 4 h2e2 h9g7                  after these moves from the start position
  chuhe perft 3 game.pgn --ply 30          after 30 plies of a game";

/// Arguments of `chuhe perft`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct PerftArgs {
    /// How many plies deep; each further ply takes about forty times as long
    #[arg(value_parser = number_in::<u32>(0..=MAX_PERFT))]
    pub depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Also show the count below each first move
    #[arg(long)]
    pub divide: bool,
    /// How many threads share the first moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=1024))]
    pub threads: u16,
    /// Print the count below each first move in the form of other engines: h2e2: 1920
    #[arg(long, conflicts_with = "json")]
    pub plain: bool,
    /// How --plain counts ranks: 0-9 or 1-10
    #[arg(long, value_name = "WHICH", requires = "plain", default_value = "0-9", value_parser = choice(&RankBase::ALL, RankBase::name))]
    ranks: RankBase,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Runs `chuhe perft`.
pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let position = args.position.position()?;
    let begun = Instant::now();
    let count = position.divide(args.depth, args.threads.into());
    let time = begun.elapsed();
    log::info!("{} paths of {} moves from {} in {time:.3?}", count.nodes, args.depth, position.fen());
    if args.plain {
        return Ok(write_plain(args, &count, out)?);
    }
    let seconds = time.as_secs_f64();
    let speed = (count.nodes as f64 / seconds.max(1e-9)) as u64;
    if args.json {
        let mut answer = json!({
            "fen": position.fen(),
            "depth": args.depth,
            "nodes": count.nodes,
            "seconds": seconds,
            "nodes_per_second": speed,
            "threads": args.threads,
        });
        if args.divide {
            answer["divide"] = count.below.iter().map(|(mv, nodes)| (mv.to_string(), json!(nodes))).collect();
        }
        return Ok(writeln!(out, "{answer}")?);
    }
    if args.divide {
        let width = count.below.iter().map(|(_, nodes)| group_digits(*nodes).len()).max().unwrap_or(0);
        for (mv, nodes) in &count.below {
            writeln!(out, "{mv}  {:>width$}", group_digits(*nodes))?;
        }
        writeln!(out)?;
    }
    let rows = [
        (tr!("position"), position.fen()),
        (tr!("depth"), args.depth.to_string()),
        (tr!("nodes"), group_digits(count.nodes)),
        (tr!("time"), tr!("{seconds} s", seconds = format_args!("{seconds:.3}"))),
        (tr!("speed"), tr!("{speed} nodes/s", speed = group_digits(speed))),
    ];
    Ok(rows.iter().try_for_each(|(name, value)| writeln!(out, "{}{value}", pad_right(name, 10)))?)
}

/// The lines that other engines print, in alphabetical order.
fn write_plain(args: &PerftArgs, count: &PathCount, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<String> =
        count.below.iter().map(|&(mv, nodes)| format!("{}: {nodes}", args.ranks.format_move(mv))).collect();
    lines.order();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "\nNodes searched: {}", count.nodes)
}
