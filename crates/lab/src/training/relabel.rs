//! Relabelling: searches the positions of played games again, with another network or more nodes, and replaces their
//! scores. Moves and results stay.

use super::archive::{self, ArchiveConditions, ArchiveReader, GameArchive, GameArchiveError, GameArchiveWriter};
use super::game_format::{SearchEffort, SelfplayGame};
use super::samples;
use super::selfplay_workers::{self, GameTally, WorkerPool};
use chuhe_engine::search::{Control, NoReporter, Options, Searcher};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// What to relabel, and how.
pub struct RelabelPlan {
    /// The input files.
    pub files: Vec<PathBuf>,
    /// The output file. An existing one with the same conditions is continued.
    pub out: PathBuf,
    pub nodes: u64,
    /// One quiet position in this many is searched; the others are no training targets any more.
    pub sample_interval: u64,
    /// Each worker relabels one game at a time.
    pub workers: usize,
    pub options: Options,
    /// The name of the evaluation, for the record.
    pub evaluation: String,
}

/// Totals of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelabelSummary {
    /// All games, including those relabelled in earlier runs.
    pub games: u64,
    /// Damaged bytes in the files.
    pub damaged: u64,
}

/// Relabels all games that are not in the output file yet.
pub fn run(plan: &RelabelPlan, out: &mut dyn Write) -> Result<RelabelSummary, GameArchiveError> {
    // Report invalid input files before starting.
    for file in &plan.files {
        GameArchive::open(file)?;
    }
    let (writer, done) = open(plan)?;
    let (unread, workers) = (Mutex::new(ArchiveReader::of(&plan.files)), WorkerPool::new(writer, None));
    let unread = || unread.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || unread().find(|game| !game.as_ref().is_ok_and(|game| done.contains(&game.number)));
    let relabel = |searcher: &mut Searcher| {
        while let Some(game) = next() {
            let relabelled = game.map(|game| relabel_game(game, plan, searcher, || workers.is_open()));
            match relabelled {
                Ok(Some(game)) => workers.add_game(&game),
                Ok(None) => break,
                Err(error) => return workers.fail(error),
            }
        }
    };
    let line = |tally: &GameTally, rate: f64| {
        let (games, plies, read) = (tally.games(), tally.plies(), unread().percent());
        format!("{games} games, {plies} positions, {rate:.0} a second, {read:.0} % of the files read")
    };
    workers.run(plan.workers, &plan.options, relabel, None, (out, line));
    workers.finish()?;
    let unread = unread();
    Ok(RelabelSummary { games: unread.games, damaged: unread.damaged_bytes })
}

/// Opens the output file; also returns the numbers of the games in it.
fn open(plan: &RelabelPlan) -> Result<(GameArchiveWriter, BTreeSet<u64>), GameArchiveError> {
    let conditions = conditions(plan);
    let mut done = BTreeSet::new();
    if !plan.out.exists() {
        return Ok((GameArchiveWriter::create(&plan.out, &conditions)?, done));
    }
    let writer = GameArchiveWriter::resume_with(&plan.out, &conditions, |game| {
        done.insert(game.number);
    })?;
    Ok((writer.ok_or_else(|| GameArchiveError::OtherConditions(plan.out.clone()))?, done))
}

fn conditions(plan: &RelabelPlan) -> ArchiveConditions {
    // File name and size: a file that has grown counts as another one.
    let name_with_size = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        format!("{name}:{}", archive::size(file))
    };
    let source: Vec<String> = plan.files.iter().map(name_with_size).collect();
    let RelabelPlan { evaluation, nodes, sample_interval, options, .. } = plan;
    let mut conditions = selfplay_workers::search_conditions(evaluation, *nodes, *sample_interval, options);
    conditions.insert("relabelled".to_string(), source.join(" "));
    conditions
}

/// Replaces the scores of the positions selected for training. `None` if aborted.
fn relabel_game(
    mut game: SelfplayGame,
    plan: &RelabelPlan,
    searcher: &mut Searcher,
    goes_on: impl Fn() -> bool,
) -> Option<SelfplayGame> {
    searcher.new_game();
    let mut position = game.start.clone();
    // The offset differs per game, so that all stages of games are sampled equally.
    let mut quiet = game.number;
    for ply in &mut game.plies {
        if !goes_on() {
            return None;
        }
        if samples::is_quiet_position(&position, ply.mv) {
            if quiet.is_multiple_of(plan.sample_interval) {
                let limits = selfplay_workers::node_limits(plan.nodes);
                let outcome = searcher.search(&position, &limits, &Control::new(false), &mut NoReporter);
                ply.score = outcome.score;
                ply.effort = selfplay_workers::search_effort(&outcome);
            } else {
                ply.effort = Some(SearchEffort::UNTRUSTED);
            }
            quiet += 1;
        }
        position.play_unchecked(ply.mv);
    }
    Some(game)
}
