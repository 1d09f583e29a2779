//! Detects from the host's moves whether it counts ranks from 0 to 9 or from 1 to 10.
//!
//! No option settles it: hosts of both kinds send the same `UCI_Variant`. The count changes only where it cannot be
//! wrong: when the moves are legal in the other count and not in the current one.

use super::command;
use xiangqi::Position;
use xiangqi_record::{PositionSpec, PositionSpecError, RankBase};

/// The position, and the rank base in which its moves are legal. `chosen` is the base set by option, if any; `so_far`
/// the one detected earlier.
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

/// The rank base of a list of moves to search or to ban. An illegal move there proves nothing; only one that does not
/// exist in the current base does.
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
