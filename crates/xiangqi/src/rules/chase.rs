//! Chases: the pieces a move newly attacks by the asian and the computer rules (§3, §5), and the simpler chase of the
//! league rules (§4).

use super::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, PieceKind, Square};

/// The differences between the asian and the computer rules about an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChaseRules {
    /// A second attacker that joins the first is a new chase: §3.7, §5.3.
    pub(super) joining_is_new: bool,
    /// A pinned piece attacks only the piece that pins it, even where another capture is legal: §5.4.
    pub(super) pinned_takes_pinner_only: bool,
}

/// The protectors of a victim that are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guards {
    /// All pieces that could take back.
    All,
    /// All but those that reach the victim only through the attacker's square. Such a piece attacks the attacker, and
    /// blocking its line is a defence, not a new chase: §3.7.
    NotThroughAttacker,
}

/// The chased pieces, each with its chasers.
#[derive(Clone, Copy)]
pub(super) struct Chases {
    pub(super) victims: PieceIds,
    chasers: [PieceIds; TrackedBoard::MAX_PIECES],
}

impl Chases {
    pub(super) const NONE: Chases =
        Chases { victims: PieceIds::NONE, chasers: [PieceIds::NONE; TrackedBoard::MAX_PIECES] };

    /// Adds a victim with its chasers, if there are any.
    pub(super) fn add(&mut self, victim: PieceId, chasers: PieceIds) {
        if !chasers.is_empty() {
            self.victims.insert(victim);
            self.chasers[victim.index()] = self.chasers[victim.index()].or(chasers);
        }
    }

    /// The pieces that chase this victim.
    pub(super) fn chasers(&self, victim: PieceId) -> PieceIds {
        self.chasers[victim.index()]
    }
}

impl ChaseRules {
    /// The pieces among `candidates` that this move newly chased, with their chasers. The board is given after the move
    /// and returned as before it.
    pub(super) fn newly_chased(
        self,
        tracked: &mut TrackedBoard,
        mv: Move,
        mover: Color,
        candidates: PieceIds,
    ) -> Chases {
        let mut now = Chases::NONE;
        for victim in candidates.and(tracked.pieces_of(!mover)).iter() {
            now.add(victim, self.chasers(tracked, victim, tracked.chase_pieces(mover), Guards::All));
        }
        tracked.unmake(mv);
        let mut new = Chases::NONE;
        for victim in now.victims.iter() {
            let chasers = now.chasers(victim);
            if self.joining_is_new {
                let before = self.chasers(tracked, victim, chasers, Guards::NotThroughAttacker);
                new.add(victim, chasers.without(before));
            } else if self.chasers(tracked, victim, tracked.chase_pieces(mover), Guards::All).is_empty() {
                new.add(victim, chasers);
            }
        }
        new
    }

    /// The pieces among `suspects` that chase this victim on the current board.
    fn chasers(self, tracked: &mut TrackedBoard, victim: PieceId, suspects: PieceIds, guards: Guards) -> PieceIds {
        let mut chasers = PieceIds::NONE;
        if may_be_chased(tracked, victim) {
            let square = tracked.square(victim);
            for attacker in suspects.iter() {
                if tracked.reaches(attacker, square) && self.is_chase(tracked, attacker, victim, guards) {
                    chasers.insert(attacker);
                }
            }
        }
        chasers
    }

    /// True if this attack is a chase.
    fn is_chase(self, tracked: &mut TrackedBoard, attacker: PieceId, victim: PieceId, guards: Guards) -> bool {
        let (attacker_kind, victim_kind) = (tracked.kind(attacker), tracked.kind(victim));
        // §3.3: the capture must be legal.
        if !is_legal_capture(tracked, attacker, victim)
            || self.pinned_takes_pinner_only && is_pinned_by_another(tracked, attacker, victim)
        {
            return false;
        }
        // §3.6: it is an exchange offer, unless the other side cannot accept.
        if attacker_kind == victim_kind
            && tracked.reaches(victim, tracked.square(attacker))
            && is_legal_capture(tracked, victim, attacker)
        {
            return false;
        }
        is_worth_more(victim_kind, attacker_kind) || !is_protected(tracked, attacker, victim, guards)
    }
}

