//! `chuhe tactics mine`: finds tactics in games, several games at a time, and writes each on a line of a file.

use super::games::Games;
use super::journal;
use crate::cli::exercise_error::ExerciseError;
use crate::cli::journal::Journal;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::number_in;
use chuhe_engine::search::Control;
use chuhe_study::tactics::{GameToMine, Miner, Tactic, Twins};
use chuhe_support::batch::{self, Batch, Next};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

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
pub fn run(args: &MineArgs, out: &mut dyn Write) -> Result<ExitCode, ExerciseError> {
    let games = Games::of(&args.files)?;
    let (journal, tactics, last) = journal::open(&args.out, args.over.force, args.nodes)?;
    let mut twins = Twins::default();
    tactics.iter().for_each(|tactic| _ = twins.add(tactic));
    let control = Control::new(false);
    let mut run = MineRun {
        args,
        games,
        journal,
        twins,
        count: tactics.len(),
        number: 0,
        skip: last.map_or(0, |last| last + 1),
        done: 0,
        is_over: false,
        progress: ProgressDisplay::new(0),
        control: &control,
    };
    let worker = || -> Result<_, ExerciseError> {
        let (mut miner, control) = (Miner::new(args.nodes)?, &control);
        Ok(move |game: GameToMine| Ok(miner.mine(&game, control)))
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, ExerciseError>>()?;
    let is_interrupted = batch::run(&mut run, "tactics", LOOKAHEAD * usize::from(args.concurrency), workers, &control)?;
    let (count, games, was_cut) = (run.count, run.done, run.is_over);
    drop(run);
    writeln!(out, "{}", tr!("{count} tactics; {games} games looked through now", count, games))?;
    Ok(if is_interrupted && was_cut { ExitCode::from(EXIT_INTERRUPTED) } else { ExitCode::SUCCESS })
}

struct MineRun<'a> {
    args: &'a MineArgs,
    games: Games,
    journal: Journal,
    twins: Twins,
    /// The tactics in the file.
    count: usize,
    /// The next game, from 0, and those that were looked through before.
    number: u64,
    skip: u64,
    done: u64,
    /// A game was not looked through: what comes behind it is not written.
    is_over: bool,
    progress: ProgressDisplay,
    control: &'a Control,
}

impl MineRun<'_> {
    fn has_enough(&self) -> bool {
        self.args.most.is_some_and(|most| self.count >= most)
    }
}

impl Batch for MineRun<'_> {
    type Item = u64;
    type Job = GameToMine;
    type Answer = Vec<Tactic>;
    type Error = ExerciseError;

    fn next(&mut self) -> Result<Next<u64, GameToMine>, ExerciseError> {
        while !self.has_enough()
            && let Some(game) = self.games.next()?
        {
            let number = self.number;
            self.number += 1;
            if number >= self.skip {
                return Ok(Next::Job(number, game));
            }
        }
        Ok(Next::End)
    }

    fn answered(&mut self, _: &u64, _: &Vec<Tactic>) -> Result<(), ExerciseError> {
        Ok(())
    }

    fn write(
        &mut self,
        number: u64,
        tactics: Option<Vec<Tactic>>,
        _: Option<(&u64, Option<&Vec<Tactic>>)>,
    ) -> Result<(), ExerciseError> {
        self.is_over |= tactics.is_none() || self.has_enough();
        if self.is_over {
            self.control.stop();
            return Ok(());
        }
        let mut lines = String::new();
        for tactic in tactics.unwrap_or_default() {
            if self.twins.add(&tactic) {
                lines += &journal::line(&tactic, number, self.args.nodes);
                self.count += 1;
            }
        }
        if !lines.is_empty() {
            self.journal.append(&lines)?;
        }
        self.done += 1;
        Ok(())
    }

    fn show_progress(&mut self) {
        self.progress.set(self.done, &tr!("{count} tactics in {games} games", count = self.count, games = self.done));
    }
}
