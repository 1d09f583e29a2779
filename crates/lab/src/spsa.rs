//! SPSA (Spall 1992): tunes search constants by games, all at once.
//!
//! Each step plays a pair of games between two opposite perturbations of the constants and moves all of them a little
//! towards the winner. The constants are global to a process, so the games are played by other processes, which read two
//! settings from a line ([`play_line`]) and answer with the score.
//!
//! A pair of games between two sets of search constants: one opening with both colours.

use crate::arena::engine::{Engine, ProcessRegistry};
use crate::arena::game::{self, EndCause};
use crate::arena::openings::{RandomOpeningGenerator, RandomOpeningSettings};
use crate::arena::spec::{Budget, DrawRule, EngineSource, EngineSpec, InProcessSpec, RefereeSpec, ResignRule};
use crate::arena::tournament::TournamentError;
use crate::training::selfplay_workers::HASH_MB;
use chuhe_engine::search::params::{self, Param};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use xiangqi::Color;

/// A constant being tuned.
pub struct TunedParam {
    param: &'static Param,
    value: f64,
    step: f64,
}

impl TunedParam {
    /// Reads `name` or `name:step`, where the step is a change that should just be felt.
    pub fn parse(text: &str) -> Result<TunedParam, String> {
        let (name, step) = text.split_once(':').map_or((text, None), |(name, step)| (name, Some(step)));
        let param = params::ALL
            .iter()
            .find(|param| param.name == name)
            .ok_or_else(|| format!("'{name}' is no search constant"))?;
        let step = match step {
            Some(step) => step.parse().map_err(|_| format!("'{step}' is no step"))?,
            None => f64::from(param.max - param.min) / 20.0,
        };
        Ok(TunedParam { param, value: f64::from(param.default), step })
    }

    /// The constant moved by this much, rounded up or down at random so that small changes count.
    fn moved(&self, by: f64, rng: &mut StdRng) -> i32 {
        let value = (self.value + by + rng.random::<f64>()).floor() as i32;
        value.clamp(self.param.min, self.param.max)
    }
}

/// How a run goes.
pub struct SpsaSettings {
    pub pairs: usize,
    /// Processes that play.
    pub workers: usize,
    /// How far a pair moves the constants at the end, in thousandths of a step.
    pub rate: f64,
    pub seed: u64,
}

/// State shared by the workers.
pub struct SpsaState {
    params: Vec<TunedParam>,
    rng: StdRng,
    begun: usize,
    pub done: usize,
    /// Wins minus losses of the positive perturbation; should stay near zero.
    pub balance: i32,
}

impl SpsaState {
    /// The constants as they are now, one a line.
    pub fn constants(&self) -> String {
        let mut text = String::new();
        for tuned in &self.params {
            let _ = writeln!(text, "{}={}  was {}", tuned.param.name, tuned.value.round(), tuned.param.default);
        }
        text
    }
}

/// Spall's exponents, and the share of the pairs after which the rate begins to fall.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const STABILITY_FRACTION: f64 = 0.1;

/// Hears how a run goes, and may end it.
type Report<'a> = dyn Fn(&SpsaState) -> Result<(), Box<dyn Error>> + Sync + 'a;

