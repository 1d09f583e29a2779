//! The nature of a move: check, kill, chase or idle (§9.1), and its explanation.

use super::threats::{Means, MoveThreats, Threat, VOID, is_alone};
use super::{CaptureGain, ExchangeTerms, capture_gains, cxa_piece_value, exchange_gain, exchange_line};
use crate::board::Position;
use crate::rules::chase;
use crate::rules::explanation::MoveNature;
use crate::rules::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// The nature of a move: §9.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    /// It gives check.
    Check,
    /// It threatens mate by the next move, or by a series of checks.
    Kill,
    /// It threatens to gain material.
    Chase(ChaseThreat),
    /// The only attacker of the weaker side attacks an advisor or a bishop, which is idle: §9.7.
    Passing,
    /// Nothing of these.
    Idle,
}

/// The threat of a chase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChaseThreat {
    /// One piece attacks alone.
    pub alone: bool,
    pub victim: PieceKind,
    pub means: ChaseMeans,
}

/// The way in which a chase gains material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChaseMeans {
    /// A capture.
    Capture {
        /// The square of the attacker.
        taker: Square,
        /// The square of the victim.
        square: Square,
    },
    /// A series of checks that begins with this move, and a capture after it.
    Series(Move),
    /// Captures on several squares, this one first.
    Combination(Move),
}

/// Computes the nature of this move. If it answers a check, `unchecked` is the position before that check, from which
/// the earlier threats are taken. `mating_checks` are the checks of the longest series that is a kill.
pub(super) fn move_nature(position: &Position, mv: Move, unchecked: Option<&Position>, mating_checks: u32) -> Nature {
    let mut position = position.clone();
    let mover = position.side();
    let king_moves = mv.from() == position.king(mover);
    let answers_check = position.in_check();
    let mut before = MoveThreats::of(&position, mating_checks);
    position.play_unchecked(mv);
    if position.in_check() {
        return Nature::Check;
    }
    // §9.1: a king that steps out of check is idle, whatever it threatens.
    if answers_check && king_moves {
        return Nature::Idle;
    }
    if answers_check && let Some(unchecked) = unchecked.filter(|unchecked| !unchecked.in_check()) {
        let mut passed = unchecked.clone();
        passed.play_null();
        before.gains.extend(MoveThreats::of(&passed, mating_checks).gains);
    }
    position.play_null();
    let after = MoveThreats::of(&position, mating_checks);
    if after.kill && !before.kill {
        return Nature::Kill;
    }
    let new = new_threats(&before, &after, mv, answers_check);
    match new.iter().max_by_key(|threat| (threat.means == Means::Capture, threat.gain)) {
        Some(threat) if holds_the_draw(&position, mover, threat.square) => Nature::Passing,
        Some(threat) => Nature::Chase(chase_of(&position, threat, &new)),
        None => Nature::Idle,
    }
}

/// What this move newly threatens to gain.
fn new_threats(before: &MoveThreats, after: &MoveThreats, mv: Move, answers_check: bool) -> Vec<Threat> {
    // A capture at once is more than what checks or other captures would have led to.
    let is_as_direct = |old: &Threat, threat: &Threat| threat.means != Means::Capture || old.means == Means::Capture;
    // A capture that mate would have answered stood there for its own piece alone.
    let origin = |taker: Square| if taker == mv.to() { mv.from() } else { taker };
    let stood = |old: &Threat, threat: &Threat| old.net != VOID || old.mv.from() == origin(threat.mv.from());
    let is_new = |threat: &&Threat| {
        let old = before.against(threat.square).filter(|old| is_as_direct(old, threat) && stood(old, threat));
        let old: Vec<&Threat> = old.collect();
        old.iter().all(|old| threat.gain > old.gain)
            || !answers_check && threat.net > 0 && old.iter().all(|old| threat.net > old.net)
    };
    after.effective().filter(is_new).copied().collect()
}

