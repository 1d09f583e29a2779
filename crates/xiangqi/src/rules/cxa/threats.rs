//! What a side would do if the other side passed: mate by checks, take something with gain, gain by checks.

use super::lookahead::{Barred, Limits, Lookahead, MATE_GAIN, Takers, captured_value, is_pawn_check, mates_by_checks};
use super::{CaptureGain, ExchangeTerms, capture_gains, exchange_gain};
use crate::board::{Position, Setup};
use crate::rules::DEFAULT_MATING_CHECKS;
use crate::rules::tracked_board::{PieceId, PieceIds, TrackedBoard};
use crate::types::{Color, Move, PieceKind, Square};

/// Checks of a series that mates in answer to a capture.
const MAX_ANSWERING_CHECKS: u32 = 3;

/// Checks without a capture in a series that gains, and in the answers to a threat.
const OWN_CHECKS: u32 = 2;
const THEIR_CHECKS: u32 = 2;

/// What is left of a capture that is answered by mate. It is no threat, but stands on the board.
pub(super) const VOID: i32 = -2 * MATE_GAIN;

/// How a gain is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Means {
    /// By the exchange on the square of the victim.
    Capture,
    /// By this capture and others on other squares.
    Combination,
    /// By checks, and a capture after them.
    Series,
}

/// A gain that is threatened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threat {
    pub(super) means: Means,
    /// The first move.
    pub(super) mv: Move,
    /// Where the victim stands.
    pub(super) square: Square,
    pub(super) gain: i32,
    /// What is left after the best answer anywhere on the board, what was threatened already included.
    pub(super) net: i32,
}

/// All threats of the side to move.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveThreats {
    /// A mate by checks alone.
    pub(super) kill: bool,
    pub(super) gains: Vec<Threat>,
}

impl MoveThreats {
    /// Computes the threats of the side to move; `mating_checks` are the checks of the longest series that mates.
    /// Positions that are mirror images or have the sides exchanged are normalized first, so that the order of moves cannot lead to different results.
    pub(super) fn of(position: &Position, mating_checks: u32) -> MoveThreats {
        let flip = position.side() == Color::Black;
        let upright = if flip { position.color_flipped() } else { position.without_history() };
        let image = upright.mirrored();
        let mirror = image.fen() < upright.fen();
        let normal = if mirror { image } else { upright };
        // Set up anew, so that the pieces come in the same order, too, however they came to where they are.
        let ordered = Position::try_from(Setup::from(&normal)).unwrap_or(normal);
        let mut threats = ThreatFinder::new(ordered).look(mating_checks);
        for threat in &mut threats.gains {
            if mirror {
                (threat.square, threat.mv) = (threat.square.mirror(), threat.mv.mirror());
            }
            if flip {
                (threat.square, threat.mv) = (threat.square.flip(), threat.mv.flip());
            }
        }
        threats
    }

    /// What really gains.
    pub(super) fn effective(&self) -> impl Iterator<Item = &Threat> {
        self.gains.iter().filter(|threat| threat.net != VOID)
    }

    /// What is threatened to the piece on this square.
    pub(super) fn against(&self, square: Square) -> impl Iterator<Item = &Threat> {
        self.gains.iter().filter(move |threat| threat.square == square)
    }
}

/// Whether one piece alone makes this threat: nothing is lost of it without any of the others, and no other attacks the
/// same piece (§9.9).
pub(super) fn is_alone(position: &Position, threat: &Threat) -> bool {
    let us = position.side();
    let mut tracked = TrackedBoard::of(position);
    let (Some(taker), Some(victim)) = (tracked.piece_on(threat.mv.from()), tracked.piece_on(threat.square)) else {
        return false;
    };
    let king = tracked.king(us);
    let others: Vec<PieceId> = tracked.pieces_of(us).iter().filter(|&id| id != taker && id != king).collect();
    let helpers: Vec<PieceId> = others.into_iter().filter(|&id| tracked.kind(id).is_major()).collect();
    if threat.means != Means::Capture {
        let squares: Vec<Square> = helpers.iter().map(|&id| tracked.square(id)).collect();
        let Some(left) = position_without(position, &squares) else { return true };
        return MoveThreats::of(&left, DEFAULT_MATING_CHECKS)
            .effective()
            .any(|left| left.square == threat.square && left.gain >= threat.gain);
    }
    let gain =
        |tracked: &mut TrackedBoard, attacker| exchange_gain(tracked, attacker, victim, ExchangeTerms::default());
    if tracked.pieces_of(us).iter().any(|id| id != taker && id != king && gain(&mut tracked, id).is_some()) {
        return false;
    }
    helpers.iter().all(|&id| {
        tracked.without_own_piece(id, |left| {
            left.reaches(taker, threat.square) && gain(left, taker).is_none_or(|gain| gain > 0)
        })
    })
}

/// The same board without the pieces on these squares.
fn position_without(position: &Position, squares: &[Square]) -> Option<Position> {
    let mut setup = Setup::from(position);
    for &square in squares {
        setup.remove(square);
    }
    Position::try_from(setup).ok()
}

