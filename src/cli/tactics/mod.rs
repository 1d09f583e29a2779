//! `chuhe tactics`: lists and prints tactics, and chooses those of the program; `mine` finds them in games, `check` checks
//! and measures them.

mod check;
mod mine;

use super::error::CliError;
use super::output::{self, OverwriteArgs};
use chuhe_study::motifs::Motif;
use chuhe_study::reader::{choose_notation, line_names};
use chuhe_study::review::side_name;
use chuhe_study::tactics::{self, Tactic, TacticSelection};
use chuhe_study::train::{ExerciseSheet, MAX_EXERCISES, PerPage, SHEET_MARK};
use chuhe_support::files::{At, MAX_INPUT_SIZE, OverwritePolicy, json_line, read_input};
use chuhe_support::language::{Language, tr};
use chuhe_support::small_sort::SmallSort;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi_record::Notation;

const EXAMPLES: &str = "\
Examples:
  chuhe tactics list                                 those of the program
  chuhe tactics mine club.pgn --out tactics.jsonl    find tactics in games; the same command goes on
  chuhe tactics list tactics.jsonl --sheet sheet.html
                                                     exercises to print, the answers at the end
  chuhe tactics check tactics.jsonl                  do the solutions hold when they are searched for longer?

The board opens such files: Train, Tactics. `docs/tactics.md` says what counts as a second solution.";

/// Arguments of `chuhe tactics`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TacticsArgs {
    #[command(subcommand)]
    command: TacticsCommand,
}

#[derive(Subcommand)]
enum TacticsCommand {
    /// Find exercises for people in games: positions with one best move at each step. Problems of mate alone: `mates mine`
    Mine(mine::MineArgs),
    /// Print tactics: those of the program, or of a file; as text, as JSON, or as a sheet
    List(ListArgs),
    /// Search solutions for longer: which do not hold? Exit code 10 if there is one
    Check(check::CheckArgs),
    /// Choose tactics of many: no twins, no theme more than a fifth; written in little room
    Choose(ChooseArgs),
    /// Let levels of the program try: the share that they solve, by difficulty
    Measure(check::MeasureArgs),
}

