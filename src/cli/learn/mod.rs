//! `chuhe learn`: its subcommands; the ones that run the engine (playing games and relabelling them) are here.

mod fit;
mod game_archives;
mod measure;
mod winrate;

use crate::cli::values::{number_in, parse_hours, thread_count};
use chuhe_engine::nnue::Network;
use chuhe_engine::search::Options;
use chuhe_lab::arena::openings;
use chuhe_lab::training::LearnError;
use chuhe_lab::training::archive::input_files_for;
use chuhe_lab::training::relabel;
use chuhe_lab::training::selfplay::{self, SelfplayPlan};
use chuhe_lab::training::selfplay_workers::yield_to_others;
use chuhe_support::language::tr;
use clap::{Args, Subcommand};
use fit::FitArgs;
use game_archives::{LearnConvertArgs, LearnMergeArgs, LearnShowArgs};
use measure::MeasureArgs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use winrate::WinRateArgs;
use xiangqi::Position;

const EXAMPLES: &str = "\
Examples:
  chuhe learn play --out games --threads 2
                              play until stopped; the same command continues
  chuhe learn show games      how many games, of what kind
  chuhe learn convert games/0001.games --out games.txt
                              as text, a game a line; and back";

/// Arguments of `chuhe learn`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct LearnArgs {
    #[command(subcommand)]
    step: LearnCommand,
}

#[derive(Subcommand)]
enum LearnCommand {
    /// Play against itself and keep the games; a kill loses no more than the running ones
    Play(LearnPlayArgs),
    /// Say what is in files of games
    Show(LearnShowArgs),
    /// Turn files of games into text, a game a line, or text into a file of games
    Convert(LearnConvertArgs),
    /// Judge the positions of games anew, with another network or deeper
    Relabel(RelabelArgs),
    /// Put several files of games into one
    Merge(LearnMergeArgs),
    /// Fit a network to the games
    Fit(FitArgs),
    /// Measure how well networks predict the scores of games
    Measure(MeasureArgs),
    /// Fit the win rate model to games: centipawns, and chances to win, draw and lose
    #[command(name = "winrate")]
    WinRate(WinRateArgs),
}

/// How the engine plays and judges.
#[derive(Args)]
struct EngineArgs {
    /// Games at a time
    #[arg(long, default_value_t = 1, value_name = "T", value_parser = number_in::<u16>(1..=1024))]
    threads: u16,
    /// Evaluate by this network instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Give way to other programs, which get the processors that they want
    #[arg(long)]
    polite: bool,
}

#[derive(Args)]
struct LearnPlayArgs {
    /// The folder for the games
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Nodes a move on average: a quarter of the games is played at half of it, a quarter at twice
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = number_in::<u64>(1..))]
    nodes: u64,
    /// Train on one position in N, as positions of a game are similar
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number_in::<u64>(1..))]
    every: u64,
    /// Search the positions for training with N nodes instead
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..))]
    deep: Option<u64>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Begin from these positions (a FEN or moves on each line, or PGN) instead of random ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Stop after N games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop after N hours
    #[arg(long, value_name = "H", value_parser = parse_hours)]
    hours: Option<Duration>,
    /// Where chance begins, for games that can be repeated
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Args)]
struct RelabelArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file for the games with their new scores; the same command continues it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes a position
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = number_in::<u64>(1..))]
    nodes: u64,
    /// Search one quiet position in N, and train only on those
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number_in::<u64>(1..))]
    every: u64,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs a subcommand.
pub fn run(args: &LearnArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    match &args.step {
        LearnCommand::Play(args) => play(args, out),
        LearnCommand::Show(args) => game_archives::show(args, out),
        LearnCommand::Convert(args) => game_archives::convert(args, out),
        LearnCommand::Relabel(args) => relabel(args, out),
        LearnCommand::Merge(args) => game_archives::merge(args, out),
        LearnCommand::Fit(args) => fit::run(args, out),
        LearnCommand::Measure(args) => measure::run(args, out),
        LearnCommand::WinRate(args) => winrate::run(args, out),
    }
}

fn play(args: &LearnPlayArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    let options = engine_options(args.engine.net.as_deref())?;
    let starts: Vec<Position> = match &args.openings {
        None => Vec::new(),
        Some(file) => {
            let openings = openings::read_openings(file, usize::MAX, options.rules)?;
            openings.iter().map(|opening| opening.position()).collect()
        }
    };
    let plan = SelfplayPlan {
        folder: args.out.clone(),
        nodes: args.nodes,
        sample_interval: args.every,
        sample_nodes: args.deep,
        workers: workers(&args.engine)?,
        evaluation: evaluation_name(&options),
        options,
        seed: args.seed,
        openings: starts,
        games: args.games,
        time: args.hours,
    };
    Ok(selfplay::run(&plan, out)?)
}

fn relabel(args: &RelabelArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    let options = engine_options(args.engine.net.as_deref())?;
    let plan = relabel::RelabelPlan {
        files: input_files_for(&args.files, &args.out)?,
        out: args.out.clone(),
        nodes: args.nodes,
        sample_interval: args.every,
        workers: workers(&args.engine)?,
        evaluation: evaluation_name(&options),
        options,
    };
    let judged = relabel::run(&plan, out)?;
    writeln!(out, "{}: {} games", args.out.display(), judged.games)?;
    game_archives::report_damage(judged.damaged, out)
}

/// How many workers there are, which give way to others if they are to be polite.
fn workers(args: &EngineArgs) -> Result<usize, LearnError> {
    if args.polite && !yield_to_others() {
        return Err(LearnError::Argument(tr!("--polite: this system has no priorities of programs")));
    }
    Ok(thread_count(Some(args.threads.into())))
}

/// The default engine options, with this network if one is given.
fn engine_options(net: Option<&Path>) -> Result<Options, LearnError> {
    let mut options = Options::default();
    if let Some(file) = net {
        options.network = Arc::new(Network::open(file)?);
    }
    Ok(options)
}

fn evaluation_name(options: &Options) -> String {
    format!("network {:08x}", options.network.checksum())
}
