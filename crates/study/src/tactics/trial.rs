//! Whether a move that was tried solves a tactic, or the next step of it.

use super::only_move::SECOND_SOLUTION;
use super::tactic::Tactic;
use crate::review::expected_score;
use chuhe_engine::score::mate_plies;
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use xiangqi::{Move, Position};

/// What a move is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TacticTrial {
    /// The last move of the solution.
    Solved,
    /// A move of the solution; the other side answers.
    Right(Move),
    /// Another move that is worth as much.
    AsGood,
    /// What follows it shows why.
    Wrong(Vec<Move>),
}

/// Judges the move of the solver at this step, from 0; nothing if there is no such step, the move is not legal, or the search
/// was stopped.
pub fn try_move(
    tactic: &Tactic,
    step: usize,
    mv: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<TacticTrial> {
    let before = tactic.position_at(2 * step)?;
    let &wanted = tactic.moves.get(2 * step)?;
    let mut after = before.clone();
    after.play(mv).ok()?;
    if mv == wanted {
        return Some(tactic.moves.get(2 * step + 1).map_or(TacticTrial::Solved, |&reply| TacticTrial::Right(reply)));
    }
    let (is_as_good, line) = judge_other(&before, &after, wanted, searcher, nodes, control)?;
    Some(if is_as_good { TacticTrial::AsGood } else { TacticTrial::Wrong(line) })
}

/// Whether a position is as good for who has moved as the one after the solution's move, and what follows in it; nothing if the
/// search was stopped.
pub fn judge_other(
    before: &Position,
    after: &Position,
    wanted: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<(bool, Vec<Move>)> {
    if !after.has_legal_move() {
        return Some((true, Vec::new()));
    }
    let solved = before.after(&[wanted]);
    let limits = Limits::nodes(nodes);
    let other = searcher.search(after, &limits, control, &mut NoReporter);
    let best = searcher.search(&solved, &limits, control, &mut NoReporter);
    if control.stopped() {
        return None;
    }
    let is_as_good = match (mate_plies(-best.score), mate_plies(-other.score)) {
        (Some(best), Some(other)) if best > 0 && other > 0 => other <= best,
        _ => expected_score(other.score, after) - expected_score(best.score, &solved) < SECOND_SOLUTION,
    };
    Some((is_as_good, other.pv))
}