/// Runs a subcommand; the exit code says whether it was interrupted.
pub fn run(args: &TacticsArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    match &args.command {
        TacticsCommand::Mine(args) => return mine::run(args, out),
        TacticsCommand::Check(args) => return check::run(args, out),
        TacticsCommand::Measure(args) => return check::measure(args, out),
        TacticsCommand::List(args) => list(args, out)?,
        TacticsCommand::Choose(args) => choose(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The tactics of a file, or those of the program.
fn read(file: Option<&Path>) -> Result<Vec<Tactic>, CliError> {
    let Some(file) = file else { return Ok(tactics::embedded().to_vec()) };
    let bytes = read_input(file, MAX_INPUT_SIZE, |_| true).at(file)?;
    let name = file.display().to_string();
    tactics::read_file(&bytes).map_err(|error| CliError::of(move || format!("{name}: {error}")))
}

/// So many of them, drawn at random, in their order; all if there is no number.
fn sample(tactics: Vec<Tactic>, count: Option<usize>, seed: u64) -> Vec<Tactic> {
    TacticSelection { count, seed, ..TacticSelection::default() }.of(tactics)
}

/// What files begin with.
const MARK: &[u8] = b"CHUHETAC";

/// Arguments of `chuhe tactics choose`.
#[derive(Args)]
struct ChooseArgs {
    /// Files that `tactics mine` or `tactics check` has written
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// So many at most
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: usize,
    #[command(flatten)]
    over: OverwriteArgs,
}

fn choose(args: &ChooseArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let policy = OverwritePolicy::IfMarked(MARK).or_force(args.over.force);
    policy.check(&args.out)?;
    let mut all: Vec<Tactic> = Vec::new();
    for file in &args.files {
        all.extend(read(Some(file))?);
    }
    let chosen = tactics::choose(all, args.count);
    let bytes = tactics::write(&chosen);
    policy.write(&args.out, &bytes)?;
    let counts = tactics::counts(&chosen);
    let mut shares: Vec<_> = counts.into_iter().map(|(theme, count)| (count, theme)).collect();
    shares.order_by_key(|(count, theme)| (std::cmp::Reverse(*count), theme.name()));
    for (count, theme) in shares {
        writeln!(out, "{count:5}  {:4.1} %  {}", 100.0 * count as f64 / chosen.len().max(1) as f64, theme.phrase())?;
    }
    writeln!(out, "{}", tr!("{count} tactics in {bytes} bytes", count = chosen.len(), bytes = bytes.len()))?;
    Ok(())
}

/// Arguments of `chuhe tactics list`.
#[derive(Args)]
struct ListArgs {
    /// The file that `tactics mine` or `tactics choose` has written [default: those of the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only those with this theme, such as `fork`; may be given more than once
    #[arg(long, value_name = "NAME", value_parser = tactics::theme)]
    theme: Vec<Motif>,
    /// Only so many, drawn at random
    #[arg(long, visible_alias = "count", value_name = "N")]
    sample: Option<usize>,
    /// The hardest ones first; with --sample so many of them
    #[arg(long)]
    hardest: bool,
    /// The last ones of the file first; with --sample so many of them
    #[arg(long, conflicts_with = "hardest")]
    newest: bool,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How moves are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// A JSON object on a line for each: `fen`, `moves`, `themes`, `difficulty`
    #[arg(long)]
    json: bool,
    /// Write a sheet to print, with the answers at the end
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    sheet: Option<PathBuf>,
    /// The title of the sheet
    #[arg(long, value_name = "TEXT", requires = "sheet")]
    title: Option<String>,
    #[command(flatten)]
    over: OverwriteArgs,
}

fn list(args: &ListArgs, out: &mut dyn Write) -> Result<(), CliError> {
    choose_notation(args.notation);
    let mut tactics = read(args.file.as_deref())?;
    let selection = TacticSelection { themes: args.theme.clone(), ..TacticSelection::default() };
    tactics = selection.of(tactics);
    let count = args.sample.or(args.sheet.is_some().then_some(MAX_EXERCISES));
    if args.newest {
        tactics.reverse();
        tactics.truncate(count.unwrap_or(usize::MAX));
    }
    let selection = TacticSelection { hardest: args.hardest, count, seed: args.seed, ..TacticSelection::default() };
    let tactics = selection.of(tactics);
    if let Some(path) = &args.sheet {
        let written = write_sheet(args, path, &tactics, out)?;
        out.write_all(written.as_bytes())?;
        return Ok(());
    }
    for (index, tactic) in tactics.iter().enumerate() {
        if args.json {
            write!(out, "{}", json_line(tactic))?;
        } else {
            write!(out, "{}", text(index + 1, tactic))?;
        }
    }
    Ok(())
}

fn text(number: usize, tactic: &Tactic) -> String {
    let Some(start) = tactic.position() else { return String::new() };
    let side = tr!("{side} to move", side = side_name(start.side()));
    let (difficulty, themes) = (tactic.difficulty, tactic.theme_names());
    let themes = if themes.is_empty() { String::new() } else { format!(" · {themes}") };
    let moves = line_names(&start, &tactic.moves).join(" ");
    format!("{number}. {side} · {difficulty}{themes}\n   {}\n   {moves}\n", tactic.fen)
}

fn write_sheet(args: &ListArgs, path: &Path, tactics: &[Tactic], out: &mut dyn Write) -> Result<String, CliError> {
    let cards: Vec<_> = tactics.iter().filter_map(Tactic::card).collect();
    let title = args.title.clone().unwrap_or_else(|| tr!("Tactics"));
    let sheet = ExerciseSheet {
        title: &title,
        name: "",
        per_page: PerPage::Six,
        language: Language::current(),
        cards: cards.iter().collect(),
    };
    let policy = OverwritePolicy::IfMarked(SHEET_MARK.as_bytes()).or_force(args.over.force);
    output::write_file(path, policy, sheet.html().as_bytes(), out)
}
