//! Files of books: opens one of any format, detected by its content; walks through the positions of a book, and converts it
//! to another format. Books store keys only, so positions are found by playing moves.

use super::chb::{self, ChuheBook, ChuheBookError};
use super::moves::{Book, BookEntry, BookMove, GameCounts, MemoryBook, MirrorKey, ProbeError};
use chuhe_support::files::{OutputError, OverwritePolicy, open_regular, read_regular};
use chuhe_support::language::{Phrase, reason, tr};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, PieceKind, Position};

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

// ElephantEye's `BOOK_COMMENT.DAT`, also used by XQWizard.
//
// No header: records of eight bytes (lock u32, move u16, weight u16, little-endian), sorted by lock. A lock is one
// third of a key generated with RC4; the other two thirds are not stored, so locks collide with probability 2⁻³². A
// position is stored under the smaller of its own lock and its mirror image's.

/// The size of a record in bytes.
const RECORD_SIZE: usize = 8;

/// Why bytes are not a book of this format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EleEyeError {
    #[error("{}", tr!("is empty"))]
    Empty,
    /// The length is not a multiple of eight.
    #[error("{}", tr!("is no BOOK.DAT, or cut off: {count} bytes are no whole number of records of eight", count = _0))]
    Length(usize),
    /// The locks are not in order.
    #[error("{}", tr!("is no BOOK.DAT: its record {number} is not in order", number = _0))]
    Order(usize),
    /// A record holds squares that are not on the board.
    #[error("{}", tr!("is no BOOK.DAT: its record {number} holds no move", number = _0))]
    NoMove(usize),
}

/// A record: one move of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EleEyeRecord {
    pub lock: u32,
    /// From and to squares as in `Move`.
    pub bits: u16,
    /// The relative frequency of the move.
    pub weight: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EleEyeBook {
    records: Vec<EleEyeRecord>,
}

/// Three 32-bit numbers for every piece on every square of the 16×16 board.
struct KeyTable {
    side: [u32; 3],
    pieces: [[[u32; 3]; 256]; 14],
}

static KEY_TABLE: LazyLock<Box<KeyTable>> = LazyLock::new(|| {
    let mut cipher = Rc4::new(&[0; 4]);
    let mut three = || [cipher.word(), cipher.word(), cipher.word()];
    let mut table = Box::new(KeyTable { side: three(), pieces: [[[0; 3]; 256]; 14] });
    table.pieces.iter_mut().flatten().for_each(|key| *key = three());
    table
});

/// The stream cipher RC4, used as a pseudo-random number generator.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    fn new(key: &[u8]) -> Rc4 {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut y = 0u8;
        for x in 0..256 {
            y = y.wrapping_add(state[x]).wrapping_add(key[x % key.len()]);
            state.swap(x, usize::from(y));
        }
        Rc4 { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[usize::from(self.x)]);
        self.state.swap(usize::from(self.x), usize::from(self.y));
        let sum = self.state[usize::from(self.x)].wrapping_add(self.state[usize::from(self.y)]);
        self.state[usize::from(sum)]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

/// The index of a piece: king, advisor, bishop, horse, rook, cannon, pawn of red, then of black.
fn piece_row(color: Color, kind: PieceKind) -> usize {
    kind as usize + if color == Color::Black { 7 } else { 0 }
}

/// The three words of a position's key; books use the last one.
pub fn key(position: &Position) -> [u32; 3] {
    let table = &**KEY_TABLE;
    let start = if position.side() == Color::Black { table.side } else { [0; 3] };
    Color::ALL.into_iter().fold(start, |key, color| {
        position.pieces(color).fold(key, |key, (kind, square)| {
            let word = &table.pieces[piece_row(color, kind)][square.index()];
            std::array::from_fn(|third| key[third] ^ word[third])
        })
    })
}

fn lock(position: &Position) -> u32 {
    key(position)[2]
}

