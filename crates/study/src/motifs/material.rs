//! What a line gives and takes: sacrifices, and pieces that lose their defenders.

use super::geometry::{WORTHWHILE, gains, gains_on, is_between, majors, value_on};
use super::line::{Line, passed};
use super::{Finding, Motif};
use xiangqi::{Move, PieceKind, Square, engine::piece_value};

/// What a sacrifice gives at least.
const GIVEN: i32 = 250;

/// The motifs of the solver's move at this index.
pub fn find(line: &Line, ply: usize) -> Vec<Finding> {
    let motifs = [sacrifice, removed_defender, deflection, opened_line, hanging_piece];
    motifs.iter().filter_map(|motif| motif(line, ply)).collect()
}

/// The reply takes the rook, horse or cannon that has moved, or one that could not be taken before; the solver is behind
/// after it, and still behind after the next move, unless that mates; and the line mates or gives nothing in the end.
fn sacrifice(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, &reply) = (line.moves()[ply], line.moves().get(ply + 1)?);
    let taken = line.after(ply).piece_at(reply.to()).filter(|piece| piece.kind().is_major())?;
    let is_behind = |ply: usize| line.balance_after(ply) <= -GIVEN;
    let stays_behind = ply + 2 < line.len() && (is_behind(ply + 2) || line.mates() && ply + 3 == line.len());
    if piece_value(taken.kind()) < GIVEN || !is_behind(ply + 1) || !stays_behind {
        return None;
    }
    let before = line.before(ply);
    let hung = reply.to() != mv.to() && (before.in_check() || gains_on(&passed(before), reply.to(), 1));
    let is_regained = line.mates() || line.gain() >= 0;
    (!hung && is_regained).then_some(Finding { motif: Motif::Sacrifice, ply, squares: vec![reply.to()] })
}

/// The move takes a piece that protects a rook, horse or cannon, and one that has attacked that before takes it then, which
/// would have gained nothing.
fn removed_defender(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, before) = (line.moves()[ply], line.before(ply));
    let them = !line.solver();
    before.piece_at(mv.to())?;
    let later = ply + 2;
    let capture = *line.moves().get(later)?;
    let target = capture.to();
    let is_protected = before.attackers_to(target, them).contains(mv.to());
    let stands = line.follow(target, ply, later) == Some(target) && majors(before, them).contains(&target);
    if mv.to() == target || !is_protected || !stands || gains_on(before, target, WORTHWHILE) {
        return None;
    }
    let has_attacked = capture.from() != mv.to() && before.reaches(capture.from(), target);
    let takes = has_attacked && gains(line.before(later), capture, WORTHWHILE);
    takes.then_some(Finding { motif: Motif::RemovedDefender, ply, squares: vec![target] })
}

/// The reply takes what has moved, with a piece that protects a rook, horse or cannon and does so no more; that is taken
/// then, which would have gained nothing before.
fn deflection(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, after) = (line.moves()[ply], line.after(ply));
    let (&reply, &capture) = (line.moves().get(ply + 1)?, line.moves().get(ply + 2)?);
    let (target, them) = (capture.to(), after.side());
    if reply.to() != mv.to() || after.in_check() || target == reply.to() || !majors(after, them).contains(&target) {
        return None;
    }
    let next = line.before(ply + 2);
    let is_drawn_off = after.attackers_to(target, them).contains(reply.from())
        && reply.from() != target
        && !next.attackers_to(target, them).contains(reply.to());
    let was_safe = after.reaches(capture.from(), target) && !gains_on(&passed(after), target, WORTHWHILE);
    (is_drawn_off && was_safe && gains(next, capture, WORTHWHILE)).then_some(Finding {
        motif: Motif::Deflection,
        ply,
        squares: vec![target],
    })
}

/// The reply takes back what the move has taken with, and leaves the line of a rook or cannon, which takes along it.
fn opened_line(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, after) = (line.moves()[ply], line.after(ply));
    let (&reply, &capture) = (line.moves().get(ply + 1)?, line.moves().get(ply + 2)?);
    line.before(ply).piece_at(mv.to())?;
    let (by, target) = (capture.from(), capture.to());
    let is_slider = matches!(after.piece_at(by)?.kind(), PieceKind::Rook | PieceKind::Cannon);
    let is_opened = is_between(reply.from(), by, target) && !is_between(reply.to(), by, target);
    if reply.to() != mv.to() || target == reply.to() || !is_slider || !is_opened || after.reaches(by, target) {
        return None;
    }
    let is_major = majors(after, after.side()).contains(&target);
    (is_major && gains(line.before(ply + 2), capture, WORTHWHILE)).then_some(Finding {
        motif: Motif::OpenedLine,
        ply,
        squares: vec![target],
    })
}

/// The first move takes a rook, horse or cannon that nothing protects.
fn hanging_piece(line: &Line, ply: usize) -> Option<Finding> {
    let (mv, before, after) = (line.moves()[ply], line.before(ply), line.after(ply));
    let is_major = value_on(before, mv.to()) >= piece_value(PieceKind::Horse);
    let is_free = |from: Square| !after.is_legal(Move::new(from, mv.to()));
    let is_unprotected = after.attackers_to(mv.to(), after.side()).iter().all(is_free);
    let keeps = line.wins_from(ply, WORTHWHILE) || line.len() == 1;
    (ply == 0 && is_major && is_unprotected && keeps).then_some(Finding {
        motif: Motif::HangingPiece,
        ply,
        squares: vec![mv.to()],
    })
}
