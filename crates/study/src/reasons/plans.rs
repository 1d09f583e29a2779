//! Plans, where nothing is lost or won yet: threats, pieces that cannot move, pawns that cross the river, and pieces that come
//! to attack the palace. Each is a reason only where it is new: neither the best move allows it, nor was it there before.
//!
//! * Whoever has moved *threatens* something if it would mate by checks, or win a piece against every reply, were the other
//!   side to pass, where nothing as great could be won at once.
//! * A rook, horse or cannon is *bound* if other pieces stand in all its ways, if its king stands behind it and it has no
//!   legal move, or if it is lost wherever it goes. All moves of the piece are tried, each against every capture.
//! * An *attack* on the palace is told by the position after the move, where the piece cannot be taken at no loss, and the
//!   king stands at home: a cannon with nothing between it and the king, a cannon at the bottom, a horse beside the palace or
//!   on its corner, a pawn in it.

use super::Case;
use super::material::{GainSearch, LEVELS, level_above};
use super::reason::{Bind, PalaceAttack, ProvenAttack, ProvenBind, ProvenThreat, Reason, Threat};
use crate::motifs::{gains, gains_on, majors, passed, pieces_between, played, value_on};
use chuhe_engine::search::{AttackerMoves, MateProof, MateProver};
use std::sync::Arc;
use xiangqi::{Color, Move, MoveList, PieceKind, Position, Square, engine::piece_value};

/// Plies in which a threatened piece is taken: at once, or after a check or another capture.
const GAIN_PLIES: u32 = 3;
/// Plies of a mate that counts as a threat, and the nodes for it.
const MATE_PLIES: u32 = 5;
const MATE_NODES: u64 = 2_000;
const MEGABYTES: usize = 1;

/// What a bound piece costs at least, wherever it goes.
const COST: i32 = 200;

/// What the answer does, where nothing is lost yet.
pub fn allowed(case: &Case) -> Option<Reason> {
    let bind = || allowed_bind(case);
    if let Some(threat) = allowed_threat(case) {
        // An attacked piece without a safe move says more.
        let is_same =
            |bind: &ProvenBind| matches!(threat.threat, Threat::Piece { square, .. } if square == bind.square);
        return Some(bind().filter(is_same).map_or(Reason::AllowsThreat(threat), Reason::AllowsBind));
    }
    let crossing = || allowed_crossing(case).map(|mv| Reason::AllowsCrossing { line: vec![mv] });
    let attack = || allowed_attack(case).map(Reason::AllowsAttack);
    bind().map(Reason::AllowsBind).or_else(attack).or_else(crossing)
}

/// What the best move does, where it wins nothing yet.
pub fn missed(case: &Case) -> Option<Reason> {
    let best = case.best[0];
    missed_threat(case)
        .map(Reason::MissesThreat)
        .or_else(|| missed_bind(case).map(Reason::MissesBind))
        .or_else(|| missed_freeing(case).map(Reason::MissesFreeing))
        .or_else(|| missed_attack(case).map(Reason::MissesAttack))
        .or_else(|| crosses(case.position, best).then(|| Reason::MissesCrossing { line: vec![best] }))
}

/// The threat that the answer makes, if the best move allows neither this answer nor its own to threaten as much.
fn allowed_threat(case: &Case) -> Option<ProvenThreat> {
    let reply = *case.refutation.first()?;
    let threat = case.threat_in(&quietly_played(&case.after, reply)?)?;
    let avoided = case.avoided.without_history();
    if case.wins_at_once(&case.after, threat) || case.wins_at_once(&avoided, threat) {
        return None;
    }
    let answers = [Some(reply), case.best.get(1).copied()];
    let remains = answers.into_iter().flatten().filter_map(|answer| played(&avoided, answer));
    let is_avoided = !remains.into_iter().any(|position| case.threatens_as_much(&position, threat));
    is_avoided.then(|| ProvenThreat { threat, line: vec![reply] })
}

