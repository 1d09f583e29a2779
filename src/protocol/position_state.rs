//! How the host counts ranks, from 0 to 9 or from 1 to 10, found out from the moves that it sends.
//!
//! Hosts do not say it, and what they do say (`UCI_Variant`) is said by both kinds. So the count changes only where it
//! cannot be wrong: when moves can be played in the other count and not in the one so far.

use super::command;
use chuhe_engine::board::Position;
use chuhe_toolkit::record::{PositionSpec, PositionSpecError, RankBase};

/// The position, and the count in which its moves make sense. `chosen` is what the host has asked for, if it has; `so_far`
/// what it seemed to count.
pub fn detect_rank_base(
    setup: &PositionSpec,
    promotion: bool,
    chosen: Option<RankBase>,
    so_far: RankBase,
) -> Result<(Position, RankBase), PositionSpecError> {
    let in_count = |ranks| setup.position_with(promotion, ranks).map(|position| (position, ranks));
    match in_count(so_far) {
        Err(error) if chosen.is_none() => in_count(so_far.other()).map_err(|_| error),
        read => read,
    }
}

/// The count of a list of moves that the host wants searched, or not played. That such a move is illegal proves nothing;
/// only one that does not exist in the count so far does.
pub fn rank_base_of_moves(
    list: &[String],
    position: &Position,
    chosen: Option<RankBase>,
    so_far: RankBase,
) -> RankBase {
    let other = so_far.other();
    let is_strange = list.iter().any(|word| so_far.parse_move(word).is_none());
    let is_proof = chosen.is_none() && is_strange && command::legal_moves(list, position, other).1.is_empty();
    if is_proof { other } else { so_far }
}
