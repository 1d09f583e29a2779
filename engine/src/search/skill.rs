//! Playing below strength, and playing varied games: a tighter budget, and a choice among moves that are nearly
//! as good as the best.

use super::limits::Limits;
use super::options::Options;
use crate::types::score::{self, MINOR, Score};
use rand::RngExt;

/// The strength that is no handicap.
pub const FULL_SKILL: f32 = 20.0;
/// Nodes that the weakest player looks at.
const MIN_NODES: f64 = 60.0;
/// Skill that doubles the nodes.
const SKILL_PER_DOUBLING: f64 = 1.55;
/// What each step below full skill may cost, in the grain of the search.
const POINTS_PER_SKILL: f32 = 11.0;
/// Lines to choose from.
const SKILL_LINES: usize = 6;

/// What the options take from the engine's strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The most that the chosen move may cost, in the grain of the search.
    margin: Score,
    /// A budget of nodes.
    nodes: Option<u64>,
}

impl Skill {
    /// The handicap that these options ask for.
    pub fn from_options(options: &Options) -> Skill {
        let missing = (FULL_SKILL - options.skill).clamp(0.0, FULL_SKILL);
        let by_skill = (missing * POINTS_PER_SKILL) as Score;
        let nodes = MIN_NODES * (f64::from(FULL_SKILL - missing) / SKILL_PER_DOUBLING).exp2();
        Skill {
            margin: (options.randomness * MINOR / 100).max(by_skill),
            nodes: (missing > 0.0).then_some(nodes as u64),
        }
    }

    /// True if the best move is not simply played.
    pub fn is_limited(&self) -> bool {
        self.margin > 0
    }

    /// How many lines the search must work out when the user wants to see `wanted`.
    pub fn multi_pv(&self, wanted: usize) -> usize {
        if self.is_limited() { wanted.max(SKILL_LINES) } else { wanted }
    }

    /// The limits that remain.
    pub fn apply_to(&self, limits: &Limits) -> Limits {
        let nodes = match (self.nodes, limits.nodes) {
            (Some(own), Some(given)) => Some(own.min(given)),
            (own, given) => own.or(given),
        };
        Limits { nodes, ..limits.clone() }
    }

    /// The index of the line to play: each gets a random bonus, and the best sum wins. A line that costs more
    /// than the margin is never chosen, nor one that walks into a mate while the best does not.
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
    fn full_strength_is_no_handicap() {
        let handicap = Skill::from_options(&Options::default());
        assert!(!handicap.is_limited());
        let limits = Limits::depth(3);
        assert_eq!(handicap.apply_to(&limits), limits);
        assert_eq!(handicap.multi_pv(1), 1);
    }

    #[test]
    fn each_step_of_skill_sees_more_and_errs_less() {
        let at = |skill| Skill::from_options(&Options { skill, ..Options::default() });
        for step in 0..19 {
            let (weaker, stronger) = (at(step as f32), at((step + 1) as f32));
            assert!(weaker.nodes < stronger.nodes && weaker.margin > stronger.margin, "step {step}");
        }
    }

    #[test]
    fn choices_vary_within_the_margin() {
        let handicap = Skill::from_options(&Options { randomness: 12, ..Options::default() });
        let mut rng = StdRng::seed_from_u64(1);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[handicap.pick_line(&[100, 80, 60, 10], &mut rng)] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3], 0);
    }
}