/// Searches the threats of one position.
struct ThreatFinder {
    position: Position,
    tracked: TrackedBoard,
    us: Color,
    in_check: bool,
    /// Exchanges that are offered.
    offers: Barred,
    offering: Vec<(PieceId, PieceId)>,
    /// What the other side could take already if it were to move.
    standing: Vec<Move>,
    /// What we could take with gain: it is no part of another threat.
    own: Vec<Move>,
    /// The other side mates by checks already.
    is_mated: bool,
    /// What we have if we do nothing.
    passed: i32,
}

impl ThreatFinder {
    fn new(position: Position) -> ThreatFinder {
        let (us, in_check) = (position.side(), position.in_check());
        ThreatFinder {
            tracked: TrackedBoard::of(&position),
            position,
            us,
            in_check,
            offers: Barred::NONE,
            offering: Vec::new(),
            standing: Vec::new(),
            own: Vec::new(),
            is_mated: false,
            passed: 0,
        }
    }

    fn look(mut self, mating_checks: u32) -> MoveThreats {
        let checkers = self.tracked.checkers(self.us);
        let terms = ExchangeTerms { standing_checkers: checkers, excluded: PieceIds::NONE };
        let takings = capture_gains(&mut self.tracked, self.us, terms);
        self.find_offers(&takings);
        for taking in takings.iter().filter(|taking| taking.gain > 0) {
            self.own.push(Move::new(self.tracked.square(taking.attacker), self.tracked.square(taking.victim)));
        }
        let mut threats = MoveThreats::default();
        if !self.in_check {
            self.look_at_passing();
            threats.kill = mates_by_checks(&mut self.position, &self.offers, mating_checks);
        }
        for taking in &takings {
            threats.gains.extend(self.capture_threat(taking, checkers));
        }
        if !self.in_check {
            // What takes a piece of no points is a move like any other.
            let quiet: Vec<Move> =
                self.position.legal_moves().into_iter().filter(|&mv| captured_value(&self.position, mv) == 0).collect();
            for mv in quiet {
                threats.gains.extend(self.series_threat(mv));
            }
        }
        threats
    }

    /// The captures between pieces of a kind that can take each other.
    fn find_offers(&mut self, takings: &[CaptureGain]) {
        let terms = ExchangeTerms { standing_checkers: self.tracked.checkers(!self.us), excluded: PieceIds::NONE };
        for &CaptureGain { attacker, victim, .. } in takings {
            if self.tracked.kind(attacker) == self.tracked.kind(victim)
                && exchange_gain(&mut self.tracked, victim, attacker, terms).is_some()
                && self.is_acceptable(victim, attacker)
            {
                self.offers.add(self.tracked.square(attacker), self.tracked.square(victim));
                self.offering.push((attacker, victim));
            }
        }
    }

    /// Whether the other side loses nothing by this capture, what it would lose without it left aside.
    fn is_acceptable(&mut self, victim: PieceId, attacker: PieceId) -> bool {
        if self.in_check {
            return true;
        }
        let mv = Move::new(self.tracked.square(victim), self.tracked.square(attacker));
        let limits = Limits::of(OWN_CHECKS, THEIR_CHECKS);
        let mut exchange = Barred::NONE;
        exchange.add(mv.to(), mv.from());
        let ours = Lookahead::gain(&mut self.position, Takers::All, &exchange, limits, &mut Vec::new());
        self.position.play_null();
        let won = captured_value(&self.position, mv);
        self.position.play_unchecked(mv);
        let answer = Lookahead::gain(&mut self.position, Takers::All, &Barred::NONE, limits, &mut Vec::new());
        let is_mated = mates_by_checks(&mut self.position, &Barred::NONE, MAX_ANSWERING_CHECKS);
        self.position.undo();
        self.position.undo();
        !is_mated && won + ours >= answer
    }

    /// What the other side would do if we did nothing.
    fn look_at_passing(&mut self) {
        self.position.play_null();
        for taking in capture_gains(&mut self.tracked, !self.us, ExchangeTerms::default()) {
            let mv = Move::new(self.tracked.square(taking.attacker), self.tracked.square(taking.victim));
            self.standing.push(mv);
        }
        let mut barred = self.offers;
        for &mv in &self.standing {
            barred.add(mv.from(), mv.to());
        }
        self.is_mated = mates_by_checks(&mut self.position, &Barred::NONE, MAX_ANSWERING_CHECKS);
        let checks = if self.is_mated { 0 } else { THEIR_CHECKS };
        self.passed =
            -Lookahead::gain(&mut self.position, Takers::All, &barred, Limits::of(checks, OWN_CHECKS), &mut Vec::new());
        self.position.undo();
    }

