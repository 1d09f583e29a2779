//! Repetitions: what each side did from an earlier occurrence of the position to now, and which side loses by it (§2).
//!
//! The rules in a search: repetitions inside its tree, the natural limit, and the moves that it may choose from.

use super::chase::{self, Chases};
use super::explanation::{MoveExplanation, explain_last_moves};
use super::rule_sets::{ChaseLaw, Repetition, RepetitionLaw};
use super::tracked_board::{PieceId, PieceIds, TrackedBoard};
use super::verdict::{Ending, Reason, Verdict};
use super::{Rules, can_anyone_win, cxa, draws, tiantian};
use crate::board::Position;
use crate::types::{Color, Move, PieceKind};

/// §2.2: the plies from the occurrence that starts the count to now; `None` if the position has not occurred that
/// often.
pub(super) fn repetition_window(position: &Position, count: usize) -> Option<usize> {
    if position.occurrence_count() < count {
        return None;
    }
    let is_occurrence = |back: &usize| position.key_before(*back) == Some(position.key());
    (4..=position.history_len()).step_by(2).filter(is_occurrence).nth(count - 2)
}

/// The legal moves after which `holds` is true.
pub(super) fn legal_moves_leading_to(position: &Position, holds: impl Fn(&Position) -> bool) -> Vec<Move> {
    let mut probe = position.clone();
    let moves = position.legal_moves().into_iter();
    moves
        .filter(|&mv| {
            probe.play_unchecked(mv);
            let found = holds(&probe);
            probe.undo();
            found
        })
        .collect()
}

/// Judges the last `window` plies, from an earlier occurrence of the position to now.
pub(super) fn judge(position: &Position, window: usize, rules: &Rules) -> Verdict {
    let law = match &rules.set.profile().repetition {
        Repetition::Draws => return Verdict::draw(Reason::Repetition),
        Repetition::Natures => return cxa::judge(position, window, rules.mating_checks),
        // Counters have judged before, without waiting for a repetition.
        Repetition::Counters(_) => return Verdict::ONGOING,
        Repetition::Levels(law) => law,
    };
    let checks = PerpetualChecks::in_window(position, window);
    for color in Color::ALL {
        if checks.perpetual[color] && !checks.perpetual[!color] {
            return Verdict::loss(color, Reason::PerpetualCheck);
        }
    }
    let nobody_chases = checks.perpetual[Color::Red] || checks.any && law.checks_spoil_chases;
    match if nobody_chases { None } else { perpetual_chaser(position, window, law) } {
        None => Verdict::draw(Reason::Repetition),
        Some((color, victim)) => {
            let now = TrackedBoard::of(position);
            let (victim, square) = (now.piece(victim), now.square(victim));
            Verdict::loss(color, Reason::PerpetualChase { victim, square })
        }
    }
}

/// The verdict for a search, approximated where the exact one is slow: a perpetual check loses, anything else is a draw
/// (§8.3).
pub(super) fn judge_for_search(position: &Position, window: usize, rules: &Rules) -> Ending {
    if !matches!(rules.set.profile().repetition, Repetition::Natures | Repetition::Counters(_)) {
        return judge(position, window, rules).ending.unwrap_or(Ending::Draw);
    }
    match PerpetualChecks::in_window(position, window).perpetual {
        [true, false] => Ending::Loss(Color::Red),
        [false, true] => Ending::Loss(Color::Black),
        _ => Ending::Draw,
    }
}

/// The checks of both sides in the window (§2.4).
struct PerpetualChecks {
    /// By side: every move gave check.
    perpetual: [bool; 2],
    any: bool,
}

impl PerpetualChecks {
    fn in_window(position: &Position, window: usize) -> PerpetualChecks {
        let mut checks = PerpetualChecks { perpetual: [true; 2], any: false };
        let mut mover = !position.side();
        for back in 0..window {
            let check = position.move_before(back).is_some_and(|(_, check)| check);
            checks.any |= check;
            checks.perpetual[mover] &= check;
            mover = !mover;
        }
        checks
    }
}

/// The pieces that one side chased with every move examined so far.
struct ChaseTracker {
    victims: PieceIds,
    /// The chasers of each victim.
    chases: Chases,
    /// Pieces that a horse of this side pinned after each of its moves.
    pinned_by_horse: PieceIds,
}

impl ChaseTracker {
    const START: ChaseTracker =
        ChaseTracker { victims: PieceIds::ALL, chases: Chases::NONE, pinned_by_horse: PieceIds::ALL };

    /// Adds a move with its new chases.
    fn add_move(&mut self, new: &Chases) {
        self.victims = self.victims.and(new.victims);
        for victim in self.victims.iter() {
            self.chases.add(victim, new.chasers(victim));
        }
    }

