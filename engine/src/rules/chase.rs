//! The chase of the asian and the computer rules: which pieces a move newly attacks (§3, §5).
//!
//! The league host's chase: what the moved piece attacks, by simple means (§4).

use super::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, PieceKind, Square};

/// Where the two rules differ about an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChaseRules {
    /// A second attacker joining one that attacks already is a new chase: §3.7, §5.3.
    pub(super) joining_is_new: bool,
    /// A pinned piece attacks nothing but the piece that pins it, even where taking is legal: §5.4.
    pub(super) pinned_takes_pinner_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guards {
    /// Everybody's who could take back.
    All,
    /// Not that of a piece which looks at the victim through the attacker: it attacks the attacker, and whoever
    /// shuts its line saves his own piece and attacks nothing anew: §3.7.
    NotThroughAttacker,
}

/// Who is chased, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Chases {
    pub(super) victims: PieceIds,
    chasers: [PieceIds; TrackedBoard::MAX_PIECES],
}

impl Chases {
    pub(super) const NONE: Chases =
        Chases { victims: PieceIds::NONE, chasers: [PieceIds::NONE; TrackedBoard::MAX_PIECES] };

    /// These pieces, if there are any, chase that one.
    pub(super) fn add(&mut self, victim: PieceId, chasers: PieceIds) {
        if !chasers.is_empty() {
            self.victims.insert(victim);
            self.chasers[victim.index()] = self.chasers[victim.index()].or(chasers);
        }
    }

    /// The pieces that chase this one.
    pub(super) fn chasers(&self, victim: PieceId) -> PieceIds {
        self.chasers[victim.index()]
    }
}

impl ChaseRules {
    /// The pieces among `candidates` that this move newly chased, and who chases them. The diagram shows the
    /// board after the move; when this returns it shows the board before it.
    pub(super) fn newly_chased(
        self,
        diagram: &mut TrackedBoard,
        mv: Move,
        mover: Color,
        candidates: PieceIds,
    ) -> Chases {
        let mut now = Chases::NONE;
        for victim in candidates.and(diagram.pieces_of(!mover)).iter() {
            now.add(victim, self.chasers(diagram, victim, diagram.chase_pieces(mover), Guards::All));
        }
        diagram.unmake(mv);
        let mut new = Chases::NONE;
        for victim in now.victims.iter() {
            let chasers = now.chasers(victim);
            if self.joining_is_new {
                let before = self.chasers(diagram, victim, chasers, Guards::NotThroughAttacker);
                new.add(victim, chasers.without(before));
            } else if self.chasers(diagram, victim, diagram.chase_pieces(mover), Guards::All).is_empty() {
                new.add(victim, chasers);
            }
        }
        new
    }

    /// Those of the suspects that chase this piece on the board as it stands.
    fn chasers(self, diagram: &mut TrackedBoard, victim: PieceId, suspects: PieceIds, guards: Guards) -> PieceIds {
        let mut chasers = PieceIds::NONE;
        if may_be_chased(diagram, victim) {
            let square = diagram.square(victim);
            for attacker in suspects.iter() {
                if diagram.reaches(attacker, square) && self.is_chase(diagram, attacker, victim, guards) {
                    chasers.insert(attacker);
                }
            }
        }
        chasers
    }

    /// Whether this attack is a chase.
    fn is_chase(self, diagram: &mut TrackedBoard, attacker: PieceId, victim: PieceId, guards: Guards) -> bool {
        let (hunter, prey) = (diagram.kind(attacker), diagram.kind(victim));
        // §3.3: taking must be possible.
        if !is_legal_capture(diagram, attacker, victim)
            || self.pinned_takes_pinner_only && is_pinned_by_another(diagram, attacker, victim)
        {
            return false;
        }
        // §3.6: an exchange is offered, unless the other cannot accept.
        if hunter == prey
            && diagram.reaches(victim, diagram.square(attacker))
            && is_legal_capture(diagram, victim, attacker)
        {
            return false;
        }
        is_worth_more(prey, hunter) || !is_protected(diagram, attacker, victim, guards)
    }
}

