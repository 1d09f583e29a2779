//! Reasons by the rules of repetition and by the endgame tables.

use super::{Mistake, Reason};
use chuhe_engine::tablebase::{ProbeResult, Tablebase};
use xiangqi::{Ending, Move, Position, Reason as EndReason, Verdict};

/// The move ends the game by rule, or lets the other side end it, with less for the mover than a win. A draw is a reason
/// only at once: a repetition that the other side begins is no loss yet.
pub fn by_rule(mistake: &Mistake, after: &Position) -> Option<Reason> {
    let (rules, mover) = (mistake.rules, mistake.position.side());
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
pub fn by_tables(mistake: &Mistake, after: &Position, tables: Option<&Tablebase>) -> Option<Reason> {
    let tables = tables?;
    match (tables.probe(mistake.position)?, tables.probe(after)?) {
        (ProbeResult::Win(_), ProbeResult::Draw) => Some(Reason::ThrowsAwayWin { lost: false }),
        (ProbeResult::Win(_), ProbeResult::Win(_)) => Some(Reason::ThrowsAwayWin { lost: true }),
        (ProbeResult::Draw, ProbeResult::Win(_)) => Some(Reason::ThrowsAwayDraw),
        _ => None,
    }
}
