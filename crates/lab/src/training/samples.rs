//! Training samples: picks quiet positions from games, for training and for validation.

use super::archive::{GameArchive, GameArchiveError};
use super::game_format::{EndReason, SelfplayGame};
use super::packed_sample::PackedSample;
use super::settings::Settings;
use super::shuffle_buckets::{BUCKET_POSITIONS, BucketSpaceError, BucketWriter, ShuffleBuckets};
use chuhe_engine::score::{self, Score};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::{Move, Position};

/// One game in this many is held out for validation.
const VALIDATION_RATIO: u64 = 50;
/// Maximum number of validation positions; more do not improve the estimate.
const MAX_VALIDATION_POSITIONS: usize = 1_000_000;

/// Why training data cannot be read.
#[derive(Debug, Error)]
pub enum SamplesError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    /// The shuffle buckets cannot be written.
    #[error(transparent)]
    Room(#[from] BucketSpaceError),
}

/// Limits on the positions kept in memory.
#[derive(Clone, Copy)]
pub struct MemoryLimits {
    /// Training positions per bucket; one more bucket is read ahead.
    pub bucket: usize,
    pub validation_positions: usize,
}

impl Default for MemoryLimits {
    fn default() -> MemoryLimits {
        MemoryLimits { bucket: BUCKET_POSITIONS, validation_positions: MAX_VALIDATION_POSITIONS }
    }
}

/// Training and validation positions.
pub struct TrainingData {
    pub training: ShuffleBuckets,
    /// From other games than the training positions.
    pub validation: Vec<PackedSample>,
    /// Number of held-out positions, from which `validation` is sampled.
    pub validation_total: u64,
    pub games: u64,
    /// Damaged bytes in the files.
    pub damaged: u64,
}

impl TrainingData {
    /// Reads files of games. Positions beyond the memory limits are kept in a file next to `beside`.
    pub fn read(
        files: &[PathBuf],
        settings: &Settings,
        beside: &Path,
        memory: MemoryLimits,
    ) -> Result<TrainingData, SamplesError> {
        let mut training = BucketWriter::new(memory.bucket, beside, settings.seed);
        let mut validation = UniformSampler { most: memory.validation_positions, step: 1, seen: 0, kept: Vec::new() };
        let (mut games, mut damaged) = (0, 0);
        let size = |file: &PathBuf| file.metadata().map_or(0, |file| file.len());
        let all_bytes = files.iter().map(size).sum::<u64>().max(1);
        let mut bytes_before = 0;
        let mut mirrored = false;
        for file in files {
            let mut archive = GameArchive::open(file)?;
            let mut number = 0;
            while let Some(game) = archive.next().transpose()? {
                number += 1;
                let share = (bytes_before + archive.bytes_read()) as f64 / all_bytes as f64;
                pick_positions(&game, settings, |position, score| {
                    if number % VALIDATION_RATIO == 0 {
                        validation.take(PackedSample::of(position, score, game.red_half_points, false));
                        return Ok(());
                    }
                    mirrored = !mirrored;
                    training.push(PackedSample::of(position, score, game.red_half_points, mirrored), share)
                })?;
            }
            games += number;
            damaged += archive.damaged_bytes;
            bytes_before += archive.bytes_read();
        }
        let training = training.finish()?;
        Ok(TrainingData { training, validation: validation.kept, validation_total: validation.seen, games, damaged })
    }
}

/// Samples evenly from a stream of unknown length.
struct UniformSampler {
    most: usize,
    /// One in this many is kept.
    step: u64,
    seen: u64,
    kept: Vec<PackedSample>,
}

impl UniformSampler {
    fn take(&mut self, position: PackedSample) {
        if self.seen.is_multiple_of(self.step) {
            if self.kept.len() >= self.most {
                let mut number = 0;
                self.kept.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.step *= 2;
            }
            if self.seen.is_multiple_of(self.step) {
                self.kept.push(position);
            }
        }
        self.seen += 1;
    }
}

/// Whether a position is quiet: not in check, and the best move is no capture.
pub fn is_quiet_position(position: &Position, best: Move) -> bool {
    !position.in_check() && position.piece_at(best.to()).is_none()
}

/// Calls `each` for the quiet, undecided positions of a game, with their scores.
pub(super) fn pick_positions<E>(
    game: &SelfplayGame,
    settings: &Settings,
    mut each: impl FnMut(&Position, Score) -> Result<(), E>,
) -> Result<(), E> {
    let mut position = game.start.clone();
    let last = game.plies.len();
    for (index, ply) in game.plies.iter().enumerate() {
        let is_open = !score::is_mate_or_rule(ply.score) && ply.score.abs() <= settings.limit;
        // The end of a game drawn by adjudication or length is repetitive, so only every fourth position is used.
        let in_tail =
            matches!(game.end, EndReason::Drawish | EndReason::Length | EndReason::NaturalLimit) && index + 40 > last;
        let is_fresh = !in_tail || index % 4 == 0;
        if ply.is_training_target() && is_open && is_fresh && is_quiet_position(&position, ply.mv) {
            each(&position, ply.score)?;
        }
        position.play_unchecked(ply.mv);
    }
    Ok(())
}
