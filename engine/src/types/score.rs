//! Scores: what they mean, and how they travel through the hash table.
//!
//! A score is seen from the side to move. Four bands never overlap:
//!
//! | band | values | meaning |
//! | --- | --- | --- |
//! | mate | 29,000 and beyond | `MATE - n`: mate in n plies |
//! | loss by rule | 28,000 to 28,999 | the opponent repeats himself into a loss in n plies |
//! | table | about 27,000 | won by an endgame table that does not count the plies |
//! | evaluation | up to 20,000 | everything else |

use super::Color;

/// A score from the side to move. A minor piece (a horse or a cannon) is worth about `MINOR`, in every room; only what is
/// written for people, hosts and files is counted otherwise, see `hundredths`.
pub type Score = i32;

/// The grain of scores: what a minor piece is worth.
pub const MINOR: Score = 400;

/// Deepest ply a search can reach.
pub const MAX_PLY: usize = 240;
/// Larger than every score.
pub const INFINITE: Score = 31_000;
/// No score: not a value that a search returns.
pub const NONE: Score = 31_500;
/// Being mated at this very node is `-MATE`.
pub const MATE: Score = 30_000;
/// Every score at or beyond this is a mate.
pub const MATE_BOUND: Score = 29_000;
/// A loss by the rules of repetition at this very node is `-RULE_WIN`.
pub const RULE_WIN: Score = 28_999;
/// Every score at or beyond this is decided, by mate or by rule.
pub const MATE_OR_RULE_BOUND: Score = 28_000;
/// Every score at or beyond this is known, by mate, by rule or by an endgame table, and no estimate.
pub const DECISIVE_BOUND: Score = 26_000;
/// A win at this very node by an endgame table that cannot tell, or not promise, the plies to mate.
pub const TABLEBASE_WIN: Score = 27_000;
/// The largest score that an evaluation may give.
pub const MAX_EVAL: Score = 20_000;
pub const DRAW: Score = 0;

/// The side to move is mated at this distance from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The side to move mates at this distance from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The side to move has lost by rule at this distance from the root.
#[inline]
pub const fn rule_loss_in(ply: usize) -> Score {
    ply as Score - RULE_WIN
}

/// A score as the world reads it: hundredths of a minor piece, to the nearest; mates and losses by rule as they are.
#[inline]
pub const fn hundredths(score: Score) -> Score {
    if is_mate_or_rule(score) { score } else { (score * 100 + score.signum() * MINOR / 2) / MINOR }
}

/// The way back from `hundredths`.
pub const fn from_hundredths(score: Score) -> Score {
    if is_mate_or_rule(score) { score } else { score * MINOR / 100 }
}

/// True for mates given or suffered.
#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_BOUND && score.abs() <= MATE
}

/// True for mates and for losses by rule.
#[inline]
pub const fn is_mate_or_rule(score: Score) -> bool {
    score.abs() >= MATE_OR_RULE_BOUND && score.abs() <= MATE
}

/// True for mates, for losses by rule, and for what an endgame table says: no estimate comes near it, and what is
/// learned about estimates does not apply to it.
#[inline]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() >= DECISIVE_BOUND && score.abs() <= MATE
}

/// True for a win or a loss by the rules of repetition.
#[inline]
pub const fn is_rule_score(score: Score) -> bool {
    score.abs() >= MATE_OR_RULE_BOUND && score.abs() < MATE_BOUND
}

/// Signed distance to the mate in plies: positive if the side to move mates.
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

/// The moves that so many plies to a mate take, with the same sign.
pub const fn plies_to_moves(plies: i32) -> i32 {
    plies.signum() * ((plies.abs() + 1) / 2)
}

/// A score of this side as red sees it, or the other way round.
pub fn from_red(score: Score, side: Color) -> Score {
    if side == Color::Red { score } else { -score }
}

/// From "distance to the root" to "distance to this node", as the hash table keeps mates.
#[inline]
pub const fn to_tt(score: Score, ply: usize) -> Score {
    if score >= MATE_BOUND {
        score + ply as Score
    } else if score <= -MATE_BOUND {
        score - ply as Score
    } else {
        score
    }
}

/// The way back: from "distance to this node" to "distance to the root".
#[inline]
pub const fn from_tt(score: Score, ply: usize) -> Score {
    if score >= MATE_BOUND {
        score - ply as Score
    } else if score <= -MATE_BOUND {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_do_not_touch() {
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
}
