//! Games that have been played, judged anew: every position is searched again, with another network or deeper, and its
//! score replaced. The moves and the result stay.

use super::archive::{Archive, ArchiveError, Conditions, Writer};
use super::game::{Effort, Game};
use super::reader::{self, Reader};
use super::samples;
use super::workers::{self, Crew, Tally, Workers};
use chuhe_engine::search::{Control, Options, Searcher, Silent};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What is to be judged anew, and how.
pub struct Plan {
    /// The files of games.
    pub files: Vec<PathBuf>,
    /// The file for the same games with other scores. If it is there, and was made in the same way, it is gone on with.
    pub out: PathBuf,
    pub nodes: u64,
    /// One quiet position in so many is searched; the others no longer teach.
    pub every: u64,
    /// A game at a time each.
    pub crew: Crew,
    /// How the engine searches.
    pub options: Options,
    /// The name of the evaluation, for the record.
    pub evaluation: String,
}

/// What there is to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// All games, those too that had been judged before.
    pub games: u64,
    /// Bytes that held no sound games.
    pub damaged: u64,
}

/// Judges all games that are not in the new file yet.
pub fn run(plan: &Plan, out: &mut dyn Write) -> Result<Judged, ArchiveError> {
    // What is no file of games is to be told now, and not when the files before it are done.
    for file in &plan.files {
        Archive::open(file)?;
    }
    let (writer, done) = open(plan)?;
    let (unread, workers) = (Mutex::new(Reader::of(&plan.files)), Workers::new(writer, None));
    let unread = || unread.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || unread().find(|game| !game.as_ref().is_ok_and(|game| done.contains(&game.number)));
    let judge = |worker: usize, searcher: &mut Searcher| {
        while let Some(game) = next() {
            let judged = game.map(|game| judged(game, plan, searcher, || workers.goes_on(worker)));
            match judged {
                Ok(Some(game)) => workers.take(&game),
                Ok(None) => break,
                Err(error) => return workers.fail(error),
            }
        }
    };
    let line = |tally: &Tally, rate: f64| {
        let (games, plies, read) = (tally.games(), tally.plies(), unread().percent());
        format!("{games} games, {plies} positions, {rate:.0} a second, {read:.0} % of the files read")
    };
    workers.employ(plan.crew, &plan.options, judge, None, (out, line));
    workers.end()?;
    let unread = unread();
    Ok(Judged { games: unread.games, damaged: unread.damaged })
}

/// The file for the new games, and the numbers of those that are in it.
fn open(plan: &Plan) -> Result<(Writer, BTreeSet<u64>), ArchiveError> {
    let conditions = conditions(plan);
    let mut done = BTreeSet::new();
    if !plan.out.exists() {
        return Ok((Writer::create(&plan.out, &conditions)?, done));
    }
    let writer = Writer::resume_seeing(&plan.out, &conditions, |game| {
        done.insert(game.number);
    })?;
    Ok((writer.ok_or_else(|| ArchiveError::Other(plan.out.clone()))?, done))
}

fn conditions(plan: &Plan) -> Conditions {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source: Vec<String> = plan.files.iter().map(|file| sized(&name(file), file)).collect();
    let mut conditions = workers::conditions(&plan.evaluation, plan.nodes, &plan.options);
    conditions.insert("relabelled".to_string(), source.join(" "));
    if plan.every > 1 {
        conditions.insert("every".to_string(), plan.every.to_string());
    }
    conditions
}

/// A file's name with its size: a file that has grown since is another one.
fn sized(name: &str, file: &Path) -> String {
    format!("{name}:{}", reader::size(file))
}

/// The game with a score from a search of its own for the positions that are to teach; the others keep theirs. `None`
/// if it was broken off.
fn judged(mut game: Game, plan: &Plan, searcher: &mut Searcher, goes_on: impl Fn() -> bool) -> Option<Game> {
    searcher.clear();
    let mut position = game.start.clone();
    // Games begin at different places, so that every stage of a game is met as often as any other.
    let mut quiet = game.number;
    for ply in &mut game.plies {
        if !goes_on() {
            return None;
        }
        if samples::is_quiet(&position, ply.mv) {
            if quiet.is_multiple_of(plan.every) {
                let limits = workers::about(plan.nodes);
                let outcome = searcher.search(&position, &limits, &Control::new(false), &mut Silent);
                ply.score = outcome.score;
                ply.effort = workers::effort(&outcome);
            } else {
                ply.effort = Some(Effort::HASTY);
            }
            quiet += 1;
        }
        position.make(ply.mv);
    }
    Some(game)
}
