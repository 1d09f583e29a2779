//! The league host's chase: what the moved piece attacks, by simple means (§4).

use super::chase::Chases;
use super::diagram::{Diagram, PieceId, PieceIds};
use crate::types::{Move, PieceKind, Square};

/// What the piece that just made this move chases. No pins, no discovered attacks.
pub(super) fn chased(diagram: &Diagram, mv: Move) -> Chases {
    let mut chases = Chases::NONE;
    let Some(moved) = diagram.piece_on(mv.to()) else { return chases };
    for victim in diagram.side(!diagram.color(moved)).iter() {
        let square = diagram.square(victim);
        if diagram.reaches(moved, square)
            && looks_there(diagram.kind(moved), mv, square)
            && is_prey(diagram, diagram.kind(moved), victim)
        {
            chases.add(victim, PieceIds::of(moved));
        }
    }
    chases
}

/// §4.2: a rook or a cannon looks only along the line that it did not move on.
fn looks_there(kind: PieceKind, mv: Move, target: Square) -> bool {
    match kind {
        PieceKind::Horse => true,
        PieceKind::Rook | PieceKind::Cannon => {
            let moved_along_file = mv.from().col() == mv.to().col();
            moved_along_file == (target.row() == mv.to().row())
        }
        _ => false,
    }
}

/// §4.3: who chases whom.
fn is_prey(diagram: &Diagram, hunter: PieceKind, victim: PieceId) -> bool {
    let unprotected = || !is_protected(diagram, victim);
    match (hunter, diagram.kind(victim)) {
        (PieceKind::Horse | PieceKind::Cannon, PieceKind::Rook) => true,
        (PieceKind::Horse | PieceKind::Rook, PieceKind::Cannon) => unprotected(),
        (PieceKind::Rook | PieceKind::Cannon, PieceKind::Horse) => unprotected(),
        (PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon, PieceKind::Pawn) => {
            diagram.has_crossed(victim) && unprotected()
        }
        _ => false,
    }
}

/// §4.4: protection as it looks, the king's included and pins ignored.
fn is_protected(diagram: &Diagram, victim: PieceId) -> bool {
    let square = diagram.square(victim);
    diagram.side(diagram.color(victim)).iter().any(|helper| diagram.reaches(helper, square))
}