fn chase_of(position: &Position, threat: &Threat, new: &[Threat]) -> ChaseThreat {
    let means = match threat.means {
        Means::Capture => ChaseMeans::Capture { taker: threat.mv.from(), square: threat.square },
        Means::Series => ChaseMeans::Series(threat.mv),
        Means::Combination => ChaseMeans::Combination(threat.mv),
    };
    let alone = new.iter().filter(|other| other.gain >= threat.gain).all(|other| is_alone(position, other));
    let victim = position.piece_at(threat.square).map_or(PieceKind::Pawn, Piece::kind);
    ChaseThreat { alone, victim, means }
}

/// §9.7: the only attacker of the weaker side attacks an advisor or a bishop.
fn holds_the_draw(position: &Position, mover: Color, square: Square) -> bool {
    let defender = matches!(position.piece_at(square).map(Piece::kind), Some(PieceKind::Advisor | PieceKind::Bishop));
    let attackers = |color: Color| position.major_count(color) + position.count(color, PieceKind::Pawn);
    defender && attackers(mover) == 1 && position.major_count(!mover) > 1
}

/// The victim of a chase by capture, with its square.
pub(super) fn chased_piece(before: &Position, nature: Nature) -> Option<(Piece, Square)> {
    match nature {
        Nature::Chase(ChaseThreat { means: ChaseMeans::Capture { square, .. }, .. }) => {
            Some((before.piece_at(square)?, square))
        }
        _ => None,
    }
}

/// How a chase would go on: the capture or the check that begins it.
pub(super) fn threatened_moves(nature: Nature) -> Vec<Move> {
    match nature {
        Nature::Chase(chase) => vec![match chase.means {
            ChaseMeans::Capture { taker, square } => Move::new(taker, square),
            ChaseMeans::Series(first) | ChaseMeans::Combination(first) => first,
        }],
        _ => Vec::new(),
    }
}

/// The nature of this move and the reason.
pub(super) fn explained_nature(before: &Position, mv: Move, nature: Nature) -> MoveNature {
    match nature {
        Nature::Check => MoveNature::Check,
        Nature::Kill => MoveNature::Kill,
        Nature::Passing | Nature::Idle => idle_nature(before, mv),
        Nature::Chase(chase) => match chase.means {
            ChaseMeans::Series(_) => MoveNature::ChaseByChecks,
            ChaseMeans::Combination(_) => MoveNature::ChaseByCaptures,
            ChaseMeans::Capture { taker, square } => chase_by_exchange(before, mv, taker, square, chase.alone),
        },
    }
}

/// The article of the association's text about a move of this kind. Only numbers that two sources give are named.
pub(super) fn official_article(
    before: &Position,
    mv: Move,
    nature: Nature,
    explained: &MoveNature,
) -> Option<&'static str> {
    let mover = before.piece_at(mv.from()).map(Piece::kind);
    let has_rights = matches!(mover, Some(PieceKind::King | PieceKind::Pawn));
    let attacks = || {
        let mut after = before.clone();
        after.play_unchecked(mv);
        let tracked = TrackedBoard::of(&after);
        let moved = tracked.piece_on(mv.to());
        moved.is_some_and(|moved| {
            tracked.pieces_of(after.side()).iter().any(|enemy| tracked.reaches(moved, tracked.square(enemy)))
        })
    };
    match nature {
        Nature::Idle if before.in_check() && mover == Some(PieceKind::King) => Some("26.1.3"),
        Nature::Kill | Nature::Chase(_) if before.in_check() => Some("26.1.4"),
        Nature::Chase(_) if has_rights => Some("26.1.1"),
        Nature::Chase(_) => match explained {
            MoveNature::ChaseByExchange { exchange, .. } if exchange.len() > 1 => Some("26.5"),
            _ => None,
        },
        Nature::Passing => Some("26.2"),
        Nature::Idle if has_rights && attacks() => Some("26.1"),
        _ => None,
    }
}

