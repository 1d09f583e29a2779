//! ScoreAdjudicator: ends a game by the scores that both engines report.

use super::spec::RefereeSpec;
use chuhe_engine::score::Score;
use xiangqi::Color;

/// Consecutive moves of each side with a drawn, lost or won score.
#[derive(Clone, Copy, Default)]
pub struct ScoreAdjudicator {
    drawn: [u32; 2],
    lost: [u32; 2],
    won: [u32; 2],
}

impl ScoreAdjudicator {
    /// Counts the score of a side's move; a move without a score breaks the series.
    pub fn add_score(&mut self, side: Color, score: Option<Score>, referee: &RefereeSpec) {
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = referee.draw {
            count(&mut self.drawn[side], score.is_some_and(|score| score.abs() <= rule.score));
        }
        if let Some(rule) = referee.resign {
            count(&mut self.lost[side], score.is_some_and(|score| score <= -rule.score));
            count(&mut self.won[side], score.is_some_and(|score| score >= rule.score));
        }
    }

    /// If the scores decide the game after this many full moves: the winner, `None` for a draw.
    pub fn outcome(&self, full_moves: u32, referee: &RefereeSpec) -> Option<Option<Color>> {
        if let Some(rule) = referee.resign {
            let wins = |side: &Color| self.won[*side] >= rule.moves && self.lost[!*side] >= rule.moves;
            if let Some(winner) = Color::ALL.into_iter().find(wins) {
                return Some(Some(winner));
            }
        }
        let is_drawn = referee
            .draw
            .is_some_and(|rule| full_moves >= rule.from_move && self.drawn.iter().all(|&count| count >= rule.moves));
        is_drawn.then_some(None)
    }
}