    /// The piece that was chased with every move.
    fn perpetual_victim(&self, law: &RepetitionLaw) -> Option<PieceId> {
        let one = self.victims.iter().next();
        if !law.two_by_two_draws || self.victims.single().is_some() {
            return one;
        }
        // §3.8: several victims of one chaser are an offence, several victims of several chasers are not.
        let chasers = self.victims.iter().fold(PieceIds::NONE, |all, id| all.or(self.chases.chasers(id)));
        chasers.single().and(one)
    }
}

/// The side that alone chases perpetually, with its victim.
fn perpetual_chaser(position: &Position, window: usize, law: &RepetitionLaw) -> Option<(Color, PieceId)> {
    let mut tracked = TrackedBoard::of(position);
    let mut trackers = [ChaseTracker::START; 2];
    let mut mover = !position.side();
    for back in 0..window {
        let (mv, check) = position.move_before(back)?;
        let tracker = &mut trackers[mover];
        if tracker.victims.is_empty() {
            tracked.unmake(mv);
        } else {
            if law.pinned_rook_is_safe {
                tracker.pinned_by_horse = tracker.pinned_by_horse.and(tracked.pinned_by_horse(!mover));
            }
            tracker.add_move(&newly_chased(law, &mut tracked, mv, mover, check, tracker.victims));
            if trackers.iter().all(|tracker| tracker.victims.is_empty()) {
                return None;
            }
        }
        mover = !mover;
    }
    compare_chases(&tracked, &trackers, law)
}

/// §2.3: the higher level loses, equal levels draw.
fn compare_chases(
    tracked: &TrackedBoard,
    trackers: &[ChaseTracker; 2],
    law: &RepetitionLaw,
) -> Option<(Color, PieceId)> {
    // §3.8: two pieces chased by two are no offence, but still a chase where both sides chase.
    let idle = |color: Color| trackers[color].victims.is_empty();
    match Color::ALL.map(|color| trackers[color].perpetual_victim(law)) {
        [Some(victim), None] if idle(Color::Black) => Some((Color::Red, victim)),
        [None, Some(victim)] if idle(Color::Red) => Some((Color::Black, victim)),
        [Some(of_red), Some(of_black)] if law.pinned_rook_is_safe => {
            // §3.9: chasing the horse that pins the chased rook is no excuse.
            let pins = |color: Color, horse: PieceId, rook: PieceId| {
                tracked.kind(rook) == PieceKind::Rook
                    && trackers[color].pinned_by_horse.contains(rook)
                    && tracked.pinning_horse(rook) == Some(horse)
            };
            if pins(Color::Red, of_black, of_red) {
                Some((Color::Red, of_red))
            } else if pins(Color::Black, of_red, of_black) {
                Some((Color::Black, of_black))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The pieces newly chased by this move under the rule set's definition of a chase; the move is unmade.
fn newly_chased(
    law: &RepetitionLaw,
    tracked: &mut TrackedBoard,
    mv: Move,
    mover: Color,
    check: bool,
    candidates: PieceIds,
) -> Chases {
    match law.chase {
        ChaseLaw::Attacks(attacks) => attacks.newly_chased(tracked, mv, mover, candidates),
        ChaseLaw::Nothing => {
            tracked.unmake(mv);
            Chases::NONE
        }
        ChaseLaw::MovedPiece => {
            // §4.1: a move that gives check is no chase.
            let chases = if check { Chases::NONE } else { chase::league_chases(tracked, mv) };
            tracked.unmake(mv);
            chases
        }
    }
}

/// Explains each move of the last `window` plies, oldest first.
pub(super) fn explain(position: &Position, window: usize, rules: &Rules) -> Vec<MoveExplanation> {
    let repetition = &rules.set.profile().repetition;
    if *repetition == Repetition::Natures {
        return cxa::explain(position, window, rules.mating_checks);
    }
    explain_last_moves(position, window, |tracked, mv, mover, check| match repetition {
        Repetition::Levels(law) => newly_chased(law, tracked, mv, mover, check, PieceIds::ALL),
        _ => {
            tracked.unmake(mv);
            Chases::NONE
        }
    })
}

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
            let full = repetition_window(position, profile.repetition_count);
            let window = full.or(if distance <= ply { Some(distance) } else { None });
            if let Some(window) = window {
                // §8.3: near the root judge exactly, because that decides which move is played.
                let ending = match full {
                    Some(_) if ply <= FULL_JUDGE_PLIES && profile.repetition == Repetition::Natures => {
                        judge(position, window, self).ending?
                    }
                    _ => judge_for_search(position, window, self),
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
