//! Compares networks by how well they predict the scores in files of games. With deep searches of games not used in
//! training, a lower error means a stronger network, and takes minutes instead of a match.
//!
//! Fits the win rate model (`nnue::win_rate`) to games: every position with a score of the search and the result of its
//! game counts, except mate and rule scores. The parameters are the maximum likelihood estimate, by Fisher scoring
//! (Newton's method with the expected curvature).

use super::archive::{ArchiveReader, GameArchiveError};
use super::game_format::SelfplayGame;
use super::samples::pick_positions;
use super::settings::Settings;
use chuhe_engine::nnue::win_rate::{MAX_MATERIAL, WinRateModel, material_count};
use chuhe_engine::nnue::{EvalMode, Network, evaluate};
use chuhe_engine::score::is_mate_or_rule;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use xiangqi::Color;

/// Range of the scale factor.
const SCALE_RANGE: [f64; 2] = [0.25, 4.0];

/// The result of a measurement.
pub struct Measurement {
    pub games: u64,
    /// Damaged bytes in the files.
    pub damaged: u64,
    /// Number of quiet, undecided positions.
    pub positions: usize,
    /// One per network.
    pub losses: Vec<PredictionLoss>,
}

/// Mean squared errors between the expected results by a network and by the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionLoss {
    /// With its scores as they are.
    pub plain: f64,
    /// With its scores times the best factor. A constant factor does not matter to the search except for its margins,
    /// and deeper searches give larger scores.
    pub scaled: f64,
    pub factor: f64,
}

/// A position with the expected result by the search and the score of each network.
struct ScoredPosition {
    expected: f64,
    scores: Vec<f64>,
}

/// Evaluates all positions with all networks.
pub fn measure(files: &[PathBuf], networks: &[Arc<Network>]) -> Result<Measurement, GameArchiveError> {
    let settings = Settings::default();
    let scale = f64::from(settings.scale);
    let eval_modes: Vec<EvalMode> = networks.iter().map(|net| EvalMode::Network(Arc::clone(net))).collect();
    let (mut reader, mut scored) = (ArchiveReader::of(files), Vec::new());
    for game in &mut reader {
        pick_positions(&game?, &settings, |position, score| {
            let scores = eval_modes.iter().map(|net| f64::from(evaluate(net, position)) / scale).collect();
            scored.push(ScoredPosition { expected: sigmoid(f64::from(score) / scale), scores });
            Ok::<(), GameArchiveError>(())
        })?;
    }
    let losses = (0..networks.len()).map(|net| prediction_loss(net, &scored)).collect();
    Ok(Measurement { games: reader.games, damaged: reader.damaged_bytes, positions: scored.len(), losses })
}

fn prediction_loss(network: usize, scored: &[ScoredPosition]) -> PredictionLoss {
    let loss = |factor: f64| {
        let error = |one: &ScoredPosition| sigmoid(factor * one.scores[network]) - one.expected;
        scored.iter().map(|one| error(one).powi(2)).sum::<f64>() / scored.len().max(1) as f64
    };
    // The loss has one minimum: ternary search.
    let [mut low, mut high] = SCALE_RANGE;
    for _ in 0..40 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) { high -= third } else { low += third }
    }
    let factor = f64::midpoint(low, high);
    PredictionLoss { plain: loss(1.0), scaled: loss(factor), factor }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Maximum iterations; about ten are needed.
const MAX_ITERATIONS: usize = 100;
/// Lower bound of probabilities.
const MIN_PROBABILITY: f64 = 1e-9;
/// Number of model parameters.
const PARAMETERS: usize = 5;

/// Wins, draws and losses for each material count and score, from the side to move.
#[derive(Default)]
pub struct ResultCounts {
    /// Wins, draws and losses by (material, score).
    pub cells: HashMap<(usize, i32), [f64; 3]>,
}

impl ResultCounts {
    /// Adds results of positions with this material and score.
    pub fn add(&mut self, material: usize, score: i32, results: [f64; 3]) {
        let cell = self.cells.entry((material, score)).or_default();
        cell.iter_mut().zip(results).for_each(|(sum, count)| *sum += count);
    }

    /// Adds the positions of a game.
    pub fn add_game(&mut self, game: &SelfplayGame) {
        let mut position = game.start.clone();
        for ply in &game.plies {
            if ply.is_training_target() && !is_mate_or_rule(ply.score) {
                let own = match position.side() {
                    Color::Red => game.red_half_points,
                    Color::Black => 2 - game.red_half_points,
                };
                let result = [2, 1, 0].map(|half_points| f64::from(u8::from(own == half_points)));
                self.add(material_count(&position), ply.score, result);
            }
            position.play_unchecked(ply.mv);
        }
    }

    /// Number of positions added.
    pub fn positions(&self) -> f64 {
        self.cells.values().flatten().sum()
    }

