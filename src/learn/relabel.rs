//! Games that have been played, judged anew: every position is searched again, with another network or deeper, and its
//! score replaced. The moves and the result stay.

use super::archive::{Archive, ArchiveError, Conditions, Writer};
use super::game::{Effort, Game};
use super::samples;
use super::workers::{self, Crew, Tally, Workers};
use crate::search::{Control, Options, Searcher, Silent};
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

/// Judges all games that are not in the new file yet; answers how many there are in it.
pub fn run(plan: &Plan, out: &mut dyn Write) -> Result<u64, ArchiveError> {
    let mut all = 0;
    for game in games(&plan.files) {
        game?;
        all += 1;
    }
    let (writer, done) = open(plan)?;
    let wanted = all - all.min(done.len() as u64);
    let left = games(&plan.files).filter(|game| !game.as_ref().is_ok_and(|game| done.contains(&game.number)));
    let (left, workers) = (Mutex::new(left), Workers::new(writer, None));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
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
        format!("{} of {wanted} games, {} positions, {rate:.0} a second", tally.games(), tally.plies())
    };
    workers.employ(plan.crew, &plan.options, judge, None, (out, line));
    workers.end()?;
    Ok(all)
}

/// The games of these files one after the other, numbered throughout.
fn games(files: &[PathBuf]) -> impl Iterator<Item = Result<Game, ArchiveError>> + Send {
    type Games = Box<dyn Iterator<Item = Result<Game, ArchiveError>> + Send>;
    let of_file = |file: &PathBuf| -> Games {
        match Archive::open(file) {
            Ok(archive) => Box::new(archive),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    };
    let numbered = |(number, game): (usize, Result<Game, ArchiveError>)| {
        game.map(|game| Game { number: number as u64, ..game })
    };
    files.iter().flat_map(of_file).enumerate().map(numbered)
}

/// The file for the new games, and the numbers of those that are in it.
fn open(plan: &Plan) -> Result<(Writer, BTreeSet<u64>), ArchiveError> {
    let conditions = conditions(plan);
    if !plan.out.exists() {
        return Ok((Writer::create(&plan.out, &conditions)?, BTreeSet::new()));
    }
    let Some(writer) = Writer::resume(&plan.out, &conditions)? else {
        return Err(ArchiveError::Other(plan.out.clone()));
    };
    let mut done = BTreeSet::new();
    for game in Archive::open(&plan.out)? {
        done.insert(game?.number);
    }
    Ok((writer, done))
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
    format!("{name}:{}", file.metadata().map_or(0, |file| file.len()))
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
