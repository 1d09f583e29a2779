//! `chuhe book import`: a book out of games.

use super::error::BookError;
use super::turn;
use crate::book::{Format, Import, Pages};
use crate::cli::numbers::grouped;
use crate::record::{GameResult, Source};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// What `import` is told.
#[derive(Args, Debug, Clone)]
pub struct ImportArgs {
    /// Files of games in any format that `chuhe convert` reads
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The book to make of them
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies taken from each game
    #[arg(long, value_name = "N", default_value_t = 40)]
    plies: usize,
    /// Leave shorter games out, counted in plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    shortest: usize,
    /// Games with this result only; may be given several times
    #[arg(long, value_name = "RESULT")]
    result: Vec<Wanted>,
    /// Games in which both players have at least this rating
    #[arg(long, value_name = "N")]
    rating: Option<u32>,
    /// Leave out moves that were played less often
    #[arg(long, value_name = "N", default_value_t = 1)]
    often: u64,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Red,
    Black,
    Draw,
}

/// Imports.
pub fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), BookError> {
    let format = Format::of(&args.out)?;
    let result = |wanted: &Wanted| match wanted {
        Wanted::Red => GameResult::RedWins,
        Wanted::Black => GameResult::BlackWins,
        Wanted::Draw => GameResult::Draw,
    };
    let import = Import {
        plies: args.plies,
        shortest: args.shortest,
        results: args.result.iter().map(result).collect(),
        rating: args.rating,
        often: args.often,
    };
    let mut pages = Pages::default();
    let (mut taken, mut left_out) = (0u64, 0u64);
    for path in &args.games {
        let source = Source::open(path)?;
        for reading in source.games() {
            match reading {
                Ok(reading) if import.add(&reading.game, &mut pages) => taken += 1,
                Ok(_) => left_out += 1,
                Err(fault) => writeln!(out, "'{}': {fault}; it is left out", path.display())?,
            }
        }
    }
    if taken == 0 {
        return Err(BookError::NoGames);
    }
    import.finish(&mut pages);
    writeln!(out, "{} games taken, {} left out", grouped(taken), grouped(left_out))?;
    turn::write(&args.out, &pages, format, &format!("imported from {taken} games"), out)
}