/// §3.2: the king and an uncrossed pawn are never victims.
fn may_be_chased(tracked: &TrackedBoard, victim: PieceId) -> bool {
    match tracked.kind(victim) {
        PieceKind::King => false,
        PieceKind::Pawn => tracked.has_crossed(victim),
        _ => true,
    }
}

/// §3.5: an attack by these pieces on these victims is a chase even if the victim is protected.
fn is_worth_more(victim_kind: PieceKind, attacker_kind: PieceKind) -> bool {
    match attacker_kind {
        PieceKind::Horse | PieceKind::Cannon => victim_kind == PieceKind::Rook,
        PieceKind::Advisor | PieceKind::Bishop => victim_kind.is_major(),
        _ => false,
    }
}

/// §3.3: true if the capture leaves the own king safe. A check given before is ignored: it will be answered, and the
/// attack remains.
fn is_legal_capture(tracked: &mut TrackedBoard, attacker: PieceId, victim: PieceId) -> bool {
    let color = tracked.color(attacker);
    let standing = tracked.checkers(color);
    tracked.with_capture(attacker, victim, |after| after.checkers(color).without(standing).is_empty())
}

/// §3.4: true if some piece can legally take back. A piece that is pinned, or that the capture cuts off or checks, does
/// not protect (a false root).
fn is_protected(tracked: &mut TrackedBoard, attacker: PieceId, victim: PieceId, guards: Guards) -> bool {
    let color = tracked.color(victim);
    let standing = tracked.checkers(color);
    let (from, to) = (tracked.square(attacker), tracked.square(victim));
    tracked.with_capture(attacker, victim, |after| {
        let square = after.square(attacker);
        after.pieces_of(color).iter().any(|helper| {
            after.reaches(helper, square)
                && (guards == Guards::All || !lies_between(from, after.square(helper), to))
                && after.with_capture(helper, attacker, |end| end.checkers(color).without(standing).is_empty())
        })
    })
}

/// True if a square lies strictly between two others of one line.
pub(super) fn lies_between(square: Square, a: Square, b: Square) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let one_line = a.row() == b.row() && square.row() == a.row() || a.col() == b.col() && square.col() == a.col();
    one_line && low < square && square < high
}

/// §5.4: true if the attacker is pinned by another piece than the victim.
fn is_pinned_by_another(tracked: &mut TrackedBoard, attacker: PieceId, victim: PieceId) -> bool {
    let color = tracked.color(attacker);
    let standing = tracked.checkers(color);
    let pinners = tracked.without_piece(attacker, |without| without.checkers(color).without(standing));
    !pinners.is_empty() && !pinners.contains(victim)
}

/// The chases of the piece that just moved (§4); pins and discovered attacks are ignored.
pub(super) fn league_chases(tracked: &TrackedBoard, mv: Move) -> Chases {
    let mut chases = Chases::NONE;
    let Some(moved) = tracked.piece_on(mv.to()) else { return chases };
    for victim in tracked.pieces_of(!tracked.color(moved)).iter() {
        let square = tracked.square(victim);
        if tracked.reaches(moved, square)
            && attacks_by_move(tracked.kind(moved), mv, square)
            && is_league_chase(tracked, tracked.kind(moved), victim)
        {
            chases.add(victim, PieceIds::of(moved));
        }
    }
    chases
}

/// §4.2: a rook or a cannon attacks only along the line perpendicular to its move.
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

/// §4.3: true if this kind of attacker chases this victim.
fn is_league_chase(tracked: &TrackedBoard, attacker_kind: PieceKind, victim: PieceId) -> bool {
    let unprotected = || !has_apparent_protection(tracked, victim);
    match (attacker_kind, tracked.kind(victim)) {
        (PieceKind::Horse | PieceKind::Cannon, PieceKind::Rook) => true,
        (PieceKind::Horse | PieceKind::Rook, PieceKind::Cannon) => unprotected(),
        (PieceKind::Rook | PieceKind::Cannon, PieceKind::Horse) => unprotected(),
        (PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon, PieceKind::Pawn) => {
            tracked.has_crossed(victim) && unprotected()
        }
        _ => false,
    }
}

/// §4.4: true if some piece could take back, the king included and pins ignored.
fn has_apparent_protection(tracked: &TrackedBoard, victim: PieceId) -> bool {
    let square = tracked.square(victim);
    tracked.pieces_of(tracked.color(victim)).iter().any(|helper| tracked.reaches(helper, square))
}
