//! What a side threatens: mate, captures, series of checks.

use super::check_series::{CheckSeries, MATE_GAIN, mates_by_checks};
use super::combination;
use super::exchange::{CaptureGain, ExchangeTerms, capture_gains, cxa_piece_value, exchange_gain, lies_between};
use crate::board::{Position, horse_leg};
use crate::rules::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, PieceKind, Square};

/// Checks of a series that mates, that gains, and of one that answers a capture.
const MAX_MATING_CHECKS: u32 = 5;
const MAX_GAINING_CHECKS: u32 = 2;
const MAX_ANSWERING_CHECKS: u32 = 3;

/// Checks that are tried for a gain, and for one in answer to a capture.
const MAX_GAIN_NODES: u32 = 2000;
const MAX_ANSWER_NODES: u32 = 500;

/// A piece that may be taken with gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaptureThreat {
    /// Where the taker stands.
    pub(super) taker: Square,
    /// Where the victim stands.
    pub(super) square: Square,
    /// What the exchange brings.
    pub(super) gain: i32,
    /// What is left of it after the best answer anywhere on the board.
    pub(super) net: i32,
    /// The answer undoes it: it mates, or falls upon what the taker shielded.
    pub(super) refuted: bool,
    /// The other side mates whatever is taken.
    pub(super) too_late: bool,
    /// Several pieces attack it together, or one over another.
    pub(super) joint: bool,
}

/// All that the side to move threatens.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveThreats {
    /// Mate, by checks alone.
    pub(super) kill: bool,
    /// By victim, the best capture of each.
    pub(super) captures: Vec<CaptureThreat>,
    /// What a series of checks gains.
    pub(super) series: i32,
    /// One piece alone gains that much.
    pub(super) series_alone: bool,
    /// What captures on several squares gain where no single one does.
    pub(super) combination: i32,
}

impl MoveThreats {
    /// What the side to move threatens. The same for a position, its mirror image, and with the sides exchanged:
    /// wherever the order of trying could matter, one of them is looked at for all.
    pub(super) fn of(position: &Position) -> MoveThreats {
        let flip = position.side() == Color::Black;
        let upright = if flip { position.color_flipped() } else { position.mirrored().mirrored() };
        let image = upright.mirrored();
        let mirror = image.fen() < upright.fen();
        let mut threats = ThreatFinder::new(if mirror { image } else { upright }).look();
        for prey in &mut threats.captures {
            for square in [&mut prey.taker, &mut prey.square] {
                *square = if mirror { square.mirror() } else { *square };
                *square = if flip { square.flip() } else { *square };
            }
        }
        threats
    }
}

/// Somebody who looks for threats.
struct ThreatFinder {
    position: Position,
    diagram: TrackedBoard,
    us: Color,
    in_check: bool,
    /// What the other side could do already if it were to move.
    theirs: OpponentThreats,
}

#[derive(Default)]
struct OpponentThreats {
    mates: bool,
    series: i32,
}

impl ThreatFinder {
    fn new(mut position: Position) -> ThreatFinder {
        let (us, in_check) = (position.side(), position.in_check());
        let mut theirs = OpponentThreats::default();
        if !in_check {
            position.make_null();
            theirs.mates = mates_by_checks(&mut position, MAX_ANSWERING_CHECKS);
            theirs.series =
                CheckSeries { nodes: MAX_ANSWER_NODES, known: &[], only_from: None, subtract_recapture: false }
                    .gain(&mut position, MAX_GAINING_CHECKS);
            position.unmake_null();
        }
        ThreatFinder { diagram: TrackedBoard::of(&position), position, us, in_check, theirs }
    }

