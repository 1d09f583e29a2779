//! `chuhe tables build` and `pack`: makes endgame tables.

use super::inspect::counted;
use super::{DEFAULT_FOLDER, TablesError, materials};
use crate::cli::output::OverwriteArgs;
use crate::cli::values::{group_digits, number_in, thread_count, worded};
use chuhe_engine::tablebase::{
    self, EncodedTable, Material, PositionIndexing, TableBuilder, TableFile, TableFormat, TableSet, memory_to_build,
    table_path,
};
use chuhe_support::files::{OverwritePolicy, make_folder};
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use xiangqi::Color;

/// Positions (with either side to move) per thread and second, measured over the set study; for estimates.
const POSITIONS_PER_SECOND: f64 = 0.9e6;
/// Bytes per position on disk, measured over the sets one, duel and study: with one attacker on the board, with
/// attackers on both sides, and with several on one side.
const BYTES_PER_POSITION: [f64; 3] = [0.035, 0.12, 0.2];

/// Arguments of `build`.
#[derive(Args, Debug, Clone)]
pub struct BuildArgs {
    /// Materials such as KNPKAABB
    names: Vec<String>,
    /// A set: core, study, one or duel; may be given several times
    #[arg(long, value_name = "SET", value_parser = worded::<TableSet>)]
    set: Vec<TableSet>,
    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,
    /// Threads that work [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Megabytes of memory that may be used
    #[arg(long, value_name = "MB", default_value_t = 6144)]
    memory: usize,
    /// Only say how large the tables are and about how long they take
    #[arg(long)]
    estimate: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Arguments of `chuhe tables pack`.
#[derive(Args, Debug, Clone)]
pub struct PackArgs {
    /// The file to write
    file: PathBuf,
    /// The set
    #[arg(long, value_name = "SET", default_value = "core", value_parser = worded::<TableSet>)]
    set: TableSet,
    /// Threads that work [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Builds tables.
pub fn run(args: &BuildArgs, out: &mut dyn Write) -> Result<(), TablesError> {
    let wanted = materials(&args.names, &args.set)?;
    if wanted.is_empty() {
        return Err(TablesError::Nothing);
    }
    let all = Material::with_successors(&wanted);
    let threads = thread_count(args.threads.map(usize::from));
    let allowed = args.memory.saturating_mul(1 << 20);
    let is_there = |material: &Material| {
        TableFile::open(&table_path(&args.out, *material))
            .is_ok_and(|file| file.format == TableFormat::Dtm && file.material() == *material)
    };
    let missing: Vec<Material> = all.iter().copied().filter(|material| !is_there(material)).collect();
    if args.estimate {
        return estimate(&all, &missing, threads, out);
    }
    for &material in &missing {
        let needed = memory_to_build(material);
        if needed > allowed {
            let mb = |bytes: usize| bytes >> 20;
            return Err(TablesError::Memory { material, needed: mb(needed), allowed: mb(allowed) });
        }
    }
    make_folder(&args.out).map_err(|source| TablesError::Folder { path: args.out.clone(), source })?;
    let largest = missing.iter().map(|&material| memory_to_build(material)).max().unwrap_or(0);
    let mut builder = TableBuilder::in_folder(&args.out, threads, allowed.saturating_sub(largest));
    let over = OverwritePolicy::IfMarked(tablebase::MAGIC).or_force(args.over.force);
    if missing.len() < all.len() {
        writeln!(out, "{}", tr!("{count} tables are there already", count = all.len() - missing.len()))?;
    }
    let size = |material: &Material| PositionIndexing::index_count(*material);
    let (beginning, mut done) = (Instant::now(), 0);
    let progress = ProgressDisplay::new(missing.iter().map(size).sum());
    for &material in &missing {
        progress.set(done, &material.to_string());
        let begun = Instant::now();
        let made = builder.encode(material, TableFormat::Dtm)?;
        over.write(&table_path(&args.out, material), &made.bytes)?;
        done += size(&material);
        progress.suspend(|| report(material, &made, begun.elapsed(), out))?;
    }
    drop(progress);
    let time = beginning.elapsed().as_secs_f64();
    let (count, seconds) = (missing.len(), format!("{time:.1}"));
    let folder = args.out.display();
    writeln!(out, "{}", tr!("{count} tables made in {seconds} s, in '{folder}'", count, seconds, folder))?;
    Ok(())
}

fn report(material: Material, made: &EncodedTable, time: Duration, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{material:<12} {}",
        tr!(
            "{counts}; {exact}; {bytes} bytes, {seconds} s",
            counts = counted(&made.counts),
            exact = accuracy_text(made),
            bytes = group_digits(made.bytes.len() as u64),
            seconds = format_args!("{:.2}", time.as_secs_f64())
        )
    )?;
    out.flush()
}

fn accuracy_text(made: &EncodedTable) -> String {
    if made.doubtful {
        let count: u64 = made.counts.iter().map(|count| count.doubtful).sum();
        tr!("{count} doubtful draws", count)
    } else {
        tr!("exact")
    }
}

fn estimate(all: &[Material], missing: &[Material], threads: usize, out: &mut dyn Write) -> Result<(), TablesError> {
    let size = |material: &Material| PositionIndexing::index_count(*material);
    for material in missing {
        let count = format!("{:>15}", group_digits(size(material)));
        writeln!(out, "{material:<12} {}", tr!("{count} positions for each side", count))?;
    }
    let positions: u64 = missing.iter().map(size).sum();
    let memory = missing.iter().map(|&material| memory_to_build(material)).max().unwrap_or(0) >> 20;
    let seconds = positions as f64 / POSITIONS_PER_SECOND / threads as f64;
    let bytes = |material: &Material| {
        let kind = match Color::ALL.map(|color| material.side(color).attackers()) {
            [0..=1, 0] | [0, 1] => 0,
            [0, _] | [_, 0] => 2,
            _ => 1,
        };
        size(material) as f64 * BYTES_PER_POSITION[kind]
    };
    writeln!(
        out,
        "{}",
        tr!(
            "{count} tables to make, {there} are there; {positions} positions for each side",
            count = missing.len(),
            there = all.len() - missing.len(),
            positions = group_digits(positions)
        )
    )?;
    let disk = (missing.iter().map(bytes).sum::<f64>() / 1e6).ceil();
    writeln!(
        out,
        "{}",
        tr!(
            "about {disk} MB on disk, {memory} MB of memory at least, {seconds} s on {threads} idle cores",
            disk,
            memory,
            seconds = format_args!("{seconds:.0}"),
            threads
        )
    )?;
    Ok(())
}

/// Packs the outcomes of a set into one file.
pub fn pack_set(args: &PackArgs, out: &mut dyn Write) -> Result<(), TablesError> {
    let over = OverwritePolicy::Never.or_force(args.over.force);
    over.check(&args.file)?;
    let mut builder = TableBuilder::new(thread_count(args.threads.map(usize::from)));
    let mut bytes = Vec::new();
    for material in Material::with_successors(&args.set.materials()) {
        let table = builder.encode(material, TableFormat::Wdl)?.bytes;
        bytes.extend((table.len() as u32).to_le_bytes());
        bytes.extend(table);
    }
    over.write(&args.file, &bytes)?;
    let (count, path) = (group_digits(bytes.len() as u64), args.file.display());
    writeln!(out, "{}", tr!("{count} bytes in '{path}'", count, path))?;
    Ok(())
}
