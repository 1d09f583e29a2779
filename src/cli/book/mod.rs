//! `chuhe book`: makes, shows and converts opening books.

mod check;
mod convert;
mod import;
mod make;
mod show;

use crate::cli::position_args::{InputError, PositionError};
use chuhe_lab::book_builder::JournalError;
use chuhe_study::book::{BookOpenError, BookWriteError, ProbeError, UnknownBookFormat};
use chuhe_support::language::{reason, tr};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe book show                    what the engine's own book plays first
  chuhe book show h2e2 h9g7          … and after these moves
  chuhe book line --depth 4          its tree
  chuhe book show --book BOOK.DAT    another book, as the option bookfiles takes it
  chuhe book convert BOOK.DAT my.chb
  chuhe book import games.pgn --out my.chb --plies 30
  chuhe book merge own my.chb --out both.chb
  chuhe book check my.chb
  chuhe book make --out my.chb --positions 5000
                                     grow a book by searching; the same command continues it
Wherever a book is asked for, own is the one inside the program.";

/// Arguments of `chuhe book`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug, Clone)]
enum BookCommand {
    /// Show what a book plays in a position
    Show(show::BookShowArgs),
    /// Print the tree of a book, or the lines to its leaves as openings for the arena
    Line(show::LineArgs),
    /// Check every move of a book; exit code 1 if something is wrong
    Check(check::CheckArgs),
    /// Convert a book to the format that the file name says: .chb (Chuhe), .dat (BOOK.DAT)
    Convert(convert::BookConvertArgs),
    /// Put several books into one
    Merge(convert::BookMergeArgs),
    /// Make a book out of games
    Import(import::ImportArgs),
    /// Grow a book by searching, on all cores; the same command continues after an interruption
    Make(make::MakeArgs),
}

/// Dispatches the subcommands of `chuhe book`.
pub fn run(args: &BookArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    match &args.command {
        BookCommand::Show(args) => show::run(args, out)?,
        BookCommand::Line(args) => show::run_line(args, out)?,
        BookCommand::Check(args) => return check::run(args, out),
        BookCommand::Convert(args) => convert::convert(args, out)?,
        BookCommand::Merge(args) => convert::merge(args, out)?,
        BookCommand::Import(args) => return import::run(args, out),
        BookCommand::Make(args) => make::run(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// An error of `chuhe book`.
#[derive(Debug, Error)]
pub enum BookError {
    #[error(transparent)]
    Open(#[from] BookOpenError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error(transparent)]
    Format(#[from] UnknownBookFormat),
    #[error(transparent)]
    Put(#[from] BookWriteError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Games(#[from] InputError),
    #[error("{}", tr!("no game in these files that begins at the start position and fits what was asked for"))]
    NoGames,
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
