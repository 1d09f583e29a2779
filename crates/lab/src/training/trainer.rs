//! Trains a network: Adam on shuffled batches, each split among the threads, with validation on held-out games after
//! every epoch.
//!
//! Checkpoints of a training run, from which it can be resumed.

use super::model::{self, ForwardBuffers, Model, ModelShape, ShapeMismatch};
use super::samples::{PackedSample, TrainingData, TrainingSample};
use super::settings::Settings;
use chuhe_engine::nnue::{Network, simd};
use chuhe_support::files::{At, FileError, open_regular, read_regular, write_atomic};
use chuhe_support::language::tr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Decay rates of Adam's first and second moments.
const ADAM_BETAS: [f32; 2] = [0.9, 0.999];
/// Minimum samples per thread in validation.
const SAMPLES_PER_TASK: usize = 4096;

/// The state of a training run.
pub struct Trainer {
    /// The current model.
    pub model: Model,
    /// Adam's first and second moments.
    pub adam_moments: [Vec<f32>; 2],
    pub steps: u64,
    /// Steps of the runs that this one goes on from; their gradients are in the moments.
    pub earlier_steps: u64,
    /// The losses of each completed epoch.
    pub epochs: Vec<Epoch>,
}

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Mean loss on the training positions during the epoch.
    pub train_loss: f32,
    /// Loss on the validation positions, against the score of the search.
    pub validation_loss: f32,
    /// Loss on the validation positions, against the results of the games.
    pub result_loss: f32,
}

/// Receives training progress.
pub trait TrainingObserver {
    /// An error that ends training early; includes errors reading positions.
    type Error: From<FileError>;
    /// Progress within an epoch: fraction done, loss so far, positions per second.
    fn progress(&mut self, pass: usize, share: f64, loss: f32, speed: f64);
    /// An epoch is done; `rounded` is the validation loss of the quantised network.
    fn epoch_done(&mut self, fit: &Trainer, rounded: f32) -> Result<(), Self::Error>;
}

impl Trainer {
    pub fn new(settings: &Settings) -> Trainer {
        Trainer::of(Model::random(ModelShape::of(settings), settings))
    }

    /// Starts from a trained network.
    pub fn from(network: &Network, settings: &Settings) -> Result<Trainer, ShapeMismatch> {
        Ok(Trainer::of(Model::of(network, ModelShape::of(settings))?))
    }

    fn of(model: Model) -> Trainer {
        let zeros = || vec![0.0; model.values.len()];
        Trainer { adam_moments: [zeros(), zeros()], model, steps: 0, earlier_steps: 0, epochs: Vec::new() }
    }

    /// Begins a new run with the weights and moments of a finished one, which no rounding has touched.
    pub fn continuing(earlier: Trainer, settings: &Settings) -> Result<Trainer, ShapeMismatch> {
        ShapeMismatch::check(earlier.model.shape, ModelShape::of(settings))?;
        let earlier_steps = earlier.earlier_steps + earlier.steps;
        Ok(Trainer { steps: 0, earlier_steps, epochs: Vec::new(), ..earlier })
    }

    /// Runs the remaining epochs.
    pub fn run<W: TrainingObserver>(
        &mut self,
        samples: &TrainingData,
        settings: &Settings,
        threads: usize,
        observer: &mut W,
    ) -> Result<(), W::Error> {
        let mut gradients: Vec<Model> = (0..threads).map(|_| Model::zero(self.model.shape)).collect();
        let mut scratches: Vec<ForwardBuffers> = (0..threads).map(|_| ForwardBuffers::new(self.model.shape)).collect();
        while self.epochs.len() < settings.epochs as usize {
            let training = self.run_epoch(samples, settings, (&mut gradients, &mut scratches), observer)?;
            let [held_out, result] = validation_losses(&self.model, &samples.validation, settings, &mut scratches);
            let [rounded, _] = match self.model.quantized() {
                Some(model) => validation_losses(&model, &samples.validation, settings, &mut scratches),
                None => [f32::NAN; 2],
            };
            self.epochs.push(Epoch { train_loss: training, validation_loss: held_out, result_loss: result });
            observer.epoch_done(self, rounded)?;
        }
        Ok(())
    }

