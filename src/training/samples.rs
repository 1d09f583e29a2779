//! From games to positions to learn from.

use super::archive::{Archive, ArchiveError};
use super::buckets::{BUCKET, Buckets, Dealer, RoomError};
use super::game::{End, Game};
use super::packed::Packed;
use super::settings::Settings;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Move, Score, score};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// One game in so many is held out: its positions judge the network and never teach it.
const HELD_OUT: u64 = 50;
/// More positions than these do not judge better.
const JUDGES: usize = 1_000_000;

/// Why there are no positions to learn from.
#[derive(Debug, Error)]
pub enum SamplesError {
    /// A file of games.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The place where they wait.
    #[error(transparent)]
    Room(#[from] RoomError),
}

/// How many positions are kept in memory.
#[derive(Clone, Copy)]
pub struct Memory {
    /// Of those that teach: as many again are read ahead.
    pub bucket: usize,
    /// Of those held out.
    pub judges: usize,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { bucket: BUCKET, judges: JUDGES }
    }
}

/// Positions to learn from and positions to be judged by.
pub struct Samples {
    pub training: Buckets,
    /// To be judged by: of other games.
    pub held_out: Vec<Packed>,
    /// How many were held out, of which those are an even choice.
    pub held_out_of: u64,
    pub games: u64,
    /// Bytes that held no sound games.
    pub damaged: u64,
}

impl Samples {
    /// Reads files of games. What memory does not hold waits in a file beside the one that is named here.
    pub fn read(
        files: &[PathBuf],
        settings: &Settings,
        beside: &Path,
        memory: Memory,
    ) -> Result<Samples, SamplesError> {
        let mut training = Dealer::new(memory.bucket, beside, settings.seed);
        let mut judges = Thinned { most: memory.judges, step: 1, seen: 0, kept: Vec::new() };
        let (mut games, mut damaged) = (0, 0);
        let size = |file: &PathBuf| file.metadata().map_or(0, |file| file.len());
        let all_bytes = files.iter().map(size).sum::<u64>().max(1);
        let mut bytes_before = 0;
        let mut mirrored = false;
        for file in files {
            let mut archive = Archive::open(file)?;
            let mut number = 0;
            while let Some(game) = archive.next().transpose()? {
                number += 1;
                let share = (bytes_before + archive.bytes_read()) as f64 / all_bytes as f64;
                pick(&game, settings, |position, score| {
                    if number % HELD_OUT == 0 {
                        judges.take(Packed::of(position, score, game.red_half_points, false));
                        return Ok(());
                    }
                    mirrored = !mirrored;
                    training.take(Packed::of(position, score, game.red_half_points, mirrored), share)
                })?;
            }
            games += number;
            damaged += archive.lost;
            bytes_before += archive.bytes_read();
        }
        let training = training.finish()?;
        Ok(Samples { training, held_out: judges.kept, held_out_of: judges.seen, games, damaged })
    }
}

/// An even choice of what comes, whatever its number.
struct Thinned {
    most: usize,
    /// One in so many is kept.
    step: u64,
    seen: u64,
    kept: Vec<Packed>,
}

impl Thinned {
    fn take(&mut self, position: Packed) {
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
pub fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.piece_at(best.to()).is_piece()
}

/// Picks the positions of a game in which nothing hangs and nothing is decided, each with its score.
pub(super) fn pick<E>(
    game: &Game,
    settings: &Settings,
    mut each: impl FnMut(&Position, Score) -> Result<(), E>,
) -> Result<(), E> {
    let mut position = game.start.clone();
    let last = game.plies.len();
    for (index, ply) in game.plies.iter().enumerate() {
        let is_open = !score::is_decided(ply.score) && ply.score.abs() <= settings.limit;
        // Of a game that was adjudicated flat or too long, the tail is the same again and again.
        let in_tail = matches!(game.end, End::Flat | End::Length | End::NaturalLimit) && index + 40 > last;
        let is_fresh = !in_tail || index % 4 == 0;
        if ply.teaches() && is_open && is_fresh && is_quiet(&position, ply.mv) {
            each(&position, ply.score)?;
        }
        position.make(ply.mv);
    }
    Ok(())
}
