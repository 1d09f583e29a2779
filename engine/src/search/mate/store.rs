//! What the solver of mates remembers: how long the mates are that it has proven, how long they must at least be, and
//! how hard the open questions look.
//!
//! Two kinds of entries share the lines of the table. A *fact* about a position is true for ever: a mate within so many
//! plies is proven, or ruled out. *Open* numbers belong to one question, a position with a length and a method. None of it
//! depends on the moves that led to the position, so an answer found on one path is an answer on all of them.

use crate::search::memory::{Line, Lines};
use crate::types::Key;
use std::sync::atomic::Ordering;

/// No number of plies: a mate that is not known, or that can never be.
pub(super) const NEVER: u8 = u8::MAX;

/// Which moves of the attacker are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// Only those that give check.
    Checks,
    All,
}

/// What is known for good about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    /// There is a mate within so many plies; `NEVER` if none is known.
    pub proven: u8,
    /// By method: there is no mate within fewer plies than this; 0 if nothing is known.
    pub refuted: [u8; 2],
}

impl Fact {
    const NOTHING: Fact = Fact { proven: NEVER, refuted: [0; 2] };
}

/// How hard it looks to prove a mate, and to refute it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Open {
    pub pn: u32,
    pub dn: u32,
}

/// An entry is a key and its data; so many fill a line.
const ENTRIES: usize = 4;
/// Bits of a number in an open entry.
const NUMBER_BITS: u32 = 23;
/// No number is larger.
pub(super) const LARGEST: u32 = (1 << NUMBER_BITS) - 1;
/// The kind of an entry: the facts and the open questions of a position live in the same line.
const IS_FACT: u64 = 1 << 63;
/// Which question it is that an open entry belongs to.
const QUESTION: u64 = 0x1FF;

/// Layout of a fact: proven 8, refuted 8 + 8; of open numbers: length 8, method 1, pn 23, dn 23; and of both, on top:
/// effort 6, kind 1. A word of 0 is an empty entry.
fn pack_fact(fact: &Fact, effort: u64) -> u64 {
    let [checks, all] = fact.refuted.map(u64::from);
    IS_FACT | effort << 57 | u64::from(fact.proven) | checks << 8 | all << 16
}

fn unpack_fact(data: u64) -> Fact {
    Fact { proven: data as u8, refuted: [(data >> 8) as u8, (data >> 16) as u8] }
}

fn question(length: u8, method: Method) -> u64 {
    u64::from(length) | (method as u64) << 8
}

fn pack_open(length: u8, method: Method, open: Open, effort: u64) -> u64 {
    let (pn, dn) = (u64::from(open.pn.min(LARGEST)), u64::from(open.dn.min(LARGEST)));
    effort << 57 | question(length, method) | pn << 9 | dn << (9 + NUMBER_BITS)
}

fn unpack_open(data: u64) -> Open {
    let number = |shift: u32| (data >> shift) as u32 & LARGEST;
    Open { pn: number(9), dn: number(9 + NUMBER_BITS) }
}

fn effort_of(data: u64) -> u64 {
    data >> 57 & 63
}

/// The table. It is not shared: one thread solves.
pub(super) struct Store {
    lines: Lines,
}

impl Store {
    /// A table of so many bytes, or of fewer if the system has not that much. Its memory costs nothing before it
    /// is used.
    pub fn new(mut bytes: usize) -> Store {
        loop {
            match Lines::new(bytes / size_of::<Line>()) {
                Some(lines) => return Store { lines },
                None => bytes /= 2,
            }
        }
    }

    fn line(&self, key: Key) -> &Line {
        // The high bits choose the line: all 64 are compared.
        &self.lines[((u128::from(key) * self.lines.len() as u128) >> 64) as usize]
    }

