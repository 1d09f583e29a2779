//! What a cutoff teaches: which move is tried earlier next time, and which ones later.

use super::history::Place;
use super::params;
use super::picker::is_capture;
use super::worker::Worker;
use crate::types::Move;

impl Worker<'_> {
    /// A table move that cuts at once is as good as one found by searching.
    pub(super) fn reward_table_move(&mut self, mv: Move, depth: i32, ply: usize) {
        if self.position.is_pseudo_legal(mv) && !is_capture(&self.position, mv) {
            let place = Place::new(self.position.piece_at(mv.from()), mv.to());
            let before = self.places_before(ply);
            let bonus = history_bonus(depth);
            self.histories.update_quiet(self.position.side(), mv, place, &before, bonus);
        }
    }

    /// The move that cut is rewarded, those tried before it pay.
    pub(super) fn learn(&mut self, best: Move, depth: i32, ply: usize, quiets: &[Move], captures: &[Move]) {
        let side = self.position.side();
        let before = self.places_before(ply);
        let bonus = history_bonus(depth);
        let malus = (params::history_malus() * depth).min(params::history_malus_max());
        let mover = self.position.piece_at(best.from());
        let place = Place::new(mover, best.to());
        if is_capture(&self.position, best) {
            let victim = self.position.piece_at(best.to());
            self.histories.update_capture(place, victim, bonus);
        } else {
            self.histories.update_quiet(side, best, place, &before, bonus);
            self.histories.set_counter(before[0], best);
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
            for &mv in quiets {
                let place = Place::new(self.position.piece_at(mv.from()), mv.to());
                self.histories.update_quiet(side, mv, place, &before, -malus);
            }
        }
        for &mv in captures {
            let place = Place::new(self.position.piece_at(mv.from()), mv.to());
            let victim = self.position.piece_at(mv.to());
            self.histories.update_capture(place, victim, -malus);
        }
    }
}

#[inline]
fn history_bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}