    fn look(mut self) -> MoveThreats {
        let standing = self.diagram.checkers(self.us);
        let takings = capture_gains(
            &mut self.diagram,
            self.us,
            ExchangeTerms { standing_checkers: standing, excluded: PieceIds::NONE },
        );
        let mut threats = MoveThreats::default();
        for victim in self.diagram.pieces_of(!self.us).iter() {
            let on_it: Vec<CaptureGain> = takings.iter().copied().filter(|taking| taking.victim == victim).collect();
            threats.captures.extend(self.best_capture_threat(&on_it, standing));
        }
        if self.in_check {
            return threats;
        }
        threats.kill = mates_by_checks(&mut self.position, MAX_MATING_CHECKS);
        let known: Vec<(Move, i32)> = takings
            .iter()
            .filter(|taking| taking.gain > 0)
            .map(|taking| {
                let (from, to) = (self.diagram.square(taking.attacker), self.diagram.square(taking.victim));
                (Move::new(from, to), taking.gain)
            })
            .collect();
        let mut series = |net: bool| {
            let mut series =
                CheckSeries { nodes: MAX_GAIN_NODES, known: &known, only_from: None, subtract_recapture: net };
            series.gain(&mut self.position, MAX_GAINING_CHECKS)
        };
        threats.series = if series(true) > 0 { series(false) } else { 0 };
        threats.series_alone = threats.series > 0 && self.one_piece_gains_alone(&known, threats.series);
        if threats.captures.iter().all(|prey| prey.refuted) {
            let known = self.known_victims(&takings);
            threats.combination = combination::combination_gain(&mut self.position, &known);
        }
        threats
    }

    /// Whether one piece gains as much as all together by checks.
    fn one_piece_gains_alone(&mut self, known: &[(Move, i32)], gain: i32) -> bool {
        self.diagram.chase_pieces(self.us).iter().any(|id| {
            let only = Some(self.diagram.square(id));
            CheckSeries { nodes: MAX_GAIN_NODES, known, only_from: only, subtract_recapture: false }
                .gain(&mut self.position, MAX_GAINING_CHECKS)
                >= gain
        })
    }

    /// The best of these captures of one piece, if one gains anything.
    fn best_capture_threat(&mut self, takings: &[CaptureGain], standing: PieceIds) -> Option<CaptureThreat> {
        let offers = self.exchange_offers(takings);
        let kind = |scout: &ThreatFinder, id: PieceId| scout.diagram.kind(id);
        let hands = takings.iter().filter(|taking| kind(self, taking.attacker) != PieceKind::King).count();
        let mut found: Option<CaptureThreat> = None;
        for &CaptureGain { attacker, victim, gain } in takings {
            // King and pawn may attack what they like (§9.6), unless the pawn uncovers a check by taking.
            let may_chase = match kind(self, attacker) {
                PieceKind::King => false,
                PieceKind::Pawn => self.uncovers_check(attacker, victim),
                _ => true,
            };
            if !may_chase || offers.contains(attacker) {
                continue;
            }
            // Where an exchange is offered, something must be left without it.
            let terms = ExchangeTerms { standing_checkers: standing, excluded: offers };
            let left = exchange_gain(&mut self.diagram, attacker, victim, terms).unwrap_or(0);
            if left <= 0 && !self.forces_exchange(attacker, victim, gain) {
                continue;
            }
            let (net, void) = if self.in_check { (gain, false) } else { self.net_after_reply(attacker, victim) };
            let prey = CaptureThreat {
                taker: self.diagram.square(attacker),
                square: self.diagram.square(victim),
                gain,
                net,
                refuted: void,
                too_late: self.theirs.mates,
                joint: hands > 1 || self.captures_over_own_attacker(attacker, victim),
            };
            found = Some(found.map_or(prey, |best| best.or(prey)));
        }
        found
    }

    /// The pieces that need no combination: they can be taken with gain, or are offered an exchange.
    fn known_victims(&mut self, takings: &[CaptureGain]) -> Vec<Square> {
        let mut known = Vec::new();
        for &taking in takings {
            if taking.gain > 0 || !self.exchange_offers(&[taking]).is_empty() {
                known.push(self.diagram.square(taking.victim));
            }
        }
        known
    }