/// The threat that the best move makes, if the move that was played makes none as great.
fn missed_threat(case: &Case) -> Option<ProvenThreat> {
    let threat = case.threat_in(&quietly_played(case.position, case.best[0])?)?;
    let is_new = !case.wins_at_once(case.position, threat);
    (is_new && !case.after.in_check() && !case.threatens_as_much(&case.after, threat))
        .then(|| ProvenThreat { threat, line: vec![case.best[0]] })
}

/// The position after a move, if what has moved cannot be taken with a gain, after a capture at no loss: else that comes
/// first.
fn quietly_played(position: &Position, mv: Move) -> Option<Position> {
    let least = i32::from(position.piece_at(mv.to()).is_none());
    played(position, mv).filter(|next| !gains_on(next, mv.to(), least))
}

impl Case<'_> {
    /// The greatest threat of the side that has moved; none if it checks.
    fn threat_in(&self, position: &Position) -> Option<Threat> {
        if position.in_check() {
            return None;
        }
        let next = passed(position);
        if let Some(moves) = self.short_mate(&next) {
            return Some(Threat::Mate { moves });
        }
        LEVELS.into_iter().find_map(|(level, _)| {
            let capture = self.winning_capture(&next, level)?;
            let piece = next.piece_at(capture.to())?.kind();
            Some(Threat::Piece { piece, square: capture.to(), partly: piece_value(piece) >= level_above(level) })
        })
    }

    /// Whether the side that has moved threatens something as great.
    fn threatens_as_much(&self, position: &Position, threat: Threat) -> bool {
        !position.in_check() && self.wins_at_once(&passed(position), threat)
    }

    /// Whether the side to move can do what is as great as this threat. What cannot be decided counts as yes.
    fn wins_at_once(&self, position: &Position, threat: Threat) -> bool {
        let level = |threat: Threat| match threat {
            Threat::Mate { .. } => None,
            Threat::Piece { piece, partly, .. } => {
                let levels = LEVELS.into_iter().map(|(level, _)| level).filter(|&level| level <= piece_value(piece));
                let levels: Vec<i32> = levels.collect();
                levels.get(usize::from(partly)).or(levels.last()).copied()
            }
        };
        let wins = level(threat)
            .is_some_and(|level| !matches!(GainSearch::new(position, self).wins(level, GAIN_PLIES, &[]), Ok(false)));
        wins || self.short_mate(position).is_some()
    }

    /// The moves of a short mate by checks of the side to move.
    fn short_mate(&self, position: &Position) -> Option<u32> {
        let mut prover = MateProver::new(position, position.side(), self.rules, MEGABYTES, Arc::clone(self.control));
        match prover.prove(&[], MATE_PLIES, AttackerMoves::ChecksOnly, MATE_NODES) {
            MateProof::Mate(plies) => Some(plies.div_ceil(2).max(1)),
            _ => None,
        }
    }

    /// A capture by which the side to move wins so much against every reply.
    fn winning_capture(&self, position: &Position, level: i32) -> Option<Move> {
        let mut search = GainSearch::new(position, self);
        let mv = search.winning_move(level, GAIN_PLIES, &[], &[]).ok()???;
        // The capture itself must be worth it, not only what follows.
        gains(position, mv, level).then_some(mv)
    }
}

/// The piece of the mover that the move itself or the answer binds, and that is free after the best move. The line is
/// empty if the move itself does.
fn allowed_bind(case: &Case) -> Option<ProvenBind> {
    let (best, reply) = (case.best[0], case.refutation.first());
    let free = to_move_again(&case.avoided, case.best.get(1).copied())?;
    let is_new = |square: Square| {
        let before = if square == case.played.to() { case.played.from() } else { square };
        let now = if before == best.from() { best.to() } else { before };
        bind(case.position, before).is_none()
            && is_same(case.position, before, &free, now)
            && bind(&free, now).is_none()
    };
    let bound = |position: &Position, line: Vec<Move>| {
        find(position, is_new).map(|(piece, square, bind)| ProvenBind { piece, square, bind, line })
    };
    if case.after.in_check() || case.position.in_check() {
        return None;
    }
    let by_itself = bound(&passed(&case.after), Vec::new());
    by_itself.or_else(|| reply.and_then(|&reply| bound(&played(&case.after, reply)?, vec![reply])))
}

