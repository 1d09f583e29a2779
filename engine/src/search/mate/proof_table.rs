//! What the solver of mates remembers: how long the mates are that it has proven, how long they must at least be, and
//! how hard the open questions look.
//!
//! Two kinds of entries share the lines of the table. A *fact* about a position is true for ever: a mate within so many
//! plies is proven, or ruled out. *Open* numbers belong to one question, a position with a length and a method. None of it
//! depends on the moves that led to the position, so an answer found on one path is an answer on all of them.

use crate::search::huge_pages::{CacheLine, CacheLines};
use crate::types::Key;
use std::sync::atomic::Ordering;

/// No number of plies: a mate that is not known, or that can never be.
pub(super) const NO_MATE: u8 = u8::MAX;

/// Which moves of the attacker are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttackerMoves {
    /// Only those that give check.
    ChecksOnly,
    All,
}

/// What is known for good about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MateBounds {
    /// There is a mate within so many plies; `NO_MATE` if none is known.
    pub proven: u8,
    /// By method: there is no mate within fewer plies than this; 0 if nothing is known.
    pub refuted: [u8; 2],
}

impl MateBounds {
    const UNKNOWN: MateBounds = MateBounds { proven: NO_MATE, refuted: [0; 2] };
}

/// How hard it looks to prove a mate, and to refute it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    pub pn: u32,
    pub dn: u32,
}

/// An entry is a key and its data; so many fill a line.
const ENTRIES_PER_LINE: usize = 4;
/// Bits of a number in an open entry.
const NUMBER_BITS: u32 = 23;
/// No number is larger.
pub(super) const MAX_PROOF_NUMBER: u32 = (1 << NUMBER_BITS) - 1;
/// The kind of an entry: the facts and the open questions of a position live in the same line.
const BOUNDS_BIT: u64 = 1 << 63;
/// Which question it is that an open entry belongs to.
const QUERY_MASK: u64 = 0x1FF;

/// Layout of a fact: proven 8, refuted 8 + 8; of open numbers: length 8, method 1, pn 23, dn 23; and of both, on top:
/// effort 6, kind 1. A word of 0 is an empty entry.
fn pack_bounds(fact: &MateBounds, effort: u64) -> u64 {
    let [checks, all] = fact.refuted.map(u64::from);
    BOUNDS_BIT | effort << 57 | u64::from(fact.proven) | checks << 8 | all << 16
}

fn unpack_bounds(data: u64) -> MateBounds {
    MateBounds { proven: data as u8, refuted: [(data >> 8) as u8, (data >> 16) as u8] }
}

fn query_tag(length: u8, method: AttackerMoves) -> u64 {
    u64::from(length) | (method as u64) << 8
}

fn pack_numbers(length: u8, method: AttackerMoves, open: ProofNumbers, effort: u64) -> u64 {
    let (pn, dn) = (u64::from(open.pn.min(MAX_PROOF_NUMBER)), u64::from(open.dn.min(MAX_PROOF_NUMBER)));
    effort << 57 | query_tag(length, method) | pn << 9 | dn << (9 + NUMBER_BITS)
}

fn unpack_numbers(data: u64) -> ProofNumbers {
    let number = |shift: u32| (data >> shift) as u32 & MAX_PROOF_NUMBER;
    ProofNumbers { pn: number(9), dn: number(9 + NUMBER_BITS) }
}

fn effort_of(data: u64) -> u64 {
    data >> 57 & 63
}

/// The table. It is not shared: one thread solves.
pub(super) struct ProofTable {
    lines: CacheLines,
}

impl ProofTable {
    /// A table of so many bytes, or of fewer if the system has not that much. Its memory costs nothing before it
    /// is used.
    pub fn new(mut bytes: usize) -> ProofTable {
        loop {
            match CacheLines::new(bytes / size_of::<CacheLine>()) {
                Some(lines) => return ProofTable { lines },
                None => bytes /= 2,
            }
        }
    }

    fn line(&self, key: Key) -> &CacheLine {
        // The high bits choose the line: all 64 are compared.
        &self.lines[((u128::from(key) * self.lines.len() as u128) >> 64) as usize]
    }

