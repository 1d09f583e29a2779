//! Training samples: picks quiet positions from games, for training and for validation.
//!
//! A training position in 32 bytes:
//!
//! ```text
//! 28 bytes  the pieces, as in `xiangqi::PackedPosition`
//!  2 bytes  the score from the side to move
//!  1 byte   bit 0 black to move, bits 1-2 half points of the side to move, bit 3 mirrored first
//!  1 byte   unused
//! ```

use super::archive::{GameArchive, GameArchiveError};
use super::game_format::{EndReason, SelfplayGame};
use super::settings::Settings;
use super::shuffle_buckets::{BUCKET_POSITIONS, BucketSpaceError, BucketWriter, ShuffleBuckets};
use chuhe_engine::score::{self, Score};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::{Color, Move, PieceKind, Position};

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

/// Bytes of a packed position.
pub const PACKED_SIZE: usize = 32;

/// Bit mask of the piece numbers of rooks, horses and cannons.
const ATTACKER_MASK: u16 = {
    let mut bits = 0;
    let mut number = 0;
    while number < 14 {
        if PieceKind::ALL[number % 7].is_major() {
            bits |= 1 << number;
        }
        number += 1;
    }
    bits
};

/// A position with its score and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PackedSample(pub [u8; PACKED_SIZE]);

/// An unpacked training position.
pub struct TrainingSample {
    pieces: [u16; 32],
    count: u8,
    /// Number of attackers on the board.
    pub attackers: u8,
    /// From the side to move.
    pub score: i16,
    /// Half points of the side to move.
    half_points: u8,
    black: bool,
    mirrored_first: bool,
}

impl PackedSample {
    /// Packs a position. Epochs alternate between the position and its mirror image; `mirrored_first` says which comes
    /// first.
    pub fn of(position: &Position, score: Score, red_half_points: u8, mirrored_first: bool) -> PackedSample {
        let black = position.side() == Color::Black;
        let half_points = if black { 2 - red_half_points } else { red_half_points };
        let mut bytes = [0; PACKED_SIZE];
        bytes[..28].copy_from_slice(&xiangqi::PackedPosition::from(position).bytes()[..28]);
        bytes[28..30].copy_from_slice(&(score as i16).to_le_bytes());
        bytes[30] = u8::from(black) | half_points << 1 | u8::from(mirrored_first) << 3;
        PackedSample(bytes)
    }

    #[inline(always)]
    pub fn unpack(&self) -> TrainingSample {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
        let (mut occupied, mut numbers) = (number(&self.0[..12]), number(&self.0[12..28]));
        let mut pieces = [0; 32];
        let (mut count, mut attackers) = (0, 0);
        for place in &mut pieces {
            if occupied == 0 {
                break;
            }
            let piece = (numbers & 15) as u16;
            *place = piece * 90 + occupied.trailing_zeros() as u16;
            attackers += (ATTACKER_MASK >> piece & 1) as u8;
            count += 1;
            numbers >>= 4;
            occupied &= occupied - 1;
        }
        let flags = self.0[30];
        TrainingSample {
            pieces,
            count,
            attackers,
            score: i16::from_le_bytes([self.0[28], self.0[29]]),
            half_points: flags >> 1 & 3,
            black: flags & 1 != 0,
            mirrored_first: flags & 8 != 0,
        }
    }
}

impl TrainingSample {
    /// The pieces, each as number × 90 + square.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..usize::from(self.count)]
    }

    pub fn side(&self) -> Color {
        if self.black { Color::Black } else { Color::Red }
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// Whether this epoch uses the mirror image.
    pub fn is_mirrored(&self, pass: usize) -> bool {
        self.mirrored_first == pass.is_multiple_of(2)
    }
}
