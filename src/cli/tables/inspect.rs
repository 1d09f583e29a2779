//! `chuhe tables list`, `verify` and `longest`: inspects existing tables.

use super::{DEFAULT_FOLDER, TablesError};
use crate::cli::values::{group_digits, number_in, thread_count, worded};
use chuhe_engine::tablebase::{
    Material, TableBuilder, TableFile, TableFormat, TableStats, fen_of_index, files_in, table_path, verify,
};
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi::Color;

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

fn files(folder: &Path) -> Result<Vec<(Material, PathBuf)>, TablesError> {
    files_in(folder).map_err(|source| TablesError::Folder { path: folder.to_path_buf(), source })
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
pub fn list(args: &ListArgs, out: &mut dyn Write) -> Result<ExitCode, TablesError> {
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
                    writeln!(
                        out,
                        "{}",
                        tr!("'{path}' holds {material}", path = path.display(), material = file.material())
                    )?;
                    code = ExitCode::from(1);
                }
                Err(error) => {
                    writeln!(out, "{}", tr!("'{path}' {source}", path = path.display(), source = error.localized()))?;
                    code = ExitCode::from(1);
                }
            }
        }
        writeln!(
            out,
            "{}",
            tr!(
                "{tables} tables in '{folder}', {bytes} bytes, {positions} positions for each side",
                tables,
                folder = folder.display(),
                bytes = group_digits(bytes),
                positions = group_digits(positions)
            )
        )?;
    }
    Ok(code)
}

/// Verifies tables.
pub fn verify_all(args: &VerifyArgs, out: &mut dyn Write) -> Result<ExitCode, TablesError> {
    let threads = thread_count(args.threads.map(usize::from));
    let there = files(&args.path)?;
    for name in &args.names {
        if !there.iter().any(|(material, _)| material == name) {
            return Err(TablesError::NoTable(*name));
        }
    }
    let mut wanted: Vec<(Material, PathBuf)> =
        there.into_iter().filter(|(material, _)| args.names.is_empty() || args.names.contains(material)).collect();
    wanted.order_by_key(|(material, _)| (material.piece_count(), *material));
    let mut builder = TableBuilder::in_folder(&args.path, threads, 1 << 31);
    let (mut checked, mut wrong) = (0, 0);
    for (material, path) in &wanted {
        let file = TableFile::open(path).map_err(|source| TablesError::File { path: path.clone(), source })?;
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
pub fn longest(args: &LongestArgs, out: &mut dyn Write) -> Result<(), TablesError> {
    let path = table_path(&args.path, args.name);
    if !path.exists() {
        return Err(TablesError::NoTable(args.name));
    }
    let file = TableFile::open(&path).map_err(|source| TablesError::File { path, source })?;
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
