//! Fitting a network to positions: Adam over shuffled batches, each divided among the threads, judged after every pass
//! by games that taught nothing.

use super::model::{Model, Scratch, Shape, UnlikeError};
use super::samples::{Sample, Samples};
use super::settings::Settings;
use crate::eval::{Network, wide};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::time::{Duration, Instant};

/// Adam's memory of the gradients and of their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];
/// Samples that a thread takes at a time where it does not matter which.
const CHUNK: usize = 4096;
/// Samples that are fetched at once: they lie all over the memory, and waiting for each in turn takes longer.
const FETCHED: usize = 64;

/// A fit under way.
pub struct Fit {
    /// The network as far as it has learned.
    pub model: Model,
    /// Adam's means of the gradients and of their squares.
    pub moments: [Vec<f32>; 2],
    pub steps: u64,
    /// What was measured after each pass.
    pub passes: Vec<Pass>,
}

/// What a pass over the positions came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Loss on the positions that taught, while they did.
    pub training: f32,
    /// Loss on those held out, against the score of the search.
    pub held_out: f32,
    /// Likewise against the results of the games.
    pub result: f32,
}

/// Whoever wants to know how it goes.
pub trait Watcher {
    /// Why a fit may have to end early.
    type Error;
    /// So much of a pass is done, 0 to 1, at this loss so far and so many positions a second.
    fn progress(&mut self, pass: usize, share: f64, loss: f32, speed: f64);
    /// A pass is done.
    fn passed(&mut self, fit: &Fit) -> Result<(), Self::Error>;
}

impl Fit {
    pub fn new(settings: &Settings) -> Fit {
        Fit::of(Model::random(Shape::of(settings), settings))
    }

    /// From a network that has learned already, perhaps from other games and with other settings.
    pub fn from(network: &Network, settings: &Settings) -> Result<Fit, UnlikeError> {
        Ok(Fit::of(Model::of(network, Shape::of(settings))?))
    }

    fn of(model: Model) -> Fit {
        let zeros = || vec![0.0; model.values.len()];
        Fit { moments: [zeros(), zeros()], model, steps: 0, passes: Vec::new() }
    }

    /// Makes the passes that are left.
    pub fn run<W: Watcher>(
        &mut self,
        samples: &Samples,
        settings: &Settings,
        threads: usize,
        watcher: &mut W,
    ) -> Result<(), W::Error> {
        let steps_a_pass = samples.training.len().div_ceil(settings.batch) as u64;
        let all_steps = (steps_a_pass * u64::from(settings.epochs)).max(1);
        let mut order: Vec<u32> = (0..samples.training.len() as u32).collect();
        let mut gradients: Vec<Model> = (0..threads).map(|_| Model::zero(self.model.shape)).collect();
        let mut scratches: Vec<Scratch> = (0..threads).map(|_| Scratch::new(self.model.shape)).collect();
        while self.passes.len() < settings.epochs as usize {
            let pass = self.passes.len();
            order.sort_unstable();
            order.shuffle(&mut StdRng::seed_from_u64(settings.seed.wrapping_add(1 + pass as u64)));
            let (mut loss, mut seen) = (0.0, 0);
            let (begun, mut told) = (Instant::now(), Instant::now());
            for batch in order.chunks(settings.batch) {
                loss += self.gradients_of(
                    batch,
                    &samples.training,
                    settings,
                    &mut gradients,
                    &mut scratches,
                    pass,
                );
                seen += batch.len();
                let rate = rate(settings, self.steps as f64 / all_steps as f64);
                self.step(&mut gradients, rate, batch.len(), settings.decay);
                if told.elapsed() > Duration::from_millis(500) {
                    told = Instant::now();
                    let speed = seen as f64 / begun.elapsed().as_secs_f64();
                    watcher.progress(
                        pass,
                        seen as f64 / order.len() as f64,
                        loss as f32 / seen as f32,
                        speed,
                    );
                }
            }
            let [held_out, result] = self.judge(&samples.held_out, settings, &mut scratches);
            self.passes.push(Pass { training: loss as f32 / seen.max(1) as f32, held_out, result });
            watcher.passed(self)?;
        }
        Ok(())
    }

