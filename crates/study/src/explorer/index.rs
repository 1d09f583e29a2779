//! An index of games: a folder of segments and a manifest.
//!
//! Who asks reads the manifest and the segments that it names. Who adds games holds a lock; a new segment is written first,
//! then the manifest, which makes the change.

use super::counting::{Answer, GameFacts, GameFilter, INDEXED_PLIES, PositionCounter};
use super::segment::{Batch, Segment, damaged, merge};
use chuhe_support::files::{
    At, FileError, MAX_INPUT_SIZE, make_folder, open_locked, open_regular, read_regular, remove, remove_stale_parts,
    replace_regular,
};
use chuhe_support::language::tr;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::{Move, Position};
use xiangqi_record::{Game, ParsedGame, RecordError, RecordFile, RecordFormat, pgn};

/// So many segments of one size become one of the next size.
const MERGED_AT_ONCE: usize = 8;
/// Larger segments are not made: merging takes memory for their games.
const MAX_SEGMENT_GAMES: u64 = 1 << 20;
/// How often a question begins anew because the index was changed meanwhile.
const MAX_TRIES: usize = 5;
/// The names of files: the manifest, the one that is locked by who adds games, and how those of segments end.
const MANIFEST: &str = "chuhe-index.json";
const LOCK: &str = "lock";
const SEGMENT_ENDING: &str = ".segment";
/// No manifest is as large.
const MAX_MANIFEST: u64 = 1 << 28;

/// Why an index cannot be used.
#[derive(Debug, Error)]
pub enum IndexError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}", tr!("{folder}: another program adds games to this index", folder = _0.display()))]
    Locked(PathBuf),
    #[error("{}", tr!("{folder} is no index of games, and holds something else: name another folder", folder = _0.display()))]
    NotAnIndex(PathBuf),
    #[error("{}", tr!("{folder}: there is no index of games yet; name games to make one", folder = _0.display()))]
    Missing(PathBuf),
}

/// A segment that counts.
#[derive(Clone, Serialize, Deserialize)]
struct SegmentEntry {
    /// Its file is named after this number.
    number: u64,
    games: u32,
}

/// What is known of a file.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct SourceState {
    pub path: String,
    /// The bytes of its beginning that are in the index.
    bytes: u64,
    /// Their CRC-32.
    sum: u32,
    /// The games that were read of it, with those that could not be read.
    read: u64,
    /// All of it is in the index. If not, `bytes` is the whole file, or, of PGN, what was read of it.
    is_finished: bool,
    /// It has changed, and its games do not count any more.
    #[serde(default)]
    pub is_gone: bool,
}

/// What belongs to an index: the file that is replaced at each change, so that a change is made whole or not at all.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Manifest {
    /// The number of the next segment.
    next: u64,
    /// The oldest games first.
    segments: Vec<SegmentEntry>,
    /// By their numbers.
    sources: Vec<SourceState>,
}

impl Manifest {
    /// Reads the manifest of a folder; `None` if there is none.
    fn read(folder: &Path) -> io::Result<Option<Manifest>> {
        match read_regular(&folder.join(MANIFEST), MAX_MANIFEST) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| damaged()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        replace_regular(&folder.join(MANIFEST), &serde_json::to_vec(self)?)
    }
}

/// The file of a segment.
fn segment_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}{SEGMENT_ENDING}"))
}

/// The number of a segment, by the name of its file.
fn segment_number(name: &str) -> Option<u64> {
    name.strip_suffix(SEGMENT_ENDING)?.parse().ok()
}

/// An index on the disk, for questions.
pub struct GameIndex {
    folder: PathBuf,
}

impl GameIndex {
    pub fn open(folder: &Path) -> Result<GameIndex, IndexError> {
        match Manifest::read(folder).at(folder)? {
            Some(_) => Ok(GameIndex { folder: folder.to_path_buf() }),
            None => Err(IndexError::Missing(folder.to_path_buf())),
        }
    }

    fn manifest(&self) -> Result<Manifest, IndexError> {
        Ok(Manifest::read(&self.folder).at(&self.folder)?.unwrap_or_default())
    }

