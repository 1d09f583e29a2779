//! `chuhe book import`: makes a book from games.

use super::{BookError, convert};
use crate::cli::output::OverwriteArgs;
use crate::cli::position_args::{self, FaultPrinter};
use crate::cli::values::group_digits;
use chuhe_study::book::{BookFormat, BookWriteError, GameImporter, MemoryBook};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::language::tr;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use xiangqi_record::GameResult;

/// Arguments of `import`.
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
    result: Vec<ResultFilter>,
    /// Games in which both players have at least this rating
    #[arg(long, value_name = "N")]
    rating: Option<u32>,
    /// Leave out moves that were played less often
    #[arg(long, value_name = "N", default_value_t = 1)]
    often: u64,
    #[command(flatten)]
    over: OverwriteArgs,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum ResultFilter {
    Red,
    Black,
    Draw,
}

/// Imports; exit code 1 if part of the games was unreadable.
pub fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<ExitCode, BookError> {
    let format = BookFormat::from_path(&args.out)?;
    let over = OverwritePolicy::IfMarked(b"imported from ").or_force(args.over.force);
    over.check(&args.out).map_err(BookWriteError::from)?;
    let result = |wanted: &ResultFilter| match wanted {
        ResultFilter::Red => GameResult::RedWins,
        ResultFilter::Black => GameResult::BlackWins,
        ResultFilter::Draw => GameResult::Draw,
    };
    let import = GameImporter {
        plies: args.plies,
        min_plies: args.shortest,
        results: args.result.iter().map(result).collect(),
        min_rating: args.rating,
        min_count: args.often,
    };
    let mut pages = MemoryBook::default();
    let (mut taken, mut left_out, mut lost) = (0u64, 0u64, false);
    for path in &args.games {
        let source = position_args::open(path)?;
        let mut printer = FaultPrinter::of(path);
        for game in source.games().filter_map(|reading| printer.game(reading)) {
            let is_taken = import.add(&game, &mut pages);
            *if is_taken { &mut taken } else { &mut left_out } += 1;
        }
        lost |= printer.has_printed();
    }
    if taken == 0 {
        return Err(BookError::NoGames);
    }
    import.finish_weights(&mut pages);
    let (taken, left_out) = (group_digits(taken), group_digits(left_out));
    writeln!(out, "{}", tr!("{taken} games taken, {left_out} left out", taken, left_out))?;
    convert::write_and_report(&args.out, over, &pages, format, &format!("imported from {taken} games"), out)?;
    Ok(if lost { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
