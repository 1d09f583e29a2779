//! Pieces that come to attack the palace: a cannon with nothing between it and the king, a cannon at the bottom, a horse
//! beside the palace or on its corner, a pawn in it.
//!
//! Each is told by the position after the move, where the piece cannot be taken at no loss, and the king stands at home.

use super::{Mistake, PalaceAttack, ProvenAttack};
use crate::motifs::{gains_on, passed, pieces_between, played};
use xiangqi::{Color, Move, PieceKind, Position, Square};

/// The attack that the answer brings about, which no move can after the best one, nor could before if the mover passed.
pub fn allowed(mistake: &Mistake, after: &Position) -> Option<ProvenAttack> {
    let reply = *mistake.refutation.first()?;
    let found = attack_of(after, reply).filter(|_| !is_taken(mistake.refutation))?;
    let avoided = played(mistake.position, *mistake.best.first()?)?;
    (!is_possible(&avoided, found.attack)).then_some(found)
}

/// The attack that the best move brings about, if the mover has no move for the same after the one that was played.
pub fn missed(mistake: &Mistake, after: &Position) -> Option<ProvenAttack> {
    let found = attack_of(mistake.position, *mistake.best.first()?).filter(|_| !is_taken(mistake.best))?;
    let is_there = attack_of(mistake.position, mistake.played).is_some_and(|other| other.attack == found.attack);
    let later = match mistake.refutation.first() {
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
