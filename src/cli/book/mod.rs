//! `chuhe book`: making, looking at and turning opening books.

mod check;
mod error;
mod import;
mod line;
mod make;
mod origin;
mod show;
mod turn;

use clap::{Args, Subcommand};
use error::BookError;
use std::io::Write;
use std::process::ExitCode;

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

/// Does what the arguments say.
pub fn run(args: &BookArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    match &args.command {
        Command::Show(args) => show::run(args, out)?,
        Command::Line(args) => line::run(args, out)?,
        Command::Check(args) => return check::run(args, out),
        Command::Convert(args) => turn::convert(args, out)?,
        Command::Merge(args) => turn::merge(args, out)?,
        Command::Import(args) => return import::run(args, out),
        Command::Make(args) => make::run(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}
