//! The transposition table, shared by all threads without locks.
//!
//! Each entry is two atomic words: the data, and the key XORed with the data (Hyatt's lockless hashing). A torn entry,
//! with halves of two different writes, fails the key check except by a 64-bit coincidence, so relaxed loads and stores
//! suffice. Moves from the table are checked before they are made.
//!
//! Four entries share a cache line. A new position replaces the entry with the lowest depth after a penalty for age.
//!
//! Clearing is cheap: the top bits of a stored key, which the index of the line already implies, hold an epoch that
//! changes with every clearing. An entry of another epoch counts as empty.
//!
//! A new transposition table whose memory is populated while searches go on with the old one.

use super::huge_pages::{CacheLine, CacheLines, HUGE_PAGE_BYTES, prefetch_line};
use super::params;
use crate::memory::available_memory_mb;
use crate::score::{Bound, Score};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use xiangqi::zobrist::Key;
use xiangqi::{Move, worded_error, words};

/// There is not enough memory for a transposition table of this many megabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashSizeError(pub usize);

worded_error!(HashSizeError, |error| words!("no memory for a hash table of {megabytes} MB", megabytes = &error.0));

/// What is stored about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move; must be checked before use.
    pub mv: Option<Move>,
    /// Mate scores count from this node, not from the root.
    pub score: Score,
    /// Raw static evaluation; `score::NONE` if unknown.
    pub eval: Score,
    /// Search depth of the score.
    pub depth: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The node is or was a PV node.
    pub was_pv: bool,
}

const ENTRIES_PER_LINE: usize = 4;
/// Lines that a thread populates at a time, one huge page.
const POPULATE_CHUNK: usize = HUGE_PAGE_BYTES / size_of::<CacheLine>();
/// Chunks that justify starting another thread.
const CHUNKS_PER_THREAD: usize = 32;
const GENERATIONS: u8 = 32;
const DEPTH_OFFSET: i32 = 8;
/// Lowest bit of the epoch in a stored key. The smallest table has more lines than there are epochs.
const EPOCH_SHIFT: u32 = 52;
/// Epochs count from 1 to this and wrap around; zeroed memory has epoch 0, so it is empty.
const LAST_EPOCH: u64 = (1 << (64 - EPOCH_SHIFT)) - 1;

/// Bits of the data word, from the lowest: move 16, score 16, eval 16, depth 8, generation 5, was_pv 1, bound 2.
fn pack(entry: &TtEntry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1u64,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.mv.map_or(0, Move::bits))
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | u64::from((entry.depth + DEPTH_OFFSET).clamp(0, 255) as u8) << 48
        | u64::from(generation) << 56
        | u64::from(entry.was_pv) << 61
        | bound << 62
}

fn unpack(data: u64) -> TtEntry {
    TtEntry {
        mv: Move::from_bits(data as u16),
        score: (data >> 16) as i16 as Score,
        eval: (data >> 32) as i16 as Score,
        depth: depth_of(data),
        bound: match data >> 62 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        was_pv: data >> 61 & 1 != 0,
    }
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xFF) as i32 - DEPTH_OFFSET
}

fn generation_of(data: u64) -> u8 {
    (data >> 56) as u8 % GENERATIONS
}

/// The transposition table: what has been found about positions, for all threads of a search.
pub struct TranspositionTable {
    lines: CacheLines,
    generation: AtomicU8,
    /// Epoch of valid entries.
    epoch: AtomicU64,
    megabytes: usize,
    /// Masks keys to force collisions in tests; all ones otherwise.
    #[cfg(test)]
    key_mask: Key,
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranspositionTable").field("megabytes", &self.megabytes).finish_non_exhaustive()
    }
}

