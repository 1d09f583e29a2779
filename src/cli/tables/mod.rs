//! `chuhe tables`: builds, lists and verifies endgame tables; `probe` asks them.

mod probe;

use super::error::{CliError, cli_error};
use super::output::OverwriteArgs;
use super::values::{group_digits, number_in, thread_count, worded};
use chuhe_engine::tablebase::{
    self, EncodedTable, Material, PositionIndexing, TableBuilder, TableFile, TableFormat, TableSet, TableStats,
    fen_of_index, files_in, memory_to_build, table_path, verify,
};
use chuhe_support::files::{OverwritePolicy, make_folder};
use chuhe_support::language::{Message, tr};
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::terminal::ProgressDisplay;
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use xiangqi::Color;

pub const EXAMPLES: &str = "\
Examples:
  chuhe tables build KNPKAABB                  make this table, and those that it needs, in the folder tables
  chuhe tables build --set core --set duel --out /data/tables
  chuhe tables build --set study --estimate    how large, how long?
  chuhe tables list
  chuhe tables probe '3ak4/4a4/4b4/9/9/9/9/9/4R4/4K4 w'
  chuhe tables longest KNPKAABB
  chuhe tables practice KCAKAA --count 20      random won positions, to be played out
  chuhe tables verify --sample 100

The option egtbpaths (UCI: TablesPath) tells the engine where the tables are.";

#[derive(Subcommand, Debug, Clone)]
pub enum TablesCommand {
    /// Build tables by name or by set, the smaller ones that they need first; existing ones are kept
    Build(BuildArgs),
    /// List the tables of a folder and check their headers
    List(ListArgs),
    /// Show the result of a position, and of each of its moves
    Probe(probe::ProbeArgs),
    /// Verify tables against the values of the positions that follow; exit code 1 if one is wrong
    Verify(VerifyArgs),
    /// Show the longest win and the longest loss of a table
    Longest(LongestArgs),
    /// Write random positions of an ending, won, drawn or lost, to be played out
    Practice(probe::PracticeArgs),
    /// Pack the wins, draws and losses of a set into one file, as the program brings those of core along
    Pack(PackArgs),
}

