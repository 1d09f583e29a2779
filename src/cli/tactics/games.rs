//! The games that are looked through for tactics, one file after the other.

use crate::cli::exercise_error::ExerciseError;
use crate::cli::game_files;
use crate::cli::position_args::{self, FaultPrinter, InputError};
use chuhe_lab::training::archive::GameArchive;
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::tactics::GameToMine;
use std::collections::VecDeque;
use std::path::PathBuf;
use xiangqi_record::{Game, RecordFileError};

/// The games of files, in order.
pub struct Games {
    files: VecDeque<PathBuf>,
    archive: Option<GameArchive>,
    waiting: VecDeque<GameToMine>,
}

impl Games {
    /// The games of these files, and of those in these folders.
    pub fn of(paths: &[PathBuf]) -> Result<Games, ExerciseError> {
        let files = game_files::expand(paths, &["games"])?.into();
        Ok(Games { files, archive: None, waiting: VecDeque::new() })
    }

    /// The next game; nothing at the end.
    pub fn next(&mut self) -> Result<Option<GameToMine>, ExerciseError> {
        loop {
            if let Some(game) = self.waiting.pop_front() {
                return Ok(Some(game));
            }
            if let Some(game) = self.archive.as_mut().and_then(Iterator::next) {
                return Ok(Some(of_selfplay(game?)));
            }
            let Some(file) = self.files.pop_front() else { return Ok(None) };
            if game_files::is_archive(&file)? {
                self.archive = Some(GameArchive::open(&file)?);
                continue;
            }
            self.archive = None;
            let source = position_args::open(&file)?;
            let (mut faults, mut count) = (FaultPrinter::of(&file), 0);
            for reading in source.games() {
                count += 1;
                if let Some(game) = faults.game(reading) {
                    self.waiting.push_back(of_record(&game));
                }
            }
            if count == 0 {
                return Err(InputError::of_file(&file, RecordFileError::NoGame).into());
            }
        }
    }
}

fn of_selfplay(game: SelfplayGame) -> GameToMine {
    let (moves, scores) = game.plies.iter().map(|ply| (ply.mv, ply.score)).unzip();
    GameToMine { start: game.start, moves, scores: Some(scores) }
}

fn of_record(game: &Game) -> GameToMine {
    GameToMine { start: game.start().clone(), moves: game.moves().collect(), scores: None }
}
