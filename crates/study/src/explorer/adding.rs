//! Adds the games of files to an index: what is new in them.

use super::index::{Added, IndexError, IndexWriter};
use super::source::GameSource;
use super::source_list::SourceState;
use std::path::Path;
use xiangqi_record::RecordError;

impl IndexWriter {
    /// Adds the games of a file that are not in the index yet: all of a new file, those behind the known ones of a file that
    /// has grown. The games of a file that has changed otherwise are replaced. `fault` hears of what cannot be read,
    /// `read` how many games are new; if it returns false, the rest is left for the next time.
    pub fn add_file(
        &mut self,
        mut source: GameSource,
        fault: &mut dyn FnMut(&RecordError),
        read: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Added, IndexError> {
        let known = Added { games: 0, was_known: true };
        let Some(mut state) = self.state_of(&mut source)? else { return Ok(known) };
        let is_in_pieces = source.is_in_pieces();
        // What is not read in pieces begins anew, and its known games are skipped.
        let skipped = if is_in_pieces { 0 } else { state.read };
        let mut number = if is_in_pieces { state.read } else { 0 };
        let mut added = 0;
        while let Some(piece) = source.next_piece()? {
            (state.bytes, state.sum) = (piece.end, piece.sum);
            state.is_finished = piece.is_last;
            piece.into_games(|game| {
                number += 1;
                match game {
                    _ if number <= skipped => return,
                    Ok(parsed) => {
                        parsed.errors.iter().for_each(&mut *fault);
                        added += u64::from(self.add(&parsed.game, state.id, number));
                    }
                    Err(error) => fault(&error),
                }
                state.read = number;
            });
            self.progress(state.clone())?;
            if !read(added) {
                return Ok(Added { games: added, was_known: false });
            }
        }
        state.is_finished = true;
        self.progress(state)?;
        Ok(Added { games: added, was_known: false })
    }

    /// What is known of a file, which is then read from the first new game on; `None` if there is nothing new in it.
    fn state_of(&mut self, source: &mut GameSource) -> Result<Option<SourceState>, IndexError> {
        let path = std::path::absolute(source.path()).unwrap_or_else(|_| source.path().to_path_buf());
        let name = path.to_string_lossy().into_owned();
        match self.known(&name) {
            Some(state) if source.skip(state.bytes, state.sum)? => {
                if state.is_finished && state.bytes == source.length() {
                    return Ok(None);
                }
                if !source.is_in_pieces() {
                    source.restart()?;
                }
                Ok(Some(state))
            }
            Some(state) => {
                self.forget(state.id);
                Ok(Some(self.begin(&name)))
            }
            None => match self.copy_of(source)? {
                Some(other) => {
                    if !Path::new(&other.path).exists() {
                        self.rename(other, name);
                    }
                    Ok(None)
                }
                None => Ok(Some(self.begin(&name))),
            },
        }
    }

    /// The file of another name that has the same content.
    fn copy_of(&self, source: &mut GameSource) -> Result<Option<SourceState>, IndexError> {
        let length = source.length();
        if length == 0 || !self.has_size(length) {
            return Ok(None);
        }
        let sum = source.sum()?;
        Ok(self.with_content(length, sum))
    }
}