/// Tunes the constants. `worker` is the command of a process that answers lines by [`play_line`]; `report` is called
/// after every hundred pairs and at the end.
pub fn run(
    params: Vec<TunedParam>,
    settings: &SpsaSettings,
    worker: &(dyn Fn() -> std::io::Result<Command> + Sync),
    report: &Report<'_>,
) -> Result<(), Box<dyn Error>> {
    let rng = StdRng::seed_from_u64(settings.seed);
    let state = Mutex::new(SpsaState { params, rng, begun: 0, done: 0, balance: 0 });
    let failures: Vec<String> = std::thread::scope(|scope| {
        let work = || run_pairs(worker, settings, &state, report).map_err(|error| error.to_string());
        let handles: Vec<_> =
            (1..settings.workers).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let own = work().err();
        let others = handles.into_iter().filter_map(|handle| handle.join().expect("no worker panics").err());
        own.into_iter().chain(others).collect()
    });
    if let Some(failure) = failures.into_iter().next() {
        return Err(failure.into());
    }
    report(&state.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Feeds one worker process with pairs until all are played.
fn run_pairs(
    command: &dyn Fn() -> std::io::Result<Command>,
    settings: &SpsaSettings,
    state: &Mutex<SpsaState>,
    report: &Report<'_>,
) -> Result<(), Box<dyn Error>> {
    let mut worker = WorkerProcess::start(command()?)?;
    loop {
        let (signs, sizes, rate, line) = {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.begun >= settings.pairs {
                return Ok(());
            }
            state.begun += 1;
            next_pair(&mut state, settings)
        };
        let score = worker.ask(&line)?;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        for ((tuned, sign), size) in state.params.iter_mut().zip(&signs).zip(&sizes) {
            let value = tuned.value + rate * size * sign * f64::from(score);
            tuned.value = value.clamp(f64::from(tuned.param.min), f64::from(tuned.param.max));
        }
        state.done += 1;
        state.balance += score;
        if state.done.is_multiple_of(100) {
            report(&state)?;
        }
    }
}

/// Draws a perturbation: its signs and sizes, how far the result will move the constants, and the line that gives a
/// worker both settings.
fn next_pair(state: &mut SpsaState, settings: &SpsaSettings) -> (Vec<f64>, Vec<f64>, f64, String) {
    let (now, all) = (state.begun as f64, settings.pairs as f64);
    let stability = STABILITY_FRACTION * all;
    let rate = settings.rate / 1000.0 * ((stability + all) / (stability + now)).powf(ALPHA);
    let widen = (all / now).powf(GAMMA);
    let SpsaState { params, rng, .. } = state;
    let signs: Vec<f64> = params.iter().map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect();
    let sizes: Vec<f64> = params.iter().map(|tuned| tuned.step * widen).collect();
    let mut line = format!("{}", rng.random::<u32>());
    for direction in [1.0, -1.0] {
        line.push(' ');
        for ((tuned, sign), size) in params.iter().zip(&signs).zip(&sizes) {
            let value = tuned.moved(direction * sign * size, rng);
            let _ = write!(line, "{}={value},", tuned.param.name);
        }
    }
    (signs, sizes, rate, line)
}

/// A process that plays pairs.
struct WorkerProcess {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl WorkerProcess {
    fn start(mut command: Command) -> Result<WorkerProcess, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        Ok(WorkerProcess { child, answers })
    }

    fn ask(&mut self, line: &str) -> Result<i32, Box<dyn Error>> {
        let pipe = self.child.stdin.as_mut().ok_or("no pipe")?;
        writeln!(pipe, "{line}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(answer.trim().parse().map_err(|_| format!("a worker answered '{}'", answer.trim()))?)
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        // The worker exits at the end of its input.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// The worker's side: plays the pair that a line asks for, a seed and two settings; returns wins minus losses of the
/// first.
pub fn play_line(line: &str, nodes: u64) -> Result<i32, Box<dyn Error>> {
    let mut words = line.split_whitespace();
    let mut word = || words.next().ok_or("a line is too short");
    let seed = word()?.parse()?;
    let settings = [parse_settings(word()?)?, parse_settings(word()?)?];
    Ok(Duel { settings, nodes, seed }.play_pair()?)
}

fn parse_settings(text: &str) -> Result<BTreeMap<String, i32>, Box<dyn Error>> {
    let mut settings = BTreeMap::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is no setting"))?;
        settings.insert(name.to_string(), value.parse()?);
    }
    Ok(settings)
}

/// A pair of games to play.
pub struct Duel {
    /// Search constants of the two players.
    pub settings: [BTreeMap<String, i32>; 2],
    /// Nodes per move.
    pub nodes: u64,
    pub seed: u64,
}

impl Duel {
    /// Plays the opening with both colours; returns wins minus losses of the first player. Games are adjudicated early
    /// by score.
    pub fn play_pair(&self) -> Result<i32, TournamentError> {
        let referee = RefereeSpec {
            draw: Some(DrawRule { from_move: 50, moves: 6, score: 8 }),
            resign: Some(ResignRule { moves: 3, score: 700 }),
            ..RefereeSpec::default()
        };
        let how = RandomOpeningSettings { count: 1, limited: true, plies: 8, seed: self.seed, max_score: 30 };
        let opening = RandomOpeningGenerator::new(how, referee.rules)?.opening(0);
        let registry = Arc::new(ProcessRegistry::default());
        let player = |index: usize| {
            let inner =
                InProcessSpec { hash_mb: HASH_MB, tune: self.settings[index].clone(), ..InProcessSpec::default() };
            let spec = EngineSpec { name: format!("{index}"), driver: EngineSource::InProcess(inner), budget: None };
            Engine::new(&spec, &referee, &registry)
        };
        let (mut first, mut second) = (player(0)?, player(1)?);
        let budgets = [Budget::Nodes(self.nodes); 2];
        let never = AtomicBool::new(false);
        let mut score = 0;
        for color in Color::ALL {
            let players = match color {
                Color::Red => [&mut first, &mut second],
                Color::Black => [&mut second, &mut first],
            };
            let Some(played) = game::play(players, budgets, &opening, &referee, &never) else { continue };
            if let EndCause::Fault(fault) = &played.cause {
                log::error!("a tuning game ended badly: {fault:?}");
                continue;
            }
            score += match played.winner {
                None => 0,
                Some(winner) if winner == color => 1,
                Some(_) => -1,
            };
        }
        Ok(score)
    }
}
