//! `chuhe book import`: a book out of games.

use super::error::BookError;
use super::origin;
use super::turn;
use crate::cli::force::ForceArgs;
use crate::cli::game::{self, Faults};
use crate::cli::numbers::grouped;
use chuhe_engine::language::tr;
use chuhe_toolkit::book::PutError;
use chuhe_toolkit::book::{Format, Import, Pages};
use chuhe_toolkit::record::GameResult;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `import` is told.
#[derive(Args, Debug, Clone)]
pub struct ImportArgs {
    /// Files of games in any format that `chuhe convert` reads; - is standard input
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
    #[command(flatten)]
    over: ForceArgs,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Red,
    Black,
    Draw,
}

/// Imports; ends with 1 if something in the games could not be read.
pub fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    let format = Format::of(&args.out)?;
    let over = origin::over(|bytes| origin::note_of(bytes).starts_with("imported from "), args.over);
    over.check(&args.out).map_err(PutError::from)?;
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
    let (mut taken, mut left_out, mut lost) = (0u64, 0u64, false);
    for path in &args.games {
        let source = game::open(path)?;
        let mut told = Faults::of(path);
        for reading in source.games() {
            let faults = match reading {
                Ok(reading) => {
                    let is_taken = import.add(&reading.game, &mut pages);
                    *if is_taken { &mut taken } else { &mut left_out } += 1;
                    reading.faults
                }
                Err(fault) => vec![fault],
            };
            faults.iter().for_each(|fault| told.say(fault));
        }
        lost |= told.any();
    }
    if taken == 0 {
        return Err(BookError::NoGames);
    }
    import.finish(&mut pages);
    let (taken, left_out) = (grouped(taken), grouped(left_out));
    writeln!(out, "{}", tr!("{taken} games taken, {left_out} left out", taken, left_out))?;
    turn::write(&args.out, over, &pages, format, &format!("imported from {taken} games"), out)?;
    Ok(if lost { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
