//! An index of games: a folder of segments.
//!
//! Who asks reads the manifest and the segments that it names. Who adds games holds a lock; a new segment, the list of
//! files and the manifest are written in this order, and only the last one makes the change.

use super::answer::Answer;
use super::batch::Batch;
use super::filter::GameFilter;
use super::game_facts::GameFacts;
use super::manifest::{Manifest, SegmentEntry, lock_path, segment_number, segment_path, source_list_path};
use super::merge::merge;
use super::question::Question;
use super::segment::Segment;
use super::segment_writer::write_segment;
use super::source_list::{self, SourceState};
use chuhe_support::files::{At, FileError, make_folder, open_locked, remove, remove_stale_parts};
use chuhe_support::language::tr;
use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::{Move, Position};
use xiangqi_record::Game;

/// So many segments of one size become one of the next size.
const MERGED_AT_ONCE: usize = 8;
/// Larger segments are not made: merging takes memory for their games.
const MAX_SEGMENT_GAMES: u64 = 1 << 20;
/// How often a question begins anew because the index was changed meanwhile.
const MAX_TRIES: usize = 5;

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
        Ok(self.manifest()?.games())
    }

    pub fn is_empty(&self) -> Result<bool, IndexError> {
        Ok(self.len()? == 0)
    }

    /// What the games say about a position; the answer lists so many of them.
    pub fn ask(&self, position: &Position, filter: &GameFilter, listed: usize) -> Result<Answer, IndexError> {
        let mut tries = 0;
        loop {
            let manifest = self.manifest()?;
            tries += 1;
            match self.answer(&manifest, position, filter, listed) {
                // A segment was merged into another one meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MAX_TRIES => {}
                answer => return Ok(answer.at(&self.folder)?),
            }
        }
    }

    fn answer(
        &self,
        manifest: &Manifest,
        position: &Position,
        filter: &GameFilter,
        listed: usize,
    ) -> io::Result<Answer> {
        let sources = if listed > 0 || filter.source.is_some() {
            source_list::read(&source_list_path(&self.folder), manifest.source_bytes)?
        } else {
            Vec::new()
        };
        let gone = manifest.gone.iter().copied().collect();
        let mut question = Question::new(position, filter, &gone, &sources, listed);
        for segment in &manifest.segments {
            question.ask(&mut Segment::open(&segment_path(&self.folder, segment.number))?)?;
        }
        Ok(question.finish())
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
    sources: Vec<SourceState>,
    /// The numbers of the sources that have changed since they were written.
    changed: BTreeSet<u32>,
    by_path: HashMap<String, u32>,
    /// The files of each size.
    by_size: HashMap<u64, Vec<u32>>,
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
        let lock = match open_locked(options, &lock_path(folder)) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(IndexError::Locked(folder.to_path_buf()));
            }
            lock => lock.at(folder)?,
        };
        // Another program may have written meanwhile.
        let manifest = Manifest::read(folder).at(folder)?.unwrap_or_default();
        remove_leftovers(folder, &manifest).at(folder)?;
        let sources = source_list::read(&source_list_path(folder), manifest.source_bytes).at(folder)?;
        let live = sources.iter().filter(|source| !source.is_gone);
        let by_path = live.clone().map(|source| (source.path.clone(), source.id)).collect();
        let mut by_size: HashMap<u64, Vec<u32>> = HashMap::new();
        live.for_each(|source| by_size.entry(source.bytes).or_default().push(source.id));
        Ok(IndexWriter {
            folder: folder.to_path_buf(),
            manifest,
            sources,
            changed: BTreeSet::new(),
            by_path,
            by_size,
            batch: Batch::default(),
            _lock: lock,
        })
    }

    /// What the index knows of a file.
    pub(super) fn known(&self, path: &str) -> Option<SourceState> {
        self.by_path.get(path).and_then(|&id| self.sources.get(id as usize)).cloned()
    }

    /// Whether a file of this size is in the index.
    pub(super) fn has_size(&self, bytes: u64) -> bool {
        self.by_size.contains_key(&bytes)
    }

    /// The file with this content whose games are all in the index.
    pub(super) fn with_content(&self, bytes: u64, sum: u32) -> Option<SourceState> {
        let is_wanted =
            |source: &&SourceState| !source.is_gone && source.is_finished && (source.bytes, source.sum) == (bytes, sum);
        let ids = self.by_size.get(&bytes)?;
        ids.iter().filter_map(|&id| self.sources.get(id as usize)).find(is_wanted).cloned()
    }

    /// A file has another name now.
    pub(super) fn rename(&mut self, mut source: SourceState, path: String) {
        self.by_path.remove(&source.path);
        self.by_path.insert(path.clone(), source.id);
        self.changed.insert(source.id);
        source.path = path;
        let place = source.id as usize;
        if let Some(known) = self.sources.get_mut(place) {
            *known = source;
        }
    }

    /// The games of a file do not count any more.
    pub(super) fn forget(&mut self, id: u32) {
        if let Some(source) = self.sources.get_mut(id as usize) {
            source.is_gone = true;
            self.by_path.remove(&source.path);
            self.changed.insert(id);
            self.manifest.gone.push(id);
        }
    }

    /// Takes a new file up.
    pub(super) fn begin(&mut self, path: &str) -> SourceState {
        let id = self.sources.len() as u32;
        let source = SourceState { id, path: path.to_string(), ..SourceState::default() };
        self.sources.push(source.clone());
        self.by_path.insert(path.to_string(), id);
        self.changed.insert(id);
        source
    }

    /// Adds a game of a file; one without moves is none. Returns whether it was added.
    pub(super) fn add(&mut self, game: &Game, source: u32, number: u64) -> bool {
        let moves: Vec<Move> = game.moves().take(super::posting::INDEXED_PLIES + 1).collect();
        if moves.is_empty() {
            return false;
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        self.batch.add(&GameFacts::of(game), game.start(), &moves, source, number);
        true
    }

    /// Says how far a file has been read, and writes the games if there are many.
    pub(super) fn progress(&mut self, state: SourceState) -> Result<(), IndexError> {
        self.changed.insert(state.id);
        if state.is_finished {
            self.by_size.entry(state.bytes).or_default().push(state.id);
        }
        let place = state.id as usize;
        if let Some(known) = self.sources.get_mut(place) {
            *known = state;
        }
        if self.batch.is_full() { self.write_batch() } else { Ok(()) }
    }

    /// Writes an index without games, if it is new.
    pub fn create(&mut self) -> Result<(), IndexError> {
        self.manifest.write(&self.folder).at(&self.folder)?;
        Ok(())
    }

    /// Writes the games that are still in memory.
    pub fn finish(&mut self) -> Result<(), IndexError> {
        if self.batch.len() > 0 || !self.changed.is_empty() { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<(), IndexError> {
        let mut manifest = self.manifest.clone();
        let batch = std::mem::take(&mut self.batch);
        let games = batch.len() as u32;
        if games > 0 {
            let path = segment_path(&self.folder, manifest.next);
            let (table, mut postings) = batch.into_sorted();
            write_segment(&path, &table, postings.len(), &mut postings).at(&path)?;
            manifest.segments.push(SegmentEntry { number: manifest.next, games });
            manifest.next += 1;
        }
        let changed: Vec<SourceState> =
            self.changed.iter().filter_map(|&id| self.sources.get(id as usize).cloned()).collect();
        let list = source_list_path(&self.folder);
        manifest.source_bytes = source_list::append(&list, manifest.source_bytes, &changed).at(&list)?;
        manifest.write(&self.folder).at(&self.folder)?;
        self.manifest = manifest;
        self.changed.clear();
        self.merge_segments()
    }

    /// Merges the segments of the smallest size as long as there are many of them.
    fn merge_segments(&mut self) -> Result<(), IndexError> {
        while let Some(range) = self.mergeable() {
            let mut manifest = self.manifest.clone();
            let old: Vec<SegmentEntry> = manifest.segments.drain(range.clone()).collect();
            let paths: Vec<PathBuf> = old.iter().map(|entry| segment_path(&self.folder, entry.number)).collect();
            let target = segment_path(&self.folder, manifest.next);
            let gone = manifest.gone.iter().copied().collect();
            let games = merge(&paths, &target, &gone).at(&target)?;
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
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_own = path == lock_path(folder)
            || path == source_list_path(folder)
            || segment_number(&name).is_some()
            || name.ends_with(".chuhe.part");
        if !is_own {
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
