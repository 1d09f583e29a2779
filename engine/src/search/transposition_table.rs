//! The hash table, shared by all threads without locks.
//!
//! Each entry is two atomic words: the data, and the key xored with the data (Hyatt's trick). A reader who
//! meets the halves of two different writes sees a key that does not match and takes the entry for empty, so
//! relaxed loads and stores suffice: there is no state in which a torn entry passes for a whole one, short of a
//! 64-bit coincidence, and against that every move from the table is checked before it is made.
//!
//! Four entries share a cache line. A new result replaces the entry that is worth least by depth and age; so
//! a deep result stays as long as it is of this search, and there is always room for a fresh one.
//!
//! Forgetting takes no time, however large the table is: the top bits of a key, which say no more than its line
//! does, give way to a stamp that changes with every clearing. What bears another stamp counts as empty.

use super::huge_pages::{CacheLine, CacheLines, HUGE_PAGE_BYTES, available_memory_mb, prefetch_line};
use super::info::Bound;
use crate::language::tr;
use crate::types::{Key, Move, Score};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// The hash table could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", tr!("no memory for a hash table of {size} MB", size = _0))]
pub struct HashSizeError(pub usize);

/// What is stored about a position, scores relative to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move; may be none, must be checked before use.
    pub mv: Move,
    /// Mates by distance from this node.
    pub score: Score,
    /// Static evaluation; `score::NONE` if not known.
    pub eval: Score,
    /// Depth of the search behind the score.
    pub depth: i32,
    /// What the score is.
    pub bound: Bound,
    /// The node was, or once was, on a principal variation.
    pub was_pv: bool,
}

const ENTRIES_PER_LINE: usize = 4;
/// So many lines are handed out at a time, as many as fill a huge page.
const POPULATE_CHUNK: usize = HUGE_PAGE_BYTES / size_of::<CacheLine>();
/// With fewer of them for each, a thread is not worth starting.
const CHUNKS_PER_THREAD: usize = 32;
const GENERATIONS: u8 = 32;
const DEPTH_OFFSET: i32 = 8;
/// Where the stamp stands in a key. The smallest table has more lines than there are stamps.
const EPOCH_SHIFT: u32 = 52;
/// Stamps go from 1 to this one and begin again; memory from the system bears none, which is 0.
const LAST_EPOCH: u64 = (1 << (64 - EPOCH_SHIFT)) - 1;

/// Layout of the data word: move 16, score 16, eval 16, depth 8, age 5, was_pv 1, bound 2.
fn pack(entry: &TtEntry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1u64,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.mv.bits())
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | u64::from((entry.depth + DEPTH_OFFSET).clamp(0, 255) as u8) << 48
        | u64::from(age) << 56
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

pub struct TranspositionTable {
    lines: CacheLines,
    generation: AtomicU8,
    /// Of what is not forgotten.
    epoch: AtomicU64,
    megabytes: usize,
    /// Forces collisions, for tests: this many bits of the key are kept.
    #[cfg(test)]
    key_mask: Key,
}

