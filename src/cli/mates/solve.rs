//! `chuhe mates solve`: solves mate problems by `go mate`, and by the normal search.

use super::problem::{self, MateProblem};
use crate::cli::exercise_error::ExerciseError;
use chuhe_engine::score;
use chuhe_engine::search::{Bound, Control, Info, Limits, Options, Reporter, Searcher};
use chuhe_study::player::HASH_MB;
use clap::Args;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `chuhe mates solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// A file of problems, `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Nodes for each problem and each way to solve it
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Size of the hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = HASH_MB)]
    hash: usize,
    /// Name the problems that were not solved
    #[arg(long)]
    missed: bool,
}

/// How many problems were solved, and with how many nodes.
#[derive(Clone, Copy, Default)]
struct SolveCount {
    found: u32,
    exact: u32,
    nodes: u64,
}

/// Records when a short enough mate was first reported.
struct SolveListener {
    moves: u32,
    found: Option<u32>,
    first: u64,
}

impl Reporter for SolveListener {
    fn info(&mut self, info: &Info) {
        let moves = score::mate_plies(info.score).filter(|&plies| plies > 0).map(|plies| plies as u32 / 2 + 1);
        if let Some(moves) = moves.filter(|&moves| moves <= self.moves)
            && info.bound == Bound::Exact
        {
            if self.found.is_none() {
                self.first = info.nodes;
            }
            self.found = Some(moves);
        }
    }
}

/// Solves every problem both ways, and prints a table by length.
pub fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<(), ExerciseError> {
    let problems = problem::read(&args.file)?;
    let mut searcher = Searcher::new(Options::default(), args.hash)?;
    let mut table: BTreeMap<u32, (u32, [SolveCount; 2])> = BTreeMap::new();
    for problem in &problems {
        let (total, counts) = table.entry(problem.moves).or_default();
        *total += 1;
        for (count, mate) in counts.iter_mut().zip([Some(problem.moves), None]) {
            let solved = solve(&mut searcher, problem, Limits { mate, ..Limits::nodes(args.nodes) });
            let way = if mate.is_some() { "go mate" } else { "search" };
            match solved {
                None if args.missed => writeln!(out, "missed by {way}: {problem}")?,
                None => {}
                Some((nodes, exact)) => {
                    count.found += 1;
                    count.exact += u32::from(exact);
                    count.nodes += nodes;
                }
            }
        }
    }
    writeln!(out, "moves  problems  go mate  shortest      nodes   search  shortest      nodes")?;
    let mut row = |name: &str, total: u32, counts: &[SolveCount; 2]| {
        write!(out, "{name:>5}  {total:>8}")?;
        for count in counts {
            let nodes = count.nodes / u64::from(count.found.max(1));
            write!(out, "  {:>7}  {:>8}  {nodes:>9}", count.found, count.exact)?;
        }
        writeln!(out)
    };
    let (mut sum, mut sums) = (0, [SolveCount::default(); 2]);
    for (moves, (total, counts)) in &table {
        row(&moves.to_string(), *total, counts)?;
        sum += total;
        for (all, count) in sums.iter_mut().zip(counts) {
            all.found += count.found;
            all.exact += count.exact;
            all.nodes += count.nodes;
        }
    }
    row("all", sum, &sums)?;
    Ok(())
}

/// The nodes at which a mate of at most the problem's length was found, and whether the final result has exactly that
/// length, where that is known to be the shortest.
fn solve(searcher: &mut Searcher, problem: &MateProblem, limits: Limits) -> Option<(u64, bool)> {
    searcher.new_game();
    let mut listener = SolveListener { moves: problem.moves, found: None, first: 0 };
    searcher.search(&problem.position, &limits, &Control::new(false), &mut listener);
    let exact = listener.found? == problem.moves || !problem.is_shortest;
    Some((listener.first, exact))
}
