//! What every command says alike that writes files: `--force`, and `-` for standard output.

use chuhe_engine::files::{OutputError, is_standard};
use clap::Args;
use std::path::Path;

/// Whether files that are there may be written over.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct ForceArgs {
    /// Write over files that are there; without it only over those that this very command made, all of them
    #[arg(long)]
    pub force: bool,
}

/// Makes sure that no more than one of these goes to standard output.
pub fn check_standard<const N: usize>(paths: [Option<&Path>; N]) -> Result<(), OutputError> {
    let count = paths.into_iter().flatten().filter(|path| is_standard(path)).count();
    if count > 1 { Err(OutputError::Crowd) } else { Ok(()) }
}
