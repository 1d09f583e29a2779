//! How a game of xiangqi ends: mate, repetition, the natural limit, material.
//!
//! The law is written down, for players, in `docs/rules.md`; a § in a comment is a paragraph of it.
//!
//! * [`Rules::judge`] is the referee: it looks at a position with its history after the last move.
//! * [`Rules::ending_in_search`] is the same law for a searcher, which cannot wait for the count to be full.
//! * `profile` holds the differences between the rule systems, `repetition` weighs what the two sides did,
//!   `chase` and `chase` say what a chase is, `cxa` gives natures to moves, `counters` counts them, `tracked_board` follows the pieces.

mod chase;
mod counters;
mod cxa;
mod draws;
mod explanation;
mod profile;
mod repetition;
mod tracked_board;
mod verdict;

pub use draws::can_anyone_win;
pub use explanation::{MoveExplanation, NatureText};
pub use profile::{ParseRuleSetError, RuleSet};
pub use verdict::{Ending, Offence, Reason, Verdict};

use crate::board::Position;
use crate::language::{Phrase, phrase};
use crate::types::Move;
use profile::Repetition;

/// How far from the root of a search the whole judge is asked where a cheaper answer would be safe, too: §8.3.
const FULL_JUDGE_PLIES: usize = 2;

/// A rule set with its natural limit: all that a judge must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
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
        if let Repetition::Counters(counting) = &profile.repetition {
            if let Some(verdict) = counters::judge(position, counting) {
                return verdict;
            }
        } else if let Some(window) = repetition::repetition_window(position, profile.repetition_count) {
            return repetition::judge(position, window, profile);
        }
        if draws::is_natural_limit_reached(position, self.natural_limit, profile.uncounted) {
            return Verdict::draw(Reason::NaturalLimit);
        }
        Verdict::ONGOING
    }

    /// What each move of the repetition did, the first one first; empty if no repetition is complete. Where counters
    /// decide, the moves over which the longest of them runs.
    pub fn explain(&self, position: &Position) -> Vec<MoveExplanation> {
        let profile = self.set.profile();
        if let Repetition::Counters(counting) = &profile.repetition {
            return counters::explain(position, counting);
        }
        match repetition::repetition_window(position, profile.repetition_count) {
            Some(window) => repetition::explain(position, window, profile),
            None => Vec::new(),
        }
    }

    /// Legal moves that lose by rule at once for the side to move: those that complete a repetition in which it
    /// checks or chases perpetually. A league host forbids them.
    pub fn losing_moves(&self, position: &Position) -> Vec<Move> {
        let profile = self.set.profile();
        if let Repetition::Counters(counting) = &profile.repetition {
            return counters::forbidden_moves(position, counting);
        }
        // Each time that a position comes back takes four plies.
        if position.plies_since_capture() + 1 < 4 * (profile.repetition_count - 1) {
            return Vec::new();
        }
        let us = position.side();
        repetition::legal_moves_leading_to(position, |next| self.judge(next).ending == Some(Ending::Loss(us)))
    }

    /// What one must know about the explanation: that it rests upon a guess, if it does.
    pub fn explanation_caveat(&self) -> Option<Phrase> {
        self.uses_counters()
            .then_some(phrase!("the platform does not publish what a chase is: what the asian rules call one is taken"))
    }

    /// Whether counters decide, which need no position to come back.
    pub fn uses_counters(&self) -> bool {
        matches!(self.set.profile().repetition, Repetition::Counters(_))
    }

    /// The paragraph of `docs/rules.md` that decides, by rules that are read rather than known by heart.
    pub fn rule_paragraph(&self, reason: Reason) -> Option<&'static str> {
        match (&self.set.profile().repetition, reason) {
            (Repetition::Natures, Reason::ChasesAlone) => Some("§9.9"),
            (Repetition::Natures, Reason::PerpetualCheck | Reason::Perpetual(_) | Reason::Repetition) => Some("§9.8"),
            (Repetition::Counters(_), Reason::ForbiddenMove) => Some("§10.1, §10.2, §10.3"),
            (Repetition::Counters(_), Reason::OnlyForbiddenMoves) => Some("§10.6"),
            (Repetition::Counters(_), Reason::Repetition | Reason::GameLength) => Some("§10.5"),
            _ => None,
        }
    }

    /// Of these moves those that an engine may choose from: where a rule set forbids moves, or judges by more than a
    /// search can see, none that loses by rule or is forbidden, unless there is no other. All of them otherwise.
    pub fn playable_moves(&self, position: &Position, moves: Vec<Move>) -> Vec<Move> {
        if !matches!(self.set.profile().repetition, Repetition::Natures | Repetition::Counters(_)) {
            return moves;
        }
        let losing = self.losing_moves(position);
        let left: Vec<Move> = moves.iter().copied().filter(|mv| !losing.contains(mv)).collect();
        if left.is_empty() { moves } else { left }
    }

    /// For a searcher that looks this many plies ahead and remembers positions without their histories: a number for
    /// what the natural limit depends on, beside the position. `None` if the limit is out of reach.
    pub fn natural_limit_key(&self, position: &Position, plies: usize) -> Option<u64> {
        let in_reach = self.natural_limit > 0 && position.plies_since_capture() + plies >= self.natural_limit;
        in_reach.then(|| draws::natural_limit_key(position, self.set.profile().uncounted))
    }

    /// Whether the natural limit ends the game here, unless the side to move has no move.
    pub fn is_natural_draw(&self, position: &Position) -> bool {
        draws::is_natural_limit_reached(position, self.natural_limit, self.set.profile().uncounted)
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
        let profile = self.set.profile();
        if ply <= FULL_JUDGE_PLIES
            && let Repetition::Counters(counting) = &profile.repetition
            && counters::was_forbidden(position, counting)
            && position.has_legal_move()
        {
            return Some(Ending::Loss(!position.side()));
        }
        if let Some(distance) = position.repetition_distance() {
            let full = repetition::repetition_window(position, profile.repetition_count);
            let window = full.or(if distance <= ply { Some(distance) } else { None });
            if let Some(window) = window {
                // Next to the root the whole judge is asked: what is decided there is played.
                return Some(match full {
                    Some(_) if ply <= FULL_JUDGE_PLIES && profile.repetition == Repetition::Natures => {
                        repetition::judge(position, window, profile).ending?
                    }
                    _ => repetition::judge_for_search(position, window, profile),
                });
            }
        }
        if self.is_natural_draw(position) && position.has_legal_move() {
            return Some(Ending::Draw);
        }
        None
    }
}
