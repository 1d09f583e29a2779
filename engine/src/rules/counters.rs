//! The counters of the Tiantian platform: so many checks or chases running, and the next one is forbidden (§10).

use super::chase::{AttackLaw, Chases};
use super::deed::{Deed, last_deeds};
use super::diagram::{Diagram, PieceIds};
use super::profile::Counting;
use super::repetition::{full_window, moves_after_which};
use super::verdict::{Reason, Verdict};
use crate::board::Position;
use crate::types::{Color, Move};

/// §10.1: checks running by one, by two, and by more pieces.
const CHECKS: [usize; 3] = [6, 12, 18];
/// §10.2: chases running of one piece.
const CHASES: usize = 6;
/// §10.3: checks and chases mixed, by one and by several pieces.
const MIXED: [usize; 2] = [12, 18];
/// Moves of a side that are enough to know every counter.
const REACH: usize = 19;

/// Plies that both sides need before the shortest counter can be full.
const LEAST_PLIES: usize = 2 * CHASES - 1;

/// What a side has done without pause up to its last move.
#[derive(Clone, Copy)]
struct Run {
    checks: Streak,
    chases: Streak,
    mixed: Streak,
    /// Some of the mixed moves gave check.
    checked: bool,
    /// Moves as far back as was looked that checked or chased, with or without pause.
    busy: usize,
    /// The pieces that were chased with every move of the chases.
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

    /// One move further back: these pieces took part, if it belongs to the streak.
    fn go_on(&mut self, pieces: Option<PieceIds>) {
        match pieces {
            Some(pieces) if !self.broken => {
                self.moves += 1;
                self.pieces = self.pieces.or(pieces);
            }
            _ => self.broken = true,
        }
    }
}

impl Run {
    const NONE: Run = Run {
        checks: Streak::NONE,
        chases: Streak::NONE,
        mixed: Streak::NONE,
        checked: false,
        busy: 0,
        victims: PieceIds::ALL,
    };

    /// One move further back, which gave check with these pieces and chased those.
    fn go_on(&mut self, checkers: PieceIds, chases: &Chases) {
        self.checks.go_on((!checkers.is_empty()).then_some(checkers));
        let victims = self.victims.and(chases.victims);
        let hunters =
            |victims: PieceIds| victims.iter().fold(PieceIds::NONE, |all, id| all.or(chases.chasers(id)));
        if !self.chases.broken && !victims.is_empty() {
            self.victims = victims;
        }
        self.chases.go_on((!victims.is_empty()).then(|| hunters(victims)));
        let all = checkers.or(hunters(chases.victims));
        self.mixed.go_on((!all.is_empty()).then_some(all));
        self.busy += usize::from(!all.is_empty());
        self.checked |= !self.mixed.broken && !checkers.is_empty();
    }

    /// Whether one of the counters has run over, if that is what the other side did.
    fn is_forbidden(&self, other: &Run) -> bool {
        let by = |limits: &[usize], pieces: PieceIds| {
            limits[(pieces.iter().count().max(1) - 1).min(limits.len() - 1)]
        };
        // Several pieces chased in turn are allowed against a side that does nothing: §10.3.
        let mixes = self.mixed.moves > self.checks.moves && (self.checked || other.busy > 0);
        // §10.4: who is checked may chase.
        let excused = other.checks.moves + 1 >= self.chases.moves;
        self.checks.moves > by(&CHECKS, self.checks.pieces)
            || self.chases.moves > CHASES && !excused
            || mixes && self.mixed.moves > by(&MIXED, self.mixed.pieces)
    }

    /// Whether the next move could be one too many.
    fn is_near(&self) -> bool {
        self.checks.moves.max(self.chases.moves).max(self.mixed.moves) >= CHASES
    }
}

/// Whether no counter can be full yet: most positions need not be looked at.
fn is_early(position: &Position) -> bool {
    position.quiet_plies().min(position.history_len()) < LEAST_PLIES
}

