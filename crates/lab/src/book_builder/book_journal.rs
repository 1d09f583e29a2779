//! The journal of a book: an append-only text file with one search per line and a checksum.
//!
//! ```text
//! chuhe book journal 1
//! survey rnbakabnr/… w  depth 9  h2e2:14 h0g2:11 …  crc32
//! ```
//!
//! The fields of a line are separated by tabs. An incomplete last line is cut off.

use super::{SearchKind, SearchRecord};
use chuhe_engine::search::HashSizeError;
use chuhe_support::files::{AppendFile, MAX_INPUT_SIZE, open_locked, read_limited};
use chuhe_support::language::{NoThread, reason, tr};
use chuhe_support::messages::Localize;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::Move;

const FILE_HEADER: &str = "chuhe book journal 1\n";

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// An I/O error.
    #[error("{}", tr!("'{path}': {source}", path = path.display(), source = reason(source)))]
    Io { path: PathBuf, source: io::Error },
    /// No thread for the searches.
    #[error(transparent)]
    Thread(#[from] NoThread),
    /// No memory for the searches.
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    /// The searches cannot go on.
    #[error("{}", reason(_0))]
    Failed(#[from] io::Error),
    /// It is not a journal.
    #[error("{}", tr!("'{path}' is no journal of a book and stays as it is", path = _0.display()))]
    NotAJournal(PathBuf),
    /// Another program is writing to it.
    #[error("{}", tr!("'{path}' is being written by another program", path = _0.display()))]
    Locked(PathBuf),
    /// A line other than the last is damaged.
    #[error("{}", tr!("'{path}', line {line}: damaged", path = path.display(), line))]
    Line {
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
}

/// An open, locked journal.
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
}

impl Journal {
    /// Opens or creates a journal; also returns its records.
    pub fn open(path: &Path) -> Result<(Journal, Vec<SearchRecord>), JournalError> {
        let io = |source| JournalError::Io { path: path.to_path_buf(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = open_locked(options, path).map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => JournalError::Locked(path.to_path_buf()),
            _ => io(source),
        })?;
        let bytes = read_limited(&file, MAX_INPUT_SIZE).map_err(io)?;
        let (records, sound) = match bytes.strip_prefix(FILE_HEADER.as_bytes()) {
            Some(body) => read(body, path)?,
            // A header may have been torn, too.
            None if FILE_HEADER.as_bytes().starts_with(&bytes) => (Vec::new(), 0),
            None => return Err(JournalError::NotAJournal(path.to_path_buf())),
        };
        let is_new = bytes.len() < FILE_HEADER.len();
        let length = if is_new { 0 } else { FILE_HEADER.len() + sound };
        let file = AppendFile::new(file, length as u64).map_err(io)?;
        let mut journal = Journal { path: path.to_path_buf(), file };
        if is_new {
            journal.append(FILE_HEADER)?;
        }
        Ok((journal, records))
    }

    /// Appends a record.
    pub fn add(&mut self, record: &SearchRecord) -> Result<(), JournalError> {
        self.append(&format_line(record))
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        let written = self.file.append_unsynced(text.as_bytes());
        written.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}

/// The records of all complete lines, and their length in bytes.
fn read(body: &[u8], path: &Path) -> Result<(Vec<SearchRecord>, usize), JournalError> {
    let mut records = Vec::new();
    let mut sound = 0;
    let mut damaged = None;
    for (number, text) in body.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match std::str::from_utf8(text).ok().and_then(parse_line) {
            // Only the end can be incomplete; damage before it is an error.
            Some(_) if damaged.is_some() => {
                return Err(JournalError::Line { path: path.to_path_buf(), line: damaged.unwrap_or(0) });
            }
            Some(record) => {
                records.push(record);
                sound += text.len();
            }
            None => damaged = damaged.or(Some(number + 2)),
        }
    }
    Ok((records, sound))
}

fn format_line(record: &SearchRecord) -> String {
    let word = match record.kind {
        SearchKind::Survey => "survey",
        SearchKind::Proof => "proof",
    };
    let moves: Vec<String> = record.lines.iter().map(|(mv, score)| format!("{mv}:{score}")).collect();
    let text = format!("{word}\t{}\t{}\t{}", record.fen, record.depth, moves.join(" "));
    let sum = crc32fast::hash(text.as_bytes());
    format!("{text}\t{sum:08x}\n")
}

fn parse_line(line: &str) -> Option<SearchRecord> {
    let (text, sum) = line.strip_suffix('\n')?.rsplit_once('\t')?;
    if u32::from_str_radix(sum, 16) != Ok(crc32fast::hash(text.as_bytes())) {
        return None;
    }
    let mut words = text.split('\t');
    let kind = match words.next()? {
        "survey" => SearchKind::Survey,
        "proof" => SearchKind::Proof,
        _ => return None,
    };
    let (fen, depth) = (words.next()?.to_string(), words.next()?.parse().ok()?);
    let pair = |text: &str| -> Option<(Move, i32)> {
        let (mv, score) = text.split_once(':')?;
        Some((mv.parse().ok()?, score.parse().ok()?))
    };
    let lines = words.next()?.split(' ').filter(|text| !text.is_empty()).map(pair).collect::<Option<_>>()?;
    Some(SearchRecord { kind, fen, depth, lines })
}
