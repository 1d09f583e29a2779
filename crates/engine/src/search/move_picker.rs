//! Staged move picker: returns the moves of a node one by one, best first, and generates each kind only when needed.

use super::history::{ContinuationKeys, Histories, PieceTo};
use super::params;
use crate::nnue::piece_square_values;
use xiangqi::{
    Color, Move, MoveList, Piece, PieceKind, Position, engine::CheckSquares, engine::MoveEntry, engine::piece_value,
};

/// Inputs to move ordering besides the position.
#[derive(Clone, Copy, Default)]
pub struct OrderingHints {
    /// The move of the transposition table; its legality is checked here.
    pub tt_move: Option<Move>,
    /// Killers of this ply, newest first; their legality is checked here.
    pub killers: [Option<Move>; 2],
    /// The counter move to the previous move; its legality is checked here.
    pub counter_move: Option<Move>,
    /// The moves one, two and four plies before.
    pub continuation_keys: ContinuationKeys,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    Refutations,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    GenerateChecks,
    Checks,
    Done,
}

/// Which moves the picker returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PickerMode {
    /// All legal moves.
    Full,
    /// Captures, then quiet checks if `checks` is set; all evasions when in check.
    Quiescence { checks: bool },
}

/// A move with its score for move ordering.
#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

impl MoveEntry for ScoredMove {
    #[inline]
    fn of(mv: Move) -> ScoredMove {
        ScoredMove { mv, score: 0 }
    }
    #[inline]
    fn mv(self) -> Move {
        self.mv
    }
}

pub struct MovePicker {
    /// The captures that lose material by SEE, returned after the quiet moves; then the moves of this stage.
    moves: MoveList<ScoredMove>,
    bad_captures: usize,
    hints: OrderingHints,
    stage: Stage,
    mode: PickerMode,
    next: usize,
    next_refutation: usize,
    /// Set when the quiet moves are generated.
    check_squares: Option<CheckSquares>,
    skip_quiets: bool,
}

impl MovePicker {
    /// Creates a picker for a node.
    #[inline]
    pub fn new(position: &Position, mode: PickerMode, hints: OrderingHints) -> MovePicker {
        let fits = |mv: &Move| {
            (mode == PickerMode::Full || position.in_check() || is_capture(position, *mv)) && is_valid(position, *mv)
        };
        let hints = OrderingHints { tt_move: hints.tt_move.filter(fits), ..hints };
        let stage = if hints.tt_move.is_some() { Stage::TtMove } else { first_stage(position) };
        MovePicker {
            moves: MoveList::default(),
            bad_captures: 0,
            hints,
            stage,
            mode,
            next: 0,
            next_refutation: 0,
            check_squares: None,
            skip_quiets: false,
        }
    }

    /// The table move, if it is legal and fits the mode.
    pub fn tt_move(&self) -> Option<Move> {
        self.hints.tt_move
    }