    /// Each thread works its part of the batch through; answers the sum of the losses.
    fn gradients_of(
        &self,
        batch: &[u32],
        training: &[Sample],
        settings: &Settings,
        gradients: &mut [Model],
        scratches: &mut [Scratch],
        pass: usize,
    ) -> f64 {
        let share = batch.len().div_ceil(gradients.len());
        let work = |part: &[u32], gradients: &mut Model, scratch: &mut Scratch| {
            wide::run(
                #[inline(always)]
                || {
                    gradients.values.fill(0.0);
                    let mut loss = 0.0;
                    let mut fetched = Vec::with_capacity(FETCHED);
                    for indices in part.chunks(FETCHED) {
                        fetched.clear();
                        // Every other pass sees a position mirrored.
                        let mirrored = |index: u32| (index as usize + pass) % 2 == 1;
                        fetched
                            .extend(indices.iter().map(|&index| (training[index as usize], mirrored(index))));
                        for (sample, mirrored) in &fetched {
                            let output = self.model.forward(sample, *mirrored, scratch);
                            let expected = sigmoid(output);
                            let error = expected - target(sample, settings);
                            loss += f64::from(error * error);
                            let slope = 2.0 * error * expected * (1.0 - expected);
                            self.model.backward(sample, slope, scratch, gradients);
                        }
                    }
                    loss
                },
            )
        };
        let parts = batch.chunks(share);
        std::thread::scope(|scope| {
            let jobs = parts.zip(gradients.iter_mut().zip(scratches.iter_mut()));
            let running: Vec<_> = jobs
                .map(|(part, (gradients, scratch))| scope.spawn(move || work(part, gradients, scratch)))
                .collect();
            running.into_iter().map(|job| job.join().unwrap_or(f64::NAN)).sum()
        })
    }

    /// One step of Adam by the sum of these gradients.
    fn step(&mut self, gradients: &mut [Model], rate: f32, batch: usize, decay: f32) {
        self.steps += 1;
        let correct = MEMORY.map(|memory| 1.0 - memory.powi(self.steps.min(i32::MAX as u64) as i32));
        let rows = self.model.shape.rows();
        let (first, rest) = gradients.split_first_mut().expect("at least one thread");
        for other in rest.iter() {
            wide::run(
                #[inline(always)]
                || first.values.iter_mut().zip(&other.values).for_each(|(sum, value)| *sum += *value),
            );
        }
        let scale = 1.0 / batch as f32;
        let [means, squares] = &mut self.moments;
        wide::run(
            #[inline(always)]
            || {
                let numbers = self
                    .model
                    .values
                    .iter_mut()
                    .zip(&first.values)
                    .zip(means.iter_mut().zip(squares.iter_mut()));
                for ((value, gradient), (mean, square)) in numbers {
                    let gradient = gradient * scale;
                    *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * gradient;
                    *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * gradient * gradient;
                    *value -= rate * (*mean / correct[0]) / ((*square / correct[1]).sqrt() + 1e-8);
                }
                if decay > 0.0 {
                    self.model.values[..rows].iter_mut().for_each(|value| *value *= 1.0 - rate * decay);
                }
                Model::clamp(&mut self.model.values);
            },
        );
    }

    /// Losses against the score and against the result.
    fn judge(&self, samples: &[Sample], settings: &Settings, scratches: &mut [Scratch]) -> [f32; 2] {
        let share = samples.len().div_ceil(scratches.len()).max(CHUNK);
        let sums = std::thread::scope(|scope| {
            let running: Vec<_> = samples
                .chunks(share)
                .zip(scratches.iter_mut())
                .map(|(part, scratch)| {
                    scope.spawn(move || {
                        wide::run(
                            #[inline(always)]
                            || {
                                let mut sums = [0f64; 2];
                                for sample in part {
                                    let expected = sigmoid(self.model.forward(sample, false, scratch));
                                    let by_score = sigmoid(f32::from(sample.score) / settings.scale);
                                    sums[0] += f64::from((expected - by_score).powi(2));
                                    sums[1] += f64::from((expected - sample.result()).powi(2));
                                }
                                sums
                            },
                        )
                    })
                })
                .collect();
            running
                .into_iter()
                .map(|job| job.join().unwrap_or([f64::NAN; 2]))
                .fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
        });
        sums.map(|sum| (sum / samples.len().max(1) as f64) as f32)
    }
}

/// The learning rate when this share of the steps is made.
fn rate(settings: &Settings, share: f64) -> f32 {
    let cosine = (1.0 + (std::f64::consts::PI * share).cos()) / 2.0;
    settings.rate_end + (settings.rate - settings.rate_end) * cosine as f32
}

/// What the side to move can expect, 0 to 1.
#[inline(always)]
fn target(sample: &Sample, settings: &Settings) -> f32 {
    let by_score = sigmoid(f32::from(sample.score) / settings.scale);
    settings.lambda * sample.result() + (1.0 - settings.lambda) * by_score
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