impl TranspositionTable {
    /// Allocates a table of this many megabytes (at least 1) and populates its memory, so that the search does not wait
    /// for page faults.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, HashSizeError> {
        let table = TranspositionTable::reserve(megabytes, 0)?;
        table.populate();
        Ok(table)
    }

    /// Allocates a table without populating its memory. `given_back` is the size in megabytes of an old table that is
    /// freed before `populate` is called; it counts as available.
    pub(super) fn reserve(megabytes: usize, given_back: usize) -> Result<TranspositionTable, HashSizeError> {
        let megabytes = megabytes.max(1);
        if available_memory_mb().is_some_and(|available| megabytes > available.saturating_add(given_back)) {
            return Err(HashSizeError(megabytes));
        }
        let lines = megabytes.checked_mul(1 << 20).map(|bytes| bytes / size_of::<CacheLine>());
        let lines = lines.and_then(CacheLines::new).ok_or(HashSizeError(megabytes))?;
        let (generation, epoch) = (AtomicU8::new(0), AtomicU64::new(1));
        Ok(TranspositionTable {
            lines,
            generation,
            epoch,
            megabytes,
            #[cfg(test)]
            key_mask: Key::MAX,
        })
    }

    /// The number of parts that are populated one by one.
    pub(super) fn chunks(&self) -> usize {
        self.lines.len().div_ceil(POPULATE_CHUNK)
    }

    /// Populates the memory with several threads, without changing entries.
    pub(super) fn populate(&self) {
        let chunks = self.chunks();
        let next = AtomicUsize::new(0);
        let work = || {
            while let chunk = next.fetch_add(1, Ordering::Relaxed)
                && chunk < chunks
            {
                self.populate_chunk(chunk);
            }
        };
        let processors = thread::available_parallelism().map_or(1, |count| count.get());
        thread::scope(|scope| {
            for _ in 1..processors.min(chunks / CHUNKS_PER_THREAD) {
                // If no thread starts, this one does all the work.
                let _ = thread::Builder::new().name("table".to_string()).spawn_scoped(scope, work);
            }
            work();
        });
    }

    pub(super) fn populate_chunk(&self, chunk: usize) {
        self.lines.populate(chunk * POPULATE_CHUNK..self.lines.len().min((chunk + 1) * POPULATE_CHUNK));
    }

    /// A table in which most positions collide, for tests.
    #[cfg(test)]
    pub(super) fn with_key_bits(key_bits: u32) -> TranspositionTable {
        let mut table = TranspositionTable::new(1).expect("a megabyte");
        table.key_mask = (1 << key_bits) - 1;
        table
    }

    /// The requested size in megabytes.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// The key as stored: the top bits are replaced by the epoch.
    #[inline]
    fn key_with_epoch(&self, key: Key) -> Key {
        #[cfg(test)]
        let key = key & self.key_mask;
        let low_bits = key & !(LAST_EPOCH << EPOCH_SHIFT);
        low_bits | self.epoch.load(Ordering::Relaxed) << EPOCH_SHIFT
    }

    #[inline]
    fn index(&self, key: Key) -> usize {
        #[cfg(test)]
        let key = key & self.key_mask;
        ((u128::from(key) * self.lines.len() as u128) >> 64) as usize
    }

    #[inline]
    fn line(&self, key: Key) -> &CacheLine {
        &self.lines[self.index(key)]
    }

    /// Prefetches the cache line of this key.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch_line(self.line(key));
    }

    /// Looks up this key.
    #[inline]
    pub(super) fn probe(&self, key: Key) -> Option<TtEntry> {
        let line = self.line(key);
        let key = self.key_with_epoch(key);
        for slot in 0..ENTRIES_PER_LINE {
            let (check, data) = load_slot(line, slot);
            if check ^ data == key {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores a result. For a position that is already stored: a bound does not replace a much deeper entry of the same
    /// search, but adds its move if that entry has none; any other result replaces the entry, and inherits its move if
    /// it has none of its own.
    #[inline]
    pub(super) fn store(&self, key: Key, mut entry: TtEntry) {
        let line = self.line(key);
        let key = self.key_with_epoch(key);
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut lowest_value = i32::MAX;
        for slot in 0..ENTRIES_PER_LINE {
            let (check, data) = load_slot(line, slot);
            let found = check ^ data;
            if found == key {
                let old = unpack(data);
                let keep_old = entry.bound != Bound::Exact
                    && generation_of(data) == generation
                    && entry.depth + params::tt_keep_depth() < old.depth;
                if keep_old {
                    if old.mv.is_none() && entry.mv.is_some() {
                        store_slot(line, slot, key, pack(&TtEntry { mv: entry.mv, ..old }, generation));
                    }
                    return;
                }
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                victim = slot;
                break;
            }
            let value = if is_cleared(found, key) {
                i32::MIN
            } else {
                let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
                depth_of(data) - params::tt_age_weight() * i32::from(age)
            };
            if value < lowest_value {
                lowest_value = value;
                victim = slot;
            }
        }
        store_slot(line, victim, key, pack(&entry, generation));
    }

    /// Starts a new generation: all entries age by one.
    pub(super) fn new_search(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation.store((generation + 1) % GENERATIONS, Ordering::Relaxed);
    }

    /// Clears the table by changing the epoch. Each call also zeroes a different part of the memory, so that no entry
    /// remains from the last use of an epoch when the epoch returns.
    pub(super) fn clear(&self) {
        let epoch = self.epoch.load(Ordering::Relaxed) % LAST_EPOCH + 1;
        let share = self.lines.len().div_ceil(LAST_EPOCH as usize);
        for line in self.lines.iter().skip((epoch - 1) as usize * share).take(share) {
            for word in &line.0 {
                word.store(0, Ordering::Relaxed);
            }
        }
        self.epoch.store(epoch, Ordering::Relaxed);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Entries of the current generation per thousand, sampled.
    pub fn hashfull(&self) -> u32 {
        let (generation, current_key) = (self.generation.load(Ordering::Relaxed), self.key_with_epoch(0));
        let sample = &self.lines[..self.lines.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|line| (0..ENTRIES_PER_LINE).map(|slot| load_slot(line, slot)))
            .filter(|&(check, data)| !is_cleared(check ^ data, current_key) && generation_of(data) == generation)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_LINE)) as u32
    }
}

/// Whether a stored key has another epoch than `current`, a key of the current epoch.
#[inline]
fn is_cleared(found: Key, current: Key) -> bool {
    (found ^ current) >> EPOCH_SHIFT != 0
}

#[inline]
fn load_slot(line: &CacheLine, slot: usize) -> (u64, u64) {
    let word = |index: usize| -> u64 { AtomicU64::load(&line.0[index & 7], Ordering::Relaxed) };
    (word(slot * 2), word(slot * 2 + 1))
}

#[inline]
fn store_slot(line: &CacheLine, slot: usize, key: Key, data: u64) {
    line.0[(slot * 2) & 7].store(key ^ data, Ordering::Relaxed);
    line.0[(slot * 2 + 1) & 7].store(data, Ordering::Relaxed);
}

/// A table whose memory is populated on a thread of its own, which ends early if this is dropped.
pub(super) struct TableInPreparation {
    table: Arc<TranspositionTable>,
    populating: Option<JoinHandle<()>>,
}

impl TableInPreparation {
    pub(super) fn of(table: TranspositionTable) -> TableInPreparation {
        let table = Arc::new(table);
        let (chunks, shared) = (table.chunks(), Arc::downgrade(&table));
        let work = move || {
            for chunk in 0..chunks {
                let Some(table) = shared.upgrade() else { return };
                table.populate_chunk(chunk);
            }
        };
        let populating = thread::Builder::new().name("table".to_string()).spawn(work).ok();
        if populating.is_none() {
            table.populate();
        }
        TableInPreparation { table, populating }
    }

    pub(super) fn is_populated(&self) -> bool {
        self.populating.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the memory.
    pub(super) fn finished(self) -> Arc<TranspositionTable> {
        if let Some(populating) = self.populating {
            // A thread that has failed leaves a table that is populated by its use.
            let _ = populating.join();
        }
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, bound: Bound, mv: u16) -> TtEntry {
        TtEntry { mv: Move::from_bits(mv), score: -123, eval: 77, depth, bound, was_pv: depth % 2 == 0 }
    }

    #[test]
    fn probe_returns_what_was_stored() {
        let table = TranspositionTable::new(1).unwrap();
        for depth in -2..120 {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let written = entry(depth, bound, 0x4433);
                let key = 0x1234_5678_9ABC_DEF0 ^ (depth as u64) << 13 ^ (bound as u64) << 3;
                table.store(key, written);
                assert_eq!(table.probe(key), Some(written));
            }
        }
        assert_eq!(table.probe(42), None);
        table.new_search();
        table.clear();
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0 ^ (5 << 13)), None);
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn clear_removes_every_entry_for_all_epochs() {
        for megabytes in [1, 3] {
            let table = TranspositionTable::new(megabytes).unwrap();
            let keys = || (0..1000).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            for game in 0..2 * LAST_EPOCH + 5 {
                // Store once, then let all epochs pass.
                for key in keys().filter(|_| game % LAST_EPOCH == 3) {
                    table.store(key, entry(5, Bound::Exact, 0x5544));
                    assert!(table.probe(key).is_some());
                }
                table.clear();
                assert!(keys().all(|key| table.probe(key).is_none()), "game {game}");
            }
        }
    }

    #[test]
    fn store_replaces_cleared_entries_first() {
        let table = TranspositionTable::new(1).unwrap();
        let keys = || 0..ENTRIES_PER_LINE as u64;
        keys().for_each(|key| table.store(key, entry(100, Bound::Exact, 0x5544)));
        table.clear();
        keys().for_each(|key| table.store(key, entry(1, Bound::Lower, 0x5544)));
        assert!(keys().all(|key| table.probe(key).is_some()), "as in a new table");
    }

    #[test]
    fn store_keeps_the_move_of_results_without_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, entry(5, Bound::Lower, 0x5544));
        table.store(7, entry(6, Bound::Upper, 0));
        assert_eq!(table.probe(7).unwrap().mv.map(Move::bits), Some(0x5544), "an upper bound keeps the stored move");
        table.store(8, entry(20, Bound::Upper, 0));
        table.store(8, entry(3, Bound::Lower, 0x6655));
        let found = table.probe(8).unwrap();
        assert_eq!((found.depth, found.mv.map(Move::bits)), (20, Some(0x6655)), "a deeper entry takes the move");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn new_populates_every_page() {
        for megabytes in [1, 5, 200] {
            let table = TranspositionTable::new(megabytes).unwrap();
            assert!(table.lines.resident().is_none_or(|bytes| bytes == size_of_val(&table.lines[..])));
        }
    }

    #[test]
    fn populate_changes_no_entry() {
        let table = TranspositionTable::new(5).unwrap();
        let keys = || (0..20_000).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        keys().for_each(|key| table.store(key, entry(5, Bound::Lower, 0x5544)));
        let known = |key| table.probe(key);
        let before: Vec<_> = keys().map(known).collect();
        table.populate();
        assert!(keys().map(known).eq(before));
    }

    #[test]
    fn new_rejects_sizes_beyond_memory() {
        assert_eq!(TranspositionTable::new(usize::MAX >> 10).err(), Some(HashSizeError(usize::MAX >> 10)));
    }
}

#[cfg(test)]
mod table_preparation_tests {
    use crate::search::{Control, Limits, NoReporter, Options, Searcher};
    use std::time::Duration;
    use xiangqi::Position;

    #[test]
    fn searcher_takes_a_new_table_when_it_is_populated() {
        let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
        searcher.resize_hash(200).expect("memory");
        let position = Position::start();
        let on_clock = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        searcher.search(&position, &on_clock, &Control::new(false), &mut NoReporter);
        assert!([1, 200].contains(&searcher.transposition_table().megabytes()));
        // A search that counts nodes is the same on any machine.
        searcher.search(&position, &Limits::nodes(10), &Control::new(false), &mut NoReporter);
        assert_eq!(searcher.transposition_table().megabytes(), 200);
        searcher.resize_hash(5).expect("memory");
        searcher.wait_for_hash();
        assert_eq!(searcher.transposition_table().megabytes(), 5);
        assert!(searcher.resize_hash(usize::MAX >> 10).is_err());
        assert_eq!(searcher.transposition_table().megabytes(), 5);
    }
}
