//! Saves the game at the terminal after every move.

use super::conversation::TerminalGame;
use chuhe_study::game::saved_games::{SavedGames, SavedGamesError};
use chuhe_support::language::tr;
use std::io;

impl TerminalGame<'_> {
    /// Saves the game; reports a failure once, and tries again after the next move.
    pub(super) fn autosave(&mut self) -> io::Result<()> {
        if self.saved.is_none()
            && self.waits_for_saved
            && let Ok(saved) = SavedGames::try_open()
        {
            self.saved = Some(saved);
            // What the other program has left is not to be written over.
            self.archive_game()?;
            self.writer.write_wrapped(&tr!("The other game has ended. This one is now saved."))?;
        }
        let outcome = self.saved.as_ref().map_or(Ok(()), |saved| saved.save_unfinished(&self.game));
        self.report_saving(outcome)
    }

    /// Moves the saved game to the finished ones.
    pub fn archive_game(&mut self) -> io::Result<()> {
        let Some(saved) = &self.saved else { return Ok(()) };
        match saved.archive_unfinished() {
            Ok(true) => {
                let line = tr!("The game is saved in {path}.", path = saved.archive().display());
                self.writer.write_wrapped(&line)?;
                self.report_saving(Ok(()))
            }
            Ok(false) => Ok(()),
            Err(error) => self.report_saving(Err(error)),
        }
    }

    fn report_saving(&mut self, outcome: Result<(), SavedGamesError>) -> io::Result<()> {
        let was_failing = std::mem::replace(&mut self.saving_fails, outcome.is_err());
        match outcome {
            Err(error) if !was_failing => self
                .writer
                .write_wrapped(&tr!("The game could not be saved: {error}. The next move tries again.", error)),
            Ok(()) if was_failing => self.writer.write_wrapped(&tr!("The game is saved again.")),
            _ => Ok(()),
        }
    }
}
