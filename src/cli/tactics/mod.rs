//! `chuhe tactics`: lists and prints tactics, chooses those of the program, checks and measures them; `mine` finds them in
//! games.

use super::error::CliError;
use super::games::{self, GameSelection};
use super::journal::{Journal, LineFault, Start, conditions_of};
use super::output::{self, OverwriteArgs};
use super::position_args::{self, FaultPrinter};
use super::values::{number_in, worded};
use chuhe_engine::search::Control;
use chuhe_lab::training::archive::GameArchive;
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::batch::{Batch, Next, Step};
use chuhe_study::motifs::Motif;
use chuhe_study::reader::{choose_notation, line_names, move_name};
use chuhe_study::review::{percent, side_name};
use chuhe_study::tactics::{
    self, DifficultyMeter, Fault, GameToMine, Miner, Solver, Tactic, TacticSelection, Twins, TwoLines, find_fault,
};
use chuhe_study::train::{ExerciseSheet, MAX_EXERCISES, PerPage, SHEET_MARK};
use chuhe_support::files::{At, MAX_INPUT_SIZE, OverwritePolicy, json_line, read_input};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{Language, phrase, tr};
use chuhe_support::small_sort::SmallSort;
use chuhe_support::terminal::ProgressDisplay;
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi_record::{Game, Notation};

pub const EXAMPLES: &str = "\
Examples:
  chuhe tactics list                                 those of the program
  chuhe tactics mine club.pgn --out tactics.jsonl    find tactics in games; the same command goes on
  chuhe tactics list tactics.jsonl --sheet sheet.html
                                                     exercises to print, the answers at the end
  chuhe tactics check tactics.jsonl                  do the solutions hold when they are searched for longer?

The board opens such files: Train, Tactics. `docs/tactics.md` says what counts as a second solution.";

#[derive(Subcommand)]
pub enum TacticsCommand {
    /// Find exercises for people in games: positions with one best move at each step. Problems of mate alone: `mates mine`
    Mine(MineArgs),
    /// Print tactics: those of the program, or of a file; as text, as JSON, or as a sheet
    List(ListArgs),
    /// Search solutions for longer: which do not hold? Exit code 10 if there is one
    Check(CheckArgs),
    /// Choose tactics of many: no twins, no theme more than a fifth; written in little room
    Choose(ChooseArgs),
    /// Let levels of the program try: the share that they solve, by difficulty
    Measure(MeasureArgs),
}

