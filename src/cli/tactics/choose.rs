//! `chuhe tactics choose`: chooses tactics of many, and writes them in little room.

use super::source;
use crate::cli::exercise_error::ExerciseError;
use crate::cli::output::OverwriteArgs;
use chuhe_study::tactics::{self, Tactic};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// What files begin with.
const MARK: &[u8] = b"CHUHETAC";

/// Arguments of `chuhe tactics choose`.
#[derive(Args)]
pub struct ChooseArgs {
    /// Files that `tactics mine` or `tactics check` has written
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// So many at most
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: usize,
    #[command(flatten)]
    over: OverwriteArgs,
}

pub fn run(args: &ChooseArgs, out: &mut dyn Write) -> Result<(), ExerciseError> {
    let policy = OverwritePolicy::IfMarked(MARK).or_force(args.over.force);
    policy.check(&args.out)?;
    let mut all: Vec<Tactic> = Vec::new();
    for file in &args.files {
        all.extend(source::read(Some(file))?);
    }
    let chosen = tactics::choose(all, args.count);
    let bytes = tactics::write(&chosen);
    policy.write(&args.out, &bytes)?;
    let counts = tactics::counts(&chosen);
    let mut shares: Vec<_> = counts.into_iter().map(|(theme, count)| (count, theme)).collect();
    shares.order_by_key(|(count, theme)| (std::cmp::Reverse(*count), theme.name()));
    for (count, theme) in shares {
        writeln!(out, "{count:5}  {:4.1} %  {}", 100.0 * count as f64 / chosen.len().max(1) as f64, theme.phrase())?;
    }
    writeln!(out, "{}", tr!("{count} tactics in {bytes} bytes", count = chosen.len(), bytes = bytes.len()))?;
    Ok(())
}
