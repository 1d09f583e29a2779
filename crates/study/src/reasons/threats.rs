//! Threats: what the other side could do next because of the move, or the mover because of the best one.
//!
//! Whoever has moved threatens something if it would mate by checks, or win a piece against every reply, were the other side
//! to pass. It is a reason only where it is new: before, nothing as great could be won at once.

use super::gain_search::{GainSearch, LEVELS, level_above};
use super::{Mistake, ProvenThreat, ReasonLimits, Threat};
use crate::motifs::{gains, gains_on, passed, played};
use chuhe_engine::search::{AttackerMoves, Control, MateProof, MateProver};
use std::sync::Arc;
use xiangqi::{Move, Position, Rules, engine::piece_value};

/// Plies in which a threatened piece is taken: at once, or after a check or another capture.
const GAIN_PLIES: u32 = 3;
/// Plies of a mate that counts as a threat, and the nodes for it.
const MATE_PLIES: u32 = 5;
const MATE_NODES: u64 = 2_000;
const MEGABYTES: usize = 1;

/// The threat that the answer makes, if the best move allows neither this answer nor its own to threaten as much.
pub fn allowed(
    mistake: &Mistake,
    after: &Position,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Option<ProvenThreat> {
    let threats = Threats { rules: mistake.rules, limits, control };
    let reply = *mistake.refutation.first()?;
    let threat = threats.of(&quietly_played(after, reply)?)?;
    let avoided = played(mistake.position, *mistake.best.first()?)?;
    if threats.wins_at_once(after, threat) || threats.wins_at_once(&avoided, threat) {
        return None;
    }
    let answers = [Some(reply), mistake.best.get(1).copied()];
    let remains = answers.into_iter().flatten().filter_map(|answer| played(&avoided, answer));
    let is_avoided = !remains.into_iter().any(|position| threats.is_as_great(&position, threat));
    is_avoided.then(|| ProvenThreat { threat, line: vec![reply] })
}

/// The threat that the best move makes, if the move that was played makes none as great.
pub fn missed(
    mistake: &Mistake,
    after: &Position,
    limits: &ReasonLimits,
    control: &Arc<Control>,
) -> Option<ProvenThreat> {
    let threats = Threats { rules: mistake.rules, limits, control };
    let best = *mistake.best.first()?;
    let threat = threats.of(&quietly_played(mistake.position, best)?)?;
    let is_new = !threats.wins_at_once(mistake.position, threat);
    (is_new && !after.in_check() && !threats.is_as_great(after, threat))
        .then(|| ProvenThreat { threat, line: vec![best] })
}

/// The same, if what has moved cannot be taken with a gain, after a capture at no loss: else that comes first.
fn quietly_played(position: &Position, mv: Move) -> Option<Position> {
    let least = i32::from(position.piece_at(mv.to()).is_none());
    played(position, mv).filter(|next| !gains_on(next, mv.to(), least))
}

struct Threats<'a> {
    rules: Rules,
    limits: &'a ReasonLimits,
    control: &'a Arc<Control>,
}

impl Threats<'_> {
    /// The greatest threat of the side that has moved; none if it checks.
    fn of(&self, position: &Position) -> Option<Threat> {
        if position.in_check() {
            return None;
        }
        let next = passed(position);
        if let Some(moves) = self.mate(&next) {
            return Some(Threat::Mate { moves });
        }
        LEVELS.into_iter().find_map(|(level, _)| {
            let capture = self.winning_capture(&next, level)?;
            let piece = next.piece_at(capture.to())?.kind();
            Some(Threat::Piece { piece, square: capture.to(), partly: piece_value(piece) >= level_above(level) })
        })
    }

    /// Whether the side that has moved threatens something as great.
    fn is_as_great(&self, position: &Position, threat: Threat) -> bool {
        !position.in_check() && self.wins_at_once(&passed(position), threat)
    }

    /// Whether the side to move can do what is as great as this threat. What cannot be decided counts as yes.
    fn wins_at_once(&self, position: &Position, threat: Threat) -> bool {
        let level = |threat: Threat| match threat {
            Threat::Mate { .. } => None,
            Threat::Piece { piece, partly, .. } => {
                let levels = LEVELS.into_iter().map(|(level, _)| level).filter(|&level| level <= piece_value(piece));
                let levels: Vec<i32> = levels.collect();
                levels.get(usize::from(partly)).or(levels.last()).copied()
            }
        };
        let wins = level(threat).is_some_and(|level| {
            !matches!(GainSearch::new(position, self.limits, self.control).wins(level, GAIN_PLIES, &[]), Ok(false))
        });
        wins || self.mate(position).is_some()
    }

    /// The moves of a short mate by checks of the side to move.
    fn mate(&self, position: &Position) -> Option<u32> {
        let mut prover = MateProver::new(position, position.side(), self.rules, MEGABYTES, Arc::clone(self.control));
        match prover.prove(&[], MATE_PLIES, AttackerMoves::ChecksOnly, MATE_NODES) {
            MateProof::Mate(plies) => Some(plies.div_ceil(2).max(1)),
            _ => None,
        }
    }

    /// A capture by which the side to move wins so much against every reply.
    fn winning_capture(&self, position: &Position, level: i32) -> Option<Move> {
        let mut search = GainSearch::new(position, self.limits, self.control);
        let mv = search.winning_move(level, GAIN_PLIES, &[], &[]).ok()???;
        // The capture itself must be worth it, not only what follows.
        gains(position, mv, level).then_some(mv)
    }
}