    /// The number of games.
    pub fn len(&self) -> Result<u64, IndexError> {
        Ok(self.manifest()?.segments.iter().map(|segment| u64::from(segment.games)).sum())
    }

    pub fn is_empty(&self) -> Result<bool, IndexError> {
        Ok(self.len()? == 0)
    }

    /// What the games say about a position; the answer lists so many of them.
    pub fn ask(&self, position: &Position, filter: &GameFilter, listed: usize) -> Result<Answer, IndexError> {
        let mut tries = 0;
        loop {
            let manifest = self.manifest()?;
            let mut counter = PositionCounter::new(position, filter.clone(), listed);
            let mut add = |segment: &SegmentEntry| {
                let path = segment_path(&self.folder, segment.number);
                counter.add_segment(&mut Segment::open(&path)?, &manifest.sources)
            };
            tries += 1;
            match manifest.segments.iter().try_for_each(&mut add) {
                // A segment was merged into another one meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MAX_TRIES => {}
                counted => {
                    counted.at(&self.folder)?;
                    return Ok(counter.finish());
                }
            }
        }
    }
}

/// What adding a file has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Added {
    /// New games.
    pub games: u64,
    /// The file, or a copy of it, was in the index already as it is.
    pub was_known: bool,
}

/// An index to which games are added. Only one program does so at a time.
pub struct IndexWriter {
    folder: PathBuf,
    manifest: Manifest,
    /// It is another one than on the disk.
    is_changed: bool,
    /// The files that count by their paths, and those of each size.
    by_path: HashMap<String, usize>,
    by_size: HashMap<u64, Vec<usize>>,
    batch: Batch,
    /// Held as long as this lives.
    _lock: File,
}