/// What this move newly chased, and takes it back; a king that moves chases nothing.
fn chases(diagram: &mut Diagram, mv: Move, mover: Color, law: AttackLaw) -> Chases {
    if diagram.square(diagram.king(mover)) == mv.to() {
        diagram.take_back(mv);
        return Chases::NONE;
    }
    law.newly_chased(diagram, mv, mover, PieceIds::ALL)
}

/// What red and black have done without pause since the last capture.
fn runs(position: &Position, law: AttackLaw) -> [Run; 2] {
    let mut runs = [Run::NONE; 2];
    let mut diagram = Diagram::of(position);
    let mut mover = !position.side();
    for back in 0..position.quiet_plies().min(position.history_len()).min(2 * REACH) {
        let Some((mv, check)) = position.move_before(back) else { break };
        let checkers = if check { diagram.checkers(!mover) } else { PieceIds::NONE };
        let chases = chases(&mut diagram, mv, mover, law);
        runs[mover].go_on(checkers, &chases);
        if runs.iter().all(|run| run.mixed.broken) {
            break;
        }
        mover = !mover;
    }
    runs
}

/// How the game stands after its last move, mate, material and the natural limit aside.
pub(super) fn judge(position: &Position, counting: &Counting) -> Option<Verdict> {
    let too_long = position.game_ply() as usize >= counting.game_plies;
    if is_early(position) {
        return too_long.then(|| Verdict::draw(Reason::GameLength));
    }
    let runs = runs(position, counting.chase);
    let (side, mover) = (position.side(), !position.side());
    if runs[mover].is_forbidden(&runs[side]) {
        return Some(Verdict::loss(mover, Reason::ForbiddenMove));
    }
    let all = |what: fn(&Run) -> usize, limit: usize| runs.iter().all(|run| what(run) >= limit);
    if all(|run| run.checks.moves, CHECKS[0])
        || all(|run| run.chases.moves, CHASES)
        || is_quiet(position, counting)
    {
        return Some(Verdict::draw(Reason::Repetition));
    }
    if runs[side].is_near()
        && forbidden_moves(position, counting).len() == position.legal_moves().moves().count()
    {
        return Some(Verdict::loss(side, Reason::OnlyForbiddenMoves));
    }
    too_long.then(|| Verdict::draw(Reason::GameLength))
}

/// Whether the move just made was one too many.
pub(super) fn was_forbidden(position: &Position, counting: &Counting) -> bool {
    if is_early(position) {
        return false;
    }
    let runs = runs(position, counting.chase);
    let mover = !position.side();
    runs[mover].is_forbidden(&runs[!mover])
}

/// The moves that would be one too many.
pub(super) fn forbidden_moves(position: &Position, counting: &Counting) -> Vec<Move> {
    if is_early(position) || !runs(position, counting.chase)[position.side()].is_near() {
        return Vec::new();
    }
    moves_after_which(position, |next| next.has_legal_move() && was_forbidden(next, counting))
}

/// §10.5: a position that stands for the fifth time, and nobody checked or chased in between.
fn is_quiet(position: &Position, counting: &Counting) -> bool {
    full_window(position, counting.count).is_some_and(|window| {
        let deeds = deeds(position, window, counting);
        deeds.iter().all(|deed| !deed.check && deed.chased.is_empty())
    })
}

/// What the moves did over which a counter runs.
pub(super) fn explain(position: &Position, counting: &Counting) -> Vec<Deed> {
    let runs = runs(position, counting.chase);
    let longest = runs.iter().map(|run| run.mixed.moves).max().unwrap_or(0);
    let plies = position.history_len().min(position.quiet_plies());
    deeds(position, (2 * longest).min(plies), counting)
}

fn deeds(position: &Position, plies: usize, counting: &Counting) -> Vec<Deed> {
    let chased =
        |diagram: &mut Diagram, mv, mover, _check| chases(diagram, mv, mover, counting.chase).victims;
    last_deeds(position, plies, chased)
}
