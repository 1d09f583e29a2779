//! Numbers of games or cards in a request: each once, and not more than there can be of them.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

/// The library and the deck have room for no more.
const MAX_IDS: usize = 50_000;

/// Different numbers in the order in which they came first.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Ids<T>(pub Vec<T>);

impl<T> Default for Ids<T> {
    fn default() -> Ids<T> {
        Ids(Vec::new())
    }
}

impl<'de, T: Deserialize<'de> + Copy + Eq + Hash> Deserialize<'de> for Ids<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Ids<T>, D::Error> {
        from.deserialize_seq(IdVisitor(PhantomData))
    }
}

struct IdVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Copy + Eq + Hash> Visitor<'de> for IdVisitor<T> {
    type Value = Ids<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Ids<T>, A::Error> {
        let (mut ids, mut known) = (Vec::new(), HashSet::new());
        while let Some(id) = from.next_element()? {
            if known.insert(id) {
                ids.push(id);
            }
            if ids.len() > MAX_IDS {
                return Err(A::Error::custom("too many numbers"));
            }
        }
        Ok(Ids(ids))
    }
}
