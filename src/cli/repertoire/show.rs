//! `chuhe repertoire show`: prints a repertoire.

use super::{RepertoireCommandError, output, source};
use crate::cli::read_games::{self, GameReading};
use chuhe_study::repertoire::MAX_LINE;
use chuhe_study::review::side_name;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `chuhe repertoire show`.
#[derive(Args)]
pub struct ShowArgs {
    #[command(flatten)]
    repertoire: source::RepertoireFile,
    /// Also say in how many of these games each answer came: files or folders
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<ExitCode, RepertoireCommandError> {
    let (repertoire, is_complete) = args.repertoire.read()?;
    let (mut counts, mut is_incomplete) = (None, !is_complete);
    if !args.games.is_empty() {
        let files = read_games::files(&args.games)?;
        let mut reading = GameReading::new(files.len())?;
        counts = Some(source::count(&mut reading, &files, None, repertoire.colour(), MAX_LINE)?);
        is_incomplete |= reading.is_incomplete;
        if reading.finish() {
            return Ok(ExitCode::from(EXIT_INTERRUPTED));
        }
    }
    if args.json {
        writeln!(out, "{}", output::repertoire_json(&repertoire, counts.as_ref()))?;
    } else {
        let side = side_name(repertoire.colour());
        let (positions, moves) = (repertoire.own_positions(), repertoire.len());
        let text = tr!("{side}: {positions} positions with a move of yours, {moves} moves", side, positions, moves);
        writeln!(out, "{text}")?;
        output::write_lines(&repertoire, counts.as_ref(), out)?;
    }
    Ok(ExitCode::from(u8::from(is_incomplete)))
}
