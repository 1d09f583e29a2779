//! Repetitions: what each side did from an earlier occurrence of the position to now, and which side loses by it (§2).
//!
//! The rules in a search: repetitions inside its tree, the natural limit, and the moves that it may choose from.

use super::chase::{self, ChaseRules, Chases};
use super::explanation::{MoveExplanation, explain_last_moves};
use super::tracked_board::{PieceId, PieceIds, TrackedBoard};
use super::verdict::{Ending, Reason, Verdict, is_natural_limit_reached, natural_limit_key};
use super::{ChaseLaw, Counting, Repetition, RepetitionLaw, Rules, can_anyone_win, cxa};
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
        in_reach.then(|| natural_limit_key(position, self.set.profile().uncounted))
    }

    /// True if the natural limit ends the game here, unless the side to move has no legal move.
    pub fn is_natural_draw(&self, position: &Position) -> bool {
        is_natural_limit_reached(position, self.natural_limit, self.set.profile().uncounted)
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
            && was_forbidden(position, counting)
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

// The counters of the Tiantian platform: after a number of consecutive checks or chases the next one is forbidden
// (§10).

/// §10.1: the limit of consecutive checks, by one, two and more pieces.
const MAX_CHECKS: [usize; 3] = [6, 12, 18];
/// §10.2: the limit of consecutive chases of one piece.
const MAX_CHASES: usize = 6;
/// §10.3: the limit of consecutive checks and chases mixed, by one and by several pieces.
const MAX_MIXED: [usize; 2] = [12, 18];
/// The number of moves of a side that decides every counter.
const MAX_MOVES_BACK: usize = 19;

/// The plies that both sides need before the smallest counter can be full.
const MIN_PLIES: usize = 2 * MAX_CHASES - 1;

/// The consecutive checks and chases of a side up to its last move.
#[derive(Clone, Copy)]
struct SideCounters {
    checks: Streak,
    chases: Streak,
    mixed: Streak,
    /// The mixed moves include a check.
    has_check: bool,
    /// All examined moves that checked or chased, consecutive or not.
    active_moves: usize,
    /// The pieces chased by every move of the chases.
    victims: PieceIds,
}

#[derive(Clone, Copy)]
struct Streak {
    moves: usize,
    pieces: PieceIds,
    broken: bool,
}

impl Streak {
    const NONE: Streak = Streak { moves: 0, pieces: PieceIds::NONE, broken: false };

    /// Extends the streak by the previous move: by these pieces, or `None` if the move breaks it.
    fn extend(&mut self, pieces: Option<PieceIds>) {
        match pieces {
            Some(pieces) if !self.broken => {
                self.moves += 1;
                self.pieces = self.pieces.or(pieces);
            }
            _ => self.broken = true,
        }
    }
}

impl SideCounters {
    const NONE: SideCounters = SideCounters {
        checks: Streak::NONE,
        chases: Streak::NONE,
        mixed: Streak::NONE,
        has_check: false,
        active_moves: 0,
        victims: PieceIds::ALL,
    };

    /// Extends the streaks by the previous move, with its checkers and its chases.
    fn extend(&mut self, checkers: PieceIds, chases: &Chases) {
        self.checks.extend((!checkers.is_empty()).then_some(checkers));
        let victims = self.victims.and(chases.victims);
        let chasers_of = |victims: PieceIds| victims.iter().fold(PieceIds::NONE, |all, id| all.or(chases.chasers(id)));
        if !self.chases.broken && !victims.is_empty() {
            self.victims = victims;
        }
        self.chases.extend((!victims.is_empty()).then(|| chasers_of(victims)));
        let all = checkers.or(chasers_of(chases.victims));
        self.mixed.extend((!all.is_empty()).then_some(all));
        self.active_moves += usize::from(!all.is_empty());
        self.has_check |= !self.mixed.broken && !checkers.is_empty();
    }

    /// True if a counter is exceeded, given what the other side did.
    fn exceeds_counter(&self, other: &SideCounters) -> bool {
        let by = |limits: &[usize], pieces: PieceIds| limits[(pieces.iter().count().max(1) - 1).min(limits.len() - 1)];
        // §10.3: several pieces chased in turn do not count if the other side neither checks nor chases.
        let mixes = self.mixed.moves > self.checks.moves && (self.has_check || other.active_moves > 0);
        // §10.4: a side that is checked may chase.
        let excused = other.checks.moves + 1 >= self.chases.moves;
        self.checks.moves > by(&MAX_CHECKS, self.checks.pieces)
            || self.chases.moves > MAX_CHASES && !excused
            || mixes && self.mixed.moves > by(&MAX_MIXED, self.mixed.pieces)
    }

    /// True if the next move could exceed a counter.
    fn is_near_limit(&self) -> bool {
        self.checks.moves.max(self.chases.moves).max(self.mixed.moves) >= MAX_CHASES
    }
}

/// True if no counter can be full yet, which skips the work in most positions.
fn is_early(position: &Position) -> bool {
    position.plies_since_capture().min(position.history_len()) < MIN_PLIES
}

/// The pieces newly chased by this move, which is unmade; a moving king chases nothing.
fn new_chases(tracked: &mut TrackedBoard, mv: Move, mover: Color, law: ChaseRules) -> Chases {
    if tracked.square(tracked.king(mover)) == mv.to() {
        tracked.unmake(mv);
        return Chases::NONE;
    }
    law.newly_chased(tracked, mv, mover, PieceIds::ALL)
}

/// The counters of red and black since the last capture.
fn side_counters(position: &Position, law: ChaseRules) -> [SideCounters; 2] {
    let mut runs = [SideCounters::NONE; 2];
    let mut tracked = TrackedBoard::of(position);
    let mut mover = !position.side();
    for back in 0..position.plies_since_capture().min(position.history_len()).min(2 * MAX_MOVES_BACK) {
        let Some((mv, check)) = position.move_before(back) else { break };
        let checkers = if check { tracked.checkers(!mover) } else { PieceIds::NONE };
        let chases = new_chases(&mut tracked, mv, mover, law);
        runs[mover].extend(checkers, &chases);
        if runs.iter().all(|run| run.mixed.broken) {
            break;
        }
        mover = !mover;
    }
    runs
}

/// The verdict after the last move, without mate, material and the natural limit.
pub(super) fn judge_by_counters(position: &Position, counting: &Counting) -> Option<Verdict> {
    let too_long = position.game_ply() as usize >= counting.game_plies;
    if is_early(position) {
        return too_long.then(|| Verdict::draw(Reason::GameLength));
    }
    let runs = side_counters(position, counting.chase);
    let (side, mover) = (position.side(), !position.side());
    if runs[mover].exceeds_counter(&runs[side]) {
        return Some(Verdict::loss(mover, Reason::ForbiddenMove));
    }
    let all = |what: fn(&SideCounters) -> usize, limit: usize| runs.iter().all(|run| what(run) >= limit);
    if all(|run| run.checks.moves, MAX_CHECKS[0])
        || all(|run| run.chases.moves, MAX_CHASES)
        || is_idle_repetition(position, counting)
    {
        return Some(Verdict::draw(Reason::Repetition));
    }
    if runs[side].is_near_limit() && forbidden_moves(position, counting).len() == position.legal_moves().len() {
        return Some(Verdict::loss(side, Reason::OnlyForbiddenMoves));
    }
    too_long.then(|| Verdict::draw(Reason::GameLength))
}

/// True if the last move was forbidden.
pub(super) fn was_forbidden(position: &Position, counting: &Counting) -> bool {
    if is_early(position) {
        return false;
    }
    let runs = side_counters(position, counting.chase);
    let mover = !position.side();
    runs[mover].exceeds_counter(&runs[!mover])
}

/// The forbidden moves of the side to move.
pub(super) fn forbidden_moves(position: &Position, counting: &Counting) -> Vec<Move> {
    if is_early(position) || !side_counters(position, counting.chase)[position.side()].is_near_limit() {
        return Vec::new();
    }
    legal_moves_leading_to(position, |next| next.has_legal_move() && was_forbidden(next, counting))
}

/// §10.5: true if the position occurs for the fifth time without checks and chases in between.
fn is_idle_repetition(position: &Position, counting: &Counting) -> bool {
    repetition_window(position, counting.repetition_count).is_some_and(|window| {
        let explanations = explain_plies(position, window, counting);
        explanations.iter().all(|done| !done.check && done.newly_chased.is_empty())
    })
}

/// Explains the moves of the longest streak.
pub(super) fn explain_counters(position: &Position, counting: &Counting) -> Vec<MoveExplanation> {
    let runs = side_counters(position, counting.chase);
    let longest = runs.iter().map(|run| run.mixed.moves).max().unwrap_or(0);
    let plies = position.history_len().min(position.plies_since_capture());
    explain_plies(position, (2 * longest).min(plies), counting)
}

fn explain_plies(position: &Position, plies: usize, counting: &Counting) -> Vec<MoveExplanation> {
    let chased = |tracked: &mut TrackedBoard, mv, mover, _check| new_chases(tracked, mv, mover, counting.chase);
    explain_last_moves(position, plies, chased)
}
