//! Table of the mate solver: bounds on mate lengths, and proof numbers of open nodes.
//!
//! Two kinds of entries share the cache lines. Bounds of a position are final: a mate within a number of plies is
//! proven, or ruled out. Proof numbers belong to a position with a length and a set of moves. Neither depends on the
//! path to the position.

use crate::search::huge_pages::{CacheLine, CacheLines};
use std::sync::atomic::Ordering;
use xiangqi::zobrist::Key;

/// In place of a number of plies: no mate known, or no mate at all.
pub(super) const NO_MATE: u8 = u8::MAX;

/// Moves that the attacker may try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackerMoves {
    /// Only those that give check.
    ChecksOnly,
    /// All legal moves.
    All,
}

/// Proven bounds on the length of the mate in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MateBounds {
    /// There is a mate within this many plies; `NO_MATE` if none is known.
    pub proven: u8,
    /// By [`AttackerMoves`]: there is no mate within fewer plies than this; 0 if unknown.
    pub refuted: [u8; 2],
}

impl MateBounds {
    const UNKNOWN: MateBounds = MateBounds { proven: NO_MATE, refuted: [0; 2] };
}

/// Proof and disproof number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    pub pn: u32,
    pub dn: u32,
}

/// Entries per cache line; each is a key and a data word.
const ENTRIES_PER_LINE: usize = 4;
/// Bits of a proof number.
const NUMBER_BITS: u32 = 23;
/// Maximum proof number, infinity.
pub(super) const MAX_PROOF_NUMBER: u32 = (1 << NUMBER_BITS) - 1;
/// Set in entries that hold bounds.
const BOUNDS_BIT: u64 = 1 << 63;
/// Bits of length and method in an entry that holds proof numbers.
const QUERY_MASK: u64 = 0x1FF;

/// Bits of the data word from the lowest. Bounds: proven 8, refuted 8 + 8. Proof numbers: length 8, method 1, pn 23, dn
/// 23. Both, at the top: effort 6, kind 1. A word of 0 is an empty entry.
fn pack_bounds(bounds: &MateBounds, effort: u64) -> u64 {
    let [checks, all] = bounds.refuted.map(u64::from);
    BOUNDS_BIT | effort << 57 | u64::from(bounds.proven) | checks << 8 | all << 16
}

fn unpack_bounds(data: u64) -> MateBounds {
    MateBounds { proven: data as u8, refuted: [(data >> 8) as u8, (data >> 16) as u8] }
}

fn query_tag(length: u8, method: AttackerMoves) -> u64 {
    u64::from(length) | (method as u64) << 8
}

fn pack_numbers(length: u8, method: AttackerMoves, numbers: ProofNumbers, effort: u64) -> u64 {
    let (pn, dn) = (u64::from(numbers.pn.min(MAX_PROOF_NUMBER)), u64::from(numbers.dn.min(MAX_PROOF_NUMBER)));
    effort << 57 | query_tag(length, method) | pn << 9 | dn << (9 + NUMBER_BITS)
}

fn unpack_numbers(data: u64) -> ProofNumbers {
    let number = |shift: u32| (data >> shift) as u32 & MAX_PROOF_NUMBER;
    ProofNumbers { pn: number(9), dn: number(9 + NUMBER_BITS) }
}

fn effort_of(data: u64) -> u64 {
    data >> 57 & 63
}

/// The table. Only one thread uses it.
pub(super) struct ProofTable {
    lines: CacheLines,
}

impl ProofTable {
    /// Allocates a table of this many bytes, or of fewer if there is not enough memory. Pages are mapped on first use.
    pub fn new(mut bytes: usize) -> ProofTable {
        loop {
            match CacheLines::new(bytes / size_of::<CacheLine>()) {
                Some(lines) => return ProofTable { lines },
                None => bytes /= 2,
            }
        }
    }

    fn line(&self, key: Key) -> &CacheLine {
        // The high bits select the line; all 64 bits are compared.
        &self.lines[((u128::from(key) * self.lines.len() as u128) >> 64) as usize]
    }