/// The piece of the other side that the best move binds, and that is free after the move that was played.
fn missed_bind(case: &Case) -> Option<ProvenBind> {
    let (best, after) = (case.best[0], &case.after);
    let bound = played(case.position, best)?;
    let before = (!case.position.in_check()).then(|| passed(case.position));
    find(&bound, |square| {
        let was_bound = before.as_ref().is_none_or(|before| bind(before, square).is_some());
        !was_bound && !after.in_check() && is_same(&bound, square, after, square) && bind(after, square).is_none()
    })
    .map(|(piece, square, bind)| ProvenBind { piece, square, bind, line: vec![best] })
}

/// The piece of the mover that is bound, has two safe moves or more after the best move, and is still bound after the move
/// that was played.
fn missed_freeing(case: &Case) -> Option<ProvenBind> {
    let best = case.best[0];
    let freed = to_move_again(&case.avoided, None)?;
    let still = to_move_again(&case.after, None)?;
    let moved = |square: Square, mv: Move| if square == mv.from() { mv.to() } else { square };
    find(case.position, |square| {
        let (now, there) = (moved(square, best), moved(square, case.played));
        is_same(case.position, square, &freed, now)
            && safe_moves(&freed, now) > 1
            && is_same(case.position, square, &still, there)
            && bind(&still, there).is_some()
    })
    .map(|(piece, square, bind)| ProvenBind { piece, square, bind, line: vec![best] })
}

/// The answer is a pawn that crosses the river and cannot be taken at no loss, and it cannot do so after the best move.
fn allowed_crossing(case: &Case) -> Option<Move> {
    let reply = *case.refutation.first()?;
    (crosses(&case.after, reply) && !crosses(&case.avoided, reply)).then_some(reply)
}