    /// Cross-entropy: the mean negative log-likelihood of the results under a model.
    pub fn cross_entropy(&self, model: &WinRateModel) -> f64 {
        let of = |(&(material, score), results): (&(usize, i32), &[f64; 3])| -> f64 {
            let chances = chances(model, material, score);
            results.iter().zip(chances).map(|(count, chance)| -count * chance.ln()).sum()
        };
        self.cells.iter().map(of).sum::<f64>() / self.positions().max(1.0)
    }
}

/// Probabilities of win, draw and loss by the model.
pub fn chances(model: &WinRateModel, material: usize, score: i32) -> [f64; 3] {
    let [win, loss] = model.at(material).win_loss(f64::from(score));
    [win, 1.0 - win - loss, loss].map(|chance| chance.max(MIN_PROBABILITY))
}

/// The maximum likelihood model of these results.
pub fn fit(counts: &ResultCounts) -> WinRateModel {
    let mut model = WinRateModel { half: [60f64.ln(), 0.0, 0.0], spread: [45f64.ln(), 0.0] };
    let mut loss = counts.cross_entropy(&model);
    for _ in 0..MAX_ITERATIONS {
        let step = newton_step(counts, &model);
        // Halve a step that does not improve the fit.
        let tried = (0..20).map(|halvings| stepped(&model, &step, 0.5f64.powi(halvings)));
        let Some((better, less)) =
            tried.map(|model| (model, counts.cross_entropy(&model))).find(|(_, other)| *other < loss)
        else {
            break;
        };
        let gain = loss - less;
        (model, loss) = (better, less);
        if gain < 1e-10 {
            break;
        }
    }
    model
}

fn stepped(model: &WinRateModel, step: &[f64; PARAMETERS], part: f64) -> WinRateModel {
    let [a, b, c] = model.half;
    let [d, e] = model.spread;
    let numbers = [a, b, c, d, e];
    let [a, b, c, d, e] = std::array::from_fn(|index| numbers[index] + part * step[index]);
    WinRateModel { half: [a, b, c], spread: [d, e] }
}

/// The Newton step: the gradient of the log-likelihood over its expected curvature.
fn newton_step(counts: &ResultCounts, model: &WinRateModel) -> [f64; PARAMETERS] {
    let mut slope = [0.0; PARAMETERS];
    let mut curvature = [[0.0; PARAMETERS]; PARAMETERS];
    for (&(material, score), results) in &counts.cells {
        let slopes = probability_gradients(model, material, score);
        let chances = chances(model, material, score);
        let all: f64 = results.iter().sum();
        for ((count, chance), slopes) in results.iter().zip(chances).zip(slopes) {
            for (row, by_row) in slopes.iter().enumerate() {
                slope[row] += count / chance * by_row;
                let cells = curvature[row].iter_mut().zip(&slopes);
                cells.for_each(|(cell, by_column)| *cell += all / chance * by_row * by_column);
            }
        }
    }
    // Regularisation keeps parameters without data unchanged.
    let least = 1e-6 * counts.positions();
    curvature.iter_mut().enumerate().for_each(|(index, row)| row[index] += least);
    solve_symmetric(curvature, slope)
}

/// Derivatives of the probabilities of win, draw and loss by each parameter.
fn probability_gradients(model: &WinRateModel, material: usize, score: i32) -> [[f64; PARAMETERS]; 3] {
    let rate = model.at(material);
    let [win, loss] = rate.win_loss(f64::from(score));
    let share = material as f64 / MAX_MATERIAL as f64;
    let of = |chance: f64| {
        // The logistic argument is (score - half) / spread; the parameters are logarithms.
        let argument = (chance / (1.0 - chance)).ln();
        let (by_half, by_spread) = (-rate.half() / rate.spread(), -argument);
        let steepness = chance * (1.0 - chance);
        [by_half, by_half * share, by_half * share * share, by_spread, by_spread * share].map(|slope| slope * steepness)
    };
    let clamped = |chance: f64| chance.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
    let (win, loss) = (of(clamped(win)), of(clamped(loss)));
    let draw = std::array::from_fn(|index| -win[index] - loss[index]);
    [win, draw, loss]
}

/// Solves a linear system with a symmetric positive definite matrix.
fn solve_symmetric(mut matrix: [[f64; PARAMETERS]; PARAMETERS], mut right: [f64; PARAMETERS]) -> [f64; PARAMETERS] {
    for pivot in 0..PARAMETERS {
        let (above, own) = (matrix[pivot], right[pivot]);
        for (row, value) in matrix.iter_mut().zip(&mut right).skip(pivot + 1) {
            let factor = row[pivot] / above[pivot];
            row.iter_mut().zip(above).for_each(|(cell, above)| *cell -= factor * above);
            *value -= factor * own;
        }
    }
    let mut found = [0.0; PARAMETERS];
    for (index, row) in matrix.iter().enumerate().rev() {
        let known: f64 = row.iter().zip(found).skip(index + 1).map(|(cell, value)| cell * value).sum();
        found[index] = (right[index] - known) / row[index];
    }
    found
}
