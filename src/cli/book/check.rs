//! `chuhe book check`: every move of a book, looked at.

use super::error::BookError;
use crate::cli::numbers::grouped;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::types::Move;
use chuhe_toolkit::book::{Book, walk};
use clap::Args;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `check` is told.
#[derive(Args, Debug, Clone)]
pub struct CheckArgs {
    /// The books
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
}

/// What is wrong with a book.
#[derive(Default)]
struct Findings {
    illegal: u64,
    lopsided: u64,
}

/// Checks; ends with 1 if a move is illegal, or other in the mirror.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    let mut code = ExitCode::SUCCESS;
    for path in &args.books {
        let book = chuhe_toolkit::book::open(path)?;
        let mut found = Findings::default();
        let mut failure = None;
        let walked = walk(&*book, &Position::start(), &mut |position, _| {
            if let Err(error) = found.look(&*book, position) {
                failure = Some(error);
            }
            failure.is_none()
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        let missed = book.entries().saturating_sub(walked.moves);
        writeln!(
            out,
            "{}",
            tr!(
                "'{path}': {kind}, {all} moves; from the start {moves} moves of {positions} positions can be reached, \
                 {plies} plies deep, {missed} moves cannot",
                path = path.display(),
                kind = book.kind(),
                all = grouped(book.entries()),
                moves = grouped(walked.moves),
                positions = grouped(walked.positions),
                plies = walked.plies,
                missed = grouped(missed)
            )
        )?;
        if found.illegal + found.lopsided > 0 {
            let Findings { illegal, lopsided } = found;
            writeln!(
                out,
                "{}",
                tr!(
                    "{illegal} moves are illegal; {lopsided} positions have other moves in the mirror",
                    illegal,
                    lopsided
                )
            )?;
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

impl Findings {
    fn look(&mut self, book: &dyn Book, position: &Position) -> Result<(), BookError> {
        let legal = position.legal_moves();
        let here = book.raw_moves(position)?;
        self.illegal += here.iter().filter(|entry| !legal.has(entry.mv)).count() as u64;
        let there = book.raw_moves(&position.mirrored())?;
        let here: BTreeSet<(Move, u32)> = here.iter().map(|entry| (entry.mv, entry.weight)).collect();
        let there: BTreeSet<(Move, u32)> =
            there.iter().map(|entry| (entry.mv.mirror(), entry.weight)).collect();
        self.lopsided += u64::from(here != there);
        Ok(())
    }
}
