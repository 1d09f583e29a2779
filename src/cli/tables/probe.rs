//! `chuhe tables probe`: the value of a position and of each of its moves, and the line to mate. `chuhe tables practice`:
//! random positions of an ending, to practise against the engine or for engine matches.

use super::{is_buildable, materials, no_table, table_folders, unsupported};
use crate::cli::error::{CliError, cli_error};
use crate::cli::output::print_tablebase_warnings;
use crate::cli::position_args::PositionArgs;
use crate::cli::values::number_in;
use chuhe_engine::tablebase::{Material, PositionIndexing, ProbeResult, Tablebase, fen_of_index};
use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_study::train::endings::is_quiet;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use clap::{Args, ValueEnum};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use xiangqi::{Color, Move, Position, Rules};
use xiangqi_record::PositionSpec;
use xiangqi_record::notation::{self, Notation};

/// Arguments of `probe`.
#[derive(Args, Debug, Clone)]
pub struct ProbeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Folders of tables; what the program brings along is used beside them [default: tables, if there is one]
    #[arg(long, value_name = "DIR")]
    path: Vec<PathBuf>,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

/// A move with its value for the side that plays it.
struct RatedMove {
    mv: Move,
    answer: Option<ProbeResult>,
}

/// Prints the value of a position.
pub fn run(args: &ProbeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let position = args.position.position()?;
    let tablebase = Tablebase::open(&table_folders(&args.path)?);
    let (material, _) = Material::of(&position)
        .ok_or_else(|| cli_error!("this position has more of some piece than a set holds: no table can know it"))?;
    let answer = tablebase.probe(&position);
    print_tablebase_warnings(&tablebase);
    let unknown = if is_buildable(material) { no_table } else { unsupported };
    let answer = answer.ok_or_else(|| unknown(material))?;
    let choices = rated_moves(&tablebase, &position);
    let line = line(&tablebase, &position);
    let line: Vec<String> = line.iter().map(Move::to_string).collect();
    if args.json {
        let choice = |choice: &RatedMove| {
            let mut object = json(choice.answer);
            object["move"] = choice.mv.to_string().into();
            object["chinese"] = notation::format(&position, choice.mv, Notation::Chinese).into();
            object
        };
        let mut object = json(Some(answer));
        object["fen"] = position.fen().into();
        object["within_natural_limit"] = within_limit(&position, answer).into();
        object["moves"] = choices.iter().map(choice).collect();
        object["line"] = line.into();
        return Ok(writeln!(out, "{object}")?);
    }
    let (answer_told, side) = (answer_text(Some(answer)), position.side().localized());
    let text = tr!("{material}: {answer} for the side to move, {side}", material, answer = answer_told, side);
    writeln!(out, "{text}")?;
    if matches!(answer, ProbeResult::Win(Some(_)) | ProbeResult::Loss(Some(_)))
        && within_limit(&position, answer).is_none()
    {
        let plies = Rules::default().natural_limit;
        writeln!(out, "{}", tr!("the natural limit of {plies} plies may come first", plies))?;
    }
    if answer == ProbeResult::Draw {
        writeln!(out, "{}", tr!("by the moves alone: the rules of repetition may forbid the way to hold it"))?;
    }
    for choice in choices {
        let chinese = move_in(&position, choice.mv, chosen_notation().unwrap_or(Notation::Chinese));
        writeln!(out, "  {}  {chinese}  {}", choice.mv, answer_text(choice.answer))?;
    }
    if !line.is_empty() {
        writeln!(out, "{}", tr!("line: {moves}", moves = line.join(" ")))?;
    }
    Ok(())
}

/// The same result from the other side's point of view.
fn negated(answer: ProbeResult) -> ProbeResult {
    match answer {
        ProbeResult::Loss(plies) => ProbeResult::Win(plies.map(|plies| plies + 1)),
        ProbeResult::Win(plies) => ProbeResult::Loss(plies.map(|plies| plies + 1)),
        other => other,
    }
}

/// Larger is better: shorter wins, then draws, then longer losses.
fn rank(answer: Option<ProbeResult>) -> i32 {
    match answer {
        Some(ProbeResult::Win(plies)) => 20_000 - i32::from(plies.unwrap_or(9_999)),
        Some(ProbeResult::Draw) => 1,
        Some(ProbeResult::Doubtful) => 0,
        None => -1,
        Some(ProbeResult::Loss(plies)) => -20_000 + i32::from(plies.unwrap_or(0)),
    }
}

fn rated_moves(tablebase: &Tablebase, position: &Position) -> Vec<RatedMove> {
    let worth = |mv: Move| tablebase.probe(&position.after(&[mv])).map(negated);
    let mut choices: Vec<RatedMove> =
        position.legal_moves().into_iter().map(|mv| RatedMove { mv, answer: worth(mv) }).collect();
    choices.order_by_key(|choice| -rank(choice.answer));
    choices
}

/// The best line to mate, empty if there is no mate or its distance is unknown.
fn line(tablebase: &Tablebase, position: &Position) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while let Some(ProbeResult::Win(Some(plies)) | ProbeResult::Loss(Some(plies))) = tablebase.probe(&position)
        && plies > 0
    {
        let best = rated_moves(tablebase, &position).into_iter().next();
        // Each move must shorten the distance by one ply; an inconsistent table is not followed.
        match best {
            Some(RatedMove { mv, answer: Some(ProbeResult::Win(Some(now)) | ProbeResult::Loss(Some(now))) })
                if now == plies =>
            {
                position.play_unchecked(mv);
                line.push(mv);
            }
            _ => return line,
        }
    }
    line
}

