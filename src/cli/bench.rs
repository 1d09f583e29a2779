//! `chuhe bench`: a fixed set of searches. Its node count is the signature of the search: it changes exactly
//! when the search does. Its speed is what the engine makes of this machine.

use super::numbers::grouped;
use crate::record::Setup;
use crate::search::{Control, Limits, Options, Searcher, Silent};
use crate::types::score::hundredths;
use clap::Args;
use serde_json::json;
use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  chuhe bench                      the signature
  chuhe bench 14 --threads 2       deeper, on two threads (the count then varies)
  chuhe bench --json               for scripts";

/// Arguments of `chuhe bench`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// How deep to search each position
    #[arg(default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// How many threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Searches every position with a fresh mind and prints nodes, time and speed.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let options = Options { threads: usize::from(args.threads), ..Options::default() };
    let mut searcher = Searcher::new(options, args.hash)?;
    let limits = Limits::depth(args.depth);
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for (number, line) in POSITIONS.lines().enumerate() {
        let position = Setup::of(line).position()?;
        searcher.clear();
        let begun = Instant::now();
        let outcome = searcher.search(&position, &limits, &Control::new(false), &mut Silent);
        time += begun.elapsed();
        nodes += outcome.nodes;
        log::debug!("position {}: {} nodes, score {}", number + 1, outcome.nodes, outcome.score);
        if !args.json {
            let best = outcome.best.map_or_else(|| "none".to_string(), |mv| mv.to_string());
            writeln!(
                out,
                "{:>3}  {best}  {:>7}  {:>12} nodes  {line}",
                number + 1,
                hundredths(outcome.score),
                grouped(outcome.nodes)
            )?;
        }
    }
    log::info!("{nodes} nodes in {time:.3?}");
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    if args.json {
        let (depth, threads, hash) = (args.depth, args.threads, args.hash);
        let millis = time.as_millis() as u64;
        let answer = json!({
            "nodes": nodes, "time_ms": millis, "nps": speed, "depth": depth, "threads": threads, "hash": hash
        });
        writeln!(out, "{answer}")?;
    } else {
        // The last line is the one that test frameworks look for.
        writeln!(out, "\n{:.3} s\n{nodes} nodes {speed} nps", time.as_secs_f64())?;
    }
    Ok(())
}

/// Openings, middlegames, endings, mates, positions in check, positions about to repeat; with the moves that lead there
/// where the history matters.
const POSITIONS: &str = include_str!("bench_positions.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_can_be_set_up_and_differ() {
        let keys: Vec<_> =
            POSITIONS.lines().map(|line| Setup::of(line).position().expect(line).key()).collect();
        assert!(keys.len() >= 40);
        let mut distinct = keys.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), keys.len());
    }
}