/// Runs a subcommand; the exit code says whether it was interrupted.
pub fn run(command: &TacticsCommand, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    match command {
        TacticsCommand::Mine(args) => return mine(args, out),
        TacticsCommand::Check(args) => return check(args, out),
        TacticsCommand::Measure(args) => return measure(args, out),
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
pub struct ChooseArgs {
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

/// Memory of a search in megabytes.
const HASH_MB: usize = 32;
/// The exit code where a solution does not hold.
const EXIT_WRONG: u8 = 10;

/// Arguments of `chuhe tactics check`.
#[derive(Args)]
pub struct CheckArgs {
    /// The file that `tactics mine` or `tactics choose` has written [default: those of the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Nodes for each move of the solver
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = number_in::<u64>(1000..))]
    nodes: u64,
    /// Only so many, drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How moves are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// Tactics at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    concurrency: u16,
    /// Write those that hold to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    over: OverwriteArgs,
}

fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    choose_notation(args.notation);
    let tactics = sample(read(args.file.as_deref())?, args.sample, args.seed);
    // What this command writes looks as what it reads: nothing is written over.
    let policy = OverwritePolicy::Never.or_force(args.over.force);
    if let Some(path) = &args.out {
        policy.check(path)?;
    }
    let control = Control::new(false);
    let worker = || -> Result<_, CliError> {
        let (mut lines, control) = (TwoLines::new(HASH_MB)?, &control);
        Ok(move |tactic: &Tactic| find_fault(tactic, &mut lines, args.nodes, control))
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, CliError>>()?;
    let (mut count, mut wrong, mut kept) = (0, 0, String::new());
    let is_interrupted = for_each(&tactics, workers, &control, |tactic, fault| {
        count += 1;
        match fault {
            Some(fault) => {
                wrong += 1;
                writeln!(out, "{} {}: {}", tactic.fen, tactic.moves_text(), sentence(tactic, fault))?;
            }
            None => kept += &json_line(tactic),
        }
        Ok(())
    })?;
    writeln!(out, "{}", tr!("{count} tactics, {wrong} wrong", count, wrong))?;
    if let Some(path) = &args.out {
        policy.write(path, kept.as_bytes())?;
    }
    Ok(match (is_interrupted && count < tactics.len(), wrong) {
        (true, _) => ExitCode::from(EXIT_INTERRUPTED),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(EXIT_WRONG),
    })
}

fn sentence(tactic: &Tactic, fault: Fault) -> String {
    match fault {
        Fault::NotLegal => tr!("the moves are not legal"),
        Fault::Better { step, mv } => {
            let position = tactic.position_at(2 * (step - 1));
            let name = position.map(|at| move_name(&at, mv));
            tr!("move {step}: {better} is better", step, better = name.unwrap_or_else(|| mv.to_string()))
        }
        Fault::Second { step, margin } => {
            tr!("move {step}: another one is only {margin} worse", step, margin = percent(margin))
        }
    }
}

/// Tactics whose difficulties are in one such step are counted together.
const STEP: u16 = 200;

/// Arguments of `chuhe tactics measure`.
#[derive(Args)]
pub struct MeasureArgs {
    /// The file that `tactics mine` or `tactics choose` has written [default: those of the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The levels that try
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2,5,8,11,14", value_parser = number_in::<u8>(1..=20))]
    levels: Vec<u8>,
    /// How often each level tries
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number_in::<u64>(1..=1000))]
    tries: u64,
    /// Only so many tactics, drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the draw and of the tries
    #[arg(long, value_name = "N", default_value_t = 1000)]
    seed: u64,
    /// Tactics at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    concurrency: u16,
}

/// The sums of a step: tactics, and for each level the shares and their squares.
#[derive(Default)]
struct Band {
    count: usize,
    sums: Vec<[f64; 2]>,
}

