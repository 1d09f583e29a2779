//! `chuhe learn`: play games, look at them, fit a network to them.

mod fit;
mod measure;
mod winrate;

use crate::arena::opening_file;
use crate::board::Position;
use crate::cli::force::ForceArgs;
use crate::cli::values::within;
use crate::eval::Network;
use crate::files::{At, Over, is_standard};
use crate::language::tr;
use crate::learn::archive::{Archive, Conditions, Writer, game_files};
use crate::learn::error::LearnError;
use crate::learn::game::{End, Game};
use crate::learn::load::Watch;
use crate::learn::play::{self, Plan};
use crate::learn::relabel;
use crate::learn::text;
use crate::learn::workers::Crew;
use crate::search::Options;
use clap::{Args, Subcommand};
use fit::FitArgs;
use measure::MeasureArgs;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use winrate::WinRateArgs;

const EXAMPLES: &str = "\
Examples:
  chuhe learn play --out games --threads 2
                              play until told to stop; the same command goes on where it was
  chuhe learn show games      how many games, of what kind
  chuhe learn convert games/0001.games --out games.txt
                              as text, a game a line; and back";

/// Arguments of `chuhe learn`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct LearnArgs {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Play against itself and keep the games; a kill loses no more than the running ones
    Play(PlayArgs),
    /// Say what is in files of games
    Show(ShowArgs),
    /// Turn files of games into text, a game a line, or text into a file of games
    Convert(ConvertArgs),
    /// Judge the positions of games anew, with another network or deeper
    Relabel(RelabelArgs),
    /// Put several files of games into one
    Merge(MergeArgs),
    /// Fit a network to the games
    Fit(FitArgs),
    /// Say how well networks foretell the scores of games
    Measure(MeasureArgs),
    /// Fit what a score is worth in games: centipawns, and chances to win, draw and lose
    #[command(name = "winrate")]
    WinRate(WinRateArgs),
}

/// How the engine plays and judges.
#[derive(Args)]
struct EngineArgs {
    /// Games at a time
    #[arg(long, default_value_t = 1, value_name = "T", value_parser = within::<u16>(1..=1024))]
    threads: u16,
    /// Evaluate by this network instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Pause while others load the machine, as many games as they take processors
    #[arg(long)]
    polite: bool,
}

#[derive(Args)]
struct PlayArgs {
    /// The folder for the games
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Nodes a move on average: a quarter of the games is played at half of it, a quarter at twice
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = within::<u64>(1..))]
    nodes: u64,
    /// Let one position in so many teach: those of a game are much alike
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = within::<u64>(1..))]
    every: u64,
    /// Search those that teach at so many nodes instead
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..))]
    deep: Option<u64>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Begin from these positions (a FEN or moves on each line, or PGN) instead of random ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Stop after so many games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop after so many hours
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
    /// Where chance begins, for games that can be repeated
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Args)]
struct ShowArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the first so many games as text
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: usize,
}

#[derive(Args)]
struct ConvertArgs {
    /// A file of games or of text; `-` is text from standard input
    file: PathBuf,
    /// Where to: a name that ends in .games makes a file of games, any other text
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: ForceArgs,
}

#[derive(Args)]
struct RelabelArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file for the games with their new scores; the same command goes on with it where it was
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes a position
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = within::<u64>(1..))]
    nodes: u64,
    /// Search one quiet position in so many, and let only those teach
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = within::<u64>(1..))]
    every: u64,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Args)]
struct MergeArgs {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    over: ForceArgs,
}

/// Does a step.
pub fn run(args: &LearnArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    match &args.step {
        Step::Play(args) => play(args, out),
        Step::Show(args) => show(args, out),
        Step::Convert(args) => convert(args, out),
        Step::Relabel(args) => judge_anew(args, out),
        Step::Merge(args) => merge(args, out),
        Step::Fit(args) => fit::run(args, out),
        Step::Measure(args) => measure::run(args, out),
        Step::WinRate(args) => winrate::run(args, out),
    }
}

fn play(args: &PlayArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    let options = evaluating_by(args.engine.net.as_deref())?;
    let starts: Vec<Position> = match &args.openings {
        None => Vec::new(),
        Some(file) => {
            let openings = opening_file::read(file, usize::MAX, options.rules)?;
            openings.iter().map(|opening| opening.position()).collect()
        }
    };
    let time = match args.hours {
        None => None,
        Some(hours) => Some(
            Duration::try_from_secs_f64(hours * 3600.0)
                .map_err(|_| LearnError::Argument(tr!("--hours {hours}: not a time", hours)))?,
        ),
    };
    let plan = Plan {
        folder: args.out.clone(),
        nodes: args.nodes,
        every: args.every,
        deep: args.deep,
        crew: crew(&args.engine)?,
        evaluation: name_of_evaluation(&options),
        options,
        seed: args.seed,
        starts,
        games: args.games,
        time,
    };
    Ok(play::run(&plan, out)?)
}

fn judge_anew(args: &RelabelArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    let options = evaluating_by(args.engine.net.as_deref())?;
    let plan = relabel::Plan {
        files: game_files(&args.files)?,
        out: args.out.clone(),
        nodes: args.nodes,
        every: args.every,
        crew: crew(&args.engine)?,
        evaluation: name_of_evaluation(&options),
        options,
    };
    let games = relabel::run(&plan, out)?;
    writeln!(out, "{}: {games} games", args.out.display())?;
    Ok(())
}

