//! From games to positions to learn from.
//!
//! A position with what there is to learn about it: in 32 bytes as it waits in memory or on disk, and taken apart as a
//! model looks at it.
//!
//! ```text
//! 12 bytes  which points are taken, a bit each
//! 16 bytes  the pieces on them in this order, four bits each
//!  2 bytes  the score from the side to move
//!  1 byte   black to move 1, half points of the side to move 2 to 4, mirrored first 8
//!  1 byte   nothing
//! ```

use super::archive::{GameArchive, GameArchiveError};
use super::game::{EndReason, SelfplayGame};
use super::settings::Settings;
use super::shuffle_buckets::{BUCKET_POSITIONS, BucketSpaceError, BucketWriter, ShuffleBuckets};
use chuhe_engine::board::Position;
use chuhe_engine::nnue::architecture::piece_index;
use chuhe_engine::types::{Color, Move, Piece, PieceKind, Score, score};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// One game in so many is held out: its positions judge the network and never teach it.
const VALIDATION_RATIO: u64 = 50;
/// More positions than these do not judge better.
const MAX_VALIDATION_POSITIONS: usize = 1_000_000;

/// Why there are no positions to learn from.
#[derive(Debug, Error)]
pub enum SamplesError {
    /// A file of games.
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    /// The place where they wait.
    #[error(transparent)]
    Room(#[from] BucketSpaceError),
}

/// How many positions are kept in memory.
#[derive(Clone, Copy)]
pub struct MemoryLimits {
    /// Of those that teach: as many again are read ahead.
    pub bucket: usize,
    /// Of those held out.
    pub validation_positions: usize,
}

impl Default for MemoryLimits {
    fn default() -> MemoryLimits {
        MemoryLimits { bucket: BUCKET_POSITIONS, validation_positions: MAX_VALIDATION_POSITIONS }
    }
}

/// Positions to learn from and positions to be judged by.
pub struct TrainingData {
    pub training: ShuffleBuckets,
    /// To be judged by: of other games.
    pub validation: Vec<PackedPosition>,
    /// How many were held out, of which those are an even choice.
    pub validation_total: u64,
    pub games: u64,
    /// Bytes that held no sound games.
    pub damaged: u64,
}

impl TrainingData {
    /// Reads files of games. What memory does not hold waits in a file beside the one that is named here.
    pub fn read(
        files: &[PathBuf],
        settings: &Settings,
        beside: &Path,
        memory: MemoryLimits,
    ) -> Result<TrainingData, SamplesError> {
        let mut training = BucketWriter::new(memory.bucket, beside, settings.seed);
        let mut judges = UniformSampler { most: memory.validation_positions, step: 1, seen: 0, kept: Vec::new() };
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
                        judges.take(PackedPosition::of(position, score, game.red_half_points, false));
                        return Ok(());
                    }
                    mirrored = !mirrored;
                    training.push(PackedPosition::of(position, score, game.red_half_points, mirrored), share)
                })?;
            }
            games += number;
            damaged += archive.damaged_bytes;
            bytes_before += archive.bytes_read();
        }
        let training = training.finish()?;
        Ok(TrainingData { training, validation: judges.kept, validation_total: judges.seen, games, damaged })
    }
}

/// An even choice of what comes, whatever its number.
struct UniformSampler {
    most: usize,
    /// One in so many is kept.
    step: u64,
    seen: u64,
    kept: Vec<PackedPosition>,
}

impl UniformSampler {
    fn take(&mut self, position: PackedPosition) {
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

/// Whether nothing hangs: no check, and no capture was best.
pub fn is_quiet_position(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.piece_at(best.to()).is_piece()
}

/// Picks the positions of a game in which nothing hangs and nothing is decided, each with its score.
pub(super) fn pick_positions<E>(
    game: &SelfplayGame,
    settings: &Settings,
    mut each: impl FnMut(&Position, Score) -> Result<(), E>,
) -> Result<(), E> {
    let mut position = game.start.clone();
    let last = game.plies.len();
    for (index, ply) in game.plies.iter().enumerate() {
        let is_open = !score::is_mate_or_rule(ply.score) && ply.score.abs() <= settings.limit;
        // Of a game that was adjudicated flat or too long, the tail is the same again and again.
        let in_tail =
            matches!(game.end, EndReason::Drawish | EndReason::Length | EndReason::NaturalLimit) && index + 40 > last;
        let is_fresh = !in_tail || index % 4 == 0;
        if ply.is_training_target() && is_open && is_fresh && is_quiet_position(&position, ply.mv) {
            each(&position, ply.score)?;
        }
        position.make_unchecked(ply.mv);
    }
    Ok(())
}

/// Bytes of a packed position.
pub const PACKED_SIZE: usize = 32;

/// The piece numbers of rooks, horses and cannons, a bit each.
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

/// A position as it waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PackedPosition(pub [u8; PACKED_SIZE]);

/// A position taken apart.
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

impl PackedPosition {
    /// Passes turn by turn see it mirrored and as it is; this says which of both comes first.
    pub fn of(position: &Position, score: Score, red_half_points: u8, mirrored_first: bool) -> PackedPosition {
        let mut numbers = [0; 90];
        let mut taken = 0u128;
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                numbers[square.dense()] = piece_index(Piece::new(color, kind)) as u128;
                taken |= 1 << square.dense();
            }
        }
        let (mut pieces, mut rest) = (0u128, taken);
        for shift in (0..128).step_by(4).take(taken.count_ones() as usize) {
            pieces |= numbers[rest.trailing_zeros() as usize] << shift;
            rest &= rest - 1;
        }
        let black = position.side() == Color::Black;
        let half_points = if black { 2 - red_half_points } else { red_half_points };
        let mut bytes = [0; PACKED_SIZE];
        bytes[..12].copy_from_slice(&taken.to_le_bytes()[..12]);
        bytes[12..28].copy_from_slice(&pieces.to_le_bytes());
        bytes[28..30].copy_from_slice(&(score as i16).to_le_bytes());
        bytes[30] = u8::from(black) | half_points << 1 | u8::from(mirrored_first) << 3;
        PackedPosition(bytes)
    }

    /// Takes it apart.
    #[inline(always)]
    pub fn unpack(&self) -> TrainingSample {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
        let (mut taken, mut numbers) = (number(&self.0[..12]), number(&self.0[12..28]));
        let mut pieces = [0; 32];
        let (mut count, mut attackers) = (0, 0);
        for place in &mut pieces {
            if taken == 0 {
                break;
            }
            let piece = (numbers & 15) as u16;
            *place = piece * 90 + taken.trailing_zeros() as u16;
            attackers += (ATTACKER_MASK >> piece & 1) as u8;
            count += 1;
            numbers >>= 4;
            taken &= taken - 1;
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
    /// The pieces, as number × 90 + square.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..usize::from(self.count)]
    }

    /// Who is to move.
    pub fn side(&self) -> Color {
        if self.black { Color::Black } else { Color::Red }
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// Whether this pass sees it mirrored.
    pub fn is_mirrored(&self, pass: usize) -> bool {
        self.mirrored_first == pass.is_multiple_of(2)
    }
}
