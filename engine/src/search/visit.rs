//! What every node does, whichever search it belongs to: how it is come to, whether there is anything to search, and what
//! it is worth at a glance.

use super::history::PieceTo;
use super::params;
use super::worker::Worker;
use crate::rules::Ending;
use crate::types::score::{self, MAX_PLY, rule_loss_in};
use crate::types::{Color, Move, Score};

impl Worker<'_> {
    /// Notes what is played at this ply and plays it.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize, mv: Move) {
        let piece_to = PieceTo::new(self.position.piece_at(mv.from()), mv.to());
        let frame = &mut self.frames[ply];
        frame.current = mv;
        frame.piece_to = Some(piece_to);
        self.make(mv);
    }

    /// Counts and prepares a node. A score ends it at once: the search was stopped, the game is over by
    /// repetition, natural limit or want of material, or the line is as long as lines can be.
    #[inline]
    pub(super) fn arrive(&mut self, ply: usize) -> Option<Score> {
        self.frames.clear_pv(ply);
        if self.count_node() {
            return Some(score::DRAW);
        }
        self.seldepth = self.seldepth.max(ply);
        if let Some(ending) = self.shared.options.rules.ending_in_search(&self.position, ply) {
            return Some(self.ending_score(ending, ply));
        }
        if let Some(tables) = &self.shared.tables
            && let Some(score) = tables.score(&self.position, ply)
        {
            return Some(score);
        }
        let too_long = ply >= MAX_PLY - 1;
        too_long.then(|| if self.position.in_check() { score::DRAW } else { self.evaluate() })
    }

    /// The static evaluation as the network gives it: it depends on the position alone, so the table may keep it.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// The static evaluation with what was learned about its errors, and with the style of play.
    #[inline]
    pub(super) fn corrected(&self, raw: Score) -> Score {
        let side = self.position.side();
        let mut value = raw + self.histories.correction(side, self.evaluator.keys());
        if self.eagerness[side] != 0 {
            let majors = self.position.majors(Color::Red) + self.position.majors(Color::Black);
            value += self.eagerness[side] * majors as Score;
        }
        value.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// The score of a game that is over by rule, from the side to move.
    #[inline]
    pub(super) fn ending_score(&self, ending: Ending, ply: usize) -> Score {
        match ending {
            Ending::Draw => self.draw[self.position.side()],
            Ending::Loss(color) if color == self.position.side() => rule_loss_in(ply),
            Ending::Loss(_) => -rule_loss_in(ply),
        }
    }

    /// Near the natural limit the table, which knows nothing of the game's length, is not trusted with cutoffs.
    #[inline]
    pub(super) fn table_may_decide(&self) -> bool {
        let limit = self.shared.options.rules.natural_limit;
        limit == 0 || self.position.quiet_plies() + (params::table_distance() as usize) < limit
    }
}
