//! Forcing play: what the side to move gains by captures and checks, whatever the other side answers, and whether it
//! mates by checks alone. One search answers both, within a fixed number of nodes.

use super::cxa_piece_value;
use crate::board::Position;
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// More than can ever be gained.
pub(super) const MATE_GAIN: i32 = 1000;

/// Positions that are looked at for one first move.
const MAX_NODES: u32 = 400;

/// Positions that are looked at for a mate of a given length.
const MAX_MATE_NODES: u32 = 4000;

/// Plies of forcing play.
const MAX_PLIES: u32 = 12;

/// What a move takes off the board.
pub(super) fn captured_value(position: &Position, mv: Move) -> i32 {
    let value = |piece: Piece| cxa_piece_value(piece.kind(), !mv.to().is_home(piece.color()));
    position.piece_at(mv.to()).map_or(0, value)
}

/// A capture that does not count while both pieces stay where they are.
#[derive(Clone, Copy)]
struct BarredCapture {
    taker: Square,
    victim: Square,
}

/// Captures that do not count: between pieces that offer each other an exchange, and those that stood already.
#[derive(Clone, Copy)]
pub(super) struct Barred {
    captures: [BarredCapture; Barred::MAX],
    len: usize,
}

impl Barred {
    const MAX: usize = 40;
    pub(super) const NONE: Barred =
        Barred { captures: [BarredCapture { taker: Square(0), victim: Square(0) }; Barred::MAX], len: 0 };

    pub(super) fn add(&mut self, taker: Square, victim: Square) {
        if self.len < Barred::MAX {
            self.captures[self.len] = BarredCapture { taker, victim };
            self.len += 1;
        }
    }

    pub(super) fn contains(&self, mv: Move) -> bool {
        self.captures[..self.len].iter().any(|pair| pair.taker == mv.from() && pair.victim == mv.to())
    }

    /// What is left of them after a move.
    pub(super) fn after(&self, mv: Move) -> Barred {
        let mut left = Barred::NONE;
        for pair in &self.captures[..self.len] {
            // What takes on the square of the victim takes its place.
            if ![mv.from(), mv.to()].contains(&pair.taker) && pair.victim != mv.from() {
                left.add(pair.taker, pair.victim);
            }
        }
        left
    }
}

/// How a search is limited.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Checks without a capture that the side to move may still give, and the other side.
    pub(super) checks: [u32; 2],
    pub(super) plies: u32,
}

impl Limits {
    pub(super) const fn of(own: u32, other: u32) -> Limits {
        Limits { checks: [own, other], plies: MAX_PLIES }
    }

    fn next(self, is_quiet_check: bool) -> Limits {
        let [own, other] = self.checks;
        Limits { checks: [other, own - u32::from(is_quiet_check)], plies: self.plies - 1 }
    }
}

/// Whose captures count.
#[derive(Clone, Copy)]
pub(super) enum Takers {
    All,
    /// Of this side not the king and the pawns, which may attack what they like (§9.6), unless they take back here.
    WithoutKingAndPawns(Color, Square),
}

impl Takers {
    fn leave_out(self, position: &Position, mv: Move) -> bool {
        match self {
            Takers::All => false,
            Takers::WithoutKingAndPawns(color, square) => {
                position.side() == color
                    && mv.to() != square
                    && matches!(position.piece_at(mv.from()).map(Piece::kind), Some(PieceKind::King | PieceKind::Pawn))
            }
        }
    }
}

/// One search.
pub(super) struct Lookahead {
    nodes: u32,
    takers: Takers,
}

impl Lookahead {
    /// What the side to move gains by force, and how.
    pub(super) fn gain(
        position: &mut Position,
        takers: Takers,
        barred: &Barred,
        limits: Limits,
        line: &mut Vec<Move>,
    ) -> i32 {
        Lookahead { nodes: MAX_NODES, takers }.best(position, barred, (-2 * MATE_GAIN, 2 * MATE_GAIN), limits, line)
    }

    fn best(
        &mut self,
        position: &mut Position,
        barred: &Barred,
        (alpha, beta): (i32, i32),
        limits: Limits,
        line: &mut Vec<Move>,
    ) -> i32 {
        line.clear();
        let in_check = position.in_check();
        let mut best = if in_check { -MATE_GAIN } else { 0 };
        if self.nodes == 0 || limits.plies == 0 {
            return 0;
        }
        if best >= beta {
            return best;
        }
        self.nodes -= 1;
        for (mv, is_quiet_check) in forcing_moves(position, in_check, limits.checks[0] > 0) {
            let won = captured_value(position, mv);
            if !in_check && (barred.contains(mv) || won > 0 && self.takers.leave_out(position, mv)) {
                continue;
            }
            position.play_unchecked(mv);
            let mut rest = Vec::new();
            let window = (won - beta, won - alpha.max(best));
            let value = won - self.best(position, &barred.after(mv), window, limits.next(is_quiet_check), &mut rest);
            position.undo();
            if value > best {
                best = value;
                line.clear();
                line.push(mv);
                line.append(&mut rest);
                if best >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// Captures, the dearest first, then checks without one; all that answers a check. With each whether it is a check
/// that must be paid for.
fn forcing_moves(position: &Position, in_check: bool, with_checks: bool) -> Vec<(Move, bool)> {
    let mut found: Vec<(i32, Move, bool)> = Vec::new();
    for mv in position.legal_moves() {
        let victim = position.piece_at(mv.to());
        if victim.is_some() {
            let own =
                position.piece_at(mv.from()).map(Piece::kind).map_or(0, |kind| cxa_piece_value(kind, true).min(9));
            let won = captured_value(position, mv);
            if won > 0 || in_check || with_checks && position.gives_check(mv) {
                found.push((10 * won - own, mv, false));
            }
        } else if in_check {
            found.push((-100, mv, false));
        } else if with_checks && position.gives_check(mv) {
            found.push((-200, mv, true));
        }
    }
    found.sort_by_key(|&(worth, _, _)| -worth);
    found.into_iter().map(|(_, mv, check)| (mv, check)).collect()
}

/// Whether the side to move mates by checks alone, with this many of them at most.
pub(super) fn mates_by_checks(position: &mut Position, barred: &Barred, checks: u32) -> bool {
    (1..=checks).any(|checks| search_check_mate(position, barred, checks, &mut { MAX_MATE_NODES }))
}

fn search_check_mate(position: &mut Position, barred: &Barred, checks: u32, nodes: &mut u32) -> bool {
    let all: Vec<Move> = position.legal_moves().to_vec();
    for mv in all.into_iter().filter(|&mv| !barred.contains(mv) && position.gives_check(mv)).collect::<Vec<_>>() {
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        let barred = barred.after(mv);
        position.play_unchecked(mv);
        let mated = if checks == 1 {
            !position.has_legal_move()
        } else {
            let evasions: Vec<Move> = position.legal_moves().to_vec();
            evasions.into_iter().all(|evasion| {
                position.play_unchecked(evasion);
                let mated = search_check_mate(position, &barred.after(evasion), checks - 1, nodes);
                position.undo();
                mated
            })
        };
        position.undo();
        if mated {
            return true;
        }
    }
    false
}

/// Whether this is a check that a pawn gives itself, which is its right (§9.6).
pub(super) fn is_pawn_check(position: &mut Position, mv: Move) -> bool {
    if position.piece_at(mv.from()).map(Piece::kind) != Some(PieceKind::Pawn) {
        return false;
    }
    position.play_unchecked(mv);
    let checks = position.checkers().contains(mv.to());
    position.undo();
    checks
}
