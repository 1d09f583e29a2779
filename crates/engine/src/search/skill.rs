//! Limited strength and randomness: a node limit, and a random choice among moves close to the best one.

use super::limits::Limits;
use super::options::Options;
use crate::score::{self, MINOR, Score};
use rand::RngExt;

/// Full strength.
pub const FULL_SKILL: f32 = 20.0;
/// Node limit at skill 0.
const MIN_NODES: f64 = 60.0;
/// Skill steps that double the node limit.
const SKILL_PER_DOUBLING: f64 = 1.55;
/// Margin per step below full skill, in search units.
const POINTS_PER_SKILL: f32 = 11.0;
/// PV lines to choose from.
const SKILL_LINES: usize = 6;

/// Limits of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Largest loss of the chosen move, in search units.
    margin: Score,
    /// Node limit.
    nodes: Option<u64>,
}

impl Skill {
    /// Limits from the options `skill` and `randomness`.
    pub fn from_options(options: &Options) -> Skill {
        let missing = (FULL_SKILL - options.skill).clamp(0.0, FULL_SKILL);
        let by_skill = (missing * POINTS_PER_SKILL) as Score;
        let nodes = MIN_NODES * (f64::from(FULL_SKILL - missing) / SKILL_PER_DOUBLING).exp2();
        Skill {
            margin: (options.randomness * MINOR / 100).max(by_skill),
            nodes: (missing > 0.0).then_some(nodes as u64),
        }
    }

    /// True if a move other than the best may be chosen.
    pub fn is_limited(&self) -> bool {
        self.margin > 0
    }

    /// PV lines to search when `wanted` are reported.
    pub fn multi_pv(&self, wanted: usize) -> usize {
        if self.is_limited() { wanted.max(SKILL_LINES) } else { wanted }
    }

    /// Applies the node limit.
    pub fn apply_to(&self, limits: &Limits) -> Limits {
        let nodes = match (self.nodes, limits.nodes) {
            (Some(own), Some(given)) => Some(own.min(given)),
            (own, given) => own.or(given),
        };
        Limits { nodes, ..limits.clone() }
    }

    /// Index of the line to play: the highest score plus a random bonus up to the margin. Lines below the margin are
    /// never chosen, nor mated lines unless the best line is one.
    pub fn pick_line(&self, scores: &[Score], rng: &mut impl RngExt) -> usize {
        let best = scores.first().copied().unwrap_or_default();
        let allowed = |value: Score| {
            best - value <= self.margin && (score::is_mate_or_rule(best) || !score::is_mate_or_rule(value))
        };
        (0..scores.len())
            .filter(|&index| index == 0 || allowed(scores[index]))
            .max_by_key(|&index| scores[index] + rng.random_range(0..=self.margin))
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    #[test]
    fn skill_20_changes_nothing() {
        let skill = Skill::from_options(&Options::default());
        assert!(!skill.is_limited());
        let limits = Limits::depth(3);
        assert_eq!(skill.apply_to(&limits), limits);
        assert_eq!(skill.multi_pv(1), 1);
    }

    #[test]
    fn skill_raises_nodes_and_lowers_the_margin() {
        let at = |skill| Skill::from_options(&Options { skill, ..Options::default() });
        for step in 0..19 {
            let (weaker, stronger) = (at(step as f32), at((step + 1) as f32));
            assert!(weaker.nodes < stronger.nodes && weaker.margin > stronger.margin, "step {step}");
        }
    }

    #[test]
    fn pick_line_varies_within_the_margin() {
        let skill = Skill::from_options(&Options { randomness: 12, ..Options::default() });
        let mut rng = StdRng::seed_from_u64(1);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[skill.pick_line(&[100, 80, 60, 10], &mut rng)] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3], 0);
    }
}
