//! What the commands are given: a repertoire of a file, and what was played in games.

use super::RepertoireCommandError;
use crate::cli::position_args::{self, FaultPrinter};
use crate::cli::read_games::{GameReading, ReadGamesError};
use crate::cli::values::parse_side;
use chuhe_study::repertoire::{OpeningCounts, Repertoire, colour_of};
use chuhe_study::review::PlayerNames;
use clap::Args;
use std::path::{Path, PathBuf};
use xiangqi::Color;
use xiangqi_record::Game;

/// The file of a repertoire.
#[derive(Args)]
pub struct RepertoireFile {
    /// The repertoire: a game with variations
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Its colour, if the file does not tell it
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    colour: Option<Color>,
}

impl RepertoireFile {
    /// The repertoire; also whether all of it could be read.
    pub fn read(&self) -> Result<(Repertoire, bool), RepertoireCommandError> {
        read(&self.file, self.colour)
    }
}

/// The repertoire of a file, of this colour, or of the one that the file tells; also whether all of it could be read.
pub fn read(file: &Path, colour: Option<Color>) -> Result<(Repertoire, bool), RepertoireCommandError> {
    let source = position_args::open(file)?;
    let mut faults = FaultPrinter::of(file);
    let games: Vec<Game> = source.games().filter_map(|game| faults.game(game)).collect();
    let mut repertoire = Repertoire::new(colour.or_else(|| colour_of(&games)).unwrap_or(Color::Red));
    let fail = |fault| RepertoireCommandError::NoRepertoire(file.to_path_buf(), fault);
    repertoire.add_games(&games).map_err(fail)?;
    if colour.is_none() && colour_of(&games).is_none() {
        return Err(RepertoireCommandError::NoColour(file.to_path_buf()));
    }
    Ok((repertoire, !faults.has_printed()))
}

/// Whether the player had this colour in a game; without a player every game counts.
pub fn is_of(player: Option<&PlayerNames>, game: &Game, colour: Color) -> bool {
    player.is_none_or(|player| player.sides(game).contains(&colour))
}

/// Counts the games in which the player had a colour.
pub fn count(
    reading: &mut GameReading,
    files: &[PathBuf],
    player: Option<&PlayerNames>,
    colour: Color,
    plies: usize,
) -> Result<OpeningCounts, RepertoireCommandError> {
    let mut counts = OpeningCounts::new(plies);
    let all = reading.each(files, &mut |game, _, _| {
        if is_of(player, game, colour) {
            counts.add(game);
        }
    })?;
    if all == 0 { Err(ReadGamesError::NoGames.into()) } else { Ok(counts) }
}
