//! `chuhe book check`: checks every move of a book.

use super::BookError;
use crate::cli::values::group_digits;
use chuhe_study::book::{Book, walk};
use chuhe_support::language::tr;
use clap::Args;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use xiangqi::{Move, Position};

/// Arguments of `check`.
#[derive(Args, Debug, Clone)]
pub struct CheckArgs {
    /// The books
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
}

/// The problems found in a book.
#[derive(Default)]
struct BookProblems {
    illegal: u64,
    asymmetric: u64,
}

/// Checks; exit code 1 if a move is illegal, or differs in the mirrored position.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    let mut code = ExitCode::SUCCESS;
    for path in &args.books {
        let book = chuhe_study::book::open_book(path)?;
        let mut found = BookProblems::default();
        let mut failure = None;
        let walked = walk(&*book, &Position::start(), &mut |position, _| {
            if let Err(error) = found.check_position(&*book, position) {
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
                all = group_digits(book.entries()),
                moves = group_digits(walked.moves),
                positions = group_digits(walked.positions),
                plies = walked.plies,
                missed = group_digits(missed)
            )
        )?;
        if found.illegal + found.asymmetric > 0 {
            let BookProblems { illegal, asymmetric: lopsided } = found;
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

impl BookProblems {
    fn check_position(&mut self, book: &dyn Book, position: &Position) -> Result<(), BookError> {
        let legal = position.legal_moves();
        let here = book.raw_moves(position)?;
        self.illegal += here.iter().filter(|entry| !legal.contains(&entry.mv)).count() as u64;
        let there = book.raw_moves(&position.mirrored())?;
        let here: BTreeSet<(Move, u32)> = here.iter().map(|entry| (entry.mv, entry.weight)).collect();
        let there: BTreeSet<(Move, u32)> = there.iter().map(|entry| (entry.mv.mirror(), entry.weight)).collect();
        self.asymmetric += u64::from(here != there);
        Ok(())
    }
}
