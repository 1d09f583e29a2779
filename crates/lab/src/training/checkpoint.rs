//! Checkpoints of a training run, from which it can be resumed.

use super::model::{Model, ModelShape};
use super::settings::Settings;
use super::trainer::{Epoch, Trainer};
use chuhe_support::files::{At, FileError, open_regular, read_regular, write_atomic};
use chuhe_support::language::tr;
use std::io::Read;
use std::path::{Path, PathBuf};
use thiserror::Error;

pub const MAGIC: &[u8; 8] = b"CHUHEFT2";
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

pub fn write(file: &Path, trainer: &Trainer, settings: &Settings) -> Result<(), CheckpointError> {
    let text = settings.to_toml();
    let mut out = MAGIC.to_vec();
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
pub fn read(file: &Path, settings: &Settings) -> Result<Trainer, CheckpointError> {
    let (made_with, trainer) = open(file)?;
    if made_with != *settings {
        return Err(CheckpointError::Settings(file.to_path_buf()));
    }
    Ok(trainer)
}

/// Whether a file begins as checkpoints do.
pub fn is_checkpoint(file: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    open_regular(file).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == *MAGIC
}

/// A training run as it was written, and its settings.
pub fn open(file: &Path) -> Result<(Settings, Trainer), CheckpointError> {
    let bytes = read_regular(file, MAX_CHECKPOINT_SIZE).at(file)?;
    let damaged = || CheckpointError::Damaged(file.to_path_buf());
    let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let rest = body.strip_prefix(MAGIC).ok_or_else(damaged)?;
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
