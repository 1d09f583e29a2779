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
    // The limit of a theme is a share of `wanted`: it is lowered until that many can be chosen.
    let mut wanted = count.min(tactics.len());
    loop {
        let chosen = within(&tactics, wanted);
        if chosen.len() >= wanted || wanted == 0 {
            return chosen;
        }
        wanted = chosen.len().max(wanted - wanted.div_ceil(50));
    }
}

/// The first tactics that are no twins and of whose themes there are not too many.
fn within(tactics: &[Tactic], wanted: usize) -> Vec<Tactic> {
    let (mut twins, mut counts, mut chosen) = (Twins::default(), HashMap::<Motif, usize>::new(), Vec::new());
    let limit = wanted / LEAST_SHARE;
    for tactic in tactics {
        let is_full = |theme: &Motif| counts.get(theme).is_some_and(|&count| count >= limit);
        if chosen.len() == wanted || tactic.themes.iter().any(is_full) {
            continue;
        }
        if twins.add(tactic) {
            tactic.themes.iter().for_each(|theme| *counts.entry(*theme).or_default() += 1);
            chosen.push(tactic.clone());
        }
    }
    chosen
}

/// How many tactics have each theme.
pub fn counts(tactics: &[Tactic]) -> HashMap<Motif, usize> {
    let mut counts = HashMap::new();
    for theme in tactics.iter().flat_map(|tactic| &tactic.themes) {
        *counts.entry(*theme).or_default() += 1;
    }
    counts
}
