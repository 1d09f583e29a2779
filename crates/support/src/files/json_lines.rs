//! Logs: files that grow by lines of JSON. Lines are added whole or not at all; what a killed program has left of one is cut
//! off before the next.
//!
//! Files that grow by one whole record at a time.

use super::{Folder, open_locked, steps};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// Whether a line is on the disk before it counts as added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Synced {
    Yes,
    /// It can be made again.
    No,
}

/// Where a line is: its number, from 1, and its first byte.
pub struct LinePlace {
    pub number: usize,
    pub begin: u64,
}

/// A log of such lines.
#[derive(Debug)]
pub struct JsonLines {
    place: Place,
    /// The bytes of the whole lines.
    length: u64,
    synced: Synced,
}

#[derive(Debug)]
enum Place {
    /// For this program alone.
    Held(AppendFile),
    /// In a folder that this program has locked; read up to so many bytes.
    Named(Folder, String, u64),
}

impl JsonLines {
    /// Opens or creates a log for this program alone: `WouldBlock` if another one has it. It is to be visited before
    /// anything is added.
    pub fn hold(path: &Path, synced: Synced) -> io::Result<JsonLines> {
        let mut options = OpenOptions::new();
        options.write(true).read(true).create(true).truncate(false);
        let file = open_locked(options, path)?;
        let length = file.metadata()?.len();
        Ok(JsonLines { place: Place::Held(AppendFile::new(file, length)?), length, synced })
    }

    /// A log in a folder, of so many bytes at most. Nothing is read or created yet.
    pub fn in_folder(folder: Folder, name: &str, limit: u64) -> JsonLines {
        JsonLines { place: Place::Named(folder, name.to_string(), limit), length: 0, synced: Synced::Yes }
    }

    /// Visits all whole lines, with their ends, and returns what stands behind them: the beginning of a line, or of one that
    /// is longer than this. What is added comes in its place.
    pub fn visit<E>(
        &mut self,
        limit: u64,
        mut visit: impl FnMut(LinePlace, &[u8]) -> Result<(), E>,
    ) -> io::Result<Result<Vec<u8>, E>> {
        let read = match &self.place {
            Place::Held(file) => Ok(visit_lines(BufReader::new(file.file()), limit, &mut visit)?),
            Place::Named(folder, name, most) => match folder.read(name, *most) {
                Err(error) if error.kind() == ErrorKind::NotFound => Err(()),
                bytes => Ok(visit_lines(Cursor::new(bytes?), limit, &mut visit)?),
            },
        };
        Ok(match read {
            Ok(Ok((length, rest))) => {
                self.length = length;
                Ok(rest)
            }
            Ok(Err(error)) => Err(error),
            Err(()) => {
                self.length = 0;
                Ok(Vec::new())
            }
        })
    }

    /// Cuts off what stands behind the whole lines, or with 0 all of them.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        if let Place::Held(file) = &mut self.place {
            file.keep(length)?;
        }
        self.length = length;
        Ok(())
    }

    /// The bytes of the whole lines; 0 if there are none.
    pub fn len(&self) -> u64 {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds whole lines, all of them or none; returns where they begin.
    pub fn append(&mut self, text: &str) -> io::Result<u64> {
        let begin = self.length;
        match (&mut self.place, self.synced) {
            (Place::Held(file), Synced::Yes) => file.append(text.as_bytes())?,
            (Place::Held(file), Synced::No) => file.append_unsynced(text.as_bytes())?,
            (Place::Named(folder, name, _), _) if begin == 0 => folder.replace(name, text.as_bytes())?,
            (Place::Named(folder, name, _), _) => folder.append(name, begin, text.as_bytes())?,
        }
        self.length += text.len() as u64;
        Ok(begin)
    }

    /// Puts these lines into the place of all: only for a log in a folder.
    pub fn compact(&mut self, text: &str) -> io::Result<()> {
        let Place::Named(folder, name, _) = &self.place else { return Err(ErrorKind::Unsupported.into()) };
        folder.replace(name, text.as_bytes())?;
        self.length = text.len() as u64;
        Ok(())
    }

    /// Reads a line again: only of a log that is held.
    pub fn line(&self, begin: u64, length: usize) -> io::Result<Vec<u8>> {
        let Place::Held(file) = &self.place else { return Err(ErrorKind::Unsupported.into()) };
        let (mut file, mut line) = (file.file(), vec![0; length]);
        file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut line))?;
        Ok(line)
    }
}

/// A value as a line, with its end.
pub fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// The length of the whole lines, and what stands behind them.
fn visit_lines<E>(
    mut reader: impl BufRead,
    limit: u64,
    visit: &mut impl FnMut(LinePlace, &[u8]) -> Result<(), E>,
) -> io::Result<Result<(u64, Vec<u8>), E>> {
    let (mut line, mut begin) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        reader.by_ref().take(limit).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        if let Err(error) = visit(LinePlace { number, begin }, &line) {
            return Ok(Err(error));
        }
        begin += line.len() as u64;
    }
    Ok(Ok((begin, line)))
}

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
