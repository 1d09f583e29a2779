//! Captures on several squares that together gain what none of them gains alone: a protector that has two pieces to
//! guard, a capture that opens the way for the next (§9.4).

use super::check_series::{MATE_GAIN, captured_value, mates_by_checks};
use crate::board::Position;
use crate::types::{Move, PieceKind, Square};

/// Captures of both sides that are looked ahead.
const MAX_PLIES: u32 = 5;

/// Captures that are tried before a combination is given up.
const MAX_NODES: u32 = 2000;

/// What the side to move gains by captures of which none gains alone: those of the `known` victims, which do or are
/// offered an exchange, are left out.
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

/// King and pawn may attack what they like.
fn may_chase(position: &Position, mv: Move) -> bool {
    !matches!(position.piece_at(mv.from()).kind(), Some(PieceKind::King | PieceKind::Pawn) | None)
}

fn chase_captures(position: &Position) -> Vec<Move> {
    position.legal_moves().moves().filter(|mv| position.piece_at(mv.to()).is_piece()).collect()
}

/// The best that the side to move gets by captures, if it may stop at any time.
fn best_capture_gain(position: &mut Position, plies: u32, known: &[Square], nodes: &mut u32) -> i32 {
    let mut best = 0;
    if plies == 0 {
        return best;
    }
    // Those who answer may take with every piece.
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
