//! Self-play without end: many quick games, each written down as soon as it is over.

use super::archive::{Archive, ArchiveError, Conditions, Writer};
use super::game::{End, Game, Ply};
use super::openings::{self, Beginning};
use crate::board::Position;
use crate::rules::Ending;
use crate::search::{self, Control, Limits, Options, Searcher, Silent};
use crate::types::{Color, Score, score};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Megabytes of hash table of each game.
const HASH: usize = 4;
/// A side this far ahead …
const DECIDED_SCORE: Score = 1800;
/// … for so many plies has won; with a proven win it takes half of them.
const DECIDED_PLIES: u32 = 6;
/// No further from equal than this …
const FLAT_SCORE: Score = 15;
/// … for so many plies …
const FLAT_PLIES: u32 = 16;
/// … this late in the game is a draw.
const FLAT_FROM: usize = 80;
/// A game of so many plies is a draw.
const LONGEST: usize = 300;
/// How often the state of things is told on a terminal, and elsewhere.
const TELL_TERMINAL: Duration = Duration::from_secs(1);
const TELL_FILE: Duration = Duration::from_secs(60);

/// What is to be played.
pub struct Plan {
    /// The folder for the games.
    pub folder: PathBuf,
    /// Nodes a move on average: games are played at half, at once and at twice this.
    pub nodes: u64,
    /// Games at a time.
    pub threads: usize,
    /// How the engine plays.
    pub options: Options,
    /// The name of the evaluation, for the record.
    pub evaluation: String,
    /// Where chance begins; `None` lets chance decide that too.
    pub seed: Option<u64>,
    /// Positions to begin from instead of random ones.
    pub starts: Vec<Position>,
    /// Games to play; `None` = until told to stop.
    pub games: Option<u64>,
    /// Time to play; `None` = until told to stop.
    pub time: Option<Duration>,
}

/// Where the players bring their games: one file for all of them, and the count of what has been played.
struct Desk {
    writer: Mutex<Writer>,
    /// The number of the next game to begin.
    next: AtomicU64,
    tally: Tally,
    /// The games that were asked for are played, the time is over, or nothing can be written any more.
    closed: AtomicBool,
    failure: Mutex<Option<ArchiveError>>,
}

/// What has been played so far.
#[derive(Default)]
struct Tally {
    games: AtomicU64,
    plies: AtomicU64,
    /// Black wins, draws, red wins.
    results: [AtomicU64; 3],
}

/// Plays until the plan is fulfilled.
pub fn run(plan: &Plan, out: &mut dyn Write) -> Result<(), ArchiveError> {
    let (writer, seed) = open(plan)?;
    // Whether anybody reads is no matter: playing is.
    let _ = writeln!(
        out,
        "{}: {} games in it, {} nodes a move, {}",
        writer.path().display(),
        writer.games_before,
        plan.nodes,
        plan.evaluation
    );
    let desk = Desk {
        next: AtomicU64::new(writer.next_number),
        writer: Mutex::new(writer),
        tally: Tally::default(),
        closed: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    std::thread::scope(|scope| {
        let player = || {
            let mut searcher = Searcher::new(plan.options.clone(), HASH).expect("a few megabytes");
            while !desk.is_closed() {
                let number = desk.next.fetch_add(1, Ordering::Relaxed);
                if let Some(game) = play(plan, &mut searcher, seed, number, &desk.closed) {
                    desk.take(&game, plan.games);
                }
            }
        };
        let start = |_| match search::thread("player").spawn_scoped(scope, player) {
            Ok(player) => Some(player),
            // A machine that has no thread left to give plays on those that are there.
            Err(error) => {
                log::warn!("a player could not be started: {error}");
                None
            }
        };
        let players: Vec<_> = (0..plan.threads.max(1)).filter_map(start).collect();
        tell_until(&desk, plan, out, || players.iter().all(|player| player.is_finished()));
    });
    match desk.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

impl Desk {
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Writes a game down, unless enough have been played.
    fn take(&self, game: &Game, wanted: Option<u64>) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = || wanted.is_some_and(|wanted| self.tally.games.load(Ordering::Relaxed) >= wanted);
        if !is_enough() {
            match writer.add(game).and_then(|()| writer.flush()) {
                Ok(()) => self.tally.count(game),
                Err(error) => {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    self.closed.store(true, Ordering::Relaxed);
                }
            }
        }
        if is_enough() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }
}

/// Shows how it goes until everybody has finished.
fn tell_until(desk: &Desk, plan: &Plan, out: &mut dyn Write, finished: impl Fn() -> bool) {
    let begun = Instant::now();
    let terminal = io::stdout().is_terminal();
    let interval = if terminal { TELL_TERMINAL } else { TELL_FILE };
    let mut told = begun;
    while !finished() {
        std::thread::sleep(Duration::from_millis(50));
        if plan.time.is_some_and(|time| begun.elapsed() >= time) {
            desk.closed.store(true, Ordering::Relaxed);
        }
        if told.elapsed() >= interval {
            told = Instant::now();
            tell(&desk.tally, begun, terminal, out);
        }
    }
    tell(&desk.tally, begun, terminal, out);
    if terminal {
        let _ = writeln!(out);
    }
}

fn tell(tally: &Tally, begun: Instant, terminal: bool, out: &mut dyn Write) {
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let [black, draws, red] = [0, 1, 2].map(|index| count(&tally.results[index]));
    let (games, plies) = (count(&tally.games), count(&tally.plies));
    let rate = plies as f64 / begun.elapsed().as_secs_f64().max(0.001);
    let line = format!("{games} games, {plies} positions, {rate:.0} a second, red +{red} ={draws} -{black}");
    let _ = if terminal { write!(out, "\r{line}\x1b[K") } else { writeln!(out, "{line}") };
    let _ = out.flush();
}

impl Tally {
    fn count(&self, game: &Game) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        self.results[usize::from(game.red_half_points.min(2))].fetch_add(1, Ordering::Relaxed);
    }
}

