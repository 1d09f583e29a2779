//! `chuhe book line`: the tree of a book, or the lines that lead to its leaves.

use super::error::BookError;
use crate::cli::position::PositionArgs;
use chuhe_engine::board::Position;
use chuhe_toolkit::book::{Book, EMBEDDED, Folded, names, openings};
use chuhe_toolkit::record::notation::{self, Notation};
use clap::Args;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

/// What `line` is told.
#[derive(Args, Debug, Clone)]
pub struct LineArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The book
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    book: PathBuf,
    /// Plies to follow
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: usize,
    /// Moves that are known but not to be played, too
    #[arg(long)]
    all: bool,
    /// Instead of the tree, the moves to each of its leaves on a line, as the arena's --openings takes them
    #[arg(long, conflicts_with_all = ["all", "words", "fen", "moves", "number", "ply"])]
    leaves: bool,
}

/// Prints.
pub fn run(args: &LineArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let book = chuhe_toolkit::book::open(&args.book)?;
    if args.leaves {
        for line in openings(&*book, args.depth, usize::MAX)? {
            let words: Vec<String> = line.iter().map(|mv| mv.to_string()).collect();
            writeln!(out, "{}", words.join(" "))?;
        }
        return Ok(());
    }
    let mut position = args.position.position()?;
    let mut seen = HashSet::new();
    branch(args, &*book, &mut position, 0, &mut seen, out)
}

/// Prints what follows from a position; what was printed before is only named.
fn branch(
    args: &LineArgs,
    book: &dyn Book,
    position: &mut Position,
    depth: usize,
    seen: &mut HashSet<u64>,
    out: &mut dyn Write,
) -> Result<(), BookError> {
    if depth >= args.depth {
        return Ok(());
    }
    let mut shown = HashSet::new();
    let folded = Folded::of(position);
    for entry in book.moves(position)? {
        if entry.weight == 0 && !args.all || !shown.insert(folded.fold(entry.mv)) {
            continue;
        }
        let chinese = notation::write(position, entry.mv, Notation::Chinese);
        position.make(entry.mv);
        let name = names::of_position(position).map_or(String::new(), |name| format!("  {}", name.chinese));
        let score = entry.score.map_or(String::new(), |score| format!("  {score:+}"));
        let again = !seen.insert(Folded::of(position).key);
        let mark = if again && !book.moves(position)?.is_empty() { "  …" } else { "" };
        let indent = "  ".repeat(depth);
        writeln!(out, "{indent}{chinese} {}  {}{score}{name}{mark}", entry.mv, entry.weight)?;
        if !again {
            branch(args, book, position, depth + 1, seen, out)?;
        }
        position.unmake();
    }
    Ok(())
}
