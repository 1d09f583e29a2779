//! Why a move was a mistake: at most two reasons, each from a proof, as data and in words. Without a proof there is none.
//!
//! * `material`: a piece is lost, or could be won, by a search of captures and checks against every reply, and how: by the
//!   motifs of the line or by what the move has left behind;
//! * `plans`: what the answer or the best move threatens, by the same searches after a pass; pieces that cannot move, pawns
//!   that cross the river, and pieces that come to attack the palace;
//! * here: mates, the endgame tables, and the judge of repetitions;
//! * `reason` has the data and the sentences.
//!
//! A reason is about the move that was played: what would have happened after the best move as well is none.

mod material;
mod plans;
mod reason;

pub use reason::{
    Bind, How, OwnFault, PalaceAttack, Prize, ProvenAttack, ProvenBind, ProvenGain, ProvenMate, ProvenThreat, Reason,
    Threat,
};

use crate::motifs::MatingPattern;
use chuhe_engine::search::{AttackerMoves, Control, MateProof, MateProver};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use chuhe_support::small_sort::SmallSort;
use std::sync::Arc;
use xiangqi::{Ending, Move, Position, Reason as EndReason, Rules, Verdict};

/// The most reasons of one move.
const MAX_REASONS: usize = 2;

/// A move that lost much, with what a search found.
#[derive(Clone, Copy, Debug)]
pub struct Mistake<'a> {
    /// The position before the move, with its history, which the rules of repetition need.
    pub position: &'a Position,
    /// The move.
    pub played: Move,
    /// The best move and its line.
    pub best: &'a [Move],
    /// The best answers to the move: a line of the other side that begins after it; may be empty.
    pub refutation: &'a [Move],
    /// The rules of the game.
    pub rules: Rules,
}

/// How much work the proofs may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReasonLimits {
    /// Nodes of the mate solver for each question.
    pub mate_nodes: u64,
    /// Nodes of the search of captures and checks for each question.
    pub material_nodes: u64,
}

impl Default for ReasonLimits {
    fn default() -> ReasonLimits {
        ReasonLimits { mate_nodes: 60_000, material_nodes: 60_000 }
    }
}

/// A mistake with what the proofs need.
struct Case<'a> {
    position: &'a Position,
    played: Move,
    /// Not empty.
    best: &'a [Move],
    refutation: &'a [Move],
    rules: Rules,
    /// The positions after the move, and after the best one.
    after: Position,
    avoided: Position,
    limits: &'a ReasonLimits,
    control: &'a Arc<Control>,
}