    /// What is known for good, and how the open question looks if it was asked before.
    pub fn probe(&self, key: Key, length: u8, method: AttackerMoves) -> (MateBounds, Option<ProofNumbers>) {
        let (mut fact, mut open) = (MateBounds::UNKNOWN, None);
        for pair in self.line(key).0.chunks_exact(2) {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) != key || data == 0 {
                continue;
            }
            if data & BOUNDS_BIT != 0 {
                fact = unpack_bounds(data);
            } else if data & QUERY_MASK == query_tag(length, method) {
                open = Some(unpack_numbers(data));
            }
        }
        (fact, open)
    }

    /// There is a mate within so many plies.
    pub fn store_proof(&self, key: Key, plies: u8, nodes: u64) {
        self.update_bounds(key, nodes, |fact| fact.proven = fact.proven.min(plies));
    }

    /// By this method there is no mate within fewer plies. What all moves cannot do checks cannot do either.
    pub fn store_disproof(&self, key: Key, method: AttackerMoves, plies: u8, nodes: u64) {
        self.update_bounds(key, nodes, |fact| {
            for known in &mut fact.refuted[..=method as usize] {
                *known = plies.max(*known);
            }
        });
    }

    fn update_bounds(&self, key: Key, nodes: u64, change: impl FnOnce(&mut MateBounds)) {
        let (mut fact, _) = self.probe(key, 0, AttackerMoves::All);
        change(&mut fact);
        self.store_word(key, pack_bounds(&fact, effort(nodes)), |data| data & BOUNDS_BIT != 0);
    }

    /// The question is open, and looks like this.
    pub fn store_numbers(&self, key: Key, length: u8, method: AttackerMoves, open: ProofNumbers, nodes: u64) {
        let asked = query_tag(length, method);
        let data = pack_numbers(length, method, open, effort(nodes));
        self.store_word(key, data, |other| other & BOUNDS_BIT == 0 && other & QUERY_MASK == asked);
    }

    /// Writes over the entry of the same kind, or over that which cost least.
    fn store_word(&self, key: Key, data: u64, is_same: impl Fn(u64) -> bool) {
        let line = &self.line(key).0;
        let mut place = 0;
        let mut least = u64::MAX;
        for entry in 0..ENTRIES_PER_LINE {
            let (other, there) = (line[2 * entry].load(Ordering::Relaxed), line[2 * entry + 1].load(Ordering::Relaxed));
            if other == key && there != 0 && is_same(there) {
                place = entry;
                break;
            }
            let worth = if there == 0 { 0 } else { 1 + effort_of(there) };
            if worth < least {
                (place, least) = (entry, worth);
            }
        }
        line[2 * place].store(key, Ordering::Relaxed);
        line[2 * place + 1].store(data, Ordering::Relaxed);
    }
}

/// A measure of work that fits 6 bits.
fn effort(nodes: u64) -> u64 {
    u64::from(nodes.max(1).ilog2()).min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_grow_and_questions_are_kept_apart() {
        let store = ProofTable::new(1 << 20);
        let key = 0x0123_4567_89AB_CDEF;
        assert_eq!(store.probe(key, 5, AttackerMoves::All), (MateBounds::UNKNOWN, None));
        store.store_disproof(key, AttackerMoves::ChecksOnly, 6, 1);
        store.store_disproof(key, AttackerMoves::All, 4, 1);
        store.store_disproof(key, AttackerMoves::All, 3, 1);
        assert_eq!(store.probe(key, 5, AttackerMoves::All).0, MateBounds { proven: NO_MATE, refuted: [6, 4] });
        store.store_proof(key, 11, 1);
        store.store_proof(key, 13, 1);
        store.store_disproof(key, AttackerMoves::All, 9, 1);
        assert_eq!(store.probe(key, 5, AttackerMoves::All).0, MateBounds { proven: 11, refuted: [9, 9] });

        store.store_numbers(key, 5, AttackerMoves::All, ProofNumbers { pn: 7, dn: u32::MAX }, 1000);
        store.store_numbers(key, 5, AttackerMoves::ChecksOnly, ProofNumbers { pn: 1, dn: 2 }, 1000);
        store.store_numbers(key, 5, AttackerMoves::All, ProofNumbers { pn: 8, dn: MAX_PROOF_NUMBER + 1 }, 1000);
        assert_eq!(store.probe(key, 5, AttackerMoves::All).1, Some(ProofNumbers { pn: 8, dn: MAX_PROOF_NUMBER }));
        assert_eq!(store.probe(key, 5, AttackerMoves::ChecksOnly).1, Some(ProofNumbers { pn: 1, dn: 2 }));
        assert_eq!(store.probe(key, 7, AttackerMoves::All).1, None);
        assert_eq!(store.probe(key ^ 1, 5, AttackerMoves::All), (MateBounds::UNKNOWN, None));
    }

    #[test]
    fn what_cost_least_gives_way() {
        let store = ProofTable::new(size_of::<CacheLine>());
        assert_eq!(store.lines.len(), 1, "no more memory than was allowed");
        for key in 1..=5 {
            store.store_numbers(key, 3, AttackerMoves::All, ProofNumbers { pn: 1, dn: 1 }, 1 << key);
        }
        let known = |key| store.probe(key, 3, AttackerMoves::All).1.is_some();
        assert_eq!((1..=5).filter(|&key| known(key)).collect::<Vec<Key>>(), [2, 3, 4, 5]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_taken_when_it_is_used() {
        let store = ProofTable::new(64 << 20);
        assert!(store.lines.resident().is_none_or(|bytes| bytes == 0));
        store.store_proof(1, 1, 1);
        assert!(store.lines.resident().is_none_or(|bytes| (1..=2 << 20).contains(&bytes)));
    }
}