/// The records of a position. Moves of weight 0 are left out: the format cannot express "known, but not to be played".
pub fn position_records(position: &Position, moves: &[BookMove]) -> impl Iterator<Item = EleEyeRecord> {
    let (here, there) = (lock(position), lock(&position.mirrored()));
    moves.iter().filter(|entry| entry.weight > 0).map(move |entry| {
        let mv = if there < here { entry.mv.mirror() } else { entry.mv };
        EleEyeRecord { lock: here.min(there), bits: mv.bits(), weight: entry.weight.min(u16::MAX.into()) as u16 }
    })
}

fn is_on_board(bits: u16) -> bool {
    Move::from_bits(bits).is_some()
}

impl EleEyeBook {
    /// Validates the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<EleEyeBook, EleEyeError> {
        if bytes.is_empty() {
            return Err(EleEyeError::Empty);
        }
        if !bytes.len().is_multiple_of(RECORD_SIZE) {
            return Err(EleEyeError::Length(bytes.len()));
        }
        let record = |bytes: &[u8]| EleEyeRecord {
            lock: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            bits: u16::from_le_bytes([bytes[4], bytes[5]]),
            weight: u16::from_le_bytes([bytes[6], bytes[7]]),
        };
        let records: Vec<EleEyeRecord> = bytes.chunks_exact(RECORD_SIZE).map(record).collect();
        if let Some(place) = records.iter().position(|record| !is_on_board(record.bits)) {
            return Err(EleEyeError::NoMove(place + 1));
        }
        if let Some(place) = records.windows(2).position(|pair| pair[1].lock < pair[0].lock) {
            return Err(EleEyeError::Order(place + 2));
        }
        Ok(EleEyeBook { records })
    }

    /// A book with these records.
    pub fn from_records(mut records: Vec<EleEyeRecord>) -> EleEyeBook {
        records.sort_unstable();
        records.dedup_by_key(|record| (record.lock, record.bits));
        EleEyeBook { records }
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let bytes = |record: &EleEyeRecord| {
            let mut bytes = record.lock.to_le_bytes().to_vec();
            bytes.extend(record.bits.to_le_bytes());
            bytes.extend(record.weight.to_le_bytes());
            bytes
        };
        self.records.iter().flat_map(bytes).collect()
    }

    /// The records, sorted.
    pub fn records(&self) -> &[EleEyeRecord] {
        &self.records
    }

    fn records_with_lock(&self, lock: u32) -> impl Iterator<Item = &EleEyeRecord> {
        let first = self.records.partition_point(|record| record.lock < lock);
        self.records[first..].iter().take_while(move |record| record.lock == lock)
    }
}

impl Book for EleEyeBook {
    /// Probes the position itself, then its mirror image, as other programs do.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let entry =
            |mv: Move, weight: u16| BookMove { mv, weight: weight.into(), score: None, games: GameCounts::default() };
        let straight = self.records_with_lock(lock(position));
        let mut moves: Vec<BookMove> =
            straight.filter_map(|record| Some(entry(Move::from_bits(record.bits)?, record.weight))).collect();
        if moves.is_empty() && !MirrorKey::of(position).symmetric {
            let image = self.records_with_lock(lock(&position.mirrored()));
            moves =
                image.filter_map(|record| Some(entry(Move::from_bits(record.bits)?.mirror(), record.weight))).collect();
        }
        Ok(moves)
    }

    fn entries(&self) -> u64 {
        self.records.len() as u64
    }

    fn kind(&self) -> Phrase {
        Phrase("BOOK.DAT")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eleeye_keys_match_the_format() {
        assert_eq!(KEY_TABLE.side, [0x4189_18DE, 0x3A5D_37A3, 0x671E_068A]);
        assert_eq!(KEY_TABLE.pieces[0][0], [0x6D92_6E57, 0xA37F_1AC7, 0x97EB_CCF0]);
        let mut position = Position::start();
        assert_eq!(key(&position), [0xE6DB_463E, 0x8F89_9C24, 0x0526_56D5]);
        position.play("b2e2".parse().unwrap()).unwrap();
        assert_eq!(key(&position), [0x1826_0818, 0x6073_86E9, 0x5396_644F]);
        assert_eq!(lock(&position.mirrored()), 0xEB50_5D7D);
    }
}