impl TranspositionTable {
    /// A table of about this many megabytes, at least one, that the system has handed out whole: memory handed out on
    /// first use makes that use slow, and a search uses all of a table within its first thousand nodes.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, HashSizeError> {
        let table = TranspositionTable::reserve(megabytes, 0)?;
        table.populate();
        Ok(table)
    }

    /// The same, but the system has only promised the memory. So much of it will be given back by others before
    /// `populate` is called.
    pub(super) fn reserve(megabytes: usize, given_back: usize) -> Result<TranspositionTable, HashSizeError> {
        let megabytes = megabytes.max(1);
        if available_memory_mb().is_some_and(|available| megabytes > available.saturating_add(given_back)) {
            return Err(HashSizeError(megabytes));
        }
        let lines = megabytes.checked_mul(1 << 20).map(|bytes| bytes / size_of::<CacheLine>());
        let lines = lines.and_then(CacheLines::new).ok_or(HashSizeError(megabytes))?;
        let (age, stamp) = (AtomicU8::new(0), AtomicU64::new(1));
        Ok(TranspositionTable {
            lines,
            generation: age,
            epoch: stamp,
            megabytes,
            #[cfg(test)]
            key_mask: Key::MAX,
        })
    }

    /// Has the system hand out all of the memory: the larger it is, the more threads share the work.
    pub(super) fn populate(&self) {
        let pieces = self.lines.len().div_ceil(POPULATE_CHUNK);
        let next = AtomicUsize::new(0);
        let work = || {
            while let piece = next.fetch_add(1, Ordering::Relaxed)
                && piece < pieces
            {
                self.lines.populate(piece * POPULATE_CHUNK..self.lines.len().min((piece + 1) * POPULATE_CHUNK));
            }
        };
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        std::thread::scope(|scope| {
            for _ in 1..processors.min(pieces / CHUNKS_PER_THREAD) {
                // Without a helper it only takes longer.
                let _ = std::thread::Builder::new().name("table".to_string()).spawn_scoped(scope, work);
            }
            work();
        });
    }

    /// A tiny table in which positions collide all the time, for tests.
    #[cfg(test)]
    pub(super) fn with_key_bits(key_bits: u32) -> TranspositionTable {
        let mut table = TranspositionTable::new(1).expect("a megabyte");
        table.key_mask = (1 << key_bits) - 1;
        table
    }

    /// Its size as asked for.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// The key as it is stored.
    #[inline]
    fn key_with_epoch(&self, key: Key) -> Key {
        #[cfg(test)]
        let key = key & self.key_mask;
        let rest = key & !(LAST_EPOCH << EPOCH_SHIFT);
        rest | self.epoch.load(Ordering::Relaxed) << EPOCH_SHIFT
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

    /// Fetches the entry's cache line ahead of its use.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch_line(self.line(key));
    }

    /// What is known about this key.
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

    /// Remembers a result. An entry without a move inherits the move of an older entry for the same position;
    /// a shallow result does not displace a much deeper one of the same position unless it is exact, but leaves
    /// its move there.
    #[inline]
    pub(super) fn store(&self, key: Key, mut entry: TtEntry) {
        let line = self.line(key);
        let key = self.key_with_epoch(key);
        let age = self.generation.load(Ordering::Relaxed);
        let mut worst = 0;
        let mut worst_worth = i32::MAX;
        for slot in 0..ENTRIES_PER_LINE {
            let (check, data) = load_slot(line, slot);
            let found = check ^ data;
            if found == key {
                let old = unpack(data);
                let keep_old = entry.bound != Bound::Exact && generation_of(data) == age && entry.depth + 4 < old.depth;
                if keep_old {
                    if old.mv.is_none() && entry.mv.is_some() {
                        store_slot(line, slot, key, pack(&TtEntry { mv: entry.mv, ..old }, age));
                    }
                    return;
                }
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                worst = slot;
                break;
            }
            let worth = if is_cleared(found, key) {
                i32::MIN
            } else {
                let years = (GENERATIONS + age - generation_of(data)) % GENERATIONS;
                depth_of(data) - 8 * i32::from(years)
            };
            if worth < worst_worth {
                worst_worth = worth;
                worst = slot;
            }
        }
        store_slot(line, worst, key, pack(&entry, age));
    }

    /// A new search begins: what is there grows older.
    pub(super) fn new_search(&self) {
        let age = self.generation.load(Ordering::Relaxed);
        self.generation.store((age + 1) % GENERATIONS, Ordering::Relaxed);
    }

    /// Forgets everything. A small part of the memory is wiped each time, another one for every stamp: when a stamp
    /// comes round again, nothing that bore it is left.
    pub(super) fn clear(&self) {
        let stamp = self.epoch.load(Ordering::Relaxed) % LAST_EPOCH + 1;
        let share = self.lines.len().div_ceil(LAST_EPOCH as usize);
        for line in self.lines.iter().skip((stamp - 1) as usize * share).take(share) {
            for word in &line.0 {
                word.store(0, Ordering::Relaxed);
            }
        }
        self.epoch.store(stamp, Ordering::Relaxed);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// How many of a thousand entries are of this search.
    pub fn hashfull(&self) -> u32 {
        let (age, stamped) = (self.generation.load(Ordering::Relaxed), self.key_with_epoch(0));
        let sample = &self.lines[..self.lines.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|line| (0..ENTRIES_PER_LINE).map(|slot| load_slot(line, slot)))
            .filter(|&(check, data)| !is_cleared(check ^ data, stamped) && generation_of(data) == age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_LINE)) as u32
    }
}

/// Whether an entry with the first key was stored before the last clearing, given any key of today.
#[inline]
fn is_cleared(found: Key, today: Key) -> bool {
    (found ^ today) >> EPOCH_SHIFT != 0
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

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, bound: Bound, mv: u16) -> TtEntry {
        TtEntry { mv: Move::from_bits(mv), score: -123, eval: 77, depth, bound, was_pv: depth % 2 == 0 }
    }

    #[test]
    fn what_is_put_can_be_got() {
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
    fn what_was_forgotten_never_comes_back() {
        for megabytes in [1, 3] {
            let table = TranspositionTable::new(megabytes).unwrap();
            let keys = || (0..1000).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            for game in 0..2 * LAST_EPOCH + 5 {
                // Once all over the table, and then only where it was not looked at for a long time.
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
    fn what_is_forgotten_makes_room_first() {
        let table = TranspositionTable::new(1).unwrap();
        let keys = || 0..ENTRIES_PER_LINE as u64;
        keys().for_each(|key| table.store(key, entry(100, Bound::Exact, 0x5544)));
        table.clear();
        keys().for_each(|key| table.store(key, entry(1, Bound::Lower, 0x5544)));
        assert!(keys().all(|key| table.probe(key).is_some()), "as in a new table");
    }

    #[test]
    fn moves_survive_results_without_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, entry(5, Bound::Lower, 0x5544));
        table.store(7, entry(6, Bound::Upper, 0));
        assert_eq!(table.probe(7).unwrap().mv.bits(), 0x5544, "the low-bound fix");
        table.store(8, entry(20, Bound::Upper, 0));
        table.store(8, entry(3, Bound::Lower, 0x6655));
        let found = table.probe(8).unwrap();
        assert_eq!((found.depth, found.mv.bits()), (20, 0x6655), "the high-bound fix");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_table_is_there_to_the_last_page() {
        for megabytes in [1, 5, 200] {
            let table = TranspositionTable::new(megabytes).unwrap();
            assert!(table.lines.resident().is_none_or(|bytes| bytes == size_of_val(&table.lines[..])));
        }
    }

    #[test]
    fn having_it_handed_out_changes_nothing() {
        let table = TranspositionTable::new(5).unwrap();
        let keys = || (0..20_000).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        keys().for_each(|key| table.store(key, entry(5, Bound::Lower, 0x5544)));
        let known = |key| table.probe(key);
        let before: Vec<_> = keys().map(known).collect();
        table.populate();
        assert!(keys().map(known).eq(before));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(TranspositionTable::new(usize::MAX >> 10).err(), Some(HashSizeError(usize::MAX >> 10)));
    }
}
