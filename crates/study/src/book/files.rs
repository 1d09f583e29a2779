//! Files of books: opens one of any format, detected by its content; walks through the positions of a book, and converts it
//! to another format. Books store keys only, so positions are found by playing moves.

use super::chb::{self, ChuheBook, ChuheBookError};
use super::eleeye::{EleEyeBook, EleEyeError, position_records};
use super::moves::{Book, BookEntry, BookMove, MemoryBook, MirrorKey, ProbeError};
use chuhe_support::files::{OutputError, OverwritePolicy, open_regular, read_regular};
use chuhe_support::language::{reason, tr};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Move, Position};

/// The name of the embedded book in place of a file name.
pub const EMBEDDED_BOOK_NAME: &str = "own";
/// The magic bytes of a SQLite database.
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";
/// The size limit of books that are read into memory.
const MAX_BOOK_SIZE: u64 = 1 << 29;

/// Why a book cannot be opened.
#[derive(Debug, Error)]
#[error("{}", tr!("'{path}' {problem}", path = path.display(), problem))]
pub struct BookOpenError {
    pub path: PathBuf,
    pub problem: BookProblem,
}

/// An error in a book file.
#[derive(Debug, Error)]
pub enum BookProblem {
    /// The file cannot be read.
    #[error("{}", tr!("cannot be read: {cause}", cause = reason(_0)))]
    Io(#[from] io::Error),
    /// Invalid `.chb` file.
    #[error(transparent)]
    Chuhe(#[from] ChuheBookError),
    /// Invalid BOOK.DAT.
    #[error(transparent)]
    EleEye(#[from] EleEyeError),
    /// Not a known book database.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Database(#[from] super::database::DatabaseError),
    #[cfg(not(feature = "sqlite"))]
    #[error("{}", tr!("is a database (.obk, .pfBook or .xqb), which this program was built without: --features sqlite"))]
    Database,
    /// The file has the extension of a database, but not its content.
    #[error("{}", tr!("is encrypted or damaged: it does not begin as a database does"))]
    Encrypted,
}

/// Opens a book of any format.
pub fn open_book(path: &Path) -> Result<Arc<dyn Book>, BookOpenError> {
    if path.as_os_str() == EMBEDDED_BOOK_NAME {
        return Ok(Arc::new(ChuheBook::embedded()));
    }
    read(path).map_err(|problem| BookOpenError { path: path.to_path_buf(), problem })
}

fn read(path: &Path) -> Result<Arc<dyn Book>, BookProblem> {
    let mut head = Vec::new();
    open_regular(path)?.take(SQLITE_MAGIC.len() as u64).read_to_end(&mut head)?;
    if head == SQLITE_MAGIC {
        return open_database(path);
    }
    let bytes = read_regular(path, MAX_BOOK_SIZE)?;
    if bytes.starts_with(chb::MAGIC) {
        return Ok(Arc::new(ChuheBook::read(Cow::Owned(bytes))?));
    }
    if is_named_as_database(path) {
        return Err(BookProblem::Encrypted);
    }
    Ok(Arc::new(EleEyeBook::read(&bytes)?))
}

#[cfg(feature = "sqlite")]
fn open_database(path: &Path) -> Result<Arc<dyn Book>, BookProblem> {
    Ok(super::database::open(path)?)
}

#[cfg(not(feature = "sqlite"))]
fn open_database(_: &Path) -> Result<Arc<dyn Book>, BookProblem> {
    Err(BookProblem::Database)
}

fn is_named_as_database(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ["obk", "pfbook", "xqb"].contains(&extension.as_str())
}

/// The moves to every position that the book reaches in exactly this many plies, or earlier where it ends. Only moves
/// with a weight are followed; each position occurs once, in one orientation. At most `most` positions are followed per
/// ply.
pub fn leaf_lines(book: &dyn Book, plies: usize, most: usize) -> Result<Vec<Vec<Move>>, ProbeError> {
    let mut ends = Vec::new();
    let mut seen: HashSet<Key> = HashSet::new();
    let mut lines: Vec<Vec<Move>> = vec![Vec::new()];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for line in lines {
            let mut position = Position::start().after(&line);
            let folded = MirrorKey::of(&position);
            let mut played = HashSet::new();
            for entry in book.moves(&position)?.into_iter().filter(|entry| entry.weight > 0) {
                if !played.insert(folded.to_book_move(entry.mv)) {
                    continue;
                }
                position.play_unchecked(entry.mv);
                if longer.len() < most && seen.insert(MirrorKey::of(&position).key) {
                    let mut next = line.clone();
                    next.push(entry.mv);
                    longer.push(next);
                }
                position.undo();
            }
            if played.is_empty() && !line.is_empty() {
                ends.push(line);
            }
        }
        lines = longer;
    }
    ends.extend(lines.into_iter().filter(|line| !line.is_empty()));
    Ok(ends)
}

/// The statistics of a traversal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WalkStats {
    /// The number of known positions, mirror images counted once.
    pub positions: u64,
    /// The number of their moves, mirror images counted once.
    pub moves: u64,
    /// The length of the longest line.
    pub plies: usize,
}

/// A position on the current line: its moves, and how many of them were followed.
struct WalkFrame {
    moves: Vec<Move>,
    next: usize,
}

/// Visits every book position reachable from here once, in either orientation: through book moves, and through other
/// legal moves whose resulting position is in the book. The visitor may cut off a branch.
pub fn walk(
    book: &dyn Book,
    start: &Position,
    visit: &mut dyn FnMut(&Position, &[BookMove]) -> bool,
) -> Result<WalkStats, ProbeError> {
    let mut position = start.clone();
    let mut seen = HashSet::new();
    let mut stats = WalkStats::default();
    let mut stack: Vec<WalkFrame> = Vec::new();
    stack.extend(enter_position(book, &position, &mut seen, &mut stats, visit)?);
    while let Some(frame) = stack.last_mut() {
        let Some(&mv) = frame.moves.get(frame.next) else {
            stack.pop();
            if !stack.is_empty() {
                position.undo();
            }
            continue;
        };
        frame.next += 1;
        position.play_unchecked(mv);
        match enter_position(book, &position, &mut seen, &mut stats, visit)? {
            Some(frame) => {
                stack.push(frame);
                stats.plies = stats.plies.max(stack.len());
            }
            None => position.undo(),
        }
    }
    Ok(stats)
}

/// Enters a position: its moves to follow, or `None` if it is unknown or was visited before.
fn enter_position(
    book: &dyn Book,
    position: &Position,
    seen: &mut HashSet<u64>,
    stats: &mut WalkStats,
    visit: &mut dyn FnMut(&Position, &[BookMove]) -> bool,
) -> Result<Option<WalkFrame>, ProbeError> {
    let folded = MirrorKey::of(position);
    if seen.contains(&folded.key) {
        return Ok(None);
    }
    let moves = book.moves(position)?;
    if moves.is_empty() {
        return Ok(None);
    }
    seen.insert(folded.key);
    // One of two mirrored moves is enough.
    let distinct: HashSet<Move> = moves.iter().map(|entry| folded.to_book_move(entry.mv)).collect();
    stats.positions += 1;
    stats.moves += distinct.len() as u64;
    let goes_on = visit(position, &moves);
    let moves = if goes_on { position.legal_moves().to_vec() } else { Vec::new() };
    Ok(Some(WalkFrame { moves, next: 0 }))
}

/// A book format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// Chuhe's own format, `.chb`.
    Chuhe,
    /// ElephantEye's format, `.dat`.
    EleEye,
    /// The SQLite format `.xqb`.
    #[cfg(feature = "sqlite")]
    Xqb,
}

