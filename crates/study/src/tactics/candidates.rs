//! Positions of a game in which there may be a tactic: the chances of the side to move have jumped by the last move of the
//! other side, or fall by the move that it played.

use super::only_move::TwoLines;
use crate::review::expected_score;
use chuhe_engine::score::Score;
use chuhe_engine::search::Control;
use xiangqi::{Move, Position};

/// The least jump of the chances.
const LEAST_JUMP: f64 = 0.25;
/// Nodes for a position of a game without scores.
const SCAN_NODES: u64 = 600;

/// A game to look through.
#[derive(Clone, Debug)]
pub struct GameToMine {
    pub start: Position,
    pub moves: Vec<Move>,
    /// The score of each position from its side to move, where a search has chosen the moves.
    pub scores: Option<Vec<Score>>,
}

impl GameToMine {
    /// The plies of the candidates; nothing if the search was stopped.
    pub(super) fn candidates(&self, lines: &mut TwoLines, control: &Control) -> Option<Vec<usize>> {
        let chances = self.chances(lines, control)?;
        let is_candidate = |ply: &usize| {
            let chance = chances[*ply];
            let before = ply.checked_sub(1).map(|before| 1.0 - chances[before]);
            let after = chances.get(ply + 1).map(|after| 1.0 - after);
            [before, after].into_iter().flatten().any(|other| chance - other >= LEAST_JUMP)
        };
        Some((0..chances.len()).filter(is_candidate).collect())
    }

    /// The chances of the side to move in each position before a move.
    fn chances(&self, lines: &mut TwoLines, control: &Control) -> Option<Vec<f64>> {
        let mut position = self.start.clone();
        let mut chances = Vec::with_capacity(self.moves.len());
        for (ply, &mv) in self.moves.iter().enumerate() {
            let known = self.scores.as_ref().and_then(|scores| scores.get(ply));
            let chance = match known {
                Some(&score) => expected_score(score, &position),
                None => lines.chance(&position, SCAN_NODES, control)?,
            };
            chances.push(chance);
            position.play(mv).ok()?;
        }
        Some(chances)
    }
}
