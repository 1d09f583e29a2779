//! `chuhe book`: making, looking at and turning opening books.

mod check;
mod import;
mod line;
mod make;
mod show;
mod turn;

use crate::book::make::JournalError;
use crate::book::{self, Book, OpenError, ProbeError, PutError, UnknownFormat};
use crate::record::{SetupError, SourceError};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
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
                                     grow a book by searching; the same command goes on where it was
Wherever a book is asked for, own is the one inside the program.";

/// What `chuhe book` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct BookArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug, Clone)]
enum Command {
    /// Show what a book plays in a position
    Show(show::ShowArgs),
    /// Print the tree of a book, or the lines to its leaves as openings for the arena
    Line(line::LineArgs),
    /// Look at every move of a book; ends with 1 if something is wrong with it
    Check(check::CheckArgs),
    /// Turn a book into another kind, told by the names: .chb (Chuhe), .dat (BOOK.DAT)
    Convert(turn::ConvertArgs),
    /// Put several books into one
    Merge(turn::MergeArgs),
    /// Make a book out of games
    Import(import::ImportArgs),
    /// Grow a book by searching, on all cores; the same command goes on after an interruption
    Make(make::MakeArgs),
}

/// Why `chuhe book` gave up.
#[derive(Debug, Error)]
pub enum BookError {
    /// A file is no book.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A book does not answer any more.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The name of a file to be written does not tell its kind.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// A book cannot be put into its place.
    #[error(transparent)]
    Put(#[from] PutError),
    /// The position is none.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// A file of games cannot be read.
    #[error(transparent)]
    Games(#[from] SourceError),
    /// No game was taken.
    #[error("no game in these files that begins at the start position and fits what was asked for")]
    NoGames,
    /// The journal of a book cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

/// Does what the arguments say.
pub fn run(args: &BookArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    match &args.command {
        Command::Show(args) => show::run(args, out)?,
        Command::Line(args) => line::run(args, out)?,
        Command::Check(args) => return check::run(args, out),
        Command::Convert(args) => turn::convert(args, out)?,
        Command::Merge(args) => turn::merge(args, out)?,
        Command::Import(args) => import::run(args, out)?,
        Command::Make(args) => make::run(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The book of this name.
fn open(path: &Path) -> Result<Arc<dyn Book>, BookError> {
    Ok(book::open(path)?)
}

/// As many threads as were asked for, or as the machine runs at once.
fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}