fn measure(args: &MeasureArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let tactics = sample(read(args.file.as_deref())?, args.sample, args.seed);
    let control = Control::new(false);
    let worker = || -> Result<_, CliError> {
        let (mut meter, control) = (DifficultyMeter::new()?, &control);
        Ok(move |tactic: &Tactic| {
            let (start, seeds) = (tactic.position()?, args.seed..args.seed + args.tries);
            let mut share =
                |&level: &u8| meter.share_solved(&start, &tactic.moves, Solver::level(level), seeds.clone(), control);
            args.levels.iter().map(&mut share).collect::<Option<Vec<f64>>>()
        })
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, CliError>>()?;
    let mut bands = BTreeMap::<u16, Band>::new();
    let is_interrupted = for_each(&tactics, workers, &control, |tactic, mut shares| {
        shares.push(shares.iter().sum::<f64>() / shares.len() as f64);
        let band = bands.entry(tactic.difficulty / STEP * STEP).or_default();
        band.count += 1;
        band.sums.resize(shares.len(), [0.0; 2]);
        for (sum, share) in band.sums.iter_mut().zip(&shares) {
            *sum = [sum[0] + share, sum[1] + share * share];
        }
        Ok(())
    })?;
    let levels: String = args.levels.iter().map(|level| format!("{:>9}", tr!("level {level}", level))).collect();
    writeln!(out, "{:>10}{:>9}{levels}{:>16}", tr!("difficulty"), tr!("tactics"), tr!("together"))?;
    for (low, band) in bands {
        let count = band.count as f64;
        write!(out, "{:>10}{:>9}", format!("{low}–{}", low + STEP - 1), band.count)?;
        for (index, [sum, squares]) in band.sums.iter().enumerate() {
            let mean = sum / count;
            if index < args.levels.len() {
                write!(out, "{:>7.0} %", 100.0 * mean)?;
                continue;
            }
            let error = ((squares / count - mean * mean).max(0.0) / count).sqrt();
            write!(out, "{:>8.1} % ± {:.1}", 100.0 * mean, 100.0 * error)?;
        }
        writeln!(out)?;
    }
    Ok(if is_interrupted { ExitCode::from(EXIT_INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Works on each tactic by as many workers as given, and hears of the answers in order. Returns whether it was
/// interrupted.
fn for_each<A: Send, W: FnMut(&Tactic) -> Option<A> + Send>(
    tactics: &[Tactic],
    workers: Vec<W>,
    control: &Control,
    mut hear: impl FnMut(&Tactic, A) -> Result<(), CliError>,
) -> Result<bool, CliError> {
    let work = |mut worker: W| move |index: usize| Ok(worker(&tactics[index]));
    let workers = workers.into_iter().map(work).collect();
    let total = tactics.len();
    let progress = ProgressDisplay::new(total as u64);
    let (mut items, mut done, mut is_over) = (0..total, 0, false);
    let batch = Batch { name: "tactics", window: total.max(1), is_in_order: true, control };
    batch.run(workers, |step| {
        match step {
            Step::Next(next) => *next = items.next().map_or(Next::End, |index| Next::Job(index, index)),
            Step::Answered(..) => done += 1,
            Step::Write(index, answer) => {
                // What comes behind one without an answer is not heard of.
                is_over |= answer.is_none();
                if let Some(answer) = answer.filter(|_| !is_over) {
                    hear(&tactics[index], answer)?;
                }
            }
            Step::Progress => progress.set(done, &tr!("{done} of {total} tactics", done, total)),
        }
        Ok(())
    })
}

/// Games for each worker that may be begun ahead of the next one to write.
const LOOKAHEAD: usize = 32;

/// Arguments of `chuhe tactics mine`.
#[derive(Args)]
pub struct MineArgs {
    /// Files of games in any format, those of `learn play` among them, or folders of them
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Append the tactics to this file, a line each, and continue after its end
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes for each position; what is found is checked with ten times as many
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number_in::<u64>(1000..=100_000_000))]
    nodes: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    concurrency: u16,
    /// End when there are so many tactics
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Mines, and says how many tactics there are.
pub fn mine(args: &MineArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let mut games = Games::of(&args.files)?;
    let (mut journal, tactics, last) = open_journal(&args.out, args.over.start(), args.nodes)?;
    let mut twins = Twins::default();
    tactics.iter().for_each(|tactic| _ = twins.add(tactic));
    let control = Control::new(false);
    let worker = || -> Result<_, CliError> {
        let (mut miner, control) = (Miner::new(args.nodes)?, &control);
        Ok(move |game: GameToMine| Ok(miner.mine(&game, control)))
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, CliError>>()?;
    let has_enough = |count: usize| args.most.is_some_and(|most| count >= most);
    // The games that were looked through before.
    let skip = last.map_or(0, |last| last + 1);
    let (mut number, mut count, mut done, mut is_over) = (0, tactics.len(), 0, false);
    let progress = ProgressDisplay::new(0);
    let window = LOOKAHEAD * usize::from(args.concurrency);
    let batch = Batch { name: "tactics", window, is_in_order: true, control: &control };
    let is_interrupted = batch.run(workers, |step: Step<u64, GameToMine, Vec<Tactic>>| -> Result<(), CliError> {
        match step {
            Step::Next(next) => {
                while !has_enough(count)
                    && let Some(game) = games.next()?
                {
                    number += 1;
                    if number > skip {
                        *next = Next::Job(number - 1, game);
                        break;
                    }
                }
            }
            Step::Answered(..) => {}
            Step::Write(number, tactics) => {
                // What comes behind a game that was not looked through is not written.
                is_over |= tactics.is_none() || has_enough(count);
                if is_over {
                    control.stop();
                    return Ok(());
                }
                let tactics = tactics.unwrap_or_default().into_iter().filter(|tactic| twins.add(tactic));
                let conditions = MineConditions { nodes: args.nodes };
                let lines: Vec<String> =
                    tactics.map(|tactic| json_line(&JournalLine { tactic, game: number, conditions })).collect();
                if !lines.is_empty() {
                    journal.append(&lines.concat())?;
                }
                count += lines.len();
                done += 1;
            }
            Step::Progress => progress.set(done, &tr!("{count} tactics in {games} games", count, games = done)),
        }
        Ok(())
    })?;
    drop(progress);
    writeln!(out, "{}", tr!("{count} tactics; {games} games looked through now", count, games = done))?;
    Ok(if is_interrupted && is_over { ExitCode::from(EXIT_INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The games of files, in order.
struct Games {
    files: VecDeque<PathBuf>,
    archive: Option<GameArchive>,
    waiting: VecDeque<GameToMine>,
}

impl Games {
    /// The games of these files, and of those in these folders.
    fn of(paths: &[PathBuf]) -> Result<Games, CliError> {
        let files = games::files(paths)?.into();
        Ok(Games { files, archive: None, waiting: VecDeque::new() })
    }

    /// The next game; nothing at the end.
    fn next(&mut self) -> Result<Option<GameToMine>, CliError> {
        loop {
            if let Some(game) = self.waiting.pop_front() {
                return Ok(Some(game));
            }
            if let Some(game) = self.archive.as_mut().and_then(Iterator::next) {
                return Ok(Some(of_selfplay(game?)));
            }
            let Some(file) = self.files.pop_front() else { return Ok(None) };
            if games::is_archive(&file)? {
                self.archive = Some(GameArchive::open(&file)?);
                continue;
            }
            self.archive = None;
            let source = position_args::open(&file)?;
            let (mut faults, games) = (FaultPrinter::of(&file), GameSelection::All.games_of(&source, &file)?);
            self.waiting.extend(games.filter_map(|(_, reading)| faults.game(reading)).map(|game| of_record(&game)));
        }
    }
}

fn of_selfplay(game: SelfplayGame) -> GameToMine {
    let (moves, scores) = game.plies.iter().map(|ply| (ply.mv, ply.score)).unzip();
    GameToMine { start: game.start, moves, scores: Some(scores) }
}

fn of_record(game: &Game) -> GameToMine {
    GameToMine { start: game.start().clone(), moves: game.moves().collect(), scores: None }
}

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"fen\":";

/// What tactics depend on besides the games.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct MineConditions {
    nodes: u64,
}

/// A line: a tactic, the game that it is from, and its conditions.
#[derive(Serialize, Deserialize)]
struct JournalLine {
    #[serde(flatten)]
    tactic: Tactic,
    game: u64,
    conditions: MineConditions,
}

/// Opens or creates the file, and returns the tactics in it and the last game.
fn open_journal(path: &Path, start: Start, nodes: u64) -> Result<(Journal, Vec<Tactic>, Option<u64>), CliError> {
    let (mut tactics, mut last) = (Vec::new(), None);
    let conditions = conditions_of(&MineConditions { nodes });
    let journal = Journal::open(path, (LINE_PREFIX, phrase!("tactics that were mined")), start, |_, line| {
        let JournalLine { tactic, game, conditions: there } =
            serde_json::from_slice(line).map_err(|_| LineFault::Foreign)?;
        LineFault::check_conditions(&conditions_of(&there), &conditions)?;
        tactics.push(tactic);
        last = Some(game);
        Ok(())
    })?;
    Ok((journal, tactics, last))
}
