//! Pieces that cannot move, and pawns that cross the river.
//!
//! A rook, horse or cannon is *bound* if other pieces stand in all its ways, if its king stands behind it and it has no legal
//! move, or if it is lost wherever it goes. All moves of the piece are tried, each against every capture.

use super::{Bind, Mistake, ProvenBind};
use crate::motifs::{gains_on, majors, passed, played, value_on};
use xiangqi::{Move, MoveList, PieceKind, Position, Square};

/// What a bound piece costs at least, wherever it goes.
const COST: i32 = 200;

/// The piece of the mover that the move itself or the answer binds, and that is free after the best move. The line is
/// empty if the move itself does.
pub fn allowed(mistake: &Mistake, after: &Position) -> Option<ProvenBind> {
    let (&best, reply) = (mistake.best.first()?, mistake.refutation.first());
    let free = to_move_again(&played(mistake.position, best)?, mistake.best.get(1).copied())?;
    let is_new = |square: Square| {
        let before = if square == mistake.played.to() { mistake.played.from() } else { square };
        let now = if before == best.from() { best.to() } else { before };
        bind(mistake.position, before).is_none()
            && is_same(mistake.position, before, &free, now)
            && bind(&free, now).is_none()
    };
    let bound = |position: &Position, line: Vec<Move>| {
        find(position, is_new).map(|(piece, square, bind)| ProvenBind { piece, square, bind, line })
    };
    if after.in_check() || mistake.position.in_check() {
        return None;
    }
    let by_itself = bound(&passed(after), Vec::new());
    by_itself.or_else(|| reply.and_then(|&reply| bound(&played(after, reply)?, vec![reply])))
}

/// The piece of the other side that the best move binds, and that is free after the move that was played.
pub fn missed(mistake: &Mistake, after: &Position) -> Option<ProvenBind> {
    let &best = mistake.best.first()?;
    let bound = played(mistake.position, best)?;
    let before = (!mistake.position.in_check()).then(|| passed(mistake.position));
    find(&bound, |square| {
        let was_bound = before.as_ref().is_none_or(|before| bind(before, square).is_some());
        !was_bound && !after.in_check() && is_same(&bound, square, after, square) && bind(after, square).is_none()
    })
    .map(|(piece, square, bind)| ProvenBind { piece, square, bind, line: vec![best] })
}

/// The piece of the mover that is bound, has two safe moves or more after the best move, and is still bound after the move
/// that was played.
pub fn missed_freeing(mistake: &Mistake, after: &Position) -> Option<ProvenBind> {
    let &best = mistake.best.first()?;
    let freed = to_move_again(&played(mistake.position, best)?, None)?;
    let still = to_move_again(after, None)?;
    let moved = |square: Square, mv: Move| if square == mv.from() { mv.to() } else { square };
    find(mistake.position, |square| {
        let (now, there) = (moved(square, best), moved(square, mistake.played));
        is_same(mistake.position, square, &freed, now)
            && safe_moves(&freed, now) > 1
            && is_same(mistake.position, square, &still, there)
            && bind(&still, there).is_some()
    })
    .map(|(piece, square, bind)| ProvenBind { piece, square, bind, line: vec![best] })
}

/// The answer is a pawn that crosses the river and cannot be taken at no loss, and it cannot do so after the best move.
pub fn allowed_crossing(mistake: &Mistake, after: &Position) -> Option<Move> {
    let reply = *mistake.refutation.first()?;
    let avoided = played(mistake.position, *mistake.best.first()?)?;
    (crosses(after, reply) && !crosses(&avoided, reply)).then_some(reply)
}

/// The best move is such a pawn.
pub fn missed_crossing(mistake: &Mistake) -> Option<Move> {
    let best = *mistake.best.first()?;
    crosses(mistake.position, best).then_some(best)
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