    /// Looks up the bounds of a position and the proof numbers of a node.
    pub fn probe(&self, key: Key, length: u8, method: AttackerMoves) -> (MateBounds, Option<ProofNumbers>) {
        let (mut bounds, mut numbers) = (MateBounds::UNKNOWN, None);
        for pair in self.line(key).0.chunks_exact(2) {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) != key || data == 0 {
                continue;
            }
            if data & BOUNDS_BIT != 0 {
                bounds = unpack_bounds(data);
            } else if data & QUERY_MASK == query_tag(length, method) {
                numbers = Some(unpack_numbers(data));
            }
        }
        (bounds, numbers)
    }

    /// Stores a mate within this many plies.
    pub fn store_proof(&self, key: Key, plies: u8, nodes: u64) {
        self.update_bounds(key, nodes, |bounds| bounds.proven = bounds.proven.min(plies));
    }

    /// Stores that there is no mate within fewer plies. A disproof by all moves holds for checks too.
    pub fn store_disproof(&self, key: Key, method: AttackerMoves, plies: u8, nodes: u64) {
        self.update_bounds(key, nodes, |bounds| {
            for known in &mut bounds.refuted[..=method as usize] {
                *known = plies.max(*known);
            }
        });
    }

    fn update_bounds(&self, key: Key, nodes: u64, change: impl FnOnce(&mut MateBounds)) {
        let (mut bounds, _) = self.probe(key, 0, AttackerMoves::All);
        change(&mut bounds);
        self.store_word(key, pack_bounds(&bounds, effort(nodes)), |data| data & BOUNDS_BIT != 0);
    }

    /// Stores the proof numbers of an open node.
    pub fn store_numbers(&self, key: Key, length: u8, method: AttackerMoves, numbers: ProofNumbers, nodes: u64) {
        let tag = query_tag(length, method);
        let data = pack_numbers(length, method, numbers, effort(nodes));
        self.store_word(key, data, |other| other & BOUNDS_BIT == 0 && other & QUERY_MASK == tag);
    }

    /// Replaces the entry of the same kind, else the entry with the least effort.
    fn store_word(&self, key: Key, data: u64, is_same: impl Fn(u64) -> bool) {
        let line = &self.line(key).0;
        let mut slot = 0;
        let mut least = u64::MAX;
        for entry in 0..ENTRIES_PER_LINE {
            let (other, current) =
                (line[2 * entry].load(Ordering::Relaxed), line[2 * entry + 1].load(Ordering::Relaxed));
            if other == key && current != 0 && is_same(current) {
                slot = entry;
                break;
            }
            let value = if current == 0 { 0 } else { 1 + effort_of(current) };
            if value < least {
                (slot, least) = (entry, value);
            }
        }
        line[2 * slot].store(key, Ordering::Relaxed);
        line[2 * slot + 1].store(data, Ordering::Relaxed);
    }
}

/// log2 of the nodes, in 6 bits.
fn effort(nodes: u64) -> u64 {
    u64::from(nodes.max(1).ilog2()).min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proof_table_merges_bounds_and_separates_proof_numbers() {
        let table = ProofTable::new(1 << 20);
        let key = 0x0123_4567_89AB_CDEF;
        assert_eq!(table.probe(key, 5, AttackerMoves::All), (MateBounds::UNKNOWN, None));
        table.store_disproof(key, AttackerMoves::ChecksOnly, 6, 1);
        table.store_disproof(key, AttackerMoves::All, 4, 1);
        table.store_disproof(key, AttackerMoves::All, 3, 1);
        assert_eq!(table.probe(key, 5, AttackerMoves::All).0, MateBounds { proven: NO_MATE, refuted: [6, 4] });
        table.store_proof(key, 11, 1);
        table.store_proof(key, 13, 1);
        table.store_disproof(key, AttackerMoves::All, 9, 1);
        assert_eq!(table.probe(key, 5, AttackerMoves::All).0, MateBounds { proven: 11, refuted: [9, 9] });

        table.store_numbers(key, 5, AttackerMoves::All, ProofNumbers { pn: 7, dn: u32::MAX }, 1000);
        table.store_numbers(key, 5, AttackerMoves::ChecksOnly, ProofNumbers { pn: 1, dn: 2 }, 1000);
        table.store_numbers(key, 5, AttackerMoves::All, ProofNumbers { pn: 8, dn: MAX_PROOF_NUMBER + 1 }, 1000);
        assert_eq!(table.probe(key, 5, AttackerMoves::All).1, Some(ProofNumbers { pn: 8, dn: MAX_PROOF_NUMBER }));
        assert_eq!(table.probe(key, 5, AttackerMoves::ChecksOnly).1, Some(ProofNumbers { pn: 1, dn: 2 }));
        assert_eq!(table.probe(key, 7, AttackerMoves::All).1, None);
        assert_eq!(table.probe(key ^ 1, 5, AttackerMoves::All), (MateBounds::UNKNOWN, None));
    }

    #[test]
    fn proof_table_replaces_the_entry_with_the_least_effort() {
        let table = ProofTable::new(size_of::<CacheLine>());
        assert_eq!(table.lines.len(), 1, "no more memory than was allowed");
        for key in 1..=5 {
            table.store_numbers(key, 3, AttackerMoves::All, ProofNumbers { pn: 1, dn: 1 }, 1 << key);
        }
        let known = |key| table.probe(key, 3, AttackerMoves::All).1.is_some();
        assert_eq!((1..=5).filter(|&key| known(key)).collect::<Vec<Key>>(), [2, 3, 4, 5]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn proof_table_maps_memory_on_first_use() {
        let table = ProofTable::new(64 << 20);
        assert!(table.lines.resident().is_none_or(|bytes| bytes == 0));
        table.store_proof(1, 1, 1);
        assert!(table.lines.resident().is_none_or(|bytes| (1..=2 << 20).contains(&bytes)));
    }
}