fn crew(args: &EngineArgs) -> Result<Crew, LearnError> {
    if args.polite && Watch::begin().is_none() {
        return Err(LearnError::Argument(tr!("--polite: this system does not say how busy it is")));
    }
    Ok(Crew { workers: args.threads.into(), polite: args.polite })
}

/// The engine as it is, with this network if one is named.
fn evaluating_by(net: Option<&Path>) -> Result<Options, LearnError> {
    let mut options = Options::default();
    if let Some(file) = net {
        options.network = Arc::new(Network::open(file)?);
    }
    Ok(options)
}

fn name_of_evaluation(options: &Options) -> String {
    format!("network {:08x}", options.network.checksum())
}

fn show(args: &ShowArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    let mut wanted = args.games;
    for file in game_files(&args.files)? {
        let mut archive = Archive::open(&file)?;
        let (mut games, mut plies) = (0u64, 0u64);
        let mut results = [0u64; 3];
        let mut ends: BTreeMap<End, u64> = BTreeMap::new();
        let mut shown = Vec::new();
        let (mut searches, mut depths, mut nodes) = (0u64, 0u64, 0u64);
        while let Some(game) = archive.next().transpose()? {
            games += 1;
            plies += game.plies.len() as u64;
            results[usize::from(game.red_half_points.min(2))] += 1;
            *ends.entry(game.end).or_default() += 1;
            for effort in game.plies.iter().filter(|ply| ply.teaches()).filter_map(|ply| ply.effort) {
                searches += 1;
                depths += u64::from(effort.depth);
                nodes += effort.nodes;
            }
            if shown.len() < wanted {
                shown.push(text::write(&game));
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
                writeln!(
                    out,
                    "  {:<12}{searches}, depth {depth:.1}, {nodes:.0} nodes on average",
                    "searches"
                )?;
            }
        }
        let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{end} {count}")).collect();
        writeln!(out, "  {:<12}{}", "ends", ends.join(", "))?;
        if archive.lost > 0 {
            writeln!(out, "  {:<12}{} bytes that hold no sound games", "damaged", archive.lost)?;
        }
        for line in shown {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn convert(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    Over::Nothing.or_force(args.over.force).check(&args.out)?;
    let into_games = args.out.extension().is_some_and(|extension| extension == "games");
    let mut count = 0;
    if into_games {
        let conditions = Conditions::from([("source".to_string(), args.file.display().to_string())]);
        let lines = read_lines(&args.file)?;
        write_whole(&args.out, &conditions, |writer| {
            for (index, line) in lines.enumerate() {
                let line = line.at(&args.file)?;
                if line.trim().is_empty() {
                    continue;
                }
                let game = text::read(&line, count).map_err(|source| LearnError::Text {
                    file: args.file.clone(),
                    line: index + 1,
                    source,
                })?;
                writer.add(&game)?;
                count += 1;
            }
            Ok(())
        })?;
    } else {
        let mut lines = String::new();
        for game in Archive::open(&args.file)? {
            count += 1;
            lines.push_str(&text::write(&game?));
            lines.push('\n');
        }
        Over::Nothing.or_force(args.over.force).write(&args.out, lines.as_bytes())?;
    }
    writeln!(out, "{}: {count} games", args.out.display())?;
    Ok(())
}

fn read_lines(file: &Path) -> Result<Box<dyn Iterator<Item = io::Result<String>>>, LearnError> {
    if is_standard(file) {
        return Ok(Box::new(io::stdin().lines()));
    }
    let opened = std::fs::File::open(file).at(file)?;
    Ok(Box::new(BufReader::new(opened).lines()))
}

fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<(), LearnError> {
    Over::Nothing.or_force(args.over.force).check(&args.out)?;
    let files = game_files(&args.files)?;
    let (mut count, mut lost) = (0u64, 0);
    write_whole(&args.out, &common_conditions(&files)?, |writer| {
        for file in &files {
            let mut archive = Archive::open(file)?;
            while let Some(game) = archive.next().transpose()? {
                writer.add(&Game { number: count, ..game })?;
                count += 1;
            }
            lost += archive.lost;
        }
        Ok(())
    })?;
    writeln!(out, "{}: {count} games of {} files", args.out.display(), files.len())?;
    tell_lost(lost, out)
}

/// That files are damaged; what is sound in them counts.
fn tell_lost(bytes: u64, out: &mut dyn Write) -> Result<(), LearnError> {
    if bytes > 0 {
        writeln!(out, "{bytes} bytes of the files hold no sound games")?;
    }
    Ok(())
}

/// What all of these files say alike of how their games were played, and which files they are.
fn common_conditions(files: &[PathBuf]) -> Result<Conditions, LearnError> {
    /// More letters of names are for nobody to read.
    const NAMES: usize = 1000;
    let mut common: Option<Conditions> = None;
    for file in files {
        let conditions = Archive::open(file)?.conditions;
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

/// Makes a file of games that is there as a whole or not at all.
fn write_whole(
    file: &Path,
    conditions: &Conditions,
    fill: impl FnOnce(&mut Writer) -> Result<(), LearnError>,
) -> Result<(), LearnError> {
    let mut name = file.as_os_str().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(name);
    let mut writer = Writer::create(&part, conditions)?;
    let filled = fill(&mut writer).and_then(|()| Ok(writer.flush()?));
    let put = |()| Ok(std::fs::rename(&part, file).at(file)?);
    filled.and_then(put).inspect_err(|_| {
        let _ = std::fs::remove_file(&part);
    })
}
