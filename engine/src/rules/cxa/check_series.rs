//! Series of checks that mate (§9.2) or gain material (§9.3).

use super::exchange::{CaptureGain, ExchangeTerms, capture_gains, cxa_piece_value, net_gain};
use crate::board::Position;
use crate::rules::tracked_board::TrackedBoard;
use crate::types::{Move, PieceKind, Square};

/// The gain of a mate, larger than any material.
pub(super) const MATE_GAIN: i32 = 1000;

/// The node limit of one mate search.
const MAX_MATE_NODES: u32 = 4000;

/// True if the side to move mates by at most this many checks.
pub(super) fn mates_by_checks(position: &mut Position, checks: u32) -> bool {
    (1..=checks).any(|checks| search_check_mate(position, checks, &mut { MAX_MATE_NODES }))
}

fn search_check_mate(position: &mut Position, checks: u32, nodes: &mut u32) -> bool {
    for mv in moves(position).into_iter().filter(|&mv| position.gives_check(mv)).collect::<Vec<_>>() {
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        position.make_unchecked(mv);
        let mated = if checks == 1 {
            !position.has_legal_move()
        } else {
            moves(position).into_iter().all(|evasion| {
                position.make_unchecked(evasion);
                let mated = search_check_mate(position, checks - 1, nodes);
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

/// The value of the piece that a move captures.
pub(super) fn captured_value(position: &Position, mv: Move) -> i32 {
    let piece = position.piece_at(mv.to());
    match piece.kind() {
        Some(kind) => cxa_piece_value(kind, !mv.to().is_home(piece.color_unchecked())),
        None => 0,
    }
}

/// A search for a gain at the end of a series of checks.
pub(super) struct CheckSeries<'a> {
    /// The checks that may still be tried.
    pub(super) nodes: u32,
    /// Captures with the gain of each alone; a series that begins with one counts only if it gains more.
    pub(super) known: &'a [(Move, i32)],
    /// If set, only the piece on this square may check and capture.
    pub(super) only_from: Option<Square>,
    /// Subtract the best recapture from the gain.
    pub(super) subtract_recapture: bool,
}

impl CheckSeries<'_> {
    /// The gain that the side to move can force by at most this many checks and a capture after them.
    pub(super) fn gain(&mut self, position: &mut Position, checks: u32) -> i32 {
        let mut best = 0;
        for mv in self.series_checks(position) {
            if self.nodes == 0 {
                break;
            }
            self.nodes -= 1;
            let only = self.only_from.map(|_| mv.to());
            let won = captured_value(position, mv);
            position.make_unchecked(mv);
            let mut worst = MATE_GAIN;
            for evasion in moves(position) {
                let lost = captured_value(position, evasion);
                position.make_unchecked(evasion);
                let mut rest = CheckSeries {
                    nodes: self.nodes,
                    known: &[],
                    only_from: only,
                    subtract_recapture: self.subtract_recapture,
                };
                let mut then = rest.best_capture(position);
                if checks > 1 && won - lost + then < worst {
                    then = then.max(rest.gain(position, checks - 1));
                }
                self.nodes = rest.nodes;
                position.unmake();
                // §9.3: a side that gives up a piece on the way must win two points or more.
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

    /// §9.6: the checks that may begin a series, without those given by a pawn.
    fn series_checks(&self, position: &mut Position) -> Vec<Move> {
        let wanted = |position: &mut Position, mv: Move| {
            let away = self.only_from.is_some_and(|square| square != mv.from());
            if away || !position.gives_check(mv) {
                return false;
            }
            if position.piece_at(mv.from()).kind() != Some(PieceKind::Pawn) {
                return true;
            }
            position.make_unchecked(mv);
            let pawn_checks = position.checkers().contains(mv.to());
            position.unmake();
            !pawn_checks
        };
        moves(position).into_iter().filter(|&mv| wanted(position, mv)).collect()
    }

    /// The gain of the best capture after the checks.
    fn best_capture(&self, position: &Position) -> i32 {
        let mut diagram = TrackedBoard::of(position);
        let us = position.side();
        let only = self.only_from.and_then(|square| diagram.piece_on(square));
        let mut best = 0;
        for CaptureGain { attacker, victim, gain } in capture_gains(&mut diagram, us, ExchangeTerms::default()) {
            let chases = diagram.chase_pieces(us).contains(attacker) && only.is_none_or(|only| only == attacker);
            if chases && gain > best {
                best = best.max(if self.subtract_recapture { net_gain(&mut diagram, attacker, victim) } else { gain });
            }
        }
        best
    }
}