    /// What this move gains against doing nothing, whatever is answered; what is left, with all that was threatened
    /// before; and how it goes on. `None` if the answer is mate.
    fn net_gain(&mut self, mv: Move) -> Option<(i32, i32, Vec<Move>)> {
        let won = captured_value(&self.position, mv);
        self.position.play_unchecked(mv);
        let mut line = Vec::new();
        let mut own = self.offers;
        for other in self.own.iter().filter(|other| other.to() != mv.to()) {
            own.add(other.from(), other.to());
        }
        let own = own.after(mv);
        let mut barred = own;
        for old in self.standing.iter().filter(|old| old.to() != mv.from() && old.from() != mv.to()) {
            barred.add(old.from(), old.to());
        }
        let void = mates_by_checks(&mut self.position, &Barred::NONE, 1)
            || !self.is_mated && mates_by_checks(&mut self.position, &Barred::NONE, MAX_ANSWERING_CHECKS);
        let takers = Takers::WithoutKingAndPawns(self.us, mv.to());
        let checks = if self.is_mated { 0 } else { THEIR_CHECKS };
        let answer = if void {
            0
        } else {
            Lookahead::gain(&mut self.position, takers, &barred, Limits::of(checks, OWN_CHECKS), &mut line)
        };
        let limits = Limits::of(THEIR_CHECKS, OWN_CHECKS);
        let whole = if void { 0 } else { Lookahead::gain(&mut self.position, takers, &own, limits, &mut Vec::new()) };
        self.position.undo();
        (!void).then_some((won - answer - self.passed, won - whole, line))
    }

    /// Whether a capture is a threat, and of what.
    fn capture_threat(&mut self, taking: &CaptureGain, checkers: PieceIds) -> Option<Threat> {
        let &CaptureGain { attacker, victim, gain } = taking;
        let mv = Move::new(self.tracked.square(attacker), self.tracked.square(victim));
        // King and pawn may attack what they like (§9.6), unless the pawn uncovers a check by taking.
        let may_chase = match self.tracked.kind(attacker) {
            PieceKind::King => false,
            PieceKind::Pawn => self.uncovers_check(attacker, victim),
            _ => true,
        };
        if !may_chase || self.offers.contains(mv) {
            return None;
        }
        let mut excluded = PieceIds::NONE;
        for &(taker, _) in self.offering.iter().filter(|pair| pair.1 == victim) {
            excluded.insert(taker);
        }
        let left =
            exchange_gain(&mut self.tracked, attacker, victim, ExchangeTerms { standing_checkers: checkers, excluded })
                .unwrap_or(0);
        let forced = gain == 0
            && self.tracked.kind(attacker) == self.tracked.kind(victim)
            && self.tracked.kind(victim).is_major();
        if self.in_check {
            let threat = Threat { means: Means::Capture, mv, square: mv.to(), gain, net: gain };
            return (left > 0 || forced).then_some(threat);
        }
        let Some((gain, net, line)) = self.net_gain(mv) else {
            return (left > 0).then_some(Threat { means: Means::Capture, mv, square: mv.to(), gain: left, net: VOID });
        };
        if left > 0 || forced {
            return (gain >= 0).then_some(Threat { means: Means::Capture, mv, square: mv.to(), gain: left, net });
        }
        let square = self.dearest_victim(mv, &line)?;
        let threat = Threat { means: Means::Combination, mv, square, gain, net };
        (gain > 0 && net > 0 && captured_value(&self.position, mv) > 0).then_some(threat)
    }

    /// Whether a check that takes nothing of worth gains something in the end.
    fn series_threat(&mut self, mv: Move) -> Option<Threat> {
        if mv.from() == self.position.king(self.us)
            || !self.position.gives_check(mv)
            || is_pawn_check(&mut self.position, mv)
        {
            return None;
        }
        let (gain, net, line) = self.net_gain(mv)?;
        if gain <= 0 || net <= 0 {
            return None;
        }
        let square = self.dearest_victim(mv, &line)?;
        Some(Threat { means: Means::Series, mv, square, gain: gain.min(MATE_GAIN), net })
    }

    /// Where the dearest piece stands now that we take in this line.
    fn dearest_victim(&self, first: Move, line: &[Move]) -> Option<Square> {
        let mut walk = self.position.clone();
        let mut played: Vec<Move> = Vec::new();
        let mut dearest = None;
        for &mv in [first].iter().chain(line) {
            let won = captured_value(&walk, mv);
            if walk.side() == self.us && won > dearest.map_or(0, |(most, _)| most) {
                let origin = |at: Square, mv: &Move| if mv.to() == at { mv.from() } else { at };
                dearest = Some((won, played.iter().rev().fold(mv.to(), origin)));
            }
            walk.play_unchecked(mv);
            played.push(mv);
        }
        dearest.map(|(_, square)| square)
    }

    /// True if another piece gives check after this capture.
    fn uncovers_check(&mut self, attacker: PieceId, victim: PieceId) -> bool {
        let us = self.us;
        let others = |after: &mut TrackedBoard| after.checkers(!us).without(PieceIds::of(attacker));
        !self.tracked.with_capture(attacker, victim, others).is_empty()
    }
}