    /// What is known for good, and how the open question looks if it was asked before.
    pub fn ask(&self, key: Key, length: u8, method: Method) -> (Fact, Option<Open>) {
        let (mut fact, mut open) = (Fact::NOTHING, None);
        for pair in self.line(key).0.chunks_exact(2) {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) != key || data == 0 {
                continue;
            }
            if data & IS_FACT != 0 {
                fact = unpack_fact(data);
            } else if data & QUESTION == question(length, method) {
                open = Some(unpack_open(data));
            }
        }
        (fact, open)
    }

    /// There is a mate within so many plies.
    pub fn prove(&self, key: Key, plies: u8, nodes: u64) {
        self.learn(key, nodes, |fact| fact.proven = fact.proven.min(plies));
    }

    /// By this method there is no mate within fewer plies. What all moves cannot do checks cannot do either.
    pub fn refute(&self, key: Key, method: Method, plies: u8, nodes: u64) {
        self.learn(key, nodes, |fact| {
            for known in &mut fact.refuted[..=method as usize] {
                *known = plies.max(*known);
            }
        });
    }

    fn learn(&self, key: Key, nodes: u64, change: impl FnOnce(&mut Fact)) {
        let (mut fact, _) = self.ask(key, 0, Method::All);
        change(&mut fact);
        self.put(key, pack_fact(&fact, effort(nodes)), |data| data & IS_FACT != 0);
    }

    /// The question is open, and looks like this.
    pub fn leave_open(&self, key: Key, length: u8, method: Method, open: Open, nodes: u64) {
        let asked = question(length, method);
        let data = pack_open(length, method, open, effort(nodes));
        self.put(key, data, |other| other & IS_FACT == 0 && other & QUESTION == asked);
    }

    /// Writes over the entry of the same kind, or over that which cost least.
    fn put(&self, key: Key, data: u64, is_same: impl Fn(u64) -> bool) {
        let line = &self.line(key).0;
        let mut place = 0;
        let mut least = u64::MAX;
        for entry in 0..ENTRIES {
            let (other, there) =
                (line[2 * entry].load(Ordering::Relaxed), line[2 * entry + 1].load(Ordering::Relaxed));
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
        let store = Store::new(1 << 20);
        let key = 0x0123_4567_89AB_CDEF;
        assert_eq!(store.ask(key, 5, Method::All), (Fact::NOTHING, None));
        store.refute(key, Method::Checks, 6, 1);
        store.refute(key, Method::All, 4, 1);
        store.refute(key, Method::All, 3, 1);
        assert_eq!(store.ask(key, 5, Method::All).0, Fact { proven: NEVER, refuted: [6, 4] });
        store.prove(key, 11, 1);
        store.prove(key, 13, 1);
        store.refute(key, Method::All, 9, 1);
        assert_eq!(store.ask(key, 5, Method::All).0, Fact { proven: 11, refuted: [9, 9] });

        store.leave_open(key, 5, Method::All, Open { pn: 7, dn: u32::MAX }, 1000);
        store.leave_open(key, 5, Method::Checks, Open { pn: 1, dn: 2 }, 1000);
        store.leave_open(key, 5, Method::All, Open { pn: 8, dn: LARGEST + 1 }, 1000);
        assert_eq!(store.ask(key, 5, Method::All).1, Some(Open { pn: 8, dn: LARGEST }));
        assert_eq!(store.ask(key, 5, Method::Checks).1, Some(Open { pn: 1, dn: 2 }));
        assert_eq!(store.ask(key, 7, Method::All).1, None);
        assert_eq!(store.ask(key ^ 1, 5, Method::All), (Fact::NOTHING, None));
    }

    #[test]
    fn what_cost_least_gives_way() {
        let store = Store::new(size_of::<Line>());
        assert_eq!(store.lines.len(), 1, "no more memory than was allowed");
        for key in 1..=5 {
            store.leave_open(key, 3, Method::All, Open { pn: 1, dn: 1 }, 1 << key);
        }
        let known = |key| store.ask(key, 3, Method::All).1.is_some();
        assert_eq!((1..=5).filter(|&key| known(key)).collect::<Vec<Key>>(), [2, 3, 4, 5]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_taken_when_it_is_used() {
        let store = Store::new(64 << 20);
        assert!(store.lines.resident().is_none_or(|bytes| bytes == 0));
        store.prove(1, 1, 1);
        assert!(store.lines.resident().is_none_or(|bytes| (1..=2 << 20).contains(&bytes)));
    }
}
