//! `chuhe repertoire make`: a repertoire of the games of a player.

use super::{RepertoireCommandError, output, source};
use crate::cli::output::OverwriteArgs;
use crate::cli::read_games::{self, GameReading};
use crate::cli::values::{number_in, parse_side, worded};
use chuhe_study::repertoire::Repertoire;
use chuhe_study::review::side_name;
use chuhe_support::files::{OverwritePolicy, is_stdio, shown};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi::Color;
use xiangqi_record::{Encoding, Notation, OutputFormat};

/// How the files that this command has written begin.
const MARK: &[u8] = b"Repertoire: ";

/// Arguments of `chuhe repertoire make`.
#[derive(Args)]
pub struct MakeArgs {
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// The player; again for other names of the same person
    #[arg(long, required = true, value_name = "NAME")]
    player: Vec<String>,
    /// The colour: red or black
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    colour: Color,
    /// Take moves and answers that were played in so many games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number_in::<u64>(1..))]
    least: u64,
    /// End lines after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = number_in::<usize>(1..=80))]
    plies: usize,
    /// Write it to this file, as PGN or XQF; - is PGN on standard output [default: print its lines]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How moves of PGN are written: ICCS, UCI, WXF, Chinese or Vietnamese
    #[arg(long, value_name = "NOTATION", default_value = "Chinese", value_parser = worded::<Notation>)]
    notation: Notation,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

pub fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<ExitCode, RepertoireCommandError> {
    let format = args.out.as_deref().map(format_of).transpose()?;
    let player = read_games::player(&args.player)?;
    let files = read_games::files(&args.files)?;
    let mut reading = GameReading::new(files.len())?;
    let counts = source::count(&mut reading, &files, player.as_ref(), args.colour, args.plies)?;
    let is_incomplete = reading.is_incomplete;
    if reading.finish() {
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    if counts.games() == 0 {
        return Err(RepertoireCommandError::NoOwnGames);
    }
    let made = Repertoire::of_games(args.colour, &counts, args.least)?;
    if made.is_empty() {
        return Err(RepertoireCommandError::TooFewGames(args.least));
    }
    if let (Some(path), Some(format)) = (&args.out, format) {
        let bytes = format.write(&made.to_game(), args.notation, Encoding::Utf8)?;
        if is_stdio(path) {
            out.write_all(&bytes)?;
            return Ok(ExitCode::from(u8::from(is_incomplete)));
        }
        OverwritePolicy::IfMarked(MARK).or_force(args.over.force).write(path, &bytes)?;
    }
    let (games, positions, moves) = (counts.games(), made.own_positions(), made.len());
    if args.json {
        let object = json!({"colour": args.colour.to_string(), "games": games, "positions": positions, "moves": moves});
        writeln!(out, "{object}")?;
        return Ok(ExitCode::from(u8::from(is_incomplete)));
    }
    let side = side_name(args.colour);
    writeln!(
        out,
        "{}",
        tr!(
            "{side}: {games} games, {positions} positions with a move of yours, {moves} moves",
            side,
            games,
            positions,
            moves
        )
    )?;
    match &args.out {
        Some(path) => writeln!(out, "{}", tr!("written: {path}", path = shown(path)))?,
        None => output::write_lines(&made, Some(&counts), out)?,
    }
    Ok(ExitCode::from(u8::from(is_incomplete)))
}

fn format_of(path: &Path) -> Result<OutputFormat, RepertoireCommandError> {
    let format = if is_stdio(path) { Some(OutputFormat::Pgn) } else { OutputFormat::from_path(path)? };
    let has_variations = |format: &OutputFormat| [OutputFormat::Pgn, OutputFormat::Xqf].contains(format);
    format.filter(has_variations).ok_or(RepertoireCommandError::NoFormat)
}
