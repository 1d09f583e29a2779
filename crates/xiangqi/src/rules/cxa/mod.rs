//! The rules of the Chinese association (2020): every move of a repetition has a nature, and the table of §9.8 decides
//! who loses (§9).
//!
//! * Here captures are played out on one square; `lookahead` searches captures and checks on the whole board.
//! * `threats` gathers what a side would do if the other passed, `nature` compares it before and after a move.

mod lookahead;
mod nature;
mod threats;

use super::DEFAULT_MATING_CHECKS;
use super::explanation::MoveExplanation;
use super::verdict::{Offence, Reason, Verdict};
use crate::board::Position;
use crate::board::zobrist::Key;
use crate::rules::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, Piece, PieceKind};
use nature::{ChaseThreat, Nature};
use std::cmp::Ordering;
use std::collections::HashMap;
use threats::{Means, MoveThreats};

/// A move of the repetition with its nature.
struct RepetitionMove {
    mover: Color,
    mv: Move,
    nature: Nature,
    /// The board before the move.
    before: Position,
}

/// Judges the last `window` plies, from an earlier occurrence of the position to now.
///
/// `mating_checks`: the checks of the longest series that is a kill.
pub(super) fn judge(position: &Position, window: usize, mating_checks: u32) -> Verdict {
    let steps = repetition_moves(position, window, mating_checks);
    let natures = Color::ALL
        .map(|color| steps.iter().filter(|step| step.mover == color).map(|step| step.nature).collect::<Vec<_>>());
    let [red, black] = [offence_of(&natures[0]), offence_of(&natures[1])];
    let offender = |color: Color| {
        let (own, other) = if color == Color::Red { (red, black) } else { (black, red) };
        match own {
            Some(offence) if offence.severity() > other.map_or(0, Offence::severity) => {
                Some((color, Reason::Perpetual(offence)))
            }
            _ => None,
        }
    };
    let alone = |color: Color| {
        let (own, other) = (&natures[color], &natures[!color]);
        let both_forbidden = red.is_some() && black.is_some();
        (both_forbidden && chases_alone(own, other)).then_some((color, Reason::ChasesAlone))
    };
    match Color::ALL.into_iter().find_map(offender).or_else(|| Color::ALL.into_iter().find_map(alone)) {
        Some((loser, Reason::Perpetual(offence))) if offence == Offence::CHECK => {
            Verdict::loss(loser, Reason::PerpetualCheck)
        }
        Some((loser, reason)) => Verdict::loss(loser, reason),
        None => Verdict::draw(Reason::Repetition),
    }
}

/// What the side to move would take with gain: from where, and what stands where.
pub(super) fn captures_with_gain(position: &Position) -> Vec<Move> {
    let threats = MoveThreats::of(position, DEFAULT_MATING_CHECKS);
    threats.effective().filter(|threat| threat.means == Means::Capture).map(|threat| threat.mv).collect()
}

/// What each of the last `window` moves was up to, the first one first.
pub(super) fn explain(position: &Position, window: usize, mating_checks: u32) -> Vec<MoveExplanation> {
    let explanation = |step: RepetitionMove| {
        let nature = nature::explained_nature(&step.before, step.mv, step.nature);
        MoveExplanation {
            mover: step.mover,
            mv: step.mv,
            check: step.nature == Nature::Check,
            newly_chased: nature::chased_piece(&step.before, step.nature).into_iter().collect(),
            threats: nature::threatened_moves(step.nature),
            article: nature::official_article(&step.before, step.mv, step.nature, &nature),
            nature: Some(nature),
        }
    };
    repetition_moves(position, window, mating_checks).into_iter().map(explanation).collect()
}

fn repetition_moves(position: &Position, window: usize, mating_checks: u32) -> Vec<RepetitionMove> {
    let moves: Vec<Move> = (0..window).rev().filter_map(|back| Some(position.move_before(back)?.0)).collect();
    let mut walk = position.clone();
    for _ in &moves {
        walk.undo();
    }
    let boards: Vec<Position> = moves
        .iter()
        .map(|&mv| {
            let before = walk.without_history();
            walk.play_unchecked(mv);
            before
        })
        .collect();
    // Start with the last round, where every move has a predecessor of the same round.
    let mut known: HashMap<(Key, Move), Nature> = HashMap::new();
    for (index, (before, &mv)) in boards.iter().zip(&moves).enumerate().rev() {
        let earlier = index.checked_sub(1).map(|index| &boards[index]);
        let nature = || nature::move_nature(before, mv, earlier, mating_checks);
        known.entry((before.key(), mv)).or_insert_with(nature);
    }
    let step = |(before, mv): (Position, Move)| {
        let nature = known[&(before.key(), mv)];
        RepetitionMove { mover: before.side(), mv, nature, before }
    };
    boards.into_iter().zip(moves).map(step).collect()
}

/// §9.8: the offence of a side, if every move of it is forbidden.
fn offence_of(natures: &[Nature]) -> Option<Offence> {
    let mut offence = Offence::default();
    for nature in natures {
        match nature {
            Nature::Check => offence.checks = true,
            Nature::Kill => offence.kills = true,
            Nature::Chase(_) => offence.chases = true,
            Nature::Passing | Nature::Idle => return None,
        }
    }
    Some(offence)
}

/// §9.9: whether a side that does nothing but chase does so alone more often than the other side, which chases jointly:
/// a rook (26.9.2), or another piece while the other side chases no rook alone (26.9.3).
fn chases_alone(own: &[Nature], other: &[Nature]) -> bool {
    let chases = |natures: &[Nature], wanted: fn(&ChaseThreat) -> bool| {
        natures.iter().filter(|nature| matches!(nature, Nature::Chase(chase) if wanted(chase))).count()
    };
    let alone = |natures: &[Nature]| chases(natures, |chase| chase.alone);
    let rook_alone = |natures: &[Nature]| chases(natures, |chase| chase.alone && chase.victim == PieceKind::Rook);
    chases(own, |_| true) == own.len()
        && other.iter().all(|&nature| nature != Nature::Check)
        && chases(other, |chase| !chase.alone) > 0
        && match rook_alone(own).cmp(&rook_alone(other)) {
            Ordering::Less => false,
            Ordering::Equal => alone(own) > alone(other),
            Ordering::Greater => true,
        }
}

// Exchanges on one square (§9.4).

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
