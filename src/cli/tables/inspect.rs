//! `chuhe tables list`, `verify` and `longest`: looking at tables that are there.

use super::error::TablesError;
use super::folders::FOLDER;
use crate::cli::numbers::grouped;
use crate::cli::values::threads;
use crate::cli::values::within;
use crate::tables::{Content, Count, Maker, Material, TableFile, fen, files_in, path_of, verify};
use crate::types::Color;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `list` is told.
#[derive(Args, Debug, Clone)]
pub struct ListArgs {
    /// Folders of tables
    #[arg(value_name = "DIR", default_value = FOLDER)]
    folders: Vec<PathBuf>,
}

/// What `verify` is told.
#[derive(Args, Debug, Clone)]
pub struct VerifyArgs {
    /// Materials such as KNPKAABB [default: all that are there]
    names: Vec<Material>,
    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    path: PathBuf,
    /// Look at one position of so many only
    #[arg(long, value_name = "N", default_value_t = 1)]
    sample: u32,
    /// Threads that work [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=256))]
    threads: Option<u16>,
}

/// What `longest` is told.
#[derive(Args, Debug, Clone)]
pub struct LongestArgs {
    /// A material such as KNPKAABB
    name: Material,
    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    path: PathBuf,
}

fn files(folder: &Path) -> Result<Vec<(Material, PathBuf)>, TablesError> {
    files_in(folder).map_err(|source| TablesError::Folder { path: folder.to_path_buf(), source })
}

/// The counts of a table for either side to move: won, drawn and lost positions, with the longest win and loss.
pub(super) fn counted([first, second]: &[Count; 2]) -> String {
    let longest =
        |longest: Option<(u16, u64)>| longest.map_or("-".to_string(), |(plies, _)| plies.to_string());
    format!(
        "first to move {}/{}/{} longest win {}; second {}/{}/{} longest loss {}",
        first.won,
        first.drawn,
        first.lost,
        longest(first.longest_win),
        second.won,
        second.drawn,
        second.lost,
        longest(second.longest_loss),
    )
}

/// Lists tables; ends with 1 if one is of no use.
pub fn list(args: &ListArgs, out: &mut dyn Write) -> Result<ExitCode, TablesError> {
    let mut code = ExitCode::SUCCESS;
    for folder in &args.folders {
        let (mut tables, mut bytes, mut positions) = (0, 0, 0);
        for (material, path) in files(folder)? {
            match TableFile::open(&path) {
                Ok(file) if file.material() == material => {
                    let exact = if file.doubtful { "doubtful draws" } else { "exact" };
                    let bytes_there = grouped(file.bytes);
                    writeln!(
                        out,
                        "{material:<12} {bytes_there:>14} bytes  {}; {exact}",
                        counted(&file.counts)
                    )?;
                    tables += 1;
                    bytes += file.bytes;
                    positions += file.layout.size() as u64;
                }
                Ok(file) => {
                    writeln!(out, "'{}' holds {}", path.display(), file.material())?;
                    code = ExitCode::from(1);
                }
                Err(error) => {
                    writeln!(out, "'{}' {error}", path.display())?;
                    code = ExitCode::from(1);
                }
            }
        }
        writeln!(
            out,
            "{tables} tables in '{}', {} bytes, {} positions for each side",
            folder.display(),
            grouped(bytes),
            grouped(positions)
        )?;
    }
    Ok(code)
}

/// Verifies tables.
pub fn verify_all(args: &VerifyArgs, out: &mut dyn Write) -> Result<ExitCode, TablesError> {
    let threads = threads(args.threads.map(usize::from));
    let there = files(&args.path)?;
    for name in &args.names {
        if !there.iter().any(|(material, _)| material == name) {
            return Err(TablesError::Unknown(*name));
        }
    }
    let mut wanted: Vec<(Material, PathBuf)> = there
        .into_iter()
        .filter(|(material, _)| args.names.is_empty() || args.names.contains(material))
        .collect();
    wanted.sort_by_key(|(material, _)| (material.pieces(), *material));
    let mut maker = Maker::in_folder(&args.path, threads, 1 << 31);
    let (mut checked, mut wrong) = (0, 0);
    for (material, path) in &wanted {
        let file =
            TableFile::open(path).map_err(|source| TablesError::File { path: path.clone(), source })?;
        if file.content != Content::Plies || file.material() != *material {
            writeln!(out, "'{}' holds {}", path.display(), file.material())?;
            wrong += 1;
            continue;
        }
        let links = maker.links(*material)?;
        let table = maker.table(*material)?;
        let findings = verify(&table, &links, threads, args.sample.max(1) as usize);
        let counts = Color::ALL.map(|mover| table.count(mover, threads));
        let said = if counts == file.counts { "" } else { "; the header counts otherwise" };
        writeln!(
            out,
            "{material:<12} {:>14} checked, {} wrong{said}",
            grouped(findings.checked),
            findings.wrong
        )?;
        if let Some((fen, cell, right)) = &findings.example {
            writeln!(out, "  {fen}: {cell} instead of {right}")?;
        }
        out.flush()?;
        checked += findings.checked;
        wrong += findings.wrong + u64::from(!said.is_empty());
    }
    writeln!(out, "{} tables, {} positions checked, {wrong} wrong", wanted.len(), grouped(checked))?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Shows the longest win and loss.
pub fn longest(args: &LongestArgs, out: &mut dyn Write) -> Result<(), TablesError> {
    let path = path_of(&args.path, args.name);
    if !path.exists() {
        return Err(TablesError::Unknown(args.name));
    }
    let file = TableFile::open(&path).map_err(|source| TablesError::File { path, source })?;
    for mover in Color::ALL {
        let count = &file.counts[mover];
        let who = if mover == Color::Red { "first" } else { "second" };
        for (what, longest) in [("wins", count.longest_win), ("loses", count.longest_loss)] {
            if let Some((plies, number)) = longest
                && let Some(fen) = fen(&file.layout, mover, number)
            {
                writeln!(out, "{who} side to move {what} in {plies} plies  {fen}")?;
            }
        }
    }
    Ok(())
}
