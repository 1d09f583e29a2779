//! `chuhe repertoire gaps`: what is missing in a repertoire.

use super::{RepertoireCommandError, output, source};
use crate::cli::read_games::{self, GameReading};
use crate::cli::values::number_in;
use chuhe_study::book::{self, EMBEDDED_BOOK_NAME};
use chuhe_study::repertoire::{Gap, GapOptions, OpeningCounts};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use chuhe_support::text_width::pad_left;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `chuhe repertoire gaps`.
#[derive(Args)]
pub struct GapsArgs {
    #[command(flatten)]
    repertoire: source::RepertoireFile,
    /// The games that say what comes often: files or folders
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Only games in which this player had the colour; again for other names of the same person
    #[arg(long, value_name = "NAME", requires = "games")]
    player: Vec<String>,
    /// Also the answers that this book gives so much weight [default: the book of the program if there are no games]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Answers that came in so many of a hundred games in their position
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_in::<u8>(1..=100))]
    share: u8,
    /// Answers that came in so many games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number_in::<u64>(1..))]
    least: u64,
    /// Answers of the first so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = number_in::<usize>(1..=80))]
    plies: usize,
    /// Answer with a JSON object on a line for each
    #[arg(long)]
    json: bool,
}

pub fn run(args: &GapsArgs, out: &mut dyn Write) -> Result<ExitCode, RepertoireCommandError> {
    let (repertoire, is_complete) = args.repertoire.read()?;
    let player = read_games::player(&args.player)?;
    let mut is_incomplete = !is_complete;
    let mut counts = OpeningCounts::new(args.plies);
    if !args.games.is_empty() {
        let files = read_games::files(&args.games)?;
        let mut reading = GameReading::new(files.len())?;
        counts = source::count(&mut reading, &files, player.as_ref(), repertoire.colour(), args.plies)?;
        is_incomplete |= reading.is_incomplete;
        if reading.finish() {
            return Ok(ExitCode::from(EXIT_INTERRUPTED));
        }
    }
    let usual = args.games.is_empty().then(|| PathBuf::from(EMBEDDED_BOOK_NAME));
    let book = args.book.clone().or(usual).map(|path| book::open_book(&path)).transpose()?;
    let share = f64::from(args.share) / 100.0;
    let options = GapOptions { least_share: share, least_games: args.least, plies: args.plies };
    let gaps = repertoire.gaps(&counts, book.as_deref(), &options)?;
    if args.json {
        gaps.iter().try_for_each(|gap| writeln!(out, "{}", gap_json(gap)))?;
    } else if gaps.is_empty() {
        writeln!(out, "{}", tr!("nothing is missing: there is a move against every answer that comes often"))?;
    } else {
        write_table(&gaps, out)?;
    }
    Ok(ExitCode::from(u8::from(is_incomplete)))
}

/// A gap for scripts.
pub fn gap_json(gap: &Gap) -> serde_json::Value {
    json!({
        "line": gap.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "games": gap.games,
        "share": gap.share,
        "book": gap.book,
        "listed": gap.is_listed,
    })
}

fn write_table(gaps: &[Gap], out: &mut dyn Write) -> Result<(), RepertoireCommandError> {
    let row = |games: &str, share: &str, book: &str, line: &str| {
        format!("{}  {}  {}  {line}", pad_left(games, 8), pad_left(share, 8), pad_left(book, 8))
    };
    writeln!(out, "{}", row(&tr!("games"), &tr!("share"), &tr!("book"), &tr!("no move against")))?;
    let percent = |part: f64| if part > 0.0 { format!("{:.0} %", 100.0 * part) } else { "-".to_string() };
    for gap in gaps {
        let line = output::numbered(&gap.line);
        writeln!(out, "{}", row(&gap.games.to_string(), &percent(gap.share), &percent(gap.book), &line))?;
    }
    Ok(())
}