/// Explains a chase with the exchange that it threatens.
fn chase_by_exchange(before: &Position, mv: Move, taker: Square, square: Square, alone: bool) -> MoveNature {
    let mut after = before.clone();
    after.play_unchecked(mv);
    let mut tracked = TrackedBoard::of(&after);
    let (Some(attacker), Some(victim)) = (tracked.piece_on(taker), tracked.piece_on(square)) else {
        return MoveNature::Chase;
    };
    let piece = tracked.piece(victim);
    let exchange = exchange_line(&mut tracked, attacker, victim);
    MoveNature::ChaseByExchange { piece, square, exchange, alone }
}

/// The kind of an idle move: it offers an exchange or a piece, blocks, follows, or none of these.
fn idle_nature(before: &Position, mv: Move) -> MoveNature {
    let us = before.side();
    // §9.1: a king that steps out of check offers nothing either.
    if before.in_check() && mv.from() == before.king(us) {
        return MoveNature::Idle;
    }
    let mut after = before.clone();
    after.play_unchecked(mv);
    let (mut old, mut new) = (TrackedBoard::of(before), TrackedBoard::of(&after));
    let hanging = |tracked: &mut TrackedBoard, square: Square| {
        capture_gains(tracked, !us, ANY_CAPTURE)
            .iter()
            .any(|capture| capture.gain > 0 && tracked.square(capture.victim) == square)
    };
    if hanging(&mut new, mv.to()) && !hanging(&mut old, mv.from()) {
        return MoveNature::OffersPiece;
    }
    let offered_before = offered_exchanges(&mut old, us);
    if offered_exchanges(&mut new, us).iter().any(|square| !offered_before.contains(square)) {
        return MoveNature::OffersExchange;
    }
    let lines_shut = |tracked: &TrackedBoard| {
        let theirs = tracked.pieces_of(!us);
        tracked.pieces_of(us).iter().filter(|&id| tracked.square(id) != mv.to() && tracked.square(id) != mv.from()).any(
            |id| {
                let to = tracked.square(id);
                theirs.iter().any(|enemy| {
                    matches!(tracked.kind(enemy), PieceKind::Rook | PieceKind::Cannon)
                        && chase::lies_between(mv.to(), tracked.square(enemy), to)
                        && old.reaches(enemy, to)
                        && !new.reaches(enemy, to)
                })
            },
        )
    };
    if lines_shut(&old) {
        return MoveNature::Blocks;
    }
    // §9.6: king and pawn attack by right.
    let follower = |id: &PieceId| !matches!(new.kind(*id), PieceKind::King | PieceKind::Pawn);
    let moved = new.piece_on(mv.to()).filter(follower);
    let follows = moved.is_some_and(|moved| {
        new.pieces_of(!us).iter().any(|enemy| new.kind(enemy).is_major() && new.reaches(moved, new.square(enemy)))
    });
    if follows { MoveNature::Follows } else { MoveNature::Idle }
}

/// Captures by pieces on both sides, whatever check stands on the board.
const ANY_CAPTURE: ExchangeTerms = ExchangeTerms { standing_checkers: PieceIds::ALL, excluded: PieceIds::NONE };

/// The squares of the pieces that this side offers to exchange for pieces of the same worth: §9.4. King and pawn
/// exchange nothing (§9.6): nothing is worth as much as a king, and what a pawn attacks is worth more than it.
fn offered_exchanges(tracked: &mut TrackedBoard, us: Color) -> Vec<Square> {
    let mut offered = Vec::new();
    for CaptureGain { attacker, victim, gain } in capture_gains(tracked, us, ANY_CAPTURE) {
        let (own, other) = (tracked.kind(attacker), tracked.kind(victim));
        let alike = own.is_major() && other.is_major() && cxa_piece_value(own, true) == cxa_piece_value(other, true);
        // What gains is offered for exchange only where the other side could begin it and lose nothing.
        let other_may_begin = |tracked: &mut TrackedBoard| {
            own == other && exchange_gain(tracked, victim, attacker, ANY_CAPTURE).is_some_and(|back| back >= 0)
        };
        if alike && (gain == 0 || gain > 0 && other_may_begin(tracked)) {
            offered.push(tracked.square(victim));
        }
    }
    offered
}