/// The file of this folder that was played under the same conditions and that nobody else is adding to, or a new one;
/// and its seed.
fn open(plan: &Plan) -> Result<(Writer, u64), ArchiveError> {
    let io_error = |source| ArchiveError::Io { file: plan.folder.clone(), source };
    std::fs::create_dir_all(&plan.folder).map_err(io_error)?;
    let mut highest = 0;
    for number in numbered_files(&plan.folder).map_err(io_error)? {
        highest = highest.max(number);
        let file = plan.folder.join(file_name(number));
        let seed = Archive::open(&file).ok().and_then(|archive| archive.conditions.get("seed")?.parse().ok());
        if let Some(seed) = seed.filter(|seed| plan.seed.is_none_or(|wanted| wanted == *seed))
            && let Some(writer) = Writer::resume(&file, &conditions(plan, seed))?
        {
            return Ok((writer, seed));
        }
    }
    let seed = plan.seed.unwrap_or_else(|| rand::rng().random_range(0..1 << 48));
    loop {
        highest += 1;
        match Writer::create(&plan.folder.join(file_name(highest)), &conditions(plan, seed)) {
            // Another program was quicker.
            Err(ArchiveError::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {}
            other => return Ok((other?, seed)),
        }
    }
}

fn file_name(number: u32) -> String {
    format!("{number:04}.games")
}

/// The numbers of the files of games in a folder, in order.
fn numbered_files(folder: &Path) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.strip_suffix(".games")?.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn conditions(plan: &Plan, seed: u64) -> Conditions {
    let starts =
        if plan.starts.is_empty() { "random".to_string() } else { format!("{} given", plan.starts.len()) };
    [
        ("evaluation", plan.evaluation.clone()),
        ("nodes", plan.nodes.to_string()),
        ("openings", starts),
        ("rules", format!("{:?}", plan.options.rules.set).to_lowercase()),
        ("seed", seed.to_string()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_string(), value))
    .collect()
}

/// Plays the game of this number; `None` if its beginning is not worth a game, or if it was broken off.
fn play(plan: &Plan, searcher: &mut Searcher, seed: u64, number: u64, closed: &AtomicBool) -> Option<Game> {
    let mut random = StdRng::seed_from_u64(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let Beginning { position: start, balance } = match plan.starts.as_slice() {
        [] => openings::random(&mut random)?,
        starts => Beginning {
            position: starts[random.random_range(0..starts.len())].clone(),
            balance: DECIDED_SCORE,
        },
    };
    let nodes = [plan.nodes / 2, plan.nodes, plan.nodes, plan.nodes * 2][random.random_range(0..4)].max(1);
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 3), ..Limits::default() };
    searcher.clear();
    let rules = searcher.options.rules;
    let mut position = start.clone();
    let mut plies: Vec<Ply> = Vec::with_capacity(LONGEST);
    let (mut decided, mut flat) = (0, 0);
    let (red_half_points, end) = loop {
        let verdict = rules.judge(&position);
        if let (Some(ending), Some(end)) = (verdict.ending, End::of(verdict.reason)) {
            break (half_points(ending), end);
        }
        if plies.len() >= LONGEST {
            break (1, End::Length);
        }
        if closed.load(Ordering::Relaxed) {
            return None;
        }
        let outcome = searcher.search(&position, &limits, &Control::new(false), &mut Silent);
        let mv = outcome.best?;
        let found =
            if score::is_decided(outcome.score) { outcome.score } else { outcome.score * score::MINOR / 100 };
        if plies.is_empty() && found.abs() > balance {
            return None;
        }
        decided =
            if found.abs() <= DECIDED_SCORE { 0 } else { decided + 1 + u32::from(score::is_decided(found)) };
        flat = if found.abs() < FLAT_SCORE { flat + 1 } else { 0 };
        plies.push(Ply { mv, score: found });
        if decided >= DECIDED_PLIES {
            let red_wins = (found > 0) == (position.side() == Color::Red);
            break (if red_wins { 2 } else { 0 }, End::Score);
        }
        if flat >= FLAT_PLIES && plies.len() > FLAT_FROM {
            break (1, End::Flat);
        }
        position.make(mv);
    };
    // A game in which nothing was played teaches nothing.
    (!plies.is_empty()).then_some(Game { number, start, plies, red_half_points, end })
}

fn half_points(ending: Ending) -> u8 {
    match ending {
        Ending::Draw => 1,
        Ending::Loss(Color::Red) => 0,
        Ending::Loss(Color::Black) => 2,
    }
}
