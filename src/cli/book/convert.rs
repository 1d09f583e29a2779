//! `chuhe book convert` and `merge`: converts a book into another format, merges several books into one.

use super::BookError;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::group_digits;
use chuhe_study::book::{self, BookFormat, BookWriteError, MemoryBook, collect_reachable};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::language::tr;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `convert`.
#[derive(Args, Debug, Clone)]
pub struct BookConvertArgs {
    /// The book there is
    from: PathBuf,
    /// The book to make of it
    to: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Arguments of `merge`.
#[derive(Args, Debug, Clone)]
pub struct BookMergeArgs {
    /// The books; where they disagree, the one with more games behind a position counts, or else the first
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
    /// The book to make of them
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Converts a book.
pub fn convert(args: &BookConvertArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let format = BookFormat::from_path(&args.to)?;
    let over = OverwritePolicy::IfMarked(b"converted from ").or_force(args.over.force);
    over.check(&args.to).map_err(BookWriteError::from)?;
    let pages = read_reachable(&args.from, out)?;
    write_and_report(&args.to, over, &pages, format, &format!("converted from {}", name(&args.from)), out)
}

/// Merges books.
pub fn merge(args: &BookMergeArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let format = BookFormat::from_path(&args.out)?;
    let over = OverwritePolicy::IfMarked(b"merged from ").or_force(args.over.force);
    over.check(&args.out).map_err(BookWriteError::from)?;
    let mut all = MemoryBook::default();
    for path in &args.books {
        all.merge(&read_reachable(path, out)?);
    }
    let names: Vec<String> = args.books.iter().map(|path| name(path)).collect();
    write_and_report(&args.out, over, &all, format, &format!("merged from {}", names.join(", ")), out)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a book and prints how large it is.
pub fn write_and_report(
    path: &Path,
    over: OverwritePolicy,
    pages: &MemoryBook,
    format: BookFormat,
    note: &str,
    out: &mut dyn Write,
) -> Result<(), BookError> {
    let bytes = book::write_book(path, over, pages, format, note)?;
    let moves: usize = pages.positions.values().map(|moves| moves.len()).sum();
    writeln!(
        out,
        "{}",
        tr!(
            "{positions} positions, {moves} moves, {bytes} bytes in '{path}'",
            positions = group_digits(pages.len() as u64),
            moves = group_digits(moves as u64),
            bytes = group_digits(bytes as u64),
            path = path.display()
        )
    )?;
    Ok(())
}

/// The positions reachable in a book; entries that cannot be reached are reported.
fn read_reachable(path: &Path, out: &mut dyn Write) -> Result<MemoryBook, BookError> {
    let book = chuhe_study::book::open_book(path)?;
    let turned = collect_reachable(&*book)?;
    let missed = book.entries().saturating_sub(turned.walked.moves);
    if missed > 0 {
        writeln!(
            out,
            "{}",
            tr!(
                "'{path}': {missed} of {all} moves cannot be reached from the start position and are left out",
                path = path.display(),
                missed = group_digits(missed),
                all = group_digits(book.entries())
            )
        )?;
    }
    Ok(turned.pages)
}
