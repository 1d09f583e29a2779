//! Compares networks by how well they predict the scores in files of games. With deep searches of games not used in
//! training, a lower error means a stronger network, and takes minutes instead of a match.

use super::archive::{ArchiveReader, GameArchiveError};
use super::samples::pick_positions;
use super::settings::Settings;
use chuhe_engine::nnue::{EvalMode, Network, evaluate};
use std::path::PathBuf;
use std::sync::Arc;

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
