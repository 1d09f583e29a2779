//! The positions of a list.

use super::error::AnalyseError;
use crate::cli::game::{self, Faults};
use crate::cli::position::PositionArgs;
use chuhe_toolkit::analyse::Spot;
use chuhe_toolkit::record::{Source, SourceError};
use std::path::Path;

/// A position of a list.
pub struct Item {
    /// Its place there, from 1.
    pub number: usize,
    pub spot: Spot,
}

/// The positions of a file, one for each line that can be read; and whether that is all of them.
pub fn of_source(
    file: &Path,
    source: &Source,
    which: &PositionArgs,
) -> Result<(Vec<Item>, bool), AnalyseError> {
    let mut faults = Faults::of(file);
    let mut items = Vec::new();
    for (reading, number) in source.games().zip(1..) {
        match reading {
            Ok(reading) if reading.faults.is_empty() => {
                items.push(Item { number, spot: Spot::of(&which.position_in(&reading.game)?) });
            }
            // A position that its moves do not lead to is another one.
            Ok(reading) => reading.faults.iter().for_each(|fault| faults.say(fault)),
            Err(fault) => faults.say(&fault),
        }
    }
    if items.is_empty() && !faults.any() {
        return Err(game::GameError::from(SourceError::NoGame(file.to_path_buf())).into());
    }
    Ok((items, !faults.any()))
}
