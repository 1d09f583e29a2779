//! Captures on several squares that gain together where no single one does, such as against a protector that guards two
//! pieces (§9.4).

use super::check_series::{MATE_GAIN, captured_value, mates_by_checks};
use crate::board::Position;
use crate::types::{Move, PieceKind, Square};

/// The maximum number of plies of a combination.
const MAX_PLIES: u32 = 5;

/// The node limit of a combination search.
const MAX_NODES: u32 = 2000;

/// The gain by captures on several squares. Captures of the `known` victims are excluded: they gain alone, or are
/// exchange offers.
pub(super) fn combination_gain(position: &mut Position, known: &[Square]) -> i32 {
    let mut nodes = MAX_NODES;
    let mut best = 0;
    for mv in chase_captures(position) {
        if may_chase(position, mv) && !known.contains(&mv.to()) && captured_value(position, mv) > 0 {
            let won = captured_value(position, mv);
            position.make_unchecked(mv);
            let mut rest = won - best_capture_gain(position, MAX_PLIES - 1, known, &mut nodes);
            if rest > best && mates_by_checks(position, 1) {
                rest = -MATE_GAIN;
            }
            position.unmake();
            best = best.max(rest);
        }
    }
    best
}

/// §9.6: the king and pawns may attack anything.
fn may_chase(position: &Position, mv: Move) -> bool {
    !matches!(position.piece_at(mv.from()).kind(), Some(PieceKind::King | PieceKind::Pawn) | None)
}

fn chase_captures(position: &Position) -> Vec<Move> {
    position.legal_moves().moves().filter(|mv| position.piece_at(mv.to()).is_piece()).collect()
}

/// The best gain of the side to move by captures, where each side may stop at any time.
fn best_capture_gain(position: &mut Position, plies: u32, known: &[Square], nodes: &mut u32) -> i32 {
    let mut best = 0;
    if plies == 0 {
        return best;
    }
    // The side that answers may capture with any piece.
    let ours = plies % 2 == MAX_PLIES % 2;
    for mv in chase_captures(position) {
        if *nodes == 0 {
            break;
        }
        if ours && (!may_chase(position, mv) || known.contains(&mv.to())) {
            continue;
        }
        *nodes -= 1;
        let won = captured_value(position, mv);
        if won > best {
            position.make_unchecked(mv);
            best = best.max(won - best_capture_gain(position, plies - 1, known, nodes));
            position.unmake();
        }
    }
    best
}
