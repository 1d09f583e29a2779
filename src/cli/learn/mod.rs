//! `chuhe learn`: its subcommands; the ones that run the engine (playing games and relabelling them) are here.

mod fit;
mod measure;

use crate::cli::error::{CliError, cli_error};
use crate::cli::output::OverwriteArgs;
use crate::cli::values::{number_in, parse_hours, thread_count};
use chuhe_engine::nnue::Network;
use chuhe_engine::search::Options;
use chuhe_lab::arena::openings;
use chuhe_lab::training::archive::{ArchiveConditions, ArchiveReader, GameArchive, GameArchiveWriter, game_files};
use chuhe_lab::training::game_format::{self, EndReason};
use chuhe_lab::training::relabel;
use chuhe_lab::training::selfplay::{self, SelfplayPlan};
use chuhe_lab::training::selfplay_workers::yield_to_others;
use chuhe_support::files::{
    At, OverwritePolicy, is_stdio, open_input, part_path, read_line, remove_unlocked, rename_synced,
};
use clap::{Args, Subcommand};
use fit::FitArgs;
use measure::{MeasureArgs, WinRateArgs};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Position;

pub const EXAMPLES: &str = "\
Examples:
  chuhe learn play --out games --threads 2
                              play until stopped; the same command continues
  chuhe learn show games      how many games, of what kind
  chuhe learn convert games/0001.games --out games.txt
                              as text, a game a line; and back";

