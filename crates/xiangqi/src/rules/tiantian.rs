//! The counters of the Tiantian platform: after a number of consecutive checks or chases the next one is forbidden
//! (§10).

use super::chase::{ChaseRules, Chases};
use super::explanation::{MoveExplanation, explain_last_moves};
use super::repetition_judge::{legal_moves_leading_to, repetition_window};
use super::rule_sets::Counting;
use super::tracked_board::{PieceIds, TrackedBoard};
use super::verdict::{Reason, Verdict};
use crate::board::Position;
use crate::types::{Color, Move};

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
pub(super) fn judge(position: &Position, counting: &Counting) -> Option<Verdict> {
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
pub(super) fn explain(position: &Position, counting: &Counting) -> Vec<MoveExplanation> {
    let runs = side_counters(position, counting.chase);
    let longest = runs.iter().map(|run| run.mixed.moves).max().unwrap_or(0);
    let plies = position.history_len().min(position.plies_since_capture());
    explain_plies(position, (2 * longest).min(plies), counting)
}

fn explain_plies(position: &Position, plies: usize, counting: &Counting) -> Vec<MoveExplanation> {
    let chased = |tracked: &mut TrackedBoard, mv, mover, _check| new_chases(tracked, mv, mover, counting.chase);
    explain_last_moves(position, plies, chased)
}
