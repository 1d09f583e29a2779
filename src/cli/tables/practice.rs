//! `chuhe tables practice`: random positions of an ending, to practise against the engine or for engine matches.

use super::{TablesError, materials, table_folders};
use crate::cli::output::print_tablebase_warnings;
use crate::cli::values::number_in;
use chuhe_engine::tablebase::{Material, PositionIndexing, ProbeResult, Tablebase, fen_of_index};
use chuhe_study::train::endings::is_quiet;
use clap::{Args, ValueEnum};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use xiangqi::Color;
use xiangqi_record::PositionSpec;

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
pub fn run(args: &PracticeArgs, out: &mut dyn Write) -> Result<(), TablesError> {
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
) -> Result<(), TablesError> {
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
        let answer = tablebase.probe(&position).ok_or(TablesError::NoTable(material))?;
        if args.is_met_by(answer) && found.insert(fen.clone()) {
            misses = 0;
            writeln!(out, "{fen}")?;
            if found.len() == args.count as usize {
                return Ok(());
            }
        }
    }
    Err(TablesError::TooFewPositions { material, found: found.len() })
}