impl IndexWriter {
    /// Opens an index, or makes one.
    pub fn open(folder: &Path) -> Result<IndexWriter, IndexError> {
        let is_new = Manifest::read(folder).at(folder)?.is_none();
        if is_new && is_foreign(folder).at(folder)? {
            return Err(IndexError::NotAnIndex(folder.to_path_buf()));
        }
        make_folder(folder).at(folder)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let lock = match open_locked(options, &folder.join(LOCK)) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(IndexError::Locked(folder.to_path_buf()));
            }
            lock => lock.at(folder)?,
        };
        // Another program may have written meanwhile.
        let manifest = Manifest::read(folder).at(folder)?.unwrap_or_default();
        remove_leftovers(folder, &manifest).at(folder)?;
        let (mut by_path, mut by_size) = (HashMap::new(), HashMap::<u64, Vec<usize>>::new());
        for (id, source) in manifest.sources.iter().enumerate().filter(|(_, source)| !source.is_gone) {
            by_path.insert(source.path.clone(), id);
            by_size.entry(source.bytes).or_default().push(id);
        }
        let (folder, batch) = (folder.to_path_buf(), Batch::default());
        Ok(IndexWriter { folder, manifest, is_changed: false, by_path, by_size, batch, _lock: lock })
    }

    /// Adds the games of a file that are not in the index yet: all of a new file, those behind the known ones of a file that
    /// has grown. The games of a file that has changed otherwise are replaced. `fault` hears of what cannot be read,
    /// `read` how many games are new; if it returns false, the rest is left for the next time.
    pub fn add_file(
        &mut self,
        mut source: GameSource,
        fault: &mut dyn FnMut(&RecordError),
        read: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Added, IndexError> {
        let Some(id) = self.number_of(&mut source)? else { return Ok(Added { games: 0, was_known: true }) };
        let mut state = self.manifest.sources[id].clone();
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
                        added += u64::from(self.add(&parsed.game, id, number));
                    }
                    Err(error) => fault(&error),
                }
                state.read = number;
            });
            self.progress(id, state.clone())?;
            if !read(added) {
                return Ok(Added { games: added, was_known: false });
            }
        }
        state.is_finished = true;
        self.progress(id, state)?;
        Ok(Added { games: added, was_known: false })
    }

    /// The number of a file, which is then read from the first new game on; `None` if there is nothing new in it.
    fn number_of(&mut self, source: &mut GameSource) -> Result<Option<usize>, IndexError> {
        let path = std::path::absolute(source.path()).unwrap_or_else(|_| source.path().to_path_buf());
        let path = path.to_string_lossy().into_owned();
        let sources = &mut self.manifest.sources;
        if let Some(&id) = self.by_path.get(&path) {
            let known = &mut sources[id];
            if source.skip(known.bytes, known.sum)? {
                if known.is_finished && known.bytes == source.length() {
                    return Ok(None);
                }
                if !source.is_in_pieces() {
                    source.restart()?;
                }
                return Ok(Some(id));
            }
            known.is_gone = true;
        } else if let Some(ids) = self.by_size.get(&source.length()).filter(|_| source.length() > 0) {
            let sum = source.sum()?;
            let is_copy = |id: &&usize| {
                let SourceState { is_gone, is_finished, sum: known, .. } = sources[**id];
                is_finished && !is_gone && known == sum
            };
            if let Some(&id) = ids.iter().find(is_copy) {
                // The file has another name now, if it is not a second one.
                let known = &mut sources[id];
                if !Path::new(&known.path).exists() {
                    self.by_path.remove(&known.path);
                    self.by_path.insert(path.clone(), id);
                    (known.path, self.is_changed) = (path, true);
                }
                return Ok(None);
            }
        }
        let id = sources.len();
        sources.push(SourceState { path: path.clone(), ..SourceState::default() });
        self.by_path.insert(path, id);
        self.is_changed = true;
        Ok(Some(id))
    }

    /// Adds a game of a file; one without moves is none. Returns whether it was added.
    fn add(&mut self, game: &Game, source: usize, number: u64) -> bool {
        let moves: Vec<Move> = game.moves().take(INDEXED_PLIES + 1).collect();
        if !moves.is_empty() {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            self.batch.add(&GameFacts::of(game), game.start(), &moves, source as u32, number);
        }
        !moves.is_empty()
    }

    /// Says how far a file has been read, and writes the games if there are many.
    fn progress(&mut self, id: usize, state: SourceState) -> Result<(), IndexError> {
        if state.is_finished {
            self.by_size.entry(state.bytes).or_default().push(id);
        }
        (self.manifest.sources[id], self.is_changed) = (state, true);
        if self.batch.is_full() { self.write_batch() } else { Ok(()) }
    }

    /// Writes an index without games, if it is new.
    pub fn create(&mut self) -> Result<(), IndexError> {
        Ok(self.manifest.write(&self.folder).at(&self.folder)?)
    }

    /// Writes the games that are still in memory.
    pub fn finish(&mut self) -> Result<(), IndexError> {
        if self.batch.len() > 0 || self.is_changed { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<(), IndexError> {
        let mut manifest = self.manifest.clone();
        // After a failure nothing is written of these games, and not that they were read.
        self.is_changed = false;
        let batch = std::mem::take(&mut self.batch);
        let games = batch.len() as u32;
        if games > 0 {
            let path = segment_path(&self.folder, manifest.next);
            batch.write(&path).at(&path)?;
            manifest.segments.push(SegmentEntry { number: manifest.next, games });
            manifest.next += 1;
        }
        manifest.write(&self.folder).at(&self.folder)?;
        self.manifest = manifest;
        self.merge_segments()
    }

    /// Merges the segments of the smallest size as long as there are many of them.
    fn merge_segments(&mut self) -> Result<(), IndexError> {
        while let Some(range) = self.mergeable() {
            let mut manifest = self.manifest.clone();
            let old: Vec<SegmentEntry> = manifest.segments.drain(range.clone()).collect();
            let paths: Vec<PathBuf> = old.iter().map(|entry| segment_path(&self.folder, entry.number)).collect();
            let target = segment_path(&self.folder, manifest.next);
            let is_gone = |source: u32| manifest.sources.get(source as usize).is_none_or(|source| source.is_gone);
            let games = merge(&paths, &target, is_gone).at(&target)?;
            manifest.segments.insert(range.start, SegmentEntry { number: manifest.next, games });
            manifest.next += 1;
            manifest.write(&self.folder).at(&self.folder)?;
            self.manifest = manifest;
            // Where somebody still reads a file it may stay; it is removed when the index is opened to add games.
            paths.iter().for_each(|path| drop(remove(path)));
        }
        Ok(())
    }

    /// The latest segments that are of one size, if there are enough of them to be merged.
    fn mergeable(&self) -> Option<std::ops::Range<usize>> {
        let class = |entry: &SegmentEntry| (entry.games.max(1)).ilog(MERGED_AT_ONCE as u32);
        let segments = &self.manifest.segments;
        let smallest = segments.iter().map(class).min()?;
        // Small ones that stand between larger ones, too, so that the number of segments stays low.
        let last = segments.iter().rposition(|entry| class(entry) == smallest)?;
        let first = (0..=last).rev().take_while(|&index| class(&segments[index]) <= smallest).last()?;
        let games: u64 = segments[first..=last].iter().map(|entry| u64::from(entry.games)).sum();
        (last + 1 - first >= MERGED_AT_ONCE && games <= MAX_SEGMENT_GAMES).then_some(first..last + 1)
    }
}

/// Whether a folder holds what an index does not have.
fn is_foreign(folder: &Path) -> io::Result<bool> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != LOCK && segment_number(&name).is_none() && !name.ends_with(".chuhe.part") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes what a program that was stopped has left.
fn remove_leftovers(folder: &Path, manifest: &Manifest) -> io::Result<()> {
    remove_stale_parts(folder);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let number = entry.file_name().to_str().and_then(segment_number);
        if number.is_some_and(|number| manifest.segments.iter().all(|segment| segment.number != number)) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

// Reads the games of a file one after the other. PGN is read in pieces, so that a file may be of any size.

/// Why a file yields no games.
pub type GameSourceError = FileError;

/// The bytes of a piece of PGN.
const PIECE: usize = 4 << 20;
/// So many bytes tell the format of a file.
const HEAD: usize = 1 << 16;
/// So many games that somebody else reads are a piece.
const GAMES_AT_ONCE: usize = 1 << 14;

/// Games of a file that somebody else reads.
pub type GameIterator = Box<dyn Iterator<Item = Game>>;

/// How the games of a file are read.
enum Reading {
    /// Piece by piece.
    Pgn,
    /// As a whole.
    Record,
    /// By somebody else.
    Games(GameIterator),
}

/// A file of games.
pub struct GameSource {
    path: PathBuf,
    reading: Reading,
    file: File,
    length: u64,
    /// Where the next piece begins.
    place: u64,
    crc: crc32fast::Hasher,
}

enum Content {
    Record(RecordFile),
    Games(Vec<Game>),
}

/// Some games of a file.
pub struct GamePiece {
    content: Content,
    /// The bytes of the file up to the end of these games; of what is not read in pieces, all of them.
    pub end: u64,
    /// The CRC-32 of these bytes.
    pub sum: u32,
    /// No other piece follows.
    pub is_last: bool,
}

impl GamePiece {
    /// The games, each as far as it is valid.
    pub fn into_games(self, mut each: impl FnMut(Result<ParsedGame, RecordError>)) {
        match self.content {
            Content::Record(file) => file.games().for_each(each),
            Content::Games(games) => {
                games.into_iter().for_each(|game| each(Ok(ParsedGame { game, errors: Vec::new() })))
            }
        }
    }
}

impl GameSource {
    /// Opens a file of any format that the program reads.
    pub fn open(path: &Path) -> Result<GameSource, GameSourceError> {
        let mut source = GameSource::with_reading(path, Reading::Record)?;
        let mut head = Vec::new();
        source.file.by_ref().take(HEAD as u64).read_to_end(&mut head).at(path)?;
        source.file.seek(SeekFrom::Start(0)).at(path)?;
        if RecordFile::read(head).format() == RecordFormat::Pgn {
            source.reading = Reading::Pgn;
        }
        Ok(source)
    }

    /// Takes the games of a file from somebody who can read it.
    pub fn with_games(path: &Path, games: GameIterator) -> Result<GameSource, GameSourceError> {
        GameSource::with_reading(path, Reading::Games(games))
    }

    fn with_reading(path: &Path, reading: Reading) -> Result<GameSource, GameSourceError> {
        let file = open_regular(path).at(path)?;
        let length = file.metadata().at(path)?.len();
        Ok(GameSource { path: path.to_path_buf(), reading, file, length, place: 0, crc: crc32fast::Hasher::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Goes back to the beginning.
    pub fn restart(&mut self) -> Result<(), GameSourceError> {
        (self.place, self.crc) = (0, crc32fast::Hasher::new());
        self.file.seek(SeekFrom::Start(0)).at(&self.path).map(drop)
    }

    /// Whether the file is read in pieces, and can be continued behind any of them.
    pub fn is_in_pieces(&self) -> bool {
        matches!(self.reading, Reading::Pgn)
    }

    /// Skips the first bytes of a file if they have this CRC-32; otherwise nothing is skipped, and the answer is false.
    pub fn skip(&mut self, bytes: u64, sum: u32) -> Result<bool, GameSourceError> {
        let (read, crc) = self.checksum(bytes)?;
        let is_same = read == bytes && crc.clone().finalize() == sum;
        if is_same {
            (self.place, self.crc) = (bytes, crc);
        } else {
            self.file.seek(SeekFrom::Start(self.place)).at(&self.path)?;
        }
        Ok(is_same)
    }

    /// The CRC-32 of the whole file; reading goes on where it was.
    pub fn sum(&mut self) -> Result<u32, GameSourceError> {
        self.file.seek(SeekFrom::Start(0)).at(&self.path)?;
        let (_, crc) = self.checksum(u64::MAX)?;
        self.file.seek(SeekFrom::Start(self.place)).at(&self.path)?;
        Ok(crc.finalize())
    }

    /// Reads so many bytes, or up to the end of the file; returns how many there were, and their CRC-32.
    fn checksum(&mut self, bytes: u64) -> Result<(u64, crc32fast::Hasher), GameSourceError> {
        let mut crc = crc32fast::Hasher::new();
        let mut buffer = vec![0; 1 << 18];
        let mut read = 0;
        while read < bytes {
            let wanted = (bytes - read).min(buffer.len() as u64) as usize;
            match self.file.read(&mut buffer[..wanted]).at(&self.path)? {
                0 => break,
                count => {
                    crc.update(&buffer[..count]);
                    read += count as u64;
                }
            }
        }
        Ok((read, crc))
    }

    /// The next games, or `None` at the end of the file.
    pub fn next_piece(&mut self) -> Result<Option<GamePiece>, GameSourceError> {
        if let Reading::Games(games) = &mut self.reading {
            let games: Vec<Game> = games.take(GAMES_AT_ONCE).collect();
            if games.is_empty() {
                return Ok(None);
            }
            let is_last = games.len() < GAMES_AT_ONCE;
            return Ok(Some(GamePiece { content: Content::Games(games), end: self.length, sum: self.sum()?, is_last }));
        }
        let bytes = if self.is_in_pieces() { self.read_games() } else { self.read_whole() }.at(&self.path)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.place += bytes.len() as u64;
        self.crc.update(&bytes);
        Ok(Some(GamePiece {
            content: Content::Record(RecordFile::read(bytes)),
            end: self.place,
            sum: self.crc.clone().finalize(),
            is_last: self.place >= self.length,
        }))
    }

    fn read_whole(&mut self) -> io::Result<Vec<u8>> {
        if self.place > 0 { Ok(Vec::new()) } else { read_regular(&self.path, MAX_INPUT_SIZE) }
    }

    /// Reads whole games of PGN: a piece, or more if it has no end of a game.
    fn read_games(&mut self) -> io::Result<Vec<u8>> {
        let (mut bytes, mut size) = (Vec::new(), PIECE);
        loop {
            let missing = size - bytes.len();
            let added = self.file.by_ref().take(missing as u64).read_to_end(&mut bytes)?;
            if added < missing {
                return Ok(bytes);
            }
            let whole = pgn::complete_games_length(&bytes);
            if whole > 0 {
                self.file.seek(SeekFrom::Start(self.place + whole as u64))?;
                bytes.truncate(whole);
                return Ok(bytes);
            }
            size *= 2;
            if size as u64 > MAX_INPUT_SIZE {
                return Ok(bytes);
            }
        }
    }
}
