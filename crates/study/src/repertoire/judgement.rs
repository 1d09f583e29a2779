//! What the engine thinks of moves of an opening.

use crate::review::expected_score;
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use xiangqi::{Move, Position};

/// What is thought of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveJudgement {
    /// The expected result of who plays it, 0 to 1.
    pub chance: f64,
    /// What follows, from the reply on.
    pub reply: Vec<Move>,
}

/// Judges legal moves of a position with so many nodes each; nothing if that is stopped.
pub fn judge_choices(
    position: &Position,
    moves: &[Move],
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Option<Vec<MoveJudgement>> {
    let mut judge = |&mv: &Move| {
        let after = position.after(&[mv]);
        if !after.has_legal_move() {
            return Some(MoveJudgement { chance: 1.0, reply: Vec::new() });
        }
        let found = searcher.search(&after, &Limits::nodes(nodes), control, &mut NoReporter);
        let chance = 1.0 - expected_score(found.score, &after);
        (!control.stopped()).then_some(MoveJudgement { chance, reply: found.pv })
    };
    moves.iter().map(&mut judge).collect()
}