    /// Trains on every position once; returns the mean loss.
    fn run_epoch<W: TrainingObserver>(
        &mut self,
        samples: &TrainingData,
        settings: &Settings,
        (gradients, scratches): (&mut [Model], &mut [ForwardBuffers]),
        observer: &mut W,
    ) -> Result<f32, W::Error> {
        let pass = self.epochs.len();
        let positions = samples.training.positions();
        let steps_a_pass = positions.div_ceil(settings.batch) as u64;
        let all_steps = (steps_a_pass * u64::from(settings.epochs)).max(1);
        let seed = settings.seed.wrapping_add(1 + pass as u64);
        samples.training.shuffled(seed, |mut shuffled| {
            let (mut loss, mut seen) = (0.0, 0);
            let (begun, mut last_report) = (Instant::now(), Instant::now());
            let mut batch = Vec::with_capacity(settings.batch);
            let is_rounded = pass as u32 + settings.rounded_epochs >= settings.epochs;
            let mut rounded = is_rounded.then(|| Model::zero(self.model.shape));
            loop {
                shuffled.fill(&mut batch, settings.batch)?;
                if batch.is_empty() {
                    return Ok(loss as f32 / seen.max(1) as f32);
                }
                // Gradients at the rounded weights move the others (a straight-through estimator).
                if let Some(rounded) = &mut rounded {
                    simd::dispatch(
                        #[inline(always)]
                        |_| self.model.round_into(rounded),
                    );
                }
                let model = rounded.as_ref().unwrap_or(&self.model);
                loss += compute_gradients(model, &batch, settings, gradients, scratches, pass);
                seen += batch.len();
                let rate = learning_rate(settings, self.steps, all_steps);
                self.adam_step(gradients, rate, batch.len(), settings);
                if last_report.elapsed() > Duration::from_millis(500) {
                    last_report = Instant::now();
                    let speed = seen as f64 / begun.elapsed().as_secs_f64();
                    observer.progress(pass, seen as f64 / positions as f64, loss as f32 / seen as f32, speed);
                }
            }
        })
    }

    /// One Adam step with the sum of these gradients. The parameters are split among the threads, since adding up the
    /// gradients of many threads in one would take longer than computing them.
    fn adam_step(&mut self, gradients: &[Model], rate: f32, batch: usize, settings: &Settings) {
        self.steps += 1;
        let adam_steps = (self.earlier_steps + self.steps).min(i32::MAX as u64) as i32;
        let correct = ADAM_BETAS.map(|memory| 1.0 - memory.powi(adam_steps));
        let (feature_weights, feature_rate) = (self.model.shape.feature_weights(), rate * settings.feature_rate);
        let share = self.model.values.len().div_ceil(gradients.len());
        let [means, squares] = &mut self.adam_moments;
        let parts = self.model.values.chunks_mut(share).zip(means.chunks_mut(share));
        let parts = parts.zip(squares.chunks_mut(share)).enumerate();
        run_jobs(parts, |(number, ((values, means), squares))| {
            let begin = number * share;
            let own_feature_weights = feature_weights.saturating_sub(begin).min(values.len());
            simd::dispatch(
                #[inline(always)]
                |_| {
                    let mut sums = vec![0.0; values.len()];
                    for gradients in gradients {
                        model::add_assign(&mut sums, &gradients.values[begin..]);
                    }
                    let scale = 1.0 / batch as f32;
                    let whole = (&mut values[..], means, squares);
                    adam_update(
                        whole,
                        &sums,
                        scale,
                        [(own_feature_weights, feature_rate), (sums.len(), rate)],
                        correct,
                    );
                    let kept = 1.0 - feature_rate * settings.decay;
                    if kept < 1.0 {
                        values[..own_feature_weights].iter_mut().for_each(|value| *value *= kept);
                    }
                    Model::clamp(values);
                },
            );
        });
    }
}