    /// The attackers that the victim could take as well, being of their kind: they offer an exchange.
    fn exchange_offers(&mut self, takings: &[CaptureGain]) -> PieceIds {
        let standing = self.diagram.checkers(!self.us);
        let mut offers = PieceIds::NONE;
        for &CaptureGain { attacker, victim, .. } in takings {
            let terms = ExchangeTerms { standing_checkers: standing, excluded: PieceIds::NONE };
            if self.diagram.kind(attacker) == self.diagram.kind(victim)
                && exchange_gain(&mut self.diagram, victim, attacker, terms).is_some()
            {
                offers.insert(attacker);
            }
        }
        offers
    }

    /// An even exchange with a piece of the same kind that could not begin it itself: its leg is held, or it is pinned.
    fn forces_exchange(&self, attacker: PieceId, victim: PieceId, gain: i32) -> bool {
        let kind = self.diagram.kind(victim);
        gain == 0 && self.diagram.kind(attacker) == kind && kind.is_major()
    }

    /// Whether another piece gives check once this one takes that one.
    fn uncovers_check(&mut self, attacker: PieceId, victim: PieceId) -> bool {
        let us = self.us;
        let others = |after: &mut TrackedBoard| after.checkers(!us).without(PieceIds::of(attacker));
        !self.diagram.with_capture(attacker, victim, others).is_empty()
    }

    /// Whether a cannon takes over an attacker of its own side.
    fn captures_over_own_attacker(&self, attacker: PieceId, victim: PieceId) -> bool {
        let (from, to) = (self.diagram.square(attacker), self.diagram.square(victim));
        self.diagram.kind(attacker) == PieceKind::Cannon
            && self
                .diagram
                .pieces_of(self.us)
                .iter()
                .any(|id| self.diagram.kind(id).is_major() && lies_between(self.diagram.square(id), from, to))
    }

    /// What is left of a capture after the best answer anywhere, and whether an answer undoes it.
    fn net_after_reply(&mut self, attacker: PieceId, victim: PieceId) -> (i32, bool) {
        let (from, to) = (self.diagram.square(attacker), self.diagram.square(victim));
        let won = cxa_piece_value(self.diagram.kind(victim), self.diagram.has_crossed(victim));
        self.position.make_unchecked(Move::new(from, to));
        let mut after = TrackedBoard::of(&self.position);
        let (mut answer, mut made_by_it) = (0, 0);
        for reply in capture_gains(&mut after, !self.us, ExchangeTerms::default()) {
            answer = answer.max(reply.gain);
            let (a, v) = (after.square(reply.attacker), after.square(reply.victim));
            if v == to || lies_between(from, a, v) || horse_leg(a, v) == Some(from) {
                made_by_it = made_by_it.max(reply.gain);
            }
        }
        if mates_by_checks(&mut self.position, 1)
            || mates_by_checks(&mut self.position, MAX_ANSWERING_CHECKS) && !self.theirs.mates
        {
            (answer, made_by_it) = (MATE_GAIN, MATE_GAIN);
        } else if !self.position.in_check() {
            let mut series =
                CheckSeries { nodes: MAX_ANSWER_NODES, known: &[], only_from: None, subtract_recapture: false };
            let gain = series.gain(&mut self.position, MAX_GAINING_CHECKS);
            answer = answer.max(if self.theirs.mates { MATE_GAIN } else { gain });
            if gain > self.theirs.series {
                made_by_it = made_by_it.max(gain);
            }
        }
        self.position.unmake();
        (won - answer, won < made_by_it || won == made_by_it && won > 0 && !self.is_even(attacker, victim))
    }

    fn is_even(&self, attacker: PieceId, victim: PieceId) -> bool {
        self.diagram.kind(attacker) == self.diagram.kind(victim)
    }
}

impl CaptureThreat {
    /// The better of two captures of one piece, with the best of both.
    fn or(self, other: CaptureThreat) -> CaptureThreat {
        let (best, rest) = if (!other.refuted, other.gain, other.net) > (!self.refuted, self.gain, self.net) {
            (other, self)
        } else {
            (self, other)
        };
        let joint = best.joint || rest.joint && !rest.refuted;
        let net = if rest.refuted && !best.refuted { best.net } else { best.net.max(rest.net) };
        CaptureThreat { joint, net, ..best }
    }
}
