//! The games of several files, read one after the other, and what is to be told of the reading.

use super::archive::{Archive, ArchiveError};
use super::game::Game;
use std::path::{Path, PathBuf};

/// The games of several files one after the other, numbered throughout.
pub struct Reader<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    /// The file that is being read.
    archive: Option<Archive>,
    /// How many games have come.
    pub games: u64,
    /// Bytes that held no sound games, of the files that have been read to their end.
    pub damaged: u64,
    /// Bytes of all files, and of those that have been read.
    bytes: u64,
    bytes_read: u64,
}

impl Reader<'_> {
    pub fn of(files: &[PathBuf]) -> Reader<'_> {
        let bytes = files.iter().map(|file| size(file)).sum();
        Reader { files: files.iter(), archive: None, games: 0, damaged: 0, bytes, bytes_read: 0 }
    }

    /// How much of all files has been read.
    pub fn percent(&self) -> f64 {
        let here = self.archive.as_ref().map_or(0, Archive::bytes_read);
        100.0 * (self.bytes_read + here) as f64 / self.bytes.max(1) as f64
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Game, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(archive) = &mut self.archive {
                if let Some(game) = archive.next() {
                    let number = self.games;
                    self.games += 1;
                    return Some(game.map(|game| Game { number, ..game }));
                }
                self.damaged += archive.lost;
                self.bytes_read += archive.bytes_read();
                self.archive = None;
            }
            match Archive::open(self.files.next()?) {
                Ok(archive) => self.archive = Some(archive),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// How long a file is; nothing if it cannot be asked.
pub(super) fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}