/// Computes the gradients of a batch, split among the threads; returns the sum of the losses.
fn compute_gradients(
    model: &Model,
    batch: &[PackedSample],
    settings: &Settings,
    gradients: &mut [Model],
    scratches: &mut [ForwardBuffers],
    pass: usize,
) -> f64 {
    let (sharpness, exponent) = (settings.sharpness(), settings.exponent);
    let share = batch.len().div_ceil(gradients.len());
    let work = |part: &[PackedSample], gradients: &mut Model, scratch: &mut ForwardBuffers| {
        simd::dispatch(
            #[inline(always)]
            |_| {
                gradients.values.fill(0.0);
                let mut loss = 0.0;
                for packed in part {
                    let sample = packed.unpack();
                    let output = model.forward(&sample, sample.is_mirrored(pass), scratch);
                    let expected = sigmoid(sharpness * output);
                    let error = expected - training_target(&sample, settings, sharpness);
                    let weight = if exponent == 2.0 { 1.0 } else { error.abs().powf(exponent - 2.0) };
                    loss += f64::from(weight * error * error);
                    let slope = exponent * weight * error * expected * (1.0 - expected) * sharpness;
                    model.backward(&sample, slope, scratch, gradients);
                }
                loss
            },
        )
    };
    let parts = batch.chunks(share);
    let jobs = parts.zip(gradients.iter_mut().zip(scratches.iter_mut()));
    run_jobs(jobs, |(part, (gradients, scratch))| work(part, gradients, scratch)).into_iter().sum()
}

