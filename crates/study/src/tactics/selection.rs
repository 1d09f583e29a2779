//! Which of many tactics are taken: those of some themes, those that are hardest, so many of them.

use super::tactic::Tactic;
use crate::motifs::Motif;
use chuhe_support::language::tr;
use chuhe_support::small_sort::SmallSort;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use thiserror::Error;

/// A theme that there is not.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("there is no theme '{name}': {themes}", name = _0, themes = all_themes()))]
pub struct UnknownTheme(pub String);

fn all_themes() -> String {
    Motif::all().map(Motif::name).collect::<Vec<_>>().join(", ")
}

/// The theme of this name, as programs or as players call it.
pub fn theme(name: &str) -> Result<Motif, UnknownTheme> {
    let wanted = name.trim().to_lowercase();
    let is_it = |motif: &Motif| motif.name() == wanted || motif.phrase().to_string().to_lowercase() == wanted;
    // A name is quoted as far as a line has room for it.
    Motif::all()
        .find(is_it)
        .ok_or_else(|| UnknownTheme(name.chars().filter(|sign| !sign.is_control()).take(40).collect()))
}

/// Which tactics are taken.
#[derive(Clone, Debug)]
pub struct TacticSelection {
    /// Those with one of these; all if there is none.
    pub themes: Vec<Motif>,
    pub difficulty: RangeInclusive<u16>,
    /// The hardest ones, the hardest first; otherwise they are drawn at random and keep their order.
    pub hardest: bool,
    /// So many; all if there is no number.
    pub count: Option<usize>,
    pub seed: u64,
}

impl Default for TacticSelection {
    fn default() -> TacticSelection {
        TacticSelection { themes: Vec::new(), difficulty: 0..=u16::MAX, hardest: false, count: None, seed: 1 }
    }
}

impl TacticSelection {
    /// Those of the tactics.
    pub fn of(&self, mut tactics: Vec<Tactic>) -> Vec<Tactic> {
        let has_theme = |tactic: &Tactic| tactic.themes.iter().any(|theme| self.themes.contains(theme));
        tactics.retain(|tactic| self.themes.is_empty() || has_theme(tactic));
        tactics.retain(|tactic| self.difficulty.contains(&tactic.difficulty));
        if self.hardest {
            tactics.order_by_key(|tactic| Reverse(tactic.difficulty));
            tactics.truncate(self.count.unwrap_or(usize::MAX));
            return tactics;
        }
        let Some(count) = self.count.filter(|&count| count < tactics.len()) else { return tactics };
        let mut places: Vec<usize> = (0..tactics.len()).collect();
        places.shuffle(&mut StdRng::seed_from_u64(self.seed));
        places.truncate(count);
        places.order();
        let mut place = 0;
        tactics.retain(|_| {
            place += 1;
            places.binary_search(&(place - 1)).is_ok()
        });
        tactics
    }
}
