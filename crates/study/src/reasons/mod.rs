//! Why a move was a mistake: at most two reasons, each from a proof, as data and in words. Without a proof there is none.
//!
//! * `mates`: the other side mates now, or a mate was missed, by the mate solver;
//! * `material`: a piece is lost, or could be won, by a search of captures and checks against every reply, and how: by the
//!   motifs of the line or by what the move has left behind;
//! * `plans`: what the answer or the best move threatens, by the same searches after a pass; pieces that cannot move, pawns
//!   that cross the river, and pieces that come to attack the palace;
//! * here: the endgame tables, and the judge of repetitions;
//! * `reason` has the data, `phrases` the sentences.
//!
//! A reason is about the move that was played: what would have happened after the best move as well is none.

mod material;
mod mates;
mod phrases;
mod plans;
mod reason;

pub use reason::{
    Bind, How, OwnFault, PalaceAttack, Prize, ProvenAttack, ProvenBind, ProvenGain, ProvenMate, ProvenThreat, Reason,
    Threat,
};

use chuhe_engine::search::Control;
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
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
    let allowed = if is_over { None } else { mates::allowed(case, known.after) };
    let is_mated = allowed.is_some();
    if let Some(mate) = allowed {
        reasons.insert(0, Reason::AllowsMate(mate));
    }
    let missed = mates::missed(case, known.before);
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