/// The known file extensions.
fn known_extensions() -> String {
    if cfg!(feature = "sqlite") {
        tr!(".chb (a book of Chuhe), .dat (a BOOK.DAT) or .xqb (a database)")
    } else {
        tr!(".chb (a book of Chuhe) or .dat (a BOOK.DAT)")
    }
}

/// The extension of the file name is not a known book format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{name}': the name must end in {known}", name = _0, known = known_extensions()))]
pub struct UnknownBookFormat(String);

impl BookFormat {
    /// The format by the file extension.
    pub fn from_path(path: &Path) -> Result<BookFormat, UnknownBookFormat> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "chb" => Ok(BookFormat::Chuhe),
            "dat" => Ok(BookFormat::EleEye),
            #[cfg(feature = "sqlite")]
            "xqb" => Ok(BookFormat::Xqb),
            _ => Err(UnknownBookFormat(path.display().to_string())),
        }
    }
}

/// The part of a book that can be reached from the start position.
#[derive(Clone, Debug)]
pub struct ReachableBook {
    /// Its positions.
    pub pages: MemoryBook,
    /// The statistics of the traversal.
    pub walked: WalkStats,
}

/// Collects all positions of a book that can be reached from the start position.
pub fn collect_reachable(book: &dyn Book) -> Result<ReachableBook, ProbeError> {
    let mut pages = MemoryBook::default();
    let walked = walk(book, &Position::start(), &mut |position, moves| {
        for found in moves {
            *pages.entry(position, found.mv) = BookEntry {
                weight: found.weight.min(u16::MAX.into()) as u16,
                score: found.score.map(BookEntry::clamp_score),
                games: found.games,
            };
        }
        true
    })?;
    Ok(ReachableBook { pages, walked })
}

/// Encodes a book. Formats other than Chuhe's hold only positions that can be reached from the start position.
fn encode(pages: &MemoryBook, format: BookFormat, note: &str) -> Result<Vec<u8>, BookWriteError> {
    match format {
        BookFormat::Chuhe => Ok(chb::write(pages, note)),
        BookFormat::EleEye => Ok(eleeye_bytes(pages)),
        #[cfg(feature = "sqlite")]
        BookFormat::Xqb => Ok(super::database::write_xqb(pages)?),
    }
}

fn eleeye_bytes(pages: &MemoryBook) -> Vec<u8> {
    let mut records = Vec::new();
    let walked = walk(pages, &Position::start(), &mut |position, moves| {
        records.extend(position_records(position, moves));
        true
    });
    walked.expect("pages answer always");
    EleEyeBook::from_records(records).write()
}

/// Why a book was not written.
#[derive(Debug, Error)]
pub enum BookWriteError {
    /// The file exists already or could not be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// The database could not be created.
    #[cfg(feature = "sqlite")]
    #[error("{}", tr!("the database cannot be made: {cause}", cause = _0))]
    Sql(#[from] rusqlite::Error),
}

/// Writes a book to a file atomically. Returns its size in bytes.
pub fn write_book(
    path: &Path,
    over: OverwritePolicy,
    pages: &MemoryBook,
    format: BookFormat,
    note: &str,
) -> Result<usize, BookWriteError> {
    let bytes = encode(pages, format, note)?;
    over.write(path, &bytes)?;
    Ok(bytes.len())
}
