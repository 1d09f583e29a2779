//! `chuhe repertoire`: an opening repertoire of games, what is missing in it, and where games leave it.

mod check;
mod gaps;
mod make;
mod output;
mod show;
mod source;

pub use check::departure_json;
pub use gaps::gap_json;
pub use output::repertoire_json;

use super::position_args::InputError;
use super::read_games::ReadGamesError;
use chuhe_engine::search::HashSizeError;
use chuhe_study::book::{BookOpenError, ProbeError};
use chuhe_study::repertoire::{RecordFault, RepertoireError};
use chuhe_support::files::{OutputError, shown};
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use thiserror::Error;
use xiangqi_record::{OutputFormatError, PieceCountError};

const EXAMPLES: &str = "\
Examples:
  chuhe repertoire make games/ --player 王嘉良 --colour red --out red.pgn
                                              what this player plays most and loses least with
  chuhe repertoire show red.pgn               its lines
  chuhe repertoire gaps red.pgn --games games/
                                              answers that come often and have no move
  chuhe repertoire check club.pgn --with red.pgn --with black.pgn --player 王嘉良
                                              where games leave it, and whether that was good

A repertoire is a game with variations, as PGN or XQF; files of other programs are read as well. Other orders of moves
and mirrored positions are joined. The board trains it: Train, Openings.";

/// Arguments of `chuhe repertoire`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RepertoireArgs {
    #[command(subcommand)]
    command: RepertoireCommand,
}

#[derive(Subcommand)]
enum RepertoireCommand {
    /// Make a repertoire of the games of a player
    Make(make::MakeArgs),
    /// Print the lines of a repertoire
    Show(show::ShowArgs),
    /// Find answers that come often, against which a repertoire has no move
    Gaps(gaps::GapsArgs),
    /// Say where games leave a repertoire, who left it, and whether that was good
    Check(check::CheckArgs),
}

/// Runs a subcommand; the exit code says whether something could not be read.
pub fn run(args: &RepertoireArgs, out: &mut dyn Write) -> Result<ExitCode, RepertoireCommandError> {
    match &args.command {
        RepertoireCommand::Make(args) => make::run(args, out),
        RepertoireCommand::Show(args) => show::run(args, out),
        RepertoireCommand::Gaps(args) => gaps::run(args, out),
        RepertoireCommand::Check(args) => check::run(args, out),
    }
}

/// An error of `chuhe repertoire`.
#[derive(Debug, Error)]
pub enum RepertoireCommandError {
    #[error(transparent)]
    Reading(#[from] ReadGamesError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Full(#[from] RepertoireError),
    #[error("{}", tr!("{file}: {fault}", file = shown(_0), fault = _1))]
    NoRepertoire(PathBuf, RecordFault),
    #[error("{}", tr!("{file}: red's repertoire, or black's? --colour says it", file = shown(_0)))]
    NoColour(PathBuf),
    #[error("{}", tr!("no game of this player with this colour was found"))]
    NoOwnGames,
    #[error("{}", tr!("no move was played in {count} games of this player: --least 1 takes single games", count = _0))]
    TooFewGames(u64),
    #[error("{}", tr!("a repertoire is written as PGN or XQF: name such a file"))]
    NoFormat,
    #[error("{}", .0.localized())]
    Format(#[from] OutputFormatError),
    #[error("{}", .0.localized())]
    NotRepresentable(#[from] PieceCountError),
    #[error(transparent)]
    Book(#[from] BookOpenError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error("{}", .0.localized())]
    Table(#[from] HashSizeError),
    #[error(transparent)]
    OutputFile(#[from] OutputError),
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
