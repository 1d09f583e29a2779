//! How well networks foretell the scores in files of games. Where these are of deep searches of games that taught none of
//! the networks, whoever foretells them better plays better, and that takes minutes to see instead of a match.

use super::archive::{ArchiveReader, GameArchiveError};
use super::samples::pick_positions;
use super::settings::Settings;
use chuhe_engine::nnue::{EvalMode, Network, evaluate};
use std::path::PathBuf;
use std::sync::Arc;

/// Factors of the best scale lie within these.
const SCALE_RANGE: [f64; 2] = [0.25, 4.0];

/// What was measured.
pub struct Measurement {
    pub games: u64,
    /// Bytes that held no sound games.
    pub damaged: u64,
    /// Those that could be learned from: nothing hangs, nothing is decided.
    pub positions: usize,
    /// Of each network.
    pub losses: Vec<PredictionLoss>,
}

/// Mean squared errors between the result that a network expects and the one that the search did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionLoss {
    /// Of its scores as they are.
    pub plain: f64,
    /// Of its scores times the factor that suits them best: a search does not mind a factor, which is a matter of its
    /// margins, and deeper searches see more in everything.
    pub scaled: f64,
    pub factor: f64,
}

/// A position: what the search said of it, and what each network does.
struct ScoredPosition {
    expected: f64,
    scores: Vec<f64>,
}

/// Asks all networks about all positions.
pub fn measure(files: &[PathBuf], networks: &[Arc<Network>]) -> Result<Measurement, GameArchiveError> {
    let settings = Settings::default();
    let scale = f64::from(settings.scale);
    let knowledge: Vec<EvalMode> = networks.iter().map(|net| EvalMode::Network(Arc::clone(net))).collect();
    let (mut reader, mut asked) = (ArchiveReader::of(files), Vec::new());
    for game in &mut reader {
        pick_positions(&game?, &settings, |position, score| {
            let scores = knowledge.iter().map(|net| f64::from(evaluate(net, position)) / scale).collect();
            asked.push(ScoredPosition { expected: sigmoid(f64::from(score) / scale), scores });
            Ok::<(), GameArchiveError>(())
        })?;
    }
    let losses = (0..networks.len()).map(|net| prediction_loss(net, &asked)).collect();
    Ok(Measurement { games: reader.games, damaged: reader.damaged_bytes, positions: asked.len(), losses })
}

fn prediction_loss(network: usize, asked: &[ScoredPosition]) -> PredictionLoss {
    let loss = |factor: f64| {
        let error = |one: &ScoredPosition| sigmoid(factor * one.scores[network]) - one.expected;
        asked.iter().map(|one| error(one).powi(2)).sum::<f64>() / asked.len().max(1) as f64
    };
    // It falls to one lowest point and rises again; thirds close in on it.
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
