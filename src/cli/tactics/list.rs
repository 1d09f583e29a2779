//! `chuhe tactics list`: prints tactics, as text, as lines of JSON, or as a sheet.

use super::source;
use crate::cli::exercise_error::ExerciseError;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::worded;
use chuhe_study::motifs::Motif;
use chuhe_study::reader::{choose_notation, line_names};
use chuhe_study::review::side_name;
use chuhe_study::tactics::{self, Tactic, TacticSelection};
use chuhe_study::train::{ExerciseSheet, MAX_EXERCISES, PerPage, SHEET_MARK};
use chuhe_support::files::{OverwritePolicy, is_stdio};
use chuhe_support::language::{Language, tr};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use xiangqi_record::Notation;

/// Arguments of `chuhe tactics list`.
#[derive(Args)]
pub struct ListArgs {
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
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
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

pub fn run(args: &ListArgs, out: &mut dyn Write) -> Result<(), ExerciseError> {
    choose_notation(args.notation);
    let mut tactics = source::read(args.file.as_deref())?;
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
        return write_sheet(args, path, &tactics, out);
    }
    for (index, tactic) in tactics.iter().enumerate() {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(tactic).unwrap_or_default())?;
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

fn write_sheet(
    args: &ListArgs,
    path: &std::path::Path,
    tactics: &[Tactic],
    out: &mut dyn Write,
) -> Result<(), ExerciseError> {
    let cards: Vec<_> = tactics.iter().filter_map(Tactic::card).collect();
    let title = args.title.clone().unwrap_or_else(|| tr!("Tactics"));
    let sheet = ExerciseSheet {
        title: &title,
        name: "",
        per_page: PerPage::Six,
        language: Language::current(),
        cards: cards.iter().collect(),
    };
    let html = sheet.html();
    if is_stdio(path) {
        out.write_all(html.as_bytes())?;
        return Ok(());
    }
    OverwritePolicy::IfMarked(SHEET_MARK.as_bytes()).or_force(args.over.force).write(path, html.as_bytes())?;
    writeln!(out, "{}", tr!("written: {path}", path = path.display()))?;
    Ok(())
}
