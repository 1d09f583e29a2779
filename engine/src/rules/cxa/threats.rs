//! The threats of a side: mate, captures, series of checks, captures on several squares.

use super::check_series::{CheckSeries, MATE_GAIN, mates_by_checks};
use super::combination;
use super::exchange::{CaptureGain, ExchangeTerms, capture_gains, cxa_piece_value, exchange_gain, lies_between};
use crate::board::{Position, horse_leg};
use crate::rules::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, PieceKind, Square};

/// The maximum number of checks of a mating series, of a gaining series, and of one that answers a capture.
const MAX_MATING_CHECKS: u32 = 5;
const MAX_GAINING_CHECKS: u32 = 2;
const MAX_ANSWERING_CHECKS: u32 = 3;

/// The node limits of a search for a gain by checks, and of one for the answer to a capture.
const MAX_GAIN_NODES: u32 = 2000;
const MAX_ANSWER_NODES: u32 = 500;

/// A capture that gains material.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaptureThreat {
    /// The square of the attacker.
    pub(super) taker: Square,
    /// The square of the victim.
    pub(super) square: Square,
    /// The gain of the exchange.
    pub(super) gain: i32,
    /// The gain after the best answer anywhere on the board.
    pub(super) net: i32,
    /// The answer refutes it: it mates, or captures what the attacker shielded.
    pub(super) refuted: bool,
    /// The other side mates whatever is captured.
    pub(super) too_late: bool,
    /// Several pieces attack the victim together, or one over another.
    pub(super) joint: bool,
}

/// All threats of the side to move.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveThreats {
    /// A mate by checks alone.
    pub(super) kill: bool,
    /// The best capture of each victim.
    pub(super) captures: Vec<CaptureThreat>,
    /// The gain of a series of checks.
    pub(super) series: i32,
    /// One piece gains that much alone.
    pub(super) series_alone: bool,
    /// The gain by captures on several squares where no single one gains.
    pub(super) combination: i32,
}

impl MoveThreats {
    /// Computes the threats of the side to move. Positions that are mirror images or have the sides exchanged are
    /// normalized first, so that the order of moves cannot lead to different results.
    pub(super) fn of(position: &Position) -> MoveThreats {
        let flip = position.side() == Color::Black;
        let upright = if flip { position.color_flipped() } else { position.mirrored().mirrored() };
        let image = upright.mirrored();
        let mirror = image.fen() < upright.fen();
        let mut threats = ThreatFinder::new(if mirror { image } else { upright }).look();
        for threat in &mut threats.captures {
            for square in [&mut threat.taker, &mut threat.square] {
                *square = if mirror { square.mirror() } else { *square };
                *square = if flip { square.flip() } else { *square };
            }
        }
        threats
    }
}

/// Searches the threats of one position.
struct ThreatFinder {
    position: Position,
    diagram: TrackedBoard,
    us: Color,
    in_check: bool,
    /// What the other side could do if it were to move.
    theirs: OpponentThreats,
}

