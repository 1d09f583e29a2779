//! Files that grow by one whole record at a time.

use super::steps;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};

/// A file that is only added to. A record is in it as a whole or not at all: what a failure leaves of it is cut off, at
/// once or before the next record. Whoever holds it must see to it that nobody else writes to the file (see
/// [`super::open_locked`]).
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    /// The length of the whole records.
    length: u64,
    /// More may stand behind them.
    is_torn: bool,
}

impl AppendFile {
    /// Takes a file that is open for reading and writing (not for appending) and begins with whole records of this
    /// length. What stands behind them is cut off.
    pub fn new(file: File, length: u64) -> io::Result<AppendFile> {
        let is_torn = file.metadata()?.len() != length;
        let mut file = AppendFile { file, length, is_torn };
        file.cut()?;
        Ok(file)
    }

    /// From now on so many bytes count, and the rest is cut off.
    pub fn keep(&mut self, length: u64) -> io::Result<()> {
        self.is_torn = self.file.metadata()?.len() != length;
        self.length = length;
        self.cut()
    }

    /// Cuts off what stands behind the whole records.
    fn cut(&mut self) -> io::Result<()> {
        if self.is_torn {
            steps::set_length(&self.file, self.length)?;
            self.is_torn = false;
        }
        Ok(())
    }

    /// Adds a record and waits until it is on the disk. After an error the file is as it was before.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.add(record, true)
    }

    /// The same without waiting for the disk, for records that can be made again.
    pub fn append_unsynced(&mut self, record: &[u8]) -> io::Result<()> {
        self.add(record, false)
    }

    fn add(&mut self, record: &[u8], synced: bool) -> io::Result<()> {
        self.cut()?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.is_torn = true;
        let written = steps::write_all(&mut self.file, record)
            .and_then(|()| if synced { steps::sync(&self.file) } else { Ok(()) });
        match written {
            Ok(()) => {
                self.length += record.len() as u64;
                self.is_torn = false;
            }
            // If this fails as well, it is tried again before the next record.
            Err(_) => drop(self.cut()),
        }
        written
    }

    /// The length of the whole records.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// True if there are no records yet.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.file
    }
}