#[derive(Subcommand)]
pub enum LearnCommand {
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
pub struct EngineArgs {
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
pub struct LearnPlayArgs {
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
pub struct RelabelArgs {
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
pub fn run(command: &LearnCommand, out: &mut dyn Write) -> Result<(), CliError> {
    match command {
        LearnCommand::Play(args) => play(args, out),
        LearnCommand::Show(args) => show(args, out),
        LearnCommand::Convert(args) => convert(args, out),
        LearnCommand::Relabel(args) => relabel(args, out),
        LearnCommand::Merge(args) => merge(args, out),
        LearnCommand::Fit(args) => fit::run(args, out),
        LearnCommand::Measure(args) => measure::run(args, out),
        LearnCommand::WinRate(args) => measure::run_win_rate(args, out),
    }
}

fn play(args: &LearnPlayArgs, out: &mut dyn Write) -> Result<(), CliError> {
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

fn relabel(args: &RelabelArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let options = engine_options(args.engine.net.as_deref())?;
    let plan = relabel::RelabelPlan {
        files: game_files(&args.files, Some(&args.out))?,
        out: args.out.clone(),
        nodes: args.nodes,
        sample_interval: args.every,
        workers: workers(&args.engine)?,
        evaluation: evaluation_name(&options),
        options,
    };
    let judged = relabel::run(&plan, out)?;
    writeln!(out, "{}: {} games", args.out.display(), judged.games)?;
    report_damage(judged.damaged, out)
}

/// How many workers there are, which give way to others if they are to be polite.
fn workers(args: &EngineArgs) -> Result<usize, CliError> {
    if args.polite && !yield_to_others() {
        return Err(cli_error!("--polite: this system has no priorities of programs"));
    }
    Ok(thread_count(Some(args.threads.into())))
}

/// The default engine options, with this network if one is given.
fn engine_options(net: Option<&Path>) -> Result<Options, CliError> {
    let mut options = Options::default();
    if let Some(file) = net {
        options.network = Arc::new(Network::open(file)?);
    }
    Ok(options)
}

fn evaluation_name(options: &Options) -> String {
    format!("network {:08x}", options.network.checksum())
}

/// Arguments of `chuhe learn show`.
#[derive(Args)]
pub struct LearnShowArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the first N games as text
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: usize,
}

/// Arguments of `chuhe learn convert`.
#[derive(Args)]
pub struct LearnConvertArgs {
    /// A file of games or of text; `-` is text from standard input
    file: PathBuf,
    /// Where to: a name that ends in .games makes a file of games, any other text
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Arguments of `chuhe learn merge`.
#[derive(Args)]
pub struct LearnMergeArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Prints what files of games hold.
pub fn show(args: &LearnShowArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let mut wanted = args.games;
    for file in game_files(&args.files, None)? {
        let mut archive = GameArchive::open(&file)?;
        let (mut games, mut plies) = (0u64, 0u64);
        let mut results = [0u64; 3];
        let mut ends: BTreeMap<EndReason, u64> = BTreeMap::new();
        let mut shown = Vec::new();
        let (mut searches, mut depths, mut nodes) = (0u64, 0u64, 0u64);
        while let Some(game) = archive.next().transpose()? {
            games += 1;
            plies += game.plies.len() as u64;
            results[usize::from(game.red_half_points.min(2))] += 1;
            *ends.entry(game.end).or_default() += 1;
            for effort in game.plies.iter().filter(|ply| ply.is_training_target()).filter_map(|ply| ply.effort) {
                searches += 1;
                depths += u64::from(effort.depth);
                nodes += effort.nodes;
            }
            if shown.len() < wanted {
                shown.push(game_format::write(&game));
            }
        }
        wanted -= shown.len();
        writeln!(out, "{}", file.display())?;
        for (name, value) in &archive.conditions {
            writeln!(out, "  {name:<12}{value}")?;
        }
        let [black, draws, red] = results;
        writeln!(out, "  {:<12}{games}, red +{red} ={draws} -{black}", "games")?;
        writeln!(out, "  {:<12}{plies}, {:.0} a game", "positions", plies as f64 / games.max(1) as f64)?;
        match searches {
            0 => writeln!(out, "  {:<12}of unknown depth and nodes", "searches")?,
            _ => {
                let [depth, nodes] = [depths, nodes].map(|sum| sum as f64 / searches as f64);
                writeln!(out, "  {:<12}{searches}, depth {depth:.1}, {nodes:.0} nodes on average", "searches")?;
            }
        }
        let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{end} {count}")).collect();
        writeln!(out, "  {:<12}{}", "ends", ends.join(", "))?;
        if archive.damaged_bytes > 0 {
            writeln!(out, "  {:<12}{} bytes that hold no sound games", "damaged", archive.damaged_bytes)?;
        }
        for line in shown {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Converts games to text, and text to games.
pub fn convert(args: &LearnConvertArgs, out: &mut dyn Write) -> Result<(), CliError> {
    OverwritePolicy::Never.or_force(args.over.force).check(&args.out)?;
    let into_games = args.out.extension().is_some_and(|extension| extension == "games");
    let (mut count, mut lost) = (0, 0);
    if into_games {
        let conditions = ArchiveConditions::from([("source".to_string(), args.file.display().to_string())]);
        let lines = read_lines(&args.file)?;
        write_whole(&args.out, &conditions, |writer| {
            for (index, line) in lines.enumerate() {
                let line = line.at(&args.file)?;
                if line.trim().is_empty() {
                    continue;
                }
                let game = game_format::read(&line, count).map_err(|source| {
                    let (file, line) = (args.file.display().to_string(), index + 1);
                    cli_error!("{file}, line {line}: {source}", file, line, source)
                })?;
                writer.add(&game)?;
                count += 1;
            }
            Ok(())
        })?;
    } else {
        let mut lines = String::new();
        let mut archive = GameArchive::open(&args.file)?;
        while let Some(game) = archive.next().transpose()? {
            count += 1;
            lines.push_str(&game_format::write(&game));
            lines.push('\n');
        }
        lost = archive.damaged_bytes;
        OverwritePolicy::Never.or_force(args.over.force).write(&args.out, lines.as_bytes())?;
    }
    writeln!(out, "{}: {count} games", args.out.display())?;
    report_damage(lost, out)
}

/// The longest line of a text, a game with all its scores.
const MAX_LINE: u64 = 1 << 20;

fn read_lines(file: &Path) -> Result<impl Iterator<Item = io::Result<String>>, CliError> {
    let mut source: Box<dyn BufRead> = match is_stdio(file) {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(open_input(file).at(file)?)),
    };
    let text = |line| String::from_utf8(line).map_err(|_| io::ErrorKind::InvalidData.into());
    Ok(std::iter::from_fn(move || {
        read_line(&mut source, MAX_LINE).map(|line| line.map(text)).transpose().map(|line| line?)
    }))
}

/// Merges several files into one.
pub fn merge(args: &LearnMergeArgs, out: &mut dyn Write) -> Result<(), CliError> {
    OverwritePolicy::Never.or_force(args.over.force).check(&args.out)?;
    let files = game_files(&args.files, Some(&args.out))?;
    let mut reader = ArchiveReader::of(&files);
    write_whole(&args.out, &common_conditions(&files)?, |writer| {
        for game in &mut reader {
            writer.add(&game?)?;
        }
        Ok(())
    })?;
    writeln!(out, "{}: {} games of {} files", args.out.display(), reader.games, files.len())?;
    report_damage(reader.damaged_bytes, out)
}

/// Reports damaged bytes; the sound games are used.
pub fn report_damage(bytes: u64, out: &mut dyn Write) -> Result<(), CliError> {
    if bytes > 0 {
        writeln!(out, "{bytes} bytes of the files hold no sound games")?;
    }
    Ok(())
}

/// The conditions that all of these files agree on, and the files themselves. Each file is opened for that alone, and
/// again for its games: there may be more files than a process may hold open.
fn common_conditions(files: &[PathBuf]) -> Result<ArchiveConditions, CliError> {
    /// The longest list of names that is worth printing.
    const NAMES: usize = 1000;
    let mut common: Option<ArchiveConditions> = None;
    for file in files {
        let conditions = GameArchive::open(file)?.conditions;
        common = Some(match common {
            None => conditions,
            Some(mut common) => {
                common.retain(|name, value| conditions.get(name) == Some(value));
                common
            }
        });
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let names = Some(names.join(" ")).filter(|names| names.len() <= NAMES);
    let mut common = common.unwrap_or_default();
    common.insert("source".to_string(), names.unwrap_or_else(|| format!("{} files", files.len())));
    Ok(common)
}

/// Writes a file of games atomically.
fn write_whole(
    file: &Path,
    conditions: &ArchiveConditions,
    fill: impl FnOnce(&mut GameArchiveWriter) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let part = part_path(file);
    remove_unlocked(&part).at(&part)?;
    let mut writer = GameArchiveWriter::create(&part, conditions)?;
    let filled = fill(&mut writer).and_then(|()| Ok(writer.sync()?));
    let put = |()| Ok(rename_synced(&part, file).at(file)?);
    filled.and_then(put).inspect_err(|_| {
        let _ = std::fs::remove_file(&part);
    })
}
