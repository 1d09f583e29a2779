//! What a side threatens: mate, captures, series of checks.

use super::combination;
use super::exchange::{Taking, Terms, lies_between, taking, takings, worth};
use super::series::{MATE, Series, mates};
use crate::board::{Position, horse_leg};
use crate::rules::diagram::{Diagram, PieceId, PieceIds};
use crate::types::{Color, Move, PieceKind, Square};

/// Checks of a series that mates, that gains, and of one that answers a capture.
const CHECKS_TO_MATE: u32 = 5;
const CHECKS_TO_GAIN: u32 = 2;
const CHECKS_IN_ANSWER: u32 = 3;

/// Checks that are tried for a gain, and for one in answer to a capture.
const GAIN_NODES: u32 = 2000;
const ANSWER_NODES: u32 = 500;

/// A piece that may be taken with gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prey {
    /// Where the taker stands.
    pub(super) taker: Square,
    /// Where the victim stands.
    pub(super) square: Square,
    /// What the exchange brings.
    pub(super) gain: i32,
    /// What is left of it after the best answer anywhere on the board.
    pub(super) net: i32,
    /// The answer undoes it: it mates, or falls upon what the taker shielded.
    pub(super) void: bool,
    /// The other side mates whatever is taken.
    pub(super) too_late: bool,
    /// Several pieces attack it together, or one over another.
    pub(super) joint: bool,
}

/// All that the side to move threatens.
#[derive(Clone, Debug, Default)]
pub(super) struct Threats {
    /// Mate, by checks alone.
    pub(super) kill: bool,
    /// By victim, the best capture of each.
    pub(super) preys: Vec<Prey>,
    /// What a series of checks gains.
    pub(super) series: i32,
    /// One piece alone gains that much.
    pub(super) series_alone: bool,
    /// What captures on several squares gain where no single one does.
    pub(super) combination: i32,
}

impl Threats {
    /// What the side to move threatens. The same for a position, its mirror image, and with the sides exchanged:
    /// wherever the order of trying could matter, one of them is looked at for all.
    pub(super) fn of(position: &Position) -> Threats {
        let flip = position.side() == Color::Black;
        let upright = if flip { position.color_flipped() } else { position.mirrored().mirrored() };
        let image = upright.mirrored();
        let mirror = image.fen() < upright.fen();
        let mut threats = Scout::new(if mirror { image } else { upright }).look();
        for prey in &mut threats.preys {
            for square in [&mut prey.taker, &mut prey.square] {
                *square = if mirror { square.mirror() } else { *square };
                *square = if flip { square.flip() } else { *square };
            }
        }
        threats
    }
}

/// Somebody who looks for threats.
struct Scout {
    position: Position,
    diagram: Diagram,
    us: Color,
    in_check: bool,
    /// What the other side could do already if it were to move.
    theirs: Theirs,
}

#[derive(Default)]
struct Theirs {
    mates: bool,
    series: i32,
}

impl Scout {
    fn new(mut position: Position) -> Scout {
        let (us, in_check) = (position.side(), position.in_check());
        let mut theirs = Theirs::default();
        if !in_check {
            position.make_null();
            theirs.mates = mates(&mut position, CHECKS_IN_ANSWER);
            theirs.series = Series { nodes: ANSWER_NODES, known: &[], only: None, net: false }
                .gain(&mut position, CHECKS_TO_GAIN);
            position.unmake_null();
        }
        Scout { diagram: Diagram::of(&position), position, us, in_check, theirs }
    }

    fn look(mut self) -> Threats {
        let standing = self.diagram.checkers(self.us);
        let takings = takings(&mut self.diagram, self.us, Terms { standing, barred: PieceIds::NONE });
        let mut threats = Threats::default();
        for victim in self.diagram.side(!self.us).iter() {
            let on_it: Vec<Taking> =
                takings.iter().copied().filter(|taking| taking.victim == victim).collect();
            threats.preys.extend(self.prey(&on_it, standing));
        }
        if self.in_check {
            return threats;
        }
        threats.kill = mates(&mut self.position, CHECKS_TO_MATE);
        let known: Vec<(Move, i32)> = takings
            .iter()
            .filter(|taking| taking.gain > 0)
            .map(|taking| {
                let (from, to) = (self.diagram.square(taking.attacker), self.diagram.square(taking.victim));
                (Move::new(from, to), taking.gain)
            })
            .collect();
        let mut series = |net: bool| {
            let mut series = Series { nodes: GAIN_NODES, known: &known, only: None, net };
            series.gain(&mut self.position, CHECKS_TO_GAIN)
        };
        threats.series = if series(true) > 0 { series(false) } else { 0 };
        threats.series_alone = threats.series > 0 && self.somebody_alone(&known, threats.series);
        if threats.preys.iter().all(|prey| prey.void) {
            let known = self.known_victims(&takings);
            threats.combination = combination::gain(&mut self.position, &known);
        }
        threats
    }