/// Dispatches the subcommands of `chuhe tables`.
pub fn run(command: &TablesCommand, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    match command {
        TablesCommand::Build(args) => build(args, out)?,
        TablesCommand::List(args) => return list(args, out),
        TablesCommand::Probe(args) => probe::run(args, out)?,
        TablesCommand::Verify(args) => return verify_all(args, out),
        TablesCommand::Longest(args) => longest(args, out)?,
        TablesCommand::Practice(args) => probe::practice(args, out)?,
        TablesCommand::Pack(args) => pack_set(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The default folder.
pub const DEFAULT_FOLDER: &str = "tables";

/// The named folders, which must exist, or the default one.
pub fn table_folders(named: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    for path in named {
        std::fs::read_dir(path).map_err(|error| bad_folder(path, error))?;
    }
    let usual = Path::new(DEFAULT_FOLDER);
    Ok(if named.is_empty() && usual.is_dir() { vec![usual.to_path_buf()] } else { named.to_vec() })
}

/// Whether `build` can make a table of this material.
pub fn is_buildable(material: Material) -> bool {
    material.has_attackers() && material.piece_count() <= 16
}

/// The materials of names and sets together.
pub fn materials(names: &[String], sets: &[TableSet]) -> Result<Vec<Material>, CliError> {
    let mut found: Vec<Material> = sets.iter().flat_map(|set| set.materials()).collect();
    for name in names {
        let material: Material = name.parse()?;
        if !is_buildable(material) {
            return Err(unsupported(material));
        }
        found.push(material);
    }
    Ok(found)
}

fn bad_folder(path: &Path, error: io::Error) -> CliError {
    cli_error!("folder '{path}': {source}", path = path.display().to_string(), source = CliError::of_system(error))
}

fn open_file(path: &Path) -> Result<TableFile, CliError> {
    let refused =
        |error| cli_error!("'{path}' {source}", path = path.display().to_string(), source = Message::from_value(error));
    TableFile::open(path).map_err(refused)
}

fn no_table(material: Material) -> CliError {
    cli_error!("no table of {material} at hand; `chuhe tables build {material}` makes it", material)
}

fn unsupported(material: Material) -> CliError {
    cli_error!("{material}: tables have 1 to 14 pieces beside the kings, of which one at least attacks", material)
}

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
fn build(args: &BuildArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let wanted = materials(&args.names, &args.set)?;
    if wanted.is_empty() {
        return Err(cli_error!("which tables? Name some (KNPKAABB), or a set (--set core)"));
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
            let (needed, allowed) = (needed >> 20, allowed >> 20);
            return Err(cli_error!(
                "{material} needs {needed} MB of memory, more than the {allowed} MB that --memory allows",
                material,
                needed,
                allowed
            ));
        }
    }
    make_folder(&args.out).map_err(|error| bad_folder(&args.out, error))?;
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

fn estimate(all: &[Material], missing: &[Material], threads: usize, out: &mut dyn Write) -> Result<(), CliError> {
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
    let text = tr!(
        "{count} tables to make, {there} are there; {positions} positions for each side",
        count = missing.len(),
        there = all.len() - missing.len(),
        positions = group_digits(positions)
    );
    writeln!(out, "{text}")?;
    let disk = (missing.iter().map(bytes).sum::<f64>() / 1e6).ceil();
    let text = tr!(
        "about {disk} MB on disk, {memory} MB of memory at least, {seconds} s on {threads} idle cores",
        disk,
        memory,
        seconds = format_args!("{seconds:.0}"),
        threads
    );
    writeln!(out, "{text}")?;
    Ok(())
}

/// Packs the outcomes of a set into one file.
fn pack_set(args: &PackArgs, out: &mut dyn Write) -> Result<(), CliError> {
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

/// Arguments of `list`.
#[derive(Args, Debug, Clone)]
pub struct ListArgs {
    /// Folders of tables
    #[arg(value_name = "DIR", default_value = DEFAULT_FOLDER)]
    folders: Vec<PathBuf>,
}

/// Arguments of `verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyArgs {
    /// Materials such as KNPKAABB [default: all that are there]
    #[arg(value_parser = worded::<Material>)]
    names: Vec<Material>,
    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    path: PathBuf,
    /// Verify only one position in N
    #[arg(long, value_name = "N", default_value_t = 1)]
    sample: u32,
    /// Threads that work [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
}

/// Arguments of `longest`.
#[derive(Args, Debug, Clone)]
pub struct LongestArgs {
    /// A material such as KNPKAABB
    #[arg(value_parser = worded::<Material>)]
    name: Material,
    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    path: PathBuf,
}

fn files(folder: &Path) -> Result<Vec<(Material, PathBuf)>, CliError> {
    files_in(folder).map_err(|error| bad_folder(folder, error))
}

/// The counts of a table for either side to move: won, drawn and lost positions, with the longest win and loss.
pub(super) fn counted([first, second]: &[TableStats; 2]) -> String {
    let longest = |longest: Option<(u16, u64)>| longest.map_or("-".to_string(), |(plies, _)| plies.to_string());
    tr!(
        "first to move {won}/{drawn}/{lost} longest win {win}; second {won2}/{drawn2}/{lost2} longest loss {loss2}",
        won = first.won,
        drawn = first.drawn,
        lost = first.lost,
        win = longest(first.longest_win),
        won2 = second.won,
        drawn2 = second.drawn,
        lost2 = second.lost,
        loss2 = longest(second.longest_loss)
    )
}

/// Lists tables; exit code 1 if one is unusable.
fn list(args: &ListArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let mut code = ExitCode::SUCCESS;
    for folder in &args.folders {
        let (mut tables, mut bytes, mut positions) = (0, 0, 0);
        for (material, path) in files(folder)? {
            match TableFile::open(&path) {
                Ok(file) if file.material() == material => {
                    let exact = if file.doubtful { tr!("doubtful draws") } else { tr!("exact") };
                    let bytes_there = group_digits(file.bytes);
                    let bytes_there = format!("{material:<12} {bytes_there:>14}");
                    let counts = counted(&file.counts);
                    writeln!(out, "{}", tr!("{bytes} bytes  {counts}; {exact}", bytes = bytes_there, counts, exact))?;
                    tables += 1;
                    bytes += file.bytes;
                    positions += file.indexing.size() as u64;
                }
                Ok(file) => {
                    let text = tr!("'{path}' holds {material}", path = path.display(), material = file.material());
                    writeln!(out, "{text}")?;
                    code = ExitCode::from(1);
                }
                Err(error) => {
                    writeln!(out, "{}", tr!("'{path}' {source}", path = path.display(), source = error.localized()))?;
                    code = ExitCode::from(1);
                }
            }
        }
        let text = tr!(
            "{tables} tables in '{folder}', {bytes} bytes, {positions} positions for each side",
            tables,
            folder = folder.display(),
            bytes = group_digits(bytes),
            positions = group_digits(positions)
        );
        writeln!(out, "{text}")?;
    }
    Ok(code)
}

/// Verifies tables.
fn verify_all(args: &VerifyArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let threads = thread_count(args.threads.map(usize::from));
    let there = files(&args.path)?;
    for name in &args.names {
        if !there.iter().any(|(material, _)| material == name) {
            return Err(no_table(*name));
        }
    }
    let mut wanted: Vec<(Material, PathBuf)> =
        there.into_iter().filter(|(material, _)| args.names.is_empty() || args.names.contains(material)).collect();
    wanted.order_by_key(|(material, _)| (material.piece_count(), *material));
    let mut builder = TableBuilder::in_folder(&args.path, threads, 1 << 31);
    let (mut checked, mut wrong) = (0, 0);
    for (material, path) in &wanted {
        let file = open_file(path)?;
        if file.format != TableFormat::Dtm || file.material() != *material {
            writeln!(out, "{}", tr!("'{path}' holds {material}", path = path.display(), material = file.material()))?;
            wrong += 1;
            continue;
        }
        let successors = builder.successors(*material)?;
        let table = builder.table(*material)?;
        let report = verify(&table, &successors, threads, args.sample.max(1) as usize);
        let counts = Color::ALL.map(|mover| table.count(mover, threads));
        let is_miscounted = counts != file.counts;
        let checked_here = format!("{material:<12} {:>14}", group_digits(report.checked));
        let message = match is_miscounted {
            false => tr!("{checked} checked, {wrong} wrong", checked = checked_here, wrong = report.wrong),
            true => tr!(
                "{checked} checked, {wrong} wrong; the header counts otherwise",
                checked = checked_here,
                wrong = report.wrong
            ),
        };
        writeln!(out, "{message}")?;
        if let Some((fen, cell, right)) = &report.example {
            let row = tr!("{fen}: {cell} instead of {right}", fen, cell, right);
            writeln!(out, "  {row}")?;
        }
        out.flush()?;
        checked += report.checked;
        wrong += report.wrong + u64::from(is_miscounted);
    }
    let (tables, checked) = (wanted.len(), group_digits(checked));
    writeln!(out, "{}", tr!("{tables} tables, {checked} positions checked, {wrong} wrong", tables, checked, wrong))?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Prints the longest win and loss.
fn longest(args: &LongestArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let path = table_path(&args.path, args.name);
    if !path.exists() {
        return Err(no_table(args.name));
    }
    let file = open_file(&path)?;
    for mover in Color::ALL {
        let count = &file.counts[mover];
        for (wins, longest) in [(true, count.longest_win), (false, count.longest_loss)] {
            if let Some((plies, number)) = longest
                && let Some(fen) = fen_of_index(&file.indexing, mover, number)
            {
                let summary = match (mover, wins) {
                    (Color::Red, true) => tr!("first side to move wins in {plies} plies", plies),
                    (Color::Red, false) => tr!("first side to move loses in {plies} plies", plies),
                    (Color::Black, true) => tr!("second side to move wins in {plies} plies", plies),
                    (Color::Black, false) => tr!("second side to move loses in {plies} plies", plies),
                };
                writeln!(out, "{summary}  {fen}")?;
            }
        }
    }
    Ok(())
}