/// The threats of the other side.
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
        let captures = capture_gains(
            &mut self.diagram,
            self.us,
            ExchangeTerms { standing_checkers: standing, excluded: PieceIds::NONE },
        );
        let mut threats = MoveThreats::default();
        for victim in self.diagram.pieces_of(!self.us).iter() {
            let on_it: Vec<CaptureGain> = captures.iter().copied().filter(|capture| capture.victim == victim).collect();
            threats.captures.extend(self.best_capture_threat(&on_it, standing));
        }
        if self.in_check {
            return threats;
        }
        threats.kill = mates_by_checks(&mut self.position, MAX_MATING_CHECKS);
        let known: Vec<(Move, i32)> = captures
            .iter()
            .filter(|capture| capture.gain > 0)
            .map(|capture| {
                let (from, to) = (self.diagram.square(capture.attacker), self.diagram.square(capture.victim));
                (Move::new(from, to), capture.gain)
            })
            .collect();
        let mut series = |net: bool| {
            let mut series =
                CheckSeries { nodes: MAX_GAIN_NODES, known: &known, only_from: None, subtract_recapture: net };
            series.gain(&mut self.position, MAX_GAINING_CHECKS)
        };
        threats.series = if series(true) > 0 { series(false) } else { 0 };
        threats.series_alone = threats.series > 0 && self.one_piece_gains_alone(&known, threats.series);
        if threats.captures.iter().all(|threat| threat.refuted) {
            let known = self.known_victims(&captures);
            threats.combination = combination::combination_gain(&mut self.position, &known);
        }
        threats
    }

    /// True if one piece alone gains as much by checks as all together.
    fn one_piece_gains_alone(&mut self, known: &[(Move, i32)], gain: i32) -> bool {
        self.diagram.chase_pieces(self.us).iter().any(|id| {
            let only = Some(self.diagram.square(id));
            CheckSeries { nodes: MAX_GAIN_NODES, known, only_from: only, subtract_recapture: false }
                .gain(&mut self.position, MAX_GAINING_CHECKS)
                >= gain
        })
    }

    /// The best of these captures of one victim, if any is a threat.
    fn best_capture_threat(&mut self, captures: &[CaptureGain], standing: PieceIds) -> Option<CaptureThreat> {
        let offers = self.exchange_offers(captures);
        let kind = |finder: &ThreatFinder, id: PieceId| finder.diagram.kind(id);
        let attackers = captures.iter().filter(|capture| kind(self, capture.attacker) != PieceKind::King).count();
        let mut found: Option<CaptureThreat> = None;
        for &CaptureGain { attacker, victim, gain } in captures {
            // §9.6: the king and pawns may threaten any capture, unless the pawn's capture gives a discovered check.
            let may_chase = match kind(self, attacker) {
                PieceKind::King => false,
                PieceKind::Pawn => self.uncovers_check(attacker, victim),
                _ => true,
            };
            if !may_chase || offers.contains(attacker) {
                continue;
            }
            // §9.4: where an exchange is offered, a gain must remain without that attacker.
            let terms = ExchangeTerms { standing_checkers: standing, excluded: offers };
            let left = exchange_gain(&mut self.diagram, attacker, victim, terms).unwrap_or(0);
            if left <= 0 && !self.forces_exchange(attacker, victim, gain) {
                continue;
            }
            let (net, refuted) = if self.in_check { (gain, false) } else { self.net_after_reply(attacker, victim) };
            let threat = CaptureThreat {
                taker: self.diagram.square(attacker),
                square: self.diagram.square(victim),
                gain,
                net,
                refuted,
                too_late: self.theirs.mates,
                joint: attackers > 1 || self.captures_over_own_attacker(attacker, victim),
            };
            found = Some(found.map_or(threat, |best| best.or(threat)));
        }
        found
    }

    /// The victims of a single gaining capture or an exchange offer, which need no combination.
    fn known_victims(&mut self, captures: &[CaptureGain]) -> Vec<Square> {
        let mut known = Vec::new();
        for &capture in captures {
            if capture.gain > 0 || !self.exchange_offers(&[capture]).is_empty() {
                known.push(self.diagram.square(capture.victim));
            }
        }
        known
    }

    /// The attackers that offer an exchange: the victim is of the same kind and could capture them.
    fn exchange_offers(&mut self, captures: &[CaptureGain]) -> PieceIds {
        let standing = self.diagram.checkers(!self.us);
        let mut offers = PieceIds::NONE;
        for &CaptureGain { attacker, victim, .. } in captures {
            let terms = ExchangeTerms { standing_checkers: standing, excluded: PieceIds::NONE };
            if self.diagram.kind(attacker) == self.diagram.kind(victim)
                && exchange_gain(&mut self.diagram, victim, attacker, terms).is_some()
            {
                offers.insert(attacker);
            }
        }
        offers
    }

    /// §9.4: true for an even exchange with a piece of the same kind that could not begin it itself (a blocked leg, or
    /// a pin).
    fn forces_exchange(&self, attacker: PieceId, victim: PieceId, gain: i32) -> bool {
        let kind = self.diagram.kind(victim);
        gain == 0 && self.diagram.kind(attacker) == kind && kind.is_major()
    }

    /// True if another piece gives check after this capture.
    fn uncovers_check(&mut self, attacker: PieceId, victim: PieceId) -> bool {
        let us = self.us;
        let others = |after: &mut TrackedBoard| after.checkers(!us).without(PieceIds::of(attacker));
        !self.diagram.with_capture(attacker, victim, others).is_empty()
    }

    /// True if a cannon captures over an attacker of its own side.
    fn captures_over_own_attacker(&self, attacker: PieceId, victim: PieceId) -> bool {
        let (from, to) = (self.diagram.square(attacker), self.diagram.square(victim));
        self.diagram.kind(attacker) == PieceKind::Cannon
            && self
                .diagram
                .pieces_of(self.us)
                .iter()
                .any(|id| self.diagram.kind(id).is_major() && lies_between(self.diagram.square(id), from, to))
    }

    /// The gain of a capture after the best answer anywhere, and whether the answer refutes it.
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
    /// The better of two captures of one victim, with properties of both.
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