    /// Skips the remaining quiet moves; evasions are still returned.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether a move at this node gives check.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        match &self.check_squares {
            Some(check_squares) => position.gives_check_with(check_squares, mv),
            None => position.gives_check(mv),
        }
    }

    /// True if the last returned move is a bad capture.
    pub fn is_in_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// The next legal move.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = first_stage(position);
                    return self.hints.tt_move;
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    while let Some((mv, score)) = self.pick_best() {
                        if Some(mv) == self.hints.tt_move || !position.is_legal(mv) {
                            continue;
                        }
                        if score >= 0 || position.see_ge(mv, -params::good_capture_margin()) {
                            return Some(mv);
                        }
                        // The places before the next move are free.
                        self.moves[self.bad_captures] = ScoredMove { mv, score };
                        self.bad_captures += 1;
                    }
                    self.stage = match self.mode {
                        PickerMode::Full => Stage::Refutations,
                        PickerMode::Quiescence { checks: true } => Stage::GenerateChecks,
                        PickerMode::Quiescence { checks: false } => Stage::Done,
                    };
                }
                Stage::Refutations => match self.next_refutation_move(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, histories);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    while !self.skip_quiets {
                        let Some((mv, _)) = self.pick_best() else { break };
                        if !self.was_tried(mv) && position.is_legal(mv) {
                            return Some(mv);
                        }
                    }
                    self.next = 0;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if self.next == self.bad_captures {
                        self.stage = Stage::Done;
                        return None;
                    }
                    self.next += 1;
                    return Some(self.moves[self.next - 1].mv);
                }
                Stage::GenerateEvasions => {
                    self.generate_evasions(position, histories);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    while let Some((mv, _)) = self.pick_best() {
                        if Some(mv) != self.hints.tt_move {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateChecks => {
                    self.begin_stage();
                    position.generate_quiet_checks(&mut self.moves);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    while let Some((mv, _)) = self.pick_best() {
                        if Some(mv) != self.hints.tt_move && position.is_legal(mv) && position.see_ge(mv, 0) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    // Once a node, and apart from `next`, which is called for every move: there these would cost many registers.
    #[inline(never)]
    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        position.generate_captures(&mut self.moves);
        score_captures(position, histories, &mut self.moves);
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, histories: &Histories) {
        self.begin_stage();
        if !self.skip_quiets {
            position.generate_quiets(&mut self.moves);
            let check_squares = self.check_squares.insert(position.check_squares());
            let quiets = &mut self.moves[self.bad_captures..];
            score_quiets(position, histories, &self.hints, check_squares, quiets);
        }
    }

    #[inline(never)]
    fn generate_evasions(&mut self, position: &Position, histories: &Histories) {
        position.generate_evasions(&mut self.moves);
        score_evasions(position, histories, &self.hints, &mut self.moves);
    }

    /// Makes room for the moves of another stage behind the bad captures.
    fn begin_stage(&mut self) {
        self.moves.truncate(self.bad_captures);
        self.next = self.bad_captures;
    }

    /// Selection sort step: takes the remaining move with the highest score. Ties go to the move generated first.
    #[inline]
    fn pick_best(&mut self) -> Option<(Move, i32)> {
        let remaining = self.moves.get_mut(self.next..)?;
        let first = *remaining.first()?;
        let mut best = 0;
        let mut best_score = first.score;
        for (index, entry) in remaining.iter().enumerate().skip(1) {
            if entry.score > best_score {
                best = index;
                best_score = entry.score;
            }
        }
        remaining.swap(0, best);
        self.next += 1;
        Some((remaining[0].mv, best_score))
    }

    /// The next killer or counter move that is a legal quiet move here.
    fn next_refutation_move(&mut self, position: &Position) -> Option<Move> {
        while self.next_refutation < 3 && !self.skip_quiets {
            let index = self.next_refutation;
            self.next_refutation += 1;
            let Some(mv) = self.refutation(index) else { continue };
            let is_new =
                Some(mv) != self.hints.tt_move && (0..index).all(|earlier| self.refutation(earlier) != Some(mv));
            if is_new && !is_capture(position, mv) && is_valid(position, mv) {
                return Some(mv);
            }
        }
        None
    }

    #[inline]
    fn refutation(&self, index: usize) -> Option<Move> {
        match index {
            0 | 1 => self.hints.killers[index],
            _ => self.hints.counter_move,
        }
    }

    #[inline]
    fn was_tried(&self, mv: Move) -> bool {
        Some(mv) == self.hints.tt_move || (0..3).any(|index| self.refutation(index) == Some(mv))
    }
}

fn first_stage(position: &Position) -> Stage {
    if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures }
}

#[inline]
fn is_valid(position: &Position, mv: Move) -> bool {
    position.is_pseudo_legal(mv) && position.is_legal(mv)
}

/// True if the move captures a piece.
#[inline]
pub fn is_capture(position: &Position, mv: Move) -> bool {
    captured_piece(position, mv).is_some()
}

/// The piece that the move captures.
#[inline]
pub fn captured_piece(position: &Position, mv: Move) -> Option<Piece> {
    if mv.from() == mv.to() { None } else { position.piece_at(mv.to()) }
}

/// MVV/LVA plus capture history: the victim alone if it is unprotected, victim minus attacker if it is protected. A
/// score of 0 or more means that the capture loses nothing, so the picker skips its SEE; history does not change the
/// sign.
fn score_captures(position: &Position, histories: &Histories, list: &mut [ScoredMove]) {
    let them = !position.side();
    for entry in list.iter_mut() {
        let mv = entry.mv;
        let (mover, Some(victim)) = (position.moved_piece(mv), position.piece_at(mv.to())) else { continue };
        let victim_value = piece_value(victim.kind());
        let attacker_value = piece_value(mover.kind());
        let history =
            histories.capture_score(PieceTo::new(mover, mv.to()), victim) / params::order_capture_history_divisor();
        let loses = attacker_value > victim_value && position.is_attacked(mv.to(), them);
        entry.score = if loses {
            (params::order_victim() * (victim_value - attacker_value) + history).min(-1)
        } else {
            (params::order_victim() * victim_value - attacker_value / params::order_attacker_divisor() + history).max(0)
        };
    }
}

fn score_quiets(
    position: &Position,
    histories: &Histories,
    hints: &OrderingHints,
    check_squares: &CheckSquares,
    list: &mut [ScoredMove],
) {
    let side = position.side();
    // Moves of one piece are adjacent in the list.
    for moves in list.chunk_by_mut(|one, other| one.mv.from() == other.mv.from()) {
        let from = moves[0].mv.from();
        let mover = position.moved_piece(moves[0].mv);
        let histories = histories.quiet_rows(mover, from, &hints.continuation_keys);
        let values = piece_square_values(mover);
        let is_threatened = params::order_escapes() > 0 && mover.kind().is_major() && position.is_attacked(from, !side);
        let base = params::order_escapes() * i32::from(is_threatened)
            - params::order_piece_squares() * i32::from(values[from.dense()]);
        let checks = position.piece_checks(check_squares, from);
        for entry in moves {
            let to = entry.mv.to().dense();
            entry.score = base + histories.score(to) + advance_bonus(side, entry.mv);
            entry.score += params::order_piece_squares() * i32::from(values[to]);
            if params::order_checks() > 0 && position.gives_check_as(checks, check_squares, entry.mv) {
                entry.score += params::order_checks();
            }
        }
    }
}

/// Bonus for a move forward, malus for a move backward.
#[inline]
fn advance_bonus(side: Color, mv: Move) -> i32 {
    let (from, to) = (i32::from(mv.from().rank_for(side)), i32::from(mv.to().rank_for(side)));
    (to - from).signum() * params::order_forward()
}

/// Puts captures before all quiet evasions; larger than any history score.
const CAPTURE_EVASION_BASE: i32 = 1_000_000;

fn score_evasions(position: &Position, histories: &Histories, hints: &OrderingHints, list: &mut [ScoredMove]) {
    let side = position.side();
    for entry in list.iter_mut() {
        let mover = position.moved_piece(entry.mv);
        entry.score = if let Some(victim) = captured_piece(position, entry.mv) {
            CAPTURE_EVASION_BASE + params::order_victim() * value(victim)
                - value(mover) / params::order_evasion_attacker_divisor()
        } else {
            histories.quiet_score(side, entry.mv, PieceTo::new(mover, entry.mv.to()), &hints.continuation_keys)
        };
    }
}

fn value(piece: Piece) -> i32 {
    if piece.kind() == PieceKind::King { 0 } else { piece_value(piece.kind()) }
}

#[cfg(test)]
#[path = "tests/move_picker.rs"]
mod tests;
