//! Chooses tactics of many: no twins, no theme more than a fifth, long solutions and rare themes before others.

use super::tactic::Tactic;
use super::twins::Twins;
use crate::motifs::{Motif, motifs};
use chuhe_support::small_sort::SmallSort;
use std::collections::HashMap;

/// A theme is at most one in so many.
const LEAST_SHARE: usize = 5;

/// Chooses up to so many tactics. Their themes are found anew.
pub fn choose(tactics: Vec<Tactic>, count: usize) -> Vec<Tactic> {
    let themed = |tactic: Tactic| {
        let start = tactic.is_sound().then(|| tactic.position()).flatten()?;
        Some(Tactic { themes: motifs(&start, &tactic.moves), ..tactic })
    };
    let mut tactics: Vec<Tactic> = tactics.into_iter().filter_map(themed).collect();
    // Those with rare themes come first.
    let shares = counts(&tactics);
    let rarest = |tactic: &Tactic| tactic.themes.iter().map(|theme| shares[theme]).min().unwrap_or(usize::MAX);
    tactics.order_by_key(|tactic| (tactic.moves.len() < 2, rarest(tactic), tactic.difficulty));
    let mut twins = Twins::default();
    tactics.retain(|tactic| twins.add(tactic));
    // The limit of a theme is a share of what is wanted. Halving finds the most that can be chosen within theirs.
    let (mut chosen, mut too_many) = (Vec::new(), count.min(tactics.len()) + 1);
    let mut wanted = too_many - 1;
    while wanted > chosen.len() {
        let found = within(&tactics, wanted);
        if found.len() == wanted {
            chosen = found
        } else {
            too_many = wanted
        }
        wanted = chosen.len().midpoint(too_many);
    }
    let mut places = chosen.into_iter().peekable();
    let mut index = 0..;
    tactics.retain(|_| places.next_if_eq(&index.next().unwrap_or_default()).is_some());
    tactics
}

/// The places of the first tactics of whose themes there are not too many.
fn within(tactics: &[Tactic], wanted: usize) -> Vec<usize> {
    let limit = (wanted / LEAST_SHARE).max(1);
    let mut counts = HashMap::<Motif, usize>::new();
    let mut fits = |tactic: &Tactic| {
        let is_full = |theme: &Motif| counts.get(theme).is_some_and(|&count| count >= limit);
        let fits = !tactic.themes.iter().any(is_full);
        if fits {
            tactic.themes.iter().for_each(|theme| *counts.entry(*theme).or_default() += 1);
        }
        fits
    };
    (0..tactics.len()).filter(|&index| fits(&tactics[index])).take(wanted).collect()
}

/// How many tactics have each theme.
pub fn counts(tactics: &[Tactic]) -> HashMap<Motif, usize> {
    let mut counts = HashMap::new();
    for theme in tactics.iter().flat_map(|tactic| &tactic.themes) {
        *counts.entry(*theme).or_default() += 1;
    }
    counts
}
