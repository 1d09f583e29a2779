//! Which position: the options that every subcommand shares which asks for one.

use crate::board::Position;
use crate::record::{Setup, SetupError};
use clap::Args;

/// A position on the command line.
#[derive(Args, Debug, Clone)]
pub struct PositionArgs {
    /// The position: a FEN or `startpos`, each also with `moves m1 m2 …` behind it [default: startpos]
    #[arg(long)]
    pub fen: Option<String>,
    /// The moves that were played from there
    #[arg(long, value_name = "\"M1 M2 …\"")]
    pub moves: Option<String>,
}

impl PositionArgs {
    /// The position, history included.
    pub fn position(&self) -> Result<Position, SetupError> {
        let setup = Setup::of(self.fen.as_deref().unwrap_or_default());
        setup.and_moves(self.moves.as_deref().unwrap_or_default()).position()
    }
}
