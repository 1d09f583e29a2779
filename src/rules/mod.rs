//! How a game of xiangqi ends: mate, repetition, the natural limit, material.
//!
//! The law is written down, for players, in `docs/rules.md`; a § in a comment is a paragraph of it.
//!
//! * [`Rules::judge`] is the referee: it looks at a position with its history after the last move.
//! * [`Rules::ending_in_search`] is the same law for a searcher, which cannot wait for the count to be full.
//! * `profile` holds the differences between the rule systems, `repetition` weighs what the two sides did,
//!   `chase` and `league` say what a chase is, `diagram` follows the pieces.

mod chase;
mod diagram;
mod league;
mod material;
mod natural;
mod profile;
mod repetition;
mod verdict;

pub use material::can_anyone_win;
pub use profile::{ParseRuleSetError, RuleSet};
pub use repetition::Deed;
pub use verdict::{Ending, Reason, Verdict};

use crate::board::Position;
use crate::types::Move;

/// A rule set with its natural limit: all that a judge must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Which system.
    pub set: RuleSet,
    /// Plies without a capture after which the game is drawn; 0 = never.
    pub natural_limit: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::of(RuleSet::default())
    }
}

impl Rules {
    /// This system with its own natural limit.
    pub const fn of(set: RuleSet) -> Rules {
        Rules { set, natural_limit: set.natural_limit() }
    }

    /// This system with the natural limit that somebody asks for, or else its own.
    pub fn with_limit(set: RuleSet, natural_limit: Option<usize>) -> Rules {
        Rules { set, natural_limit: natural_limit.unwrap_or(set.natural_limit()) }
    }

    /// How the game stands after its last move.
    pub fn judge(&self, position: &Position) -> Verdict {
        // §1.1: whatever else is the case, having no move loses.
        if !position.has_legal_move() {
            let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
            return Verdict::loss(position.side(), reason);
        }
        if !can_anyone_win(position) {
            return Verdict::draw(Reason::Material);
        }
        let profile = self.set.profile();
        if let Some(window) = repetition::full_window(position, profile.count) {
            return repetition::judge(position, window, profile);
        }
        if natural::is_reached(position, self.natural_limit, profile.uncounted) {
            return Verdict::draw(Reason::NaturalLimit);
        }
        Verdict::ONGOING
    }

    /// What each move of the repetition did, the first one first; empty if no repetition is complete.
    pub fn explain(&self, position: &Position) -> Vec<Deed> {
        let profile = self.set.profile();
        match repetition::full_window(position, profile.count) {
            Some(window) => repetition::explain(position, window, profile),
            None => Vec::new(),
        }
    }

    /// Legal moves that lose by rule at once for the side to move: those that complete a repetition in which it
    /// checks or chases perpetually. A league host forbids them.
    pub fn losing_moves(&self, position: &Position) -> Vec<Move> {
        let us = position.side();
        let mut probe = position.clone();
        let list = position.legal_moves();
        list.moves()
            .filter(|&mv| {
                probe.make(mv);
                let ending = self.judge(&probe).ending;
                probe.unmake();
                ending == Some(Ending::Loss(us))
            })
            .collect()
    }

    /// For a searcher that looks this many plies ahead and remembers positions without their histories: a number for
    /// what the natural limit depends on, beside the position. `None` if the limit is out of reach.
    pub fn natural_mark(&self, position: &Position, plies: usize) -> Option<u64> {
        let in_reach = self.natural_limit > 0 && position.quiet_plies() + plies >= self.natural_limit;
        in_reach.then(|| natural::mark(position, self.set.profile().uncounted))
    }

    /// Whether the natural limit ends the game here, unless the side to move has no move.
    pub fn is_natural_draw(&self, position: &Position) -> bool {
        natural::is_reached(position, self.natural_limit, self.set.profile().uncounted)
    }

    /// What the search asks at every node `ply` moves below its root, right after a move was made: is the game
    /// over by repetition, by the natural limit or for want of material? Mates are the search's own business.
    ///
    /// A repetition of a position inside the tree is judged at once (whoever is to gain by it would repeat
    /// again), one that reaches back before the root only when the count is full: §8.
    #[inline]
    pub fn ending_in_search(&self, position: &Position, ply: usize) -> Option<Ending> {
        if position.last_captured().is_piece() {
            return if can_anyone_win(position) { None } else { Some(Ending::Draw) };
        }
        if let Some(distance) = position.repetition_distance() {
            let profile = self.set.profile();
            let window = repetition::full_window(position, profile.count);
            let window = window.or(if distance <= ply { Some(distance) } else { None });
            if let Some(window) = window {
                return repetition::judge(position, window, profile).ending;
            }
        }
        if self.is_natural_draw(position) && position.has_legal_move() {
            return Some(Ending::Draw);
        }
        None
    }
}
