//! Scores: their meaning, and their form in the transposition table.
//!
//! A score is relative to the side to move. Its four bands never overlap:
//!
//! | band | values | meaning |
//! | --- | --- | --- |
//! | mate | 29,000 and beyond | `MATE - n`: mate in n plies |
//! | loss by rule | 28,000 to 28,999 | lost by the repetition rules in n plies |
//! | tablebase | about 27,000 | won by an endgame tablebase that does not give the plies |
//! | evaluation | up to 20,000 | everything else |

use xiangqi::Color;

/// A score relative to the side to move. A minor piece (a horse or a cannon) is worth about [`MINOR`]; output for
/// users, hosts and files is converted by [`hundredths`].
pub type Score = i32;

/// The value of a minor piece.
pub const MINOR: Score = 400;

/// Maximum ply of a search.
pub const MAX_PLY: usize = 240;
/// Larger than every score.
#[doc(hidden)]
pub const INFINITE: Score = 31_000;
/// The absence of a score; a search never returns it.
pub const NONE: Score = 31_500;
/// The score of giving mate at this node; being mated is `-MATE`.
pub const MATE: Score = 30_000;
/// Scores at or beyond this are mate scores.
pub(crate) const MATE_BOUND: Score = 29_000;
/// The score of winning by the repetition rules at this node.
pub const RULE_WIN: Score = 28_999;
/// Scores at or beyond this are decided, by mate or by rule.
pub(crate) const MATE_OR_RULE_BOUND: Score = 28_000;
/// Scores at or beyond this are proved, by mate, by rule or by a tablebase; they are not estimates.
pub(crate) const DECISIVE_BOUND: Score = 26_000;
/// The score of a tablebase win without a known or guaranteed distance to mate.
pub const TABLEBASE_WIN: Score = 27_000;
/// The largest score that an evaluation returns.
pub const MAX_EVAL: Score = 20_000;
/// The score of a draw.
pub const DRAW: Score = 0;

/// The score of being mated at this distance from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The score of giving mate at this distance from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score of losing by rule at this distance from the root.
#[inline]
pub const fn rule_loss_in(ply: usize) -> Score {
    ply as Score - RULE_WIN
}

/// Converts a score for output to hundredths of a minor piece; mate and rule scores stay unchanged.
#[inline]
pub const fn hundredths(score: Score) -> Score {
    if is_mate_or_rule(score) { score } else { (score * 100 + score.signum() * MINOR / 2) / MINOR }
}

/// The inverse of [`hundredths`].
pub const fn from_hundredths(score: Score) -> Score {
    if is_mate_or_rule(score) { score } else { score * MINOR / 100 }
}

/// True for mate scores of either sign.
#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_BOUND && score.abs() <= MATE
}

/// True for mate scores and rule scores of either sign.
#[inline]
pub const fn is_mate_or_rule(score: Score) -> bool {
    score.abs() >= MATE_OR_RULE_BOUND && score.abs() <= MATE
}

/// True for mate, rule and tablebase scores; corrections of estimates do not apply to them.
#[inline]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() >= DECISIVE_BOUND && score.abs() <= MATE
}

/// True for a win or a loss by the repetition rules.
#[inline]
pub const fn is_rule_score(score: Score) -> bool {
    score.abs() >= MATE_OR_RULE_BOUND && score.abs() < MATE_BOUND
}

/// The signed distance to mate in plies, positive if the side to move mates.
#[inline]
pub const fn mate_plies(score: Score) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some(MATE - score)
    } else {
        Some(-MATE - score)
    }
}

/// Converts plies to mate into moves, keeping the sign.
pub const fn plies_to_moves(plies: i32) -> i32 {
    plies.signum() * ((plies.abs() + 1) / 2)
}

/// Converts a score between red's view and this side's; it is its own inverse.
pub fn from_red(score: Score, side: Color) -> Score {
    if side == Color::Red { score } else { -score }
}

/// Converts a mate or tablebase score from plies since the root to plies since this node, as the transposition table
/// stores it. Scores by rule are never stored.
#[inline]
pub(crate) const fn to_tt(score: Score, ply: usize) -> Score {
    if score >= DECISIVE_BOUND {
        score + ply as Score
    } else if score <= -DECISIVE_BOUND {
        score - ply as Score
    } else {
        score
    }
}

/// Converts a mate or tablebase score from the transposition table to plies since the root.
#[inline]
pub(crate) const fn from_tt(score: Score, ply: usize) -> Score {
    if score >= DECISIVE_BOUND {
        score - ply as Score
    } else if score <= -DECISIVE_BOUND {
        score + ply as Score
    } else {
        score
    }
}

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Neither more nor less.
    Exact,
    /// At least this (a fail-high).
    Lower,
    /// At most this (a fail-low).
    Upper,
}

impl Bound {
    /// Converts the bound between the view of red and that of `side`.
    pub fn from_red(self, side: Color) -> Bound {
        match (self, side) {
            (Bound::Lower, Color::Black) => Bound::Upper,
            (Bound::Upper, Color::Black) => Bound::Lower,
            (bound, _) => bound,
        }
    }

    /// Sign to print before a score.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::Exact => "",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        }
    }

    /// The bound of a score that was searched with this window.
    #[inline]
    pub(crate) fn from_window(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a stored score with this bound cuts off a search with this window.
    #[inline]
    pub(crate) fn cuts_off(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score with this bound is a better estimate than this static evaluation.
    #[inline]
    pub(crate) fn improves(self, score: Score, eval: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_bands_do_not_overlap() {
        let deepest = MAX_PLY as Score;
        for table in [TABLEBASE_WIN, TABLEBASE_WIN - deepest, deepest - TABLEBASE_WIN] {
            assert!(
                is_decisive(table) && !is_mate_or_rule(table) && !is_rule_score(table) && !is_mate(table),
                "{table}"
            );
        }
        for estimate in [0, MAX_EVAL, -MAX_EVAL] {
            assert!(!is_decisive(estimate), "{estimate}");
        }
        for end in [mate_in(MAX_PLY), mated_in(MAX_PLY), rule_loss_in(MAX_PLY), -rule_loss_in(MAX_PLY)] {
            assert!(is_decisive(end) && is_mate_or_rule(end), "{end}");
        }
        assert!(!is_decisive(NONE) && !is_decisive(INFINITE));
    }

    #[test]
    fn tt_scores_count_plies_from_the_node() {
        for at_node in [MATE - 5, TABLEBASE_WIN - 3, 300] {
            for sign in [1, -1] {
                let (near, far) = (sign * at_node, 40);
                let stored = to_tt(from_tt(near, 7), 7);
                assert_eq!(stored, near);
                let nearer = (from_tt(near, 7) - from_tt(near, far)) * sign;
                assert_eq!(nearer, if is_decisive(near) { 33 } else { 0 }, "{near}: a nearer win counts more");
            }
        }
    }
}
