//! Which position: the words and options that every subcommand shares which asks for one.

use super::game::{self, GameError, What};
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_toolkit::record::{Game, Ranks, Setup, SetupError, Walker};
use clap::Args;
use thiserror::Error;

/// A position on the command line.
#[derive(Args, Debug, Clone)]
pub struct PositionArgs {
    /// A FEN or `startpos`, each also with `moves m1 m2 …` behind it; moves alone, from the start position; or a file of
    /// games, `-` being standard input [default: startpos]
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    /// The same position, as an option
    #[arg(long, value_name = "POSITION", conflicts_with = "words")]
    fen: Option<String>,
    /// Moves that were played from there
    #[arg(long, value_name = "\"M1 M2 …\"")]
    moves: Option<String>,
    /// Which game of a file: 1 is the first, -1 the last
    #[arg(long = "game", value_name = "N", value_parser = game::which)]
    number: Option<i64>,
    /// The position after so many plies, 0 being the beginning [default: the last one]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
}

/// Why there is no position.
#[derive(Debug, Error)]
pub enum PositionError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// It is none, or its moves cannot be played.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game is shorter.
    #[error("{}", tr!("there is no position after {asked} plies: the game has {there}", asked, there))]
    Ply {
        /// After how many plies.
        asked: usize,
        /// How many there are.
        there: usize,
    },
}

impl PositionArgs {
    /// The position, history included.
    pub fn position(&self) -> Result<Position, PositionError> {
        Ok(self.found()?.0)
    }

    /// The same, and whether nothing was left out of the game in which it stands.
    pub fn found(&self) -> Result<(Position, bool), PositionError> {
        match self.what()? {
            What::Setup(setup) => {
                let setup = setup.and_moves(self.moves.as_deref().unwrap_or_default());
                Ok((self.at_ply(setup.position()?)?, true))
            }
            file => {
                let found = file.game(self.number())?;
                Ok((self.position_in(&found.game)?, found.is_whole))
            }
        }
    }

    /// What was named: a position, or a file.
    pub fn what(&self) -> Result<What, GameError> {
        match (&self.fen, self.words.as_slice()) {
            // What is wrong with it is said of a FEN, as it is called one.
            (Some(fen), _) => Ok(game::what(fen).unwrap_or_else(|_| What::Setup(Setup::of(fen)))),
            (None, [word]) => game::what(word),
            (None, words) => game::what(&words.join(" ")),
        }
    }

    /// Which game of a file.
    pub fn number(&self) -> i64 {
        self.number.unwrap_or(1)
    }

    /// Whether one game of a file was asked for.
    pub fn names_a_game(&self) -> bool {
        self.number.is_some()
    }

    /// The position of a game that the other words speak of.
    pub fn position_in(&self, game: &Game) -> Result<Position, PositionError> {
        let mut walker = Walker::new(game);
        if let Some(last) = game.main_line().last() {
            walker.go_to(game, last);
        }
        let mut position = walker.position().clone();
        let moves = Setup::default().and_moves(self.moves.as_deref().unwrap_or_default());
        moves.play(&mut position, Ranks::FromZero)?;
        self.at_ply(position)
    }

    fn at_ply(&self, mut position: Position) -> Result<Position, PositionError> {
        let there = position.history_len();
        if let Some(asked) = self.ply {
            if asked > there {
                return Err(PositionError::Ply { asked, there });
            }
            while position.history_len() > asked {
                position.unmake();
            }
        }
        Ok(position)
    }
}
