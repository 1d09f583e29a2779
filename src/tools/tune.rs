//! `chuhe tune` (feature `tune`): games of the engine against itself, and weights of the evaluation fitted to
//! how these games ended (Texel's method, by gradient descent over the same features that the search sums).

use super::spsa;
use crate::board::Position;
use crate::eval::{Pair, Tally, WEIGHTS, features, tally_all, winning_chances};
use crate::rules::Ending;
use crate::search::{Control, Limits, Options, Searcher, Silent};
use crate::types::{Color, score};
use clap::{Args, Subcommand};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Arguments of `chuhe tune`.
#[derive(Args)]
pub struct TuneArgs {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Play games and write positions with scores and results, a line each
    Data {
        /// Where to
        out: PathBuf,
        /// How many games
        #[arg(long, default_value_t = 1000)]
        games: usize,
        /// Nodes per move
        #[arg(long, default_value_t = 5000)]
        nodes: u64,
        /// Games at the same time
        #[arg(long, default_value_t = 2)]
        threads: usize,
        /// Where chance begins
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Fit the weights and print them as source
    Fit {
        /// What `data` wrote
        data: Vec<PathBuf>,
        /// Passes over all positions
        #[arg(long, default_value_t = 200)]
        epochs: usize,
        /// How much the result counts against the score of the search, in percent
        #[arg(long, default_value_t = 60)]
        result: u32,
        /// Points at which a side is expected to score 73 percent
        #[arg(long, default_value_t = 350.0)]
        scale: f64,
        /// How strongly the weights are held where they began, in millionths
        #[arg(long, default_value_t = 5.0)]
        pull: f32,
        /// Where the fitted weights go, a line each
        #[arg(long)]
        out: PathBuf,
    },
    /// Tune constants of the search by games, all at once
    Spsa(spsa::SpsaArgs),
    /// Play pairs of games for `spsa`
    #[command(hide = true)]
    SpsaWorker {
        /// Nodes per move
        #[arg(long)]
        nodes: u64,
    },
}

/// Runs a step.
pub fn run(args: &TuneArgs) -> Result<(), Box<dyn Error>> {
    match &args.step {
        Step::Data { out, games, nodes, threads, seed } => play(out, *games, *nodes, *threads, *seed),
        Step::Fit { data, epochs, result, scale, pull, out } => {
            fit(data, *epochs, *result, *scale, pull * 1e-6, out)
        }
        Step::Spsa(args) => spsa::run(args),
        Step::SpsaWorker { nodes } => spsa::run_worker(*nodes),
    }
}

fn play(out: &Path, games: usize, nodes: u64, threads: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let file = Mutex::new(BufWriter::new(File::create(out)?));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut searcher = Searcher::new(Options::default(), 8).expect("eight megabytes");
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        break;
                    }
                    let mut rng = StdRng::seed_from_u64(seed.wrapping_mul(1_000_003) + number as u64);
                    let lines = game(&mut searcher, nodes, &mut rng);
                    let mut file = file.lock().expect("no writer panics");
                    for line in lines {
                        let _ = writeln!(file, "{line}");
                    }
                    if number % 100 == 99 {
                        eprintln!("{} of {games} games", number + 1);
                    }
                }
            });
        }
    });
    Ok(file.into_inner()?.flush()?)
}

/// One game from a random opening: its quiet positions as `fen;score;result`, both from red's side.
fn game(searcher: &mut Searcher, nodes: u64, rng: &mut StdRng) -> Vec<String> {
    let mut position = Position::start();
    for _ in 0..rng.random_range(4..=12) {
        let moves: Vec<_> = position.legal_moves().moves().collect();
        if moves.is_empty() {
            return Vec::new();
        }
        position.make(moves[rng.random_range(0..moves.len())]);
    }
    searcher.clear();
    let rules = searcher.options.rules;
    let mut samples = Vec::new();
    let mut decided = 0;
    let result = loop {
        if let Some(ending) = rules.judge(&position).ending {
            break match ending {
                Ending::Draw => 0.5,
                Ending::Loss(Color::Red) => 0.0,
                Ending::Loss(Color::Black) => 1.0,
            };
        }
        let limits = Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 4), ..Limits::default() };
        let outcome = searcher.search(&position, &limits, &Control::new(false), &mut Silent);
        let Some(best) = outcome.best else { break 0.5 };
        if samples.is_empty() && outcome.score.abs() > 175 {
            return Vec::new();
        }
        let grain = outcome.score * score::MINOR / 100;
        let red = if position.side() == Color::Red { grain } else { -grain };
        let quiet = !position.in_check() && !position.piece_at(best.to()).is_piece();
        if quiet && !score::is_decided(outcome.score) {
            samples.push(format!("{};{red}", position.fen()));
        } else if samples.is_empty() {
            samples.push(String::new());
        }
        decided = if outcome.score.abs() > 500 { decided + 1 } else { 0 };
        if decided >= 6 {
            break if red > 0 { 1.0 } else { 0.0 };
        }
        position.make(best);
    };
    samples.retain(|line| !line.is_empty());
    samples.into_iter().map(|line| format!("{line};{result}")).collect()
}

/// A position as the fit sees it: red minus black, each feature once.
struct Sample {
    features: Vec<(u16, i16)>,
    /// Share of the middlegame.
    phase: f32,
    /// Winning chances of red and of black, 0 to 1.
    chances: [f32; 2],
    target: f32,
}