/// §3.2: the king is never a victim, nor is a pawn that has not crossed the river.
fn may_be_chased(diagram: &TrackedBoard, victim: PieceId) -> bool {
    match diagram.kind(victim) {
        PieceKind::King => false,
        PieceKind::Pawn => diagram.has_crossed(victim),
        _ => true,
    }
}

/// §3.5: against these attackers protection is no help.
fn is_worth_more(prey: PieceKind, hunter: PieceKind) -> bool {
    match hunter {
        PieceKind::Horse | PieceKind::Cannon => prey == PieceKind::Rook,
        PieceKind::Advisor | PieceKind::Bishop => prey.is_major(),
        _ => false,
    }
}

/// §3.3: whether taking leaves the own king safe. A check that stands already does not matter: it will be
/// answered, and the attack is still there.
fn is_legal_capture(diagram: &mut TrackedBoard, attacker: PieceId, victim: PieceId) -> bool {
    let color = diagram.color(attacker);
    let standing = diagram.checkers(color);
    diagram.with_capture(attacker, victim, |after| after.checkers(color).without(standing).is_empty())
}

/// §3.4: whether some piece could really take back. One that is pinned, or that the capture cuts off or
/// checks away, is a false root.
fn is_protected(diagram: &mut TrackedBoard, attacker: PieceId, victim: PieceId, guards: Guards) -> bool {
    let color = diagram.color(victim);
    let standing = diagram.checkers(color);
    let (from, to) = (diagram.square(attacker), diagram.square(victim));
    diagram.with_capture(attacker, victim, |after| {
        let square = after.square(attacker);
        after.pieces_of(color).iter().any(|helper| {
            after.reaches(helper, square)
                && (guards == Guards::All || !lies_between(from, after.square(helper), to))
                && after.with_capture(helper, attacker, |end| end.checkers(color).without(standing).is_empty())
        })
    })
}

/// Whether a square lies between two others of one line.
fn lies_between(square: Square, a: Square, b: Square) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let one_line = a.row() == b.row() && square.row() == a.row() || a.col() == b.col() && square.col() == a.col();
    one_line && low < square && square < high
}

/// §5.4: whether the attacker shields its king from another piece than the victim.
fn is_pinned_by_another(diagram: &mut TrackedBoard, attacker: PieceId, victim: PieceId) -> bool {
    let color = diagram.color(attacker);
    let standing = diagram.checkers(color);
    let pinners = diagram.without_piece(attacker, |without| without.checkers(color).without(standing));
    !pinners.is_empty() && !pinners.contains(victim)
}

/// What the piece that just made this move chases. No pins, no discovered attacks.
pub(super) fn league_chases(diagram: &TrackedBoard, mv: Move) -> Chases {
    let mut chases = Chases::NONE;
    let Some(moved) = diagram.piece_on(mv.to()) else { return chases };
    for victim in diagram.pieces_of(!diagram.color(moved)).iter() {
        let square = diagram.square(victim);
        if diagram.reaches(moved, square)
            && attacks_by_move(diagram.kind(moved), mv, square)
            && is_league_chase(diagram, diagram.kind(moved), victim)
        {
            chases.add(victim, PieceIds::of(moved));
        }
    }
    chases
}

/// §4.2: a rook or a cannon looks only along the line that it did not move on.
fn attacks_by_move(kind: PieceKind, mv: Move, target: Square) -> bool {
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
fn is_league_chase(diagram: &TrackedBoard, hunter: PieceKind, victim: PieceId) -> bool {
    let unprotected = || !has_apparent_protection(diagram, victim);
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
fn has_apparent_protection(diagram: &TrackedBoard, victim: PieceId) -> bool {
    let square = diagram.square(victim);
    diagram.pieces_of(diagram.color(victim)).iter().any(|helper| diagram.reaches(helper, square))
}
