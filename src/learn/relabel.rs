//! Games that have been played, judged anew: every position is searched again, with another network or deeper, and its
//! score replaced. The moves and the result stay.

use super::archive::{Archive, ArchiveError, Conditions, Writer};
use super::game::Game;
use super::samples;
use crate::search::{self, Control, Limits, Options, Searcher, Silent};
use crate::types::score;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Megabytes of hash table of each game.
const HASH: usize = 4;

/// What is to be judged anew, and how.
pub struct Plan {
    /// The files of games.
    pub files: Vec<PathBuf>,
    /// The file for the same games with other scores. If it is there, and was made in the same way, it is gone on with.
    pub out: PathBuf,
    /// Nodes a position.
    pub nodes: u64,
    /// Games at a time.
    pub threads: usize,
    /// How the engine searches.
    pub options: Options,
    /// The name of the evaluation, for the record.
    pub evaluation: String,
}

/// Judges all games that are not in the new file yet; answers how many there are in it.
pub fn run(plan: &Plan, out: &mut dyn Write) -> Result<u64, ArchiveError> {
    let mut games = Vec::new();
    for file in &plan.files {
        Archive::open(file)?.games(|game| games.push(Game { number: games.len() as u64, ..game }));
    }
    let all = games.len() as u64;
    let (writer, done) = open(plan)?;
    games.retain(|game| !done.contains(&game.number));
    let desk = Desk {
        writer: Mutex::new(writer),
        next: AtomicUsize::new(0),
        games: AtomicU64::new(0),
        plies: AtomicU64::new(0),
        broken: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    std::thread::scope(|scope| {
        let judge = || {
            let mut searcher = Searcher::new(plan.options.clone(), HASH).expect("a few megabytes");
            while !desk.broken.load(Ordering::Relaxed) {
                let Some(game) = games.get(desk.next.fetch_add(1, Ordering::Relaxed)) else { break };
                desk.take(&judged(game, plan.nodes, &mut searcher));
            }
        };
        let start = |_| match search::thread("judge").spawn_scoped(scope, judge) {
            Ok(judge) => Some(judge),
            // A machine that has no thread left to give works with those that are there.
            Err(error) => {
                log::warn!("a thread could not be started: {error}");
                None
            }
        };
        let judges: Vec<_> = (0..plan.threads.max(1)).filter_map(start).collect();
        desk.tell_until(games.len(), out, || judges.iter().all(|judge| judge.is_finished()));
    });
    match desk.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(all),
    }
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
    Archive::open(&plan.out)?.games(|game| {
        done.insert(game.number);
    });
    Ok((writer, done))
}

fn conditions(plan: &Plan) -> Conditions {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source: Vec<String> = plan.files.iter().map(|file| sized(&name(file), file)).collect();
    [
        ("evaluation", plan.evaluation.clone()),
        ("nodes", plan.nodes.to_string()),
        ("relabelled", source.join(" ")),
        ("rules", format!("{:?}", plan.options.rules.set).to_lowercase()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_string(), value))
    .collect()
}

/// A file's name with its size: a file that has grown since is another one.
fn sized(name: &str, file: &Path) -> String {
    format!("{name}:{}", file.metadata().map_or(0, |file| file.len()))
}

/// The game with a score from a search of its own for every position that can be learned from; the others keep theirs.
fn judged(game: &Game, nodes: u64, searcher: &mut Searcher) -> Game {
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 3), ..Limits::default() };
    searcher.clear();
    let mut position = game.start.clone();
    let mut plies = game.plies.clone();
    for ply in &mut plies {
        if samples::is_quiet(&position, ply.mv) {
            let found = searcher.search(&position, &limits, &Control::new(false), &mut Silent).score;
            ply.score = if score::is_decided(found) { found } else { found * score::MINOR / 100 };
        }
        position.make(ply.mv);
    }
    Game { plies, ..game.clone() }
}

/// Where the judges bring their games.
struct Desk {
    writer: Mutex<Writer>,
    next: AtomicUsize,
    games: AtomicU64,
    plies: AtomicU64,
    broken: AtomicBool,
    failure: Mutex<Option<ArchiveError>>,
}

impl Desk {
    fn take(&self, game: &Game) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writer.add(game).and_then(|()| writer.flush()) {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.broken.store(true, Ordering::Relaxed);
            return;
        }
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
    }

    fn tell_until(&self, all: usize, out: &mut dyn Write, finished: impl Fn() -> bool) {
        let terminal = io::stdout().is_terminal();
        let interval = Duration::from_secs(if terminal { 1 } else { 60 });
        let (begun, mut told) = (Instant::now(), Instant::now());
        let mut tell = || {
            let (games, plies) = (self.games.load(Ordering::Relaxed), self.plies.load(Ordering::Relaxed));
            let rate = plies as f64 / begun.elapsed().as_secs_f64().max(0.001);
            let line = format!("{games} of {all} games, {plies} positions, {rate:.0} a second");
            // Whether anybody reads is no matter.
            let _ = if terminal { write!(out, "\r{line}\x1b[K") } else { writeln!(out, "{line}") };
            let _ = out.flush();
        };
        while !finished() {
            std::thread::sleep(Duration::from_millis(20));
            if told.elapsed() >= interval {
                told = Instant::now();
                tell();
            }
        }
        tell();
        if terminal {
            let _ = writeln!(out);
        }
    }
}