#[derive(Default)]
struct Recorder(Vec<(u16, i16)>);

impl Tally for Recorder {
    fn add(&mut self, feature: usize, color: Color, count: i32) {
        let count = if color == Color::Red { count } else { -count } as i16;
        match self.0.iter_mut().find(|entry| entry.0 == feature as u16) {
            Some(entry) => entry.1 += count,
            None => self.0.push((feature as u16, count)),
        }
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn read(paths: &[PathBuf], result_share: f32, scale: f32) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut samples = Vec::new();
    for path in paths {
        for line in BufReader::new(File::open(path)?).lines() {
            let line = line?;
            let mut parts = line.split(';');
            let (Some(fen), Some(points), Some(result)) = (parts.next(), parts.next(), parts.next()) else {
                return Err(format!("not a sample: {line}").into());
            };
            let position = Position::from_fen(fen)?;
            let mut recorder = Recorder::default();
            let phase = tally_all(&position, &mut recorder);
            recorder.0.retain(|entry| entry.1 != 0);
            let expected = sigmoid(points.parse::<f32>()? / scale);
            let chance = |color| winning_chances(&position, color) as f32 / 64.0;
            samples.push(Sample {
                features: recorder.0,
                phase,
                chances: [chance(Color::Red), chance(Color::Black)],
                target: result_share * result.parse::<f32>()? + (1.0 - result_share) * expected,
            });
        }
    }
    Ok(samples)
}

fn fit(
    paths: &[PathBuf],
    epochs: usize,
    result: u32,
    scale: f64,
    pull: f32,
    out: &Path,
) -> Result<(), Box<dyn Error>> {
    const RATE: f32 = 1.5;
    const BATCH: usize = 8192;
    let scale = scale as f32;
    let mut samples = read(paths, result as f32 / 100.0, scale)?;
    eprintln!("{} positions", samples.len());
    let mut rng = StdRng::seed_from_u64(7);
    for index in (1..samples.len()).rev() {
        samples.swap(index, rng.random_range(0..=index));
    }
    let held_out = samples.split_off(samples.len() * 19 / 20);
    let mut weights: Vec<[f32; 2]> =
        WEIGHTS.iter().map(|pair| [pair.middlegame() as f32, pair.endgame() as f32]).collect();
    let start = weights.clone();
    let mut first = vec![[0f32; 2]; weights.len()];
    let mut second = vec![[0f32; 2]; weights.len()];
    let mut gradient = vec![[0f32; 2]; weights.len()];
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = RATE * (1.0 - epoch as f32 / epochs as f32).max(0.02);
        for batch in samples.chunks(BATCH) {
            gradient.iter_mut().for_each(|g| *g = [0.0; 2]);
            for sample in batch {
                let (value, chance) = value_of(sample, &weights);
                let expected = sigmoid(value / scale);
                let slope = (expected - sample.target) * expected * (1.0 - expected) * chance;
                for &(feature, count) in &sample.features {
                    let part = slope * f32::from(count);
                    let g = &mut gradient[feature as usize];
                    g[0] += part * sample.phase;
                    g[1] += part * (1.0 - sample.phase);
                }
            }
            steps += 1;
            for index in 0..weights.len() {
                for half in 0..2 {
                    // What few games speak about stays where it began.
                    let held = pull * (weights[index][half] - start[index][half]);
                    let g = gradient[index][half] / batch.len() as f32 + held;
                    let (m, v) = (&mut first[index][half], &mut second[index][half]);
                    *m = 0.9 * *m + 0.1 * g;
                    *v = 0.999 * *v + 0.001 * g * g;
                    let m_hat = *m / (1.0 - 0.9f32.powi(steps));
                    let v_hat = *v / (1.0 - 0.999f32.powi(steps));
                    weights[index][half] -= rate * m_hat / (v_hat.sqrt() + 1e-9);
                }
            }
        }
        if epoch % 10 == 0 || epoch + 1 == epochs {
            let (train, test) = (error(&samples, &weights, scale), error(&held_out, &weights, scale));
            eprintln!("epoch {epoch}: {train:.6} fitted, {test:.6} held out");
        }
    }
    let mut file = BufWriter::new(File::create(out)?);
    for weight in &weights {
        let pair = Pair::new(weight[0].round() as i32, weight[1].round() as i32);
        writeln!(file, "{} {}", pair.middlegame(), pair.endgame())?;
    }
    debug_assert_eq!(weights.len(), features::COUNT);
    Ok(file.flush()?)
}

/// The evaluation from red's side, and the share of it that counts.
fn value_of(sample: &Sample, weights: &[[f32; 2]]) -> (f32, f32) {
    let (mut middle, mut end) = (0.0, 0.0);
    for &(feature, count) in &sample.features {
        let weight = weights[feature as usize];
        middle += weight[0] * f32::from(count);
        end += weight[1] * f32::from(count);
    }
    let value = middle * sample.phase + end * (1.0 - sample.phase);
    let chance = sample.chances[usize::from(value < 0.0)];
    (value * chance, chance)
}

fn error(samples: &[Sample], weights: &[[f32; 2]], scale: f32) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let difference = sigmoid(value_of(sample, weights).0 / scale) - sample.target;
            f64::from(difference * difference)
        })
        .sum();
    sum / samples.len().max(1) as f64
}