/// Runs each job on a thread of its own, one of them on this thread; if the system starts no more threads, those that run
/// share the jobs. The results are in the order of the jobs.
fn run_jobs<Job: Send, Found: Send>(
    jobs: impl IntoIterator<Item = Job>,
    work: impl Fn(Job) -> Found + Sync,
) -> Vec<Found> {
    let jobs: Vec<Job> = jobs.into_iter().collect();
    let count = jobs.len();
    let (jobs, found) = (Mutex::new(jobs.into_iter().enumerate()), Mutex::new(Vec::with_capacity(count)));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((index, job)) = next() {
            let result = work(job);
            found.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..count {
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|&(index, _)| index);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Adam update of a slice of parameters. `sums` are gradients summed over a batch; `rates` are pairs of end index and
/// learning rate.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn adam_update(
    (values, means, squares): (&mut [f32], &mut [f32], &mut [f32]),
    sums: &[f32],
    scale: f32,
    rates: [(usize, f32); 2],
    correct: [f32; 2],
) {
    let count = values.len();
    let (values, sums) = (&mut values[..count], &sums[..count]);
    let (means, squares) = (&mut means[..count], &mut squares[..count]);
    let mut begin = 0;
    for (end, rate) in rates {
        for index in begin..end.min(count) {
            let gradient = sums[index] * scale;
            let (mean, square) = (&mut means[index], &mut squares[index]);
            *mean = ADAM_BETAS[0] * *mean + (1.0 - ADAM_BETAS[0]) * gradient;
            *square = ADAM_BETAS[1] * *square + (1.0 - ADAM_BETAS[1]) * gradient * gradient;
            values[index] -= rate * (*mean / correct[0]) / ((*square / correct[1]).sqrt() + 1e-8);
        }
        begin = end;
    }
}

/// Losses of a model against scores and against results.
fn validation_losses(
    model: &Model,
    samples: &[PackedSample],
    settings: &Settings,
    scratches: &mut [ForwardBuffers],
) -> [f32; 2] {
    let share = samples.len().div_ceil(scratches.len()).max(SAMPLES_PER_TASK);
    let sums = run_jobs(samples.chunks(share).zip(scratches.iter_mut()), |(part, scratch)| {
        simd::dispatch(
            #[inline(always)]
            |_| {
                let mut sums = [0f64; 2];
                for packed in part {
                    let sample = packed.unpack();
                    let expected = sigmoid(model.forward(&sample, false, scratch));
                    let by_score = sigmoid(f32::from(sample.score) / settings.scale);
                    sums[0] += f64::from((expected - by_score).powi(2));
                    sums[1] += f64::from((expected - sample.result()).powi(2));
                }
                sums
            },
        )
    });
    let sums = sums.into_iter().fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    sums.map(|sum| (sum / samples.len().max(1) as f64) as f32)
}

/// The learning rate after this many of all steps.
fn learning_rate(settings: &Settings, steps: u64, all_steps: u64) -> f32 {
    let cosine = (1.0 + (std::f64::consts::PI * steps as f64 / all_steps as f64).cos()) / 2.0;
    let rate = settings.rate_end + (settings.rate - settings.rate_end) * cosine as f32;
    let warmup = u64::from(settings.warmup);
    if steps < warmup { rate * (steps + 1) as f32 / warmup as f32 } else { rate }
}

/// The training target of the side to move, 0 to 1.
#[inline(always)]
fn training_target(sample: &TrainingSample, settings: &Settings, sharpness: f32) -> f32 {
    let by_score = sigmoid(sharpness * f32::from(sample.score) / settings.scale);
    settings.lambda * sample.result() + (1.0 - settings.lambda) * by_score
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub const CHECKPOINT_MAGIC: &[u8; 8] = b"CHUHEFT2";
/// The largest network, three times in 32-bit numbers, is smaller.
const MAX_CHECKPOINT_SIZE: u64 = 1 << 28;

/// Why a checkpoint cannot be written or used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] FileError),
    /// It is not a checkpoint, or is damaged.
    #[error("{}", tr!("{path}: not a checkpoint, or a damaged one", path = _0.display()))]
    Damaged(PathBuf),
    /// It was made with other settings.
    #[error("{}", tr!("{path}: made with other settings; begin anew under another name, or with those settings", path = _0.display()))]
    Settings(PathBuf),
}

pub fn write_checkpoint(file: &Path, trainer: &Trainer, settings: &Settings) -> Result<(), CheckpointError> {
    let text = settings.to_toml();
    let mut out = CHECKPOINT_MAGIC.to_vec();
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(&trainer.steps.to_le_bytes());
    out.extend_from_slice(&trainer.earlier_steps.to_le_bytes());
    out.extend_from_slice(&(trainer.epochs.len() as u32).to_le_bytes());
    let passes = trainer.epochs.iter().flat_map(|pass| [pass.train_loss, pass.validation_loss, pass.result_loss]);
    let numbers = trainer.model.values.iter().chain(&trainer.adam_moments[0]).chain(&trainer.adam_moments[1]).copied();
    out.extend(passes.chain(numbers).flat_map(f32::to_le_bytes));
    out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
    Ok(write_atomic(file, &out).at(file)?)
}

/// Resumes a training run.
pub fn read_checkpoint(file: &Path, settings: &Settings) -> Result<Trainer, CheckpointError> {
    let (made_with, trainer) = open_checkpoint(file)?;
    if made_with != *settings {
        return Err(CheckpointError::Settings(file.to_path_buf()));
    }
    Ok(trainer)
}

/// Whether a file begins as checkpoints do.
pub fn is_checkpoint(file: &Path) -> bool {
    let mut begin = [0; CHECKPOINT_MAGIC.len()];
    open_regular(file).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == *CHECKPOINT_MAGIC
}

/// A training run as it was written, and its settings.
pub fn open_checkpoint(file: &Path) -> Result<(Settings, Trainer), CheckpointError> {
    let bytes = read_regular(file, MAX_CHECKPOINT_SIZE).at(file)?;
    let damaged = || CheckpointError::Damaged(file.to_path_buf());
    let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let rest = body.strip_prefix(CHECKPOINT_MAGIC).ok_or_else(damaged)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
    let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
    let mut made_with = Settings::default();
    let text = std::str::from_utf8(text).map_err(|_| damaged())?;
    // A setting that this version does not know.
    made_with.read(text).map_err(|_| CheckpointError::Settings(file.to_path_buf()))?;
    let shape = ModelShape::of(&made_with);
    let (steps, rest) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
    let (earlier_steps, rest) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
    let (count, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
    let count = u32::from_le_bytes(*count) as usize;
    let numbers: Vec<f32> = rest.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let (passes, numbers) = numbers.split_at_checked(count.saturating_mul(3)).ok_or_else(damaged)?;
    if numbers.len() != 3 * shape.size() {
        return Err(damaged());
    }
    let passes = passes.as_chunks::<3>().0.iter();
    let passes = passes
        .map(|&[training, held_out, result]| Epoch {
            train_loss: training,
            validation_loss: held_out,
            result_loss: result,
        })
        .collect();
    let part = |index: usize| numbers[index * shape.size()..(index + 1) * shape.size()].to_vec();
    let trainer = Trainer {
        model: Model { shape, values: part(0) },
        adam_moments: [part(1), part(2)],
        steps: u64::from_le_bytes(*steps),
        earlier_steps: u64::from_le_bytes(*earlier_steps),
        epochs: passes,
    };
    Ok((made_with, trainer))
}
