//! The rules in a search: repetitions inside its tree, the natural limit, and the moves that it may choose from.

use super::rule_sets::Repetition;
use super::{Ending, Reason, Rules, can_anyone_win, draws, repetition_judge, tiantian};
use crate::board::Position;
use crate::types::Move;

/// §8.3: up to this ply of a search the exact judge is used instead of its approximation.
const FULL_JUDGE_PLIES: usize = 2;

impl Rules {
    /// Filters these moves to those that an engine may choose from. Where a rule set forbids moves, or judges more than
    /// a search can see, moves that lose by rule are removed unless no other is left.
    pub fn playable_moves(&self, position: &Position, moves: Vec<Move>) -> Vec<Move> {
        if !matches!(self.set.profile().repetition, Repetition::Natures | Repetition::Counters(_)) {
            return moves;
        }
        let losing = self.losing_moves(position);
        let left: Vec<Move> = moves.iter().copied().filter(|mv| !losing.contains(mv)).collect();
        if left.is_empty() { moves } else { left }
    }

    /// A key for the state of the natural limit, for a search of this many plies that stores positions without their
    /// histories; `None` if the limit is out of reach.
    pub fn natural_limit_key(&self, position: &Position, plies: usize) -> Option<u64> {
        let in_reach = self.natural_limit > 0 && position.plies_since_capture() + plies >= self.natural_limit;
        in_reach.then(|| draws::natural_limit_key(position, self.set.profile().uncounted))
    }

    /// True if the natural limit ends the game here, unless the side to move has no legal move.
    pub fn is_natural_draw(&self, position: &Position) -> bool {
        draws::is_natural_limit_reached(position, self.natural_limit, self.set.profile().uncounted)
    }

    /// The ending of the game at a node `ply` plies below the root, right after a move: by repetition, the natural
    /// limit or lack of material. The search itself detects mate.
    ///
    /// A repetition of a position inside the tree is judged at once (the side that gains by it would repeat again), one
    /// that reaches back before the root only when the count is full: §8.
    #[inline]
    #[doc(hidden)]
    pub fn ending_in_search(&self, position: &Position, ply: usize) -> Option<Ending> {
        if position.last_captured().is_some() {
            return if can_anyone_win(position) { None } else { Some(self.draws.ending(Reason::Material)) };
        }
        let profile = self.set.profile();
        if ply <= FULL_JUDGE_PLIES
            && let Repetition::Counters(counting) = &profile.repetition
            && tiantian::was_forbidden(position, counting)
            && position.has_legal_move()
        {
            return Some(Ending::Loss(!position.side()));
        }
        if let Some(distance) = position.repetition_distance() {
            let full = repetition_judge::repetition_window(position, profile.repetition_count);
            let window = full.or(if distance <= ply { Some(distance) } else { None });
            if let Some(window) = window {
                // §8.3: near the root judge exactly, because that decides which move is played.
                let ending = match full {
                    Some(_) if ply <= FULL_JUDGE_PLIES && profile.repetition == Repetition::Natures => {
                        repetition_judge::judge(position, window, self).ending?
                    }
                    _ => repetition_judge::judge_for_search(position, window, self),
                };
                return Some(match ending {
                    Ending::Draw => self.draws.ending(Reason::Repetition),
                    loss => loss,
                });
            }
        }
        if self.is_natural_draw(position) && position.has_legal_move() {
            return Some(self.draws.ending(Reason::NaturalLimit));
        }
        None
    }
}
