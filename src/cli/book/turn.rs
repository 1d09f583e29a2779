//! `chuhe book convert` and `merge`: one kind of book out of another, one book out of several.

use super::error::BookError;
use super::origin;
use crate::cli::force::ForceArgs;
use crate::cli::numbers::grouped;
use chuhe_engine::files::Over;
use chuhe_engine::language::tr;
use chuhe_toolkit::book::{self, Format, Pages, PutError, gather};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `convert` is told.
#[derive(Args, Debug, Clone)]
pub struct ConvertArgs {
    /// The book there is
    from: PathBuf,
    /// The book to make of it
    to: PathBuf,
    #[command(flatten)]
    over: ForceArgs,
}

/// What `merge` is told.
#[derive(Args, Debug, Clone)]
pub struct MergeArgs {
    /// The books; where they disagree, the one with more games behind a position counts, or else the first
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
    /// The book to make of them
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: ForceArgs,
}

/// Turns.
pub fn convert(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let format = Format::of(&args.to)?;
    let over = origin::over(|bytes| origin::note_of(bytes).starts_with("from "), args.over);
    over.check(&args.to).map_err(PutError::from)?;
    let pages = pages(&args.from, out)?;
    write(&args.to, over, &pages, format, &format!("from {}", name(&args.from)), out)
}

/// Merges.
pub fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let format = Format::of(&args.out)?;
    let over = origin::over(|bytes| origin::note_of(bytes).starts_with("merged from "), args.over);
    over.check(&args.out).map_err(PutError::from)?;
    let mut all = Pages::default();
    for path in &args.books {
        all.merge(&pages(path, out)?);
    }
    let names: Vec<String> = args.books.iter().map(|path| name(path)).collect();
    write(&args.out, over, &all, format, &format!("merged from {}", names.join(", ")), out)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a book and says so.
pub fn write(
    path: &Path,
    over: Over,
    pages: &Pages,
    format: Format,
    note: &str,
    out: &mut dyn Write,
) -> Result<(), BookError> {
    let bytes = book::put(path, over, pages, format, note)?;
    let moves: usize = pages.positions.values().map(|moves| moves.len()).sum();
    writeln!(
        out,
        "{}",
        tr!(
            "{positions} positions, {moves} moves, {bytes} bytes in '{path}'",
            positions = grouped(pages.len() as u64),
            moves = grouped(moves as u64),
            bytes = grouped(bytes as u64),
            path = path.display()
        )
    )?;
    Ok(())
}

/// What can be reached in a book; what cannot is told.
fn pages(path: &Path, out: &mut dyn Write) -> Result<Pages, BookError> {
    let book = chuhe_toolkit::book::open(path)?;
    let turned = gather(&*book)?;
    let missed = book.entries().saturating_sub(turned.walked.moves);
    if missed > 0 {
        writeln!(
            out,
            "{}",
            tr!(
                "'{path}': {missed} of {all} moves cannot be reached from the start position and are left out",
                path = path.display(),
                missed = grouped(missed),
                all = grouped(book.entries())
            )
        )?;
    }
    Ok(turned.pages)
}
