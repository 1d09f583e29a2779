//! `chuhe tactics mine`: finds tactics in games, several games at a time, and writes each on a line of a file, with the
//! number of its game. It goes on behind the last game of which there is a line.

use crate::cli::error::CliError;
use crate::cli::games::{self, GameSelection};
use crate::cli::journal::{Journal, LineFault, Start, conditions_of};
use crate::cli::output::OverwriteArgs;
use crate::cli::position_args::{self, FaultPrinter};
use crate::cli::values::number_in;
use chuhe_engine::search::Control;
use chuhe_lab::training::archive::GameArchive;
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::batch::{Batch, Next, Step};
use chuhe_study::tactics::{GameToMine, Miner, Tactic, Twins};
use chuhe_support::files::json_line;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{phrase, tr};
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi_record::Game;

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
pub fn run(args: &MineArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
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