fn answer_text(answer: Option<ProbeResult>) -> String {
    match answer {
        Some(ProbeResult::Win(Some(plies))) => tr!("win in {plies} plies", plies),
        Some(ProbeResult::Win(None)) => tr!("win"),
        Some(ProbeResult::Loss(Some(plies))) => tr!("loss in {plies} plies", plies),
        Some(ProbeResult::Loss(None)) => tr!("loss"),
        Some(ProbeResult::Draw) => tr!("draw"),
        Some(ProbeResult::Doubtful) => tr!("draw, unless a rule of repetition forbids it"),
        None => tr!("unknown"),
    }
}

/// Whether a mate comes before the natural limit of the usual rules; `None` if it may.
fn within_limit(position: &Position, answer: ProbeResult) -> Option<bool> {
    let limit = Rules::default().natural_limit;
    match answer {
        ProbeResult::Win(Some(plies)) | ProbeResult::Loss(Some(plies))
            if position.plies_since_capture() + usize::from(plies) <= limit =>
        {
            Some(true)
        }
        _ => None,
    }
}

/// A result as fields of a JSON object that may have others.
fn json(answer: Option<ProbeResult>) -> Value {
    let (result, plies) = match answer {
        Some(ProbeResult::Win(plies)) => (Some("win"), plies),
        Some(ProbeResult::Loss(plies)) => (Some("loss"), plies),
        Some(ProbeResult::Draw | ProbeResult::Doubtful) => (Some("draw"), None),
        None => (None, None),
    };
    json!({"result": result, "plies": plies, "doubtful": answer == Some(ProbeResult::Doubtful)})
}

/// The search stops after this number of useless placements in a row.
const MAX_FAILED_PLACEMENTS: u32 = 300_000;

/// Arguments of `practice`.
#[derive(Args, Debug, Clone)]
pub struct PracticeArgs {
    /// A material such as KNPKAABB
    name: String,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_in::<u32>(1..=100_000))]
    count: u32,
    /// What perfect play comes to for the side to move
    #[arg(long, value_enum, value_name = "RESULT", default_value_t = PracticeResult::Win)]
    result: PracticeResult,
    /// Wins and losses in no fewer plies
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    least: u16,
    /// The second side moves first, instead of the one that the name begins with
    #[arg(long)]
    second: bool,
    /// The same seed makes the same positions [default: others each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Folders of tables; what the program brings along is used beside them [default: tables, if there is one]
    #[arg(long, value_name = "DIR")]
    path: Vec<PathBuf>,
}

/// How a position shall end.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum PracticeResult {
    /// The side to move wins
    Win,
    /// Nobody does
    Draw,
    /// The other side wins
    Loss,
}

impl PracticeArgs {
    fn is_met_by(&self, answer: ProbeResult) -> bool {
        // A table without plies satisfies only a minimum of 0.
        let is_long = |plies: Option<u16>| plies.map_or(self.least == 0, |plies| plies >= self.least);
        match (self.result, answer) {
            (PracticeResult::Win, ProbeResult::Win(plies)) | (PracticeResult::Loss, ProbeResult::Loss(plies)) => {
                is_long(plies)
            }
            (PracticeResult::Draw, ProbeResult::Draw) => true,
            _ => false,
        }
    }
}

/// Writes positions, one FEN a line, and prints warnings about the tables.
pub fn practice(args: &PracticeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let material = materials(std::slice::from_ref(&args.name), &[])?[0];
    let tablebase = Tablebase::open(&table_folders(&args.path)?);
    let result = write_positions(args, material, &tablebase, out);
    print_tablebase_warnings(&tablebase);
    result
}

/// Writes quiet positions of the ending: no captures, no check.
fn write_positions(
    args: &PracticeArgs,
    material: Material,
    tablebase: &Tablebase,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let indexing = PositionIndexing::new(material);
    let mover = if args.second { Color::Black } else { Color::Red };
    let mut random = StdRng::seed_from_u64(args.seed.unwrap_or_else(|| rand::rng().random()));
    let mut found = BTreeSet::new();
    let mut misses = 0;
    while misses < MAX_FAILED_PLACEMENTS {
        misses += 1;
        let number = random.random_range(0..indexing.size() as u64);
        let Some(fen) = fen_of_index(&indexing, mover, number) else { continue };
        // An index may also stand for a position in which a king could be taken.
        let Ok(position) = PositionSpec::parse(&fen).position() else { continue };
        if !is_quiet(&position) {
            continue;
        }
        let answer = tablebase.probe(&position).ok_or_else(|| no_table(material))?;
        if args.is_met_by(answer) && found.insert(fen.clone()) {
            misses = 0;
            writeln!(out, "{fen}")?;
            if found.len() == args.count as usize {
                return Ok(());
            }
        }
    }
    let found = found.len();
    Err(cli_error!(
        "{found} such positions of {material} were found in a long search; there are hardly more",
        found,
        material
    ))
}