/// The reasons of a mistake, the gravest first.
pub fn find_reasons(
    mistake: &Mistake,
    tables: Option<&Tablebase>,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Vec<Reason> {
    find_with_mates(mistake, KnownMates::default(), tables, limits, control)
}

/// The plies of mates that a search has found: in the position after the move, and in the one before.
#[derive(Clone, Copy, Default)]
pub(crate) struct KnownMates {
    pub after: Option<u32>,
    pub before: Option<u32>,
}

/// The same, where a search has found mates before.
pub(crate) fn find_with_mates(
    mistake: &Mistake,
    known: KnownMates,
    tables: Option<&Tablebase>,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Vec<Reason> {
    let &Mistake { position, played, best, refutation, rules } = mistake;
    let after = |mv: Move| {
        let mut after = position.clone();
        after.play(mv).is_ok().then_some(after)
    };
    let other = best.first().filter(|&&best| best != played).and_then(|&best| after(best));
    let (Some(after), Some(avoided)) = (after(played), other) else { return Vec::new() };
    // The proofs know nothing of the variant in which advisors and bishops become pawns.
    if position.promotion() {
        return Vec::new();
    }
    let case = &Case { position, played, best, refutation, rules, after, avoided, limits, control };
    let mut reasons: Vec<Reason> = by_rule(case).into_iter().collect();
    reasons.extend(tables.and_then(|tables| by_tables(case, tables)));
    let is_over = matches!(reasons.first(), Some(Reason::EndsByRule { reply: None, .. }));
    let allowed = if is_over { None } else { allowed_mate(case, known.after) };
    let is_mated = allowed.is_some();
    if let Some(mate) = allowed {
        reasons.insert(0, Reason::AllowsMate(mate));
    }
    let missed = missed_mate(case, known.before);
    let has_mate = missed.is_some();
    reasons.extend(missed.map(Reason::MissesMate));
    if reasons.len() < MAX_REASONS && !is_mated && !is_over {
        reasons.extend(material::lost(case).map(Reason::LosesPiece));
    }
    if reasons.len() < MAX_REASONS && !has_mate {
        reasons.extend(material::missed(case).map(Reason::MissesPiece));
    }
    if reasons.is_empty() && !control.stopped() {
        reasons.extend(plans::allowed(case));
        reasons.extend(plans::missed(case));
    }
    reasons.truncate(MAX_REASONS);
    if control.stopped() { Vec::new() } else { reasons }
}

/// The move ends the game by rule, or lets the other side end it, with less for the mover than a win. A draw is a reason
/// only at once: a repetition that the other side begins is no loss yet.
fn by_rule(case: &Case) -> Option<Reason> {
    let (rules, mover, after) = (case.rules, case.position.side(), &case.after);
    let reason = |reply: Option<Move>| Some(Reason::EndsByRule { rules: rules.set, reply });
    let verdict = rules.judge(after);
    if is_by_repetition(&verdict) && verdict.ending.is_some_and(|ending| ending.winner() != Some(mover)) {
        return reason(None);
    }
    if verdict.ending.is_some() || after.plies_since_capture() < 4 {
        return None;
    }
    let mut next = after.clone();
    let reply = after.legal_moves().into_iter().find(|&reply| {
        next.play_unchecked(reply);
        let verdict = rules.judge(&next);
        next.undo();
        is_by_repetition(&verdict) && verdict.ending == Some(Ending::Loss(mover))
    });
    reply.and_then(|reply| reason(Some(reply)))
}

/// Whether a verdict comes from the rules of repetition.
fn is_by_repetition(verdict: &Verdict) -> bool {
    matches!(
        verdict.reason,
        EndReason::PerpetualCheck
            | EndReason::PerpetualChase { .. }
            | EndReason::Perpetual(_)
            | EndReason::ChasesAlone
            | EndReason::ForbiddenMove
            | EndReason::OnlyForbiddenMoves
            | EndReason::Repetition
    )
}

/// The move changes the value of the endgame tables.
fn by_tables(case: &Case, tables: &Tablebase) -> Option<Reason> {
    match (tables.probe(case.position)?, tables.probe(&case.after)?) {
        (ProbeResult::Win(_), ProbeResult::Draw) => Some(Reason::ThrowsAwayWin { lost: false }),
        (ProbeResult::Win(_), ProbeResult::Win(_)) => Some(Reason::ThrowsAwayWin { lost: true }),
        (ProbeResult::Draw, ProbeResult::Win(_)) => Some(Reason::ThrowsAwayDraw),
        _ => None,
    }
}

// Mates that were allowed or missed, proven by the mate solver.

/// Memory of a solver in megabytes.
const MEGABYTES: usize = 4;
/// The longest mates, in plies, by checks alone and by any moves.
const MAX_CHECK_PLIES: u32 = 25;
const MAX_QUIET_PLIES: u32 = 9;
/// The longest mate that a search has found and that is to be proven.
const MAX_KNOWN_PLIES: u32 = 31;
/// A mate that is longer than another by so many plies at most is about as short.
const COMPARABLE_PLIES: u32 = 4;
/// The part of the nodes that one question may take.
const NODES_DIVISOR: u64 = 3;
/// So many times the nodes are spent where a search has found a mate.
const KNOWN_MATE_FACTOR: u64 = 8;

/// The mate that the move allows and the best move does not. A search may have found its plies.
fn allowed_mate(case: &Case, known: Option<u32>) -> Option<ProvenMate> {
    let mut solver = MateSolver::new(&case.after, case);
    let plies = solver.shortest(known, case.refutation)?;
    // Where the mate cannot be avoided, the move is not to blame for it.
    if MateSolver::new(&case.avoided, case).proves(&[], plies + COMPARABLE_PLIES) {
        return None;
    }
    solver.mate(plies, case.refutation)
}

/// The mate that the mover had, if the move keeps none that is about as short.
fn missed_mate(case: &Case, known: Option<u32>) -> Option<ProvenMate> {
    let mut solver = MateSolver::new(case.position, case);
    let plies = solver.shortest(known, case.best)?;
    if solver.proves(&[case.played], plies - 1 + COMPARABLE_PLIES) {
        return None;
    }
    solver.mate(plies, case.best)
}

/// Questions about mates by the side to move at the root.
struct MateSolver {
    root: Position,
    prover: MateProver,
    nodes: u64,
}

impl MateSolver {
    fn new(root: &Position, case: &Case) -> MateSolver {
        let prover = MateProver::new(root, root.side(), case.rules, MEGABYTES, Arc::clone(case.control));
        MateSolver { root: root.clone(), prover, nodes: case.limits.mate_nodes }
    }

    /// The plies of the shortest mate that is found. A search has found one, or has a line that comes to one.
    fn shortest(&mut self, known: Option<u32>, line: &[Move]) -> Option<u32> {
        let known = known.or_else(|| self.plies_of_mating_line(line)).filter(|&plies| plies <= MAX_KNOWN_PLIES);
        if known.is_some() {
            self.nodes *= KNOWN_MATE_FACTOR;
        }
        let longest = [known.unwrap_or(MAX_QUIET_PLIES).max(MAX_QUIET_PLIES), MAX_CHECK_PLIES];
        let mut methods = vec![(AttackerMoves::ChecksOnly, longest[1]), (AttackerMoves::All, longest[0])];
        let end = self.prover.nodes() + self.nodes;
        for plies in (1..=longest[0].max(longest[1])).step_by(2) {
            for (moves, most) in std::mem::take(&mut methods) {
                let room = end.saturating_sub(self.prover.nodes()) / NODES_DIVISOR;
                match self.prover.prove(&[], plies, moves, room) {
                    MateProof::Mate(plies) => return Some(plies.max(1)),
                    MateProof::NoMate { ever: false } if plies < most => methods.push((moves, most)),
                    _ => {}
                }
            }
        }
        None
    }

    /// The length of a line that ends with a mate by the side that moves first.
    fn plies_of_mating_line(&self, line: &[Move]) -> Option<u32> {
        let mut position = self.root.clone();
        line.iter().try_for_each(|&mv| position.play(mv)).ok()?;
        (line.len() % 2 == 1 && !position.has_legal_move()).then_some(line.len() as u32)
    }

    /// The plies of a mate within so many after a line, if one is proven.
    fn plies_after(&mut self, line: &[Move], plies: u32) -> Option<u32> {
        if plies == 0 {
            return (!self.root.after(line).has_legal_move()).then_some(0);
        }
        [AttackerMoves::ChecksOnly, AttackerMoves::All].into_iter().find_map(|moves| {
            match self.prover.prove(line, plies, moves, self.nodes / NODES_DIVISOR) {
                MateProof::Mate(plies) => Some(plies),
                _ => None,
            }
        })
    }

    fn proves(&mut self, line: &[Move], plies: u32) -> bool {
        self.plies_after(line, plies).is_some()
    }

    /// The mate in so many plies as a line, which begins like `known` where that mates as fast.
    fn mate(&mut self, plies: u32, known: &[Move]) -> Option<ProvenMate> {
        let mut line: Vec<Move> = Vec::new();
        let mut left = plies;
        loop {
            let hint = known.get(line.len()).copied().filter(|_| known.starts_with(&line));
            let (mv, now) = self.mating_move(&line, left, hint)?;
            line.push(mv);
            left = now;
            if left == 0 {
                break;
            }
            let hint = known.get(line.len()).copied().filter(|_| known.starts_with(&line));
            let (reply, now) = self.longest_defence(&line, left, hint)?;
            line.push(reply);
            left = now;
        }
        let pattern = MatingPattern::of(&self.root.after(&line));
        Some(ProvenMate { moves: line.len().div_ceil(2) as u32, line, pattern })
    }

    /// A move of the attacker that mates within so many plies, and the plies left after it.
    fn mating_move(&mut self, line: &[Move], plies: u32, hint: Option<Move>) -> Option<(Move, u32)> {
        let position = self.root.after(line);
        let legal = position.legal_moves();
        let mut moves: Vec<Move> = legal.to_vec();
        moves.order_by_key(|&mv| (Some(mv) != hint, !position.gives_check(mv)));
        moves.into_iter().find_map(|mv| {
            let left = self.plies_after(&[line, &[mv]].concat(), plies - 1)?;
            Some((mv, left))
        })
    }

    /// The reply that is mated last, and the plies left after it; `None` if a reply is not proven to be mated.
    fn longest_defence(&mut self, line: &[Move], plies: u32, hint: Option<Move>) -> Option<(Move, u32)> {
        let mut longest: Option<(Move, u32)> = None;
        let position = self.root.after(line);
        let mut moves: Vec<Move> = position.legal_moves().to_vec();
        moves.order_by_key(|&mv| Some(mv) != hint);
        for mv in moves {
            let left = self.plies_after(&[line, &[mv]].concat(), plies - 1)?;
            if longest.is_none_or(|(_, most)| left > most) {
                longest = Some((mv, left));
            }
        }
        longest
    }
}
