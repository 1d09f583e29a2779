//! Series of checks: whether they end in mate (§9.2), or in a gain (§9.3).

use super::exchange::{Taking, Terms, net, takings, worth};
use crate::board::Position;
use crate::rules::diagram::Diagram;
use crate::types::{Move, PieceKind, Square};

/// More than can ever be gained.
pub(super) const MATE: i32 = 1000;

/// Checks that are tried before a mate of this many moves is given up.
const MATE_NODES: u32 = 4000;

/// Whether the side to move mates by checks alone, with this many of them at most.
pub(super) fn mates(position: &mut Position, checks: u32) -> bool {
    (1..=checks).any(|checks| mates_in(position, checks, &mut { MATE_NODES }))
}

fn mates_in(position: &mut Position, checks: u32, nodes: &mut u32) -> bool {
    for mv in moves(position).into_iter().filter(|&mv| position.gives_check(mv)).collect::<Vec<_>>() {
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        position.make(mv);
        let mated = if checks == 1 {
            !position.has_legal_move()
        } else {
            moves(position).into_iter().all(|evasion| {
                position.make(evasion);
                let mated = mates_in(position, checks - 1, nodes);
                position.unmake();
                mated
            })
        };
        position.unmake();
        if mated {
            return true;
        }
    }
    false
}

fn moves(position: &Position) -> Vec<Move> {
    position.legal_moves().moves().collect()
}

/// What a move takes off the board.
pub(super) fn taken(position: &Position, mv: Move) -> i32 {
    let piece = position.piece_at(mv.to());
    match piece.kind() {
        Some(kind) => worth(kind, !mv.to().is_home(piece.color_unchecked())),
        None => 0,
    }
}

/// A look for a gain at the end of a series of checks.
pub(super) struct Series<'a> {
    /// Checks that are still tried.
    pub(super) nodes: u32,
    /// First moves that take, and what each gains without further checks: they count if the checks gain more.
    pub(super) known: &'a [(Move, i32)],
    /// Only this piece, where it stands now, checks and takes.
    pub(super) only: Option<Square>,
    /// What the other side takes for it is counted.
    pub(super) net: bool,
}

impl Series<'_> {
    /// What the side to move surely gains by checks, of which it gives this many at most, and a capture after them.
    pub(super) fn gain(&mut self, position: &mut Position, checks: u32) -> i32 {
        let mut best = 0;
        for mv in self.checks(position) {
            if self.nodes == 0 {
                break;
            }
            self.nodes -= 1;
            let only = self.only.map(|_| mv.to());
            let won = taken(position, mv);
            position.make(mv);
            let mut worst = MATE;
            for evasion in moves(position) {
                let lost = taken(position, evasion);
                position.make(evasion);
                let mut rest = Series { nodes: self.nodes, known: &[], only, net: self.net };
                let mut then = rest.capture(position);
                if checks > 1 && won - lost + then < worst {
                    then = then.max(rest.gain(position, checks - 1));
                }
                self.nodes = rest.nodes;
                position.unmake();
                // Who gives a piece for it wants more than the least for it.
                let (value, least) = (won - lost + then, if lost > won { 2 } else { 1 });
                worst = worst.min(if value < least { 0 } else { value });
                if worst <= best {
                    break;
                }
            }
            position.unmake();
            let known = self.known.iter().find(|known| known.0 == mv).map_or(0, |known| known.1);
            if worst > known {
                best = best.max(worst);
            }
        }
        best
    }

    /// Checks that may begin a series: not those that a pawn gives itself, which may threaten what it likes (§9.6).
    fn checks(&self, position: &mut Position) -> Vec<Move> {
        let wanted = |position: &mut Position, mv: Move| {
            let away = self.only.is_some_and(|square| square != mv.from());
            if away || !position.gives_check(mv) {
                return false;
            }
            if position.piece_at(mv.from()).kind() != Some(PieceKind::Pawn) {
                return true;
            }
            position.make(mv);
            let pawn_checks = position.checkers().contains(mv.to());
            position.unmake();
            !pawn_checks
        };
        moves(position).into_iter().filter(|&mv| wanted(position, mv)).collect()
    }

    /// What the best capture after the checks brings.
    fn capture(&self, position: &Position) -> i32 {
        let mut diagram = Diagram::of(position);
        let us = position.side();
        let only = self.only.and_then(|square| diagram.piece_on(square));
        let mut best = 0;
        for Taking { attacker, victim, gain } in takings(&mut diagram, us, Terms::default()) {
            let chases = diagram.fighters(us).contains(attacker) && only.is_none_or(|only| only == attacker);
            if chases && gain > best {
                best = best.max(if self.net { net(&mut diagram, attacker, victim) } else { gain });
            }
        }
        best
    }
}
