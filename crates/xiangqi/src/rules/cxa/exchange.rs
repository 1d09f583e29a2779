//! Exchanges on one square (§9.4).

use crate::rules::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Piece, PieceKind};

/// The points of a piece; an uncrossed pawn has none (§9.5).
pub(super) fn cxa_piece_value(kind: PieceKind, crossed: bool) -> i32 {
    match kind {
        PieceKind::Rook => 4,
        PieceKind::Horse | PieceKind::Cannon => 2,
        PieceKind::Advisor | PieceKind::Bishop => 1,
        PieceKind::Pawn => i32::from(crossed),
        // The king is never captured, and never worth risking.
        PieceKind::King => 100,
    }
}

fn value_on_board(tracked: &TrackedBoard, id: PieceId) -> i32 {
    cxa_piece_value(tracked.kind(id), tracked.has_crossed(id))
}

/// A capture with its gain.
#[derive(Clone, Copy)]
pub(super) struct CaptureGain {
    pub(super) attacker: PieceId,
    pub(super) victim: PieceId,
    /// The gain of the exchange on the victim's square.
    pub(super) gain: i32,
}

/// The restrictions of an exchange.
#[derive(Clone, Copy, Default)]
pub(super) struct ExchangeTerms {
    /// These pieces may not capture.
    pub(super) excluded: PieceIds,
    /// Checks to the capturing side that were given before: they will be answered, and the attack remains.
    pub(super) standing_checkers: PieceIds,
}

/// The gain of this capture after the exchange on its square, where each side may stop at any time; `None` if the
/// capture is not allowed.
pub(super) fn exchange_gain(
    tracked: &mut TrackedBoard,
    attacker: PieceId,
    victim: PieceId,
    terms: ExchangeTerms,
) -> Option<i32> {
    if terms.excluded.contains(attacker) || !tracked.reaches(attacker, tracked.square(victim)) {
        return None;
    }
    let (us, them) = (tracked.color(attacker), tracked.color(victim));
    let won = value_on_board(tracked, victim);
    let after_that = ExchangeTerms { standing_checkers: PieceIds::NONE, ..terms };
    tracked.with_capture(attacker, victim, |after| {
        if !after.checkers(us).without(terms.standing_checkers).is_empty() {
            return None;
        }
        let back = after.pieces_of(them).iter().filter_map(|helper| exchange_gain(after, helper, attacker, after_that));
        Some(won - back.max().unwrap_or(0).max(0))
    })
}

/// All captures of this side, without the enemy king.
pub(super) fn capture_gains(tracked: &mut TrackedBoard, us: Color, terms: ExchangeTerms) -> Vec<CaptureGain> {
    let mut found = Vec::new();
    for victim in tracked.pieces_of(!us).iter() {
        if tracked.kind(victim) == PieceKind::King {
            continue;
        }
        for attacker in tracked.pieces_of(us).iter() {
            if let Some(gain) = exchange_gain(tracked, attacker, victim, terms) {
                found.push(CaptureGain { attacker, victim, gain });
            }
        }
    }
    found
}

/// The captures of an exchange on this square as both sides would play it: what takes, and what it takes.
pub(super) fn exchange_line(tracked: &mut TrackedBoard, attacker: PieceId, victim: PieceId) -> Vec<(Piece, Piece)> {
    let them = tracked.color(victim);
    let mut line = vec![(tracked.piece(attacker), tracked.piece(victim))];
    tracked.with_capture(attacker, victim, |after| {
        let mut best: Option<(i32, i32, PieceId)> = None;
        for helper in after.pieces_of(them).iter() {
            let cost = value_on_board(after, helper);
            let better = |gain: i32| best.is_none_or(|(most, least, _)| (gain, -cost) > (most, -least));
            if let Some(gain) = exchange_gain(after, helper, attacker, ExchangeTerms::default())
                .filter(|&gain| gain >= 0 && better(gain))
            {
                best = Some((gain, cost, helper));
            }
        }
        if let Some((_, _, helper)) = best {
            line.extend(exchange_line(after, helper, attacker));
        }
    });
    line
}