/// Whether this move brings a pawn over the river to where it cannot be taken at no loss.
fn crosses(position: &Position, mv: Move) -> bool {
    let us = position.side();
    let is_pawn = position.piece_at(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
    if !is_pawn || !mv.from().is_home(us) || mv.to().is_home(us) {
        return false;
    }
    played(position, mv).is_some_and(|next| !gains_on(&next, mv.to(), 0))
}

/// The first bound piece of the side to move that is wanted: its kind, its square, and what holds it.
fn find(position: &Position, is_wanted: impl Fn(Square) -> bool) -> Option<(PieceKind, Square, Bind)> {
    majors(position, position.side()).into_iter().find_map(|square| {
        let bind = bind(position, square)?;
        is_wanted(square).then_some((position.piece_at(square)?.kind(), square, bind))
    })
}

/// What holds the piece on this square of the side to move, if it is bound; in check nothing is.
fn bind(position: &Position, square: Square) -> Option<Bind> {
    if position.in_check() || safe_moves(position, square) > 0 {
        return None;
    }
    let mut moves = MoveList::new();
    position.generate_from(square, &mut moves);
    let is_legal = moves.iter().any(|&mv| position.is_legal(mv));
    let is_pinned = position.pinned_of(position.side()).contains(square);
    match (moves.is_empty(), is_legal) {
        (true, _) => Some(Bind::Blocked),
        (false, true) => Some(Bind::Unsafe),
        (false, false) => is_pinned.then_some(Bind::Pinned),
    }
}

/// How many moves of the piece on this square do not lose it.
fn safe_moves(position: &Position, square: Square) -> usize {
    let mut moves = MoveList::new();
    position.generate_from(square, &mut moves);
    let mut next = position.without_history();
    let mut is_safe = |mv: Move| {
        if !position.is_legal(mv) {
            return false;
        }
        next.play_unchecked(mv);
        let is_lost = gains_on(&next, mv.to(), value_on(position, mv.to()) + COST);
        next.undo();
        !is_lost
    };
    moves.into_iter().filter(|&mv| is_safe(mv)).count()
}

/// The position in which the side that has moved is to move again: after the answer, or as if the other side passed.
fn to_move_again(position: &Position, answer: Option<Move>) -> Option<Position> {
    match answer {
        Some(answer) => played(position, answer),
        None => (!position.in_check()).then(|| passed(position)),
    }
}

/// Whether the same kind of piece stands on both squares.
fn is_same(one: &Position, square: Square, other: &Position, there: Square) -> bool {
    one.piece_at(square) == other.piece_at(there)
}

/// The attack that the answer brings about, which no move can after the best one, nor could before if the mover passed.
fn allowed_attack(case: &Case) -> Option<ProvenAttack> {
    let reply = *case.refutation.first()?;
    let found = attack_of(&case.after, reply).filter(|_| !is_taken(case.refutation))?;
    (!is_possible(&case.avoided, found.attack)).then_some(found)
}

/// The attack that the best move brings about, if the mover has no move for the same after the one that was played.
fn missed_attack(case: &Case) -> Option<ProvenAttack> {
    let after = &case.after;
    let found = attack_of(case.position, case.best[0]).filter(|_| !is_taken(case.best))?;
    let is_there = attack_of(case.position, case.played).is_some_and(|other| other.attack == found.attack);
    let later = match case.refutation.first() {
        Some(&reply) => played(after, reply)?,
        None if !after.in_check() => passed(after),
        None => return None,
    };
    (!is_there && !is_possible(&later, found.attack)).then_some(found)
}

/// Whether the answer to the first move of a line takes the piece that has moved.
fn is_taken(line: &[Move]) -> bool {
    matches!(line, [first, answer, ..] if first.to() == answer.to())
}

/// Whether the side to move has a move that brings about such an attack.
fn is_possible(position: &Position, attack: PalaceAttack) -> bool {
    position.legal_moves().into_iter().any(|mv| attack_of(position, mv).is_some_and(|found| found.attack == attack))
}

/// The attack that a move brings about.
fn attack_of(position: &Position, mv: Move) -> Option<ProvenAttack> {
    let us = position.side();
    let next = played(position, mv)?;
    let (square, attack) = match hollow_cannon(&next, us).filter(|_| hollow_cannon(position, us).is_none()) {
        Some(cannon) => (cannon, PalaceAttack::HollowCannon),
        None => (mv.to(), attack_by(&next, us, mv)?),
    };
    (!gains_on(&next, square, 0)).then(|| ProvenAttack { attack, square, line: vec![mv] })
}

/// The attack by the piece that has moved.
fn attack_by(next: &Position, us: Color, mv: Move) -> Option<PalaceAttack> {
    let (to, king) = (mv.to(), next.king(!us));
    let (file, rank) = (to.file(), to.rank_for(us));
    match next.piece_at(to)?.kind() {
        PieceKind::Pawn => {
            let enters = to.in_palace() && !mv.from().in_palace();
            enters.then_some(PalaceAttack::PawnInPalace)
        }
        PieceKind::Horse if is_at_home(next, !us) => match (file, rank) {
            (2 | 6, 8) => Some(PalaceAttack::PalcornerHorse),
            (3 | 5, 7) => Some(PalaceAttack::CornerHorse),
            _ => None,
        },
        PieceKind::Cannon if is_at_home(next, !us) && rank == 9 && mv.from().rank_for(us) < 9 => {
            let between = pieces_between(next, to, king);
            let is_guard = |&square: &Square| {
                next.piece_at(square).is_some_and(|piece| {
                    piece.color() != us && matches!(piece.kind(), PieceKind::Advisor | PieceKind::Bishop)
                })
            };
            (matches!(between.len(), 1 | 2) && between.iter().all(is_guard)).then_some(PalaceAttack::BottomCannon)
        }
        _ => None,
    }
}

/// A cannon of this side on the file of the king at home, with nothing between the two.
fn hollow_cannon(position: &Position, us: Color) -> Option<Square> {
    let king = position.king(!us);
    let is_hollow =
        |&&cannon: &&Square| cannon.file() == king.file() && pieces_between(position, cannon, king).is_empty();
    position.squares(us, PieceKind::Cannon).iter().find(is_hollow).copied().filter(|_| is_at_home(position, !us))
}

/// Whether the king of this side stands where it stands at the start.
fn is_at_home(position: &Position, side: Color) -> bool {
    let king = position.king(side);
    king.file() == Square::FILES / 2 && king.rank_for(side) == 0
}