    /// Whether one piece gains as much as all together by checks.
    fn somebody_alone(&mut self, known: &[(Move, i32)], gain: i32) -> bool {
        self.diagram.fighters(self.us).iter().any(|id| {
            let only = Some(self.diagram.square(id));
            Series { nodes: GAIN_NODES, known, only, net: false }.gain(&mut self.position, CHECKS_TO_GAIN)
                >= gain
        })
    }

    /// The best of these captures of one piece, if one gains anything.
    fn prey(&mut self, takings: &[Taking], standing: PieceIds) -> Option<Prey> {
        let offers = self.offers(takings);
        let kind = |scout: &Scout, id: PieceId| scout.diagram.kind(id);
        let hands = takings.iter().filter(|taking| kind(self, taking.attacker) != PieceKind::King).count();
        let mut found: Option<Prey> = None;
        for &Taking { attacker, victim, gain } in takings {
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
            let terms = Terms { standing, barred: offers };
            let left = taking(&mut self.diagram, attacker, victim, terms).unwrap_or(0);
            if left <= 0 && !self.forces_exchange(attacker, victim, gain) {
                continue;
            }
            let (net, void) = if self.in_check { (gain, false) } else { self.afterwards(attacker, victim) };
            let prey = Prey {
                taker: self.diagram.square(attacker),
                square: self.diagram.square(victim),
                gain,
                net,
                void,
                too_late: self.theirs.mates,
                joint: hands > 1 || self.shoots_over_own(attacker, victim),
            };
            found = Some(found.map_or(prey, |best| best.or(prey)));
        }
        found
    }

    /// The pieces that need no combination: they can be taken with gain, or are offered an exchange.
    fn known_victims(&mut self, takings: &[Taking]) -> Vec<Square> {
        let mut known = Vec::new();
        for &taking in takings {
            if taking.gain > 0 || !self.offers(&[taking]).is_empty() {
                known.push(self.diagram.square(taking.victim));
            }
        }
        known
    }

    /// The attackers that the victim could take as well, being of their kind: they offer an exchange.
    fn offers(&mut self, takings: &[Taking]) -> PieceIds {
        let standing = self.diagram.checkers(!self.us);
        let mut offers = PieceIds::NONE;
        for &Taking { attacker, victim, .. } in takings {
            let terms = Terms { standing, barred: PieceIds::NONE };
            if self.diagram.kind(attacker) == self.diagram.kind(victim)
                && taking(&mut self.diagram, victim, attacker, terms).is_some()
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
        let others = |after: &mut Diagram| after.checkers(!us).without(PieceIds::of(attacker));
        !self.diagram.after_capture(attacker, victim, others).is_empty()
    }

    /// Whether a cannon takes over an attacker of its own side.
    fn shoots_over_own(&self, attacker: PieceId, victim: PieceId) -> bool {
        let (from, to) = (self.diagram.square(attacker), self.diagram.square(victim));
        self.diagram.kind(attacker) == PieceKind::Cannon
            && self
                .diagram
                .side(self.us)
                .iter()
                .any(|id| self.diagram.kind(id).is_major() && lies_between(self.diagram.square(id), from, to))
    }

    /// What is left of a capture after the best answer anywhere, and whether an answer undoes it.
    fn afterwards(&mut self, attacker: PieceId, victim: PieceId) -> (i32, bool) {
        let (from, to) = (self.diagram.square(attacker), self.diagram.square(victim));
        let won = worth(self.diagram.kind(victim), self.diagram.has_crossed(victim));
        self.position.make(Move::new(from, to));
        let mut after = Diagram::of(&self.position);
        let (mut answer, mut made_by_it) = (0, 0);
        for reply in takings(&mut after, !self.us, Terms::default()) {
            answer = answer.max(reply.gain);
            let (a, v) = (after.square(reply.attacker), after.square(reply.victim));
            if v == to || lies_between(from, a, v) || horse_leg(a, v) == Some(from) {
                made_by_it = made_by_it.max(reply.gain);
            }
        }
        if mates(&mut self.position, 1) || mates(&mut self.position, CHECKS_IN_ANSWER) && !self.theirs.mates {
            (answer, made_by_it) = (MATE, MATE);
        } else if !self.position.in_check() {
            let mut series = Series { nodes: ANSWER_NODES, known: &[], only: None, net: false };
            let gain = series.gain(&mut self.position, CHECKS_TO_GAIN);
            answer = answer.max(if self.theirs.mates { MATE } else { gain });
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

impl Prey {
    /// The better of two captures of one piece, with the best of both.
    fn or(self, other: Prey) -> Prey {
        let (best, rest) = if (!other.void, other.gain, other.net) > (!self.void, self.gain, self.net) {
            (other, self)
        } else {
            (self, other)
        };
        let joint = best.joint || rest.joint && !rest.void;
        let net = if rest.void && !best.void { best.net } else { best.net.max(rest.net) };
        Prey { joint, net, ..best }
    }
}
