//! History tables, updated by cutoffs and used for move ordering, pruning and evaluation:
//!
//! * butterfly history: quiet moves by side, from and to;
//! * continuation history: quiet moves by the moves one, two and four plies before;
//! * capture history: captures by mover, target and kind of victim;
//! * counter moves: the quiet reply that last refuted a move;
//! * correction history: the error of the static evaluation by keys of pawns, guards and attackers.
//!
//! All threads share one continuation history: it is so large that a single thread fills it slowly, and two threads
//! rarely write the same entry at once. The other tables are per thread.
//!
//! Keys of parts of a position, which index the correction history, and the observer that updates them and the
//! evaluation along the moves of a search.
//!
//! Updates of the histories by the search: bonuses and maluses after cutoffs, fail lows and re-searches.

use super::move_picker::{captured_piece, is_capture};
use super::params;
use super::search_thread::SearchThread;
use crate::nnue::architecture::piece_index;
use crate::nnue::{EvalMode, Evaluator};
use crate::score::{self, Bound, Score};
use arrayvec::ArrayVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};
use xiangqi::engine::BoardObserver;
use xiangqi::zobrist::{Key, piece_key};
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square};

const HISTORY_MAX: i32 = 16_384;
const SQUARES: usize = 90;
const PIECES: usize = 14;
/// Combinations of piece and square.
const PIECE_SQUARES: usize = PIECES * SQUARES;
const CORRECTION_ENTRIES: usize = 1 << 14;
const CORRECTION_MAX: i32 = 8192;
/// Correction entries count in units of 1/64 of a point.
const CORRECTION_GRAIN: i32 = 64;

/// Moving piece and target square as an index into the histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceTo(u16);

impl PieceTo {
    #[inline]
    pub fn new(piece: Piece, square: Square) -> PieceTo {
        PieceTo((piece_index(piece) * SQUARES + square.dense()) as u16)
    }

    /// The index of the piece, and the target square.
    #[inline]
    fn parts(self) -> (usize, usize) {
        (usize::from(self.0) / SQUARES, usize::from(self.0) % SQUARES)
    }
}

/// How many plies before a move the moves lie that key its continuation histories.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];
/// The moves that many plies before; `None` for a null move and before the game.
pub type ContinuationKeys = [Option<PieceTo>; CONTINUATION_PLIES.len()];

/// History gravity: adds `bonus` less a part of the old value, so that the result stays within ±`limit`.
#[inline]
fn gravity(value: i16, bonus: i32, limit: i32) -> i16 {
    let old = i32::from(value);
    (old + bonus - old * bonus.abs() / limit) as i16
}

#[inline]
fn apply_gravity(value: &mut i16, bonus: i32, limit: i32) {
    *value = gravity(*value, bonus, limit);
}

/// Continuation history, shared by all threads. Concurrent updates of one entry may lose one of them, which does no
/// harm, so relaxed loads and stores suffice.
pub struct ContinuationHistory {
    /// Indexed by the [`PieceTo`] of the earlier move and of this one.
    table: Box<[[AtomicI16; PIECE_SQUARES]]>,
}

impl ContinuationHistory {
    pub fn new() -> ContinuationHistory {
        ContinuationHistory {
            table: (0..PIECE_SQUARES).map(|_| [const { AtomicI16::new(0) }; PIECE_SQUARES]).collect(),
        }
    }

    /// Sets all entries to 0 for a new game.
    pub fn clear(&self) {
        self.table.as_flattened().iter().for_each(|value| value.store(0, Ordering::Relaxed));
    }

    #[inline]
    fn entry(&self, earlier: PieceTo, piece_to: PieceTo) -> &AtomicI16 {
        &self.table[earlier.0 as usize][piece_to.0 as usize]
    }
}

/// The histories of one thread, with a reference to the shared continuation history.
pub struct Histories {
    /// The entries are of an earlier game; cleared when the next search begins.
    stale: bool,
    /// Indexed by side, from and to.
    butterfly_history: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    continuation_history: Arc<ContinuationHistory>,
    /// Indexed by [`PieceTo`] and kind of victim.
    capture_history: Box<[[i16; 8]; PIECE_SQUARES]>,
    /// The quiet move that refuted a move, by [`PieceTo`] of that move.
    counter_moves: Box<[Option<Move>; PIECE_SQUARES]>,
    /// Errors of the static evaluation, one table per correction key, indexed by side and key.
    correction_history: [Box<[[i16; CORRECTION_ENTRIES]; 2]>; CORRECTION_KEYS],
}

/// Butterfly and continuation history of one piece's quiet moves, by target square.
pub struct QuietRows<'a> {
    butterfly: &'a [i16; SQUARES],
    continuation: [&'a [AtomicI16; SQUARES]; CONTINUATION_PLIES.len()],
}

/// The row of a move that does not exist.
static NO_CONTINUATION: [AtomicI16; SQUARES] = [const { AtomicI16::new(0) }; SQUARES];

impl QuietRows<'_> {
    /// The sum for a move to this dense square.
    #[inline]
    pub fn score(&self, to: usize) -> i32 {
        let continuation = self.continuation.iter().map(|row| i32::from(row[to].load(Ordering::Relaxed)));
        i32::from(self.butterfly[to]) + continuation.sum::<i32>()
    }
}

/// Allocates an array on the heap without building it on the stack.
fn zeroed_box<T: Clone, const N: usize>(zero: T) -> Box<[T; N]> {
    match vec![zero; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the length is N"),
    }
}

impl Histories {
    /// Empty histories over the shared continuation history.
    pub fn new(continuation: &Arc<ContinuationHistory>) -> Histories {
        Histories {
            stale: false,
            butterfly_history: zeroed_box([[0; SQUARES]; SQUARES]),
            continuation_history: Arc::clone(continuation),
            capture_history: zeroed_box([0; 8]),
            counter_moves: zeroed_box(None),
            correction_history: std::array::from_fn(|_| zeroed_box([0; CORRECTION_ENTRIES])),
        }
    }

    /// Marks the entries as those of an earlier game; [`Histories::prepare`] clears them.
    pub fn mark_stale(&mut self) {
        self.stale = true;
    }

    /// Prepares for a search: in a new game clears all tables, otherwise decays butterfly history.
    pub fn prepare(&mut self) {
        if std::mem::take(&mut self.stale) { self.clear() } else { self.decay() }
    }

    fn clear(&mut self) {
        self.butterfly_history.as_flattened_mut().as_flattened_mut().fill(0);
        self.capture_history.as_flattened_mut().fill(0);
        self.counter_moves.fill(None);
        for correction in &mut self.correction_history {
            correction.as_flattened_mut().fill(0);
        }
    }

    /// Decays butterfly history. The other tables keep their values from move to move.
    fn decay(&mut self) {
        let keep = params::history_decay();
        let decay_value = |value: &mut i16| *value = (i32::from(*value) * keep / 100) as i16;
        self.butterfly_history.iter_mut().flatten().flatten().for_each(decay_value);
    }

    /// Sum of butterfly and continuation history of a quiet move.
    #[inline]
    pub fn quiet_score(&self, side: Color, mv: Move, piece_to: PieceTo, continuation_keys: &ContinuationKeys) -> i32 {
        let (piece, to) = piece_to.parts();
        self.rows(side, piece, mv.from(), continuation_keys).score(to)
    }

    /// The rows of the quiet histories for the moves of one piece.
    #[inline]
    pub fn quiet_rows(&self, piece: Piece, from: Square, continuation_keys: &ContinuationKeys) -> QuietRows<'_> {
        self.rows(piece.color(), piece_index(piece), from, continuation_keys)
    }

    #[inline]
    fn rows(&self, side: Color, piece: usize, from: Square, continuation_keys: &ContinuationKeys) -> QuietRows<'_> {
        let continuation = continuation_keys.map(|earlier| {
            earlier.map_or(&NO_CONTINUATION, |earlier| {
                &self.continuation_history.table[earlier.0 as usize].as_chunks().0[piece]
            })
        });
        QuietRows { butterfly: &self.butterfly_history[side][from.dense()], continuation }
    }

    /// Updates butterfly history alone.
    #[inline]
    pub fn update_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        apply_gravity(&mut self.butterfly_history[side][mv.from().dense()][mv.to().dense()], bonus, HISTORY_MAX);
    }

    /// Updates butterfly and continuation history of a quiet move.
    #[inline]
    pub fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        piece_to: PieceTo,
        continuation_keys: &ContinuationKeys,
        bonus: i32,
    ) {
        self.update_butterfly(side, mv, bonus);
        for earlier in continuation_keys.iter().flatten() {
            let value = self.continuation_history.entry(*earlier, piece_to);
            value.store(gravity(value.load(Ordering::Relaxed), bonus, HISTORY_MAX), Ordering::Relaxed);
        }
    }

    /// Capture history of a capture.
    #[inline]
    pub fn capture_score(&self, piece_to: PieceTo, victim: Piece) -> i32 {
        i32::from(self.capture_history[piece_to.0 as usize][victim.index() & 7])
    }

    /// Updates capture history.
    #[inline]
    pub fn update_capture(&mut self, piece_to: PieceTo, victim: Piece, bonus: i32) {
        apply_gravity(&mut self.capture_history[piece_to.0 as usize][victim.index() & 7], bonus, HISTORY_MAX);
    }

    /// The quiet move that last refuted `earlier`.
    #[inline]
    pub fn counter_move(&self, earlier: Option<PieceTo>) -> Option<Move> {
        self.counter_moves[earlier?.0 as usize]
    }

    #[inline]
    pub fn set_counter_move(&mut self, earlier: Option<PieceTo>, mv: Move) {
        if let Some(piece_to) = earlier {
            self.counter_moves[piece_to.0 as usize] = Some(mv);
        }
    }

    /// The correction to add to the static evaluation of a position with these keys.
    #[inline]
    pub fn correction(&self, side: Color, keys: &[Key; CORRECTION_KEYS]) -> Score {
        let mut sum = 0;
        for (table, key) in self.correction_history.iter().zip(keys) {
            sum += i32::from(table[side][*key as usize % CORRECTION_ENTRIES]);
        }
        sum * params::correction_weight() / (100 * CORRECTION_GRAIN)
    }

    /// Updates correction history with the error of the static evaluation at a node of this depth.
    #[inline]
    pub fn update_correction(&mut self, side: Color, keys: &[Key; CORRECTION_KEYS], error: Score, depth: i32) {
        let bonus = (error * depth * CORRECTION_GRAIN / params::correction_divisor())
            .clamp(-params::correction_bonus_max(), params::correction_bonus_max());
        for (table, key) in self.correction_history.iter_mut().zip(keys) {
            apply_gravity(&mut table[side][*key as usize % CORRECTION_ENTRIES], bonus, CORRECTION_MAX);
        }
    }
}

/// The number of correction keys.
pub const CORRECTION_KEYS: usize = 4;

/// The keys of the pawns, of the guards (king, advisors, bishops), and of each side's attackers. One key of all
/// attackers would be too specific to generalise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CorrectionKeys([Key; CORRECTION_KEYS]);

impl CorrectionKeys {
    /// Computes the keys of a position.
    fn of(position: &Position) -> CorrectionKeys {
        let mut keys = CorrectionKeys::default();
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                keys.toggle(Piece::new(color, kind), square);
            }
        }
        keys
    }

    /// Adds or removes a piece on a square.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.0[correction_key_of(piece)] ^= piece_key(piece, square);
    }
}

/// The index of the key that a piece belongs to.
#[inline]
fn correction_key_of(piece: Piece) -> usize {
    match piece.kind() {
        PieceKind::Pawn => 0,
        PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => 1,
        PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => 2 + usize::from(piece.color() == Color::Black),
    }
}

/// What a search thread updates with each move: the evaluation and the correction keys.
pub(super) struct SearchObserver {
    evaluator: Evaluator,
    /// The keys of the root, and of the position after each move.
    correction_keys: Vec<CorrectionKeys>,
}

impl SearchObserver {
    pub fn new(mode: &EvalMode, position: &Position) -> SearchObserver {
        let mut correction_keys = Vec::with_capacity(256);
        correction_keys.push(CorrectionKeys::of(position));
        SearchObserver { evaluator: Evaluator::new(mode, position), correction_keys }
    }

    /// Takes back the last move.
    #[inline]
    pub fn pop(&mut self) {
        self.correction_keys.pop();
        self.evaluator.pop();
    }

    /// The static evaluation for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.evaluator.evaluate(position)
    }

    /// The keys of the current position.
    #[inline]
    pub fn correction_keys(&self) -> &[Key; CORRECTION_KEYS] {
        &self.correction_keys[self.correction_keys.len() - 1].0
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let last = self.correction_keys.len() - 1;
        self.correction_keys[last].toggle(piece, square);
    }
}

impl BoardObserver for SearchObserver {
    #[inline]
    fn begin(&mut self) {
        self.correction_keys.push(self.correction_keys[self.correction_keys.len() - 1]);
        self.evaluator.begin();
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.evaluator.removed(piece, square);
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.evaluator.added(piece, square);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        let last = self.correction_keys.len() - 1;
        self.correction_keys[last].0[correction_key_of(piece)] ^= piece_key(piece, from) ^ piece_key(piece, to);
        self.evaluator.moved(piece, from, to);
    }
}

/// Moves searched before the best one.
pub(super) type TriedMoves = ArrayVec<Move, 32>;

impl SearchThread<'_> {
    /// Updates correction history, unless the score is a bound that the static evaluation satisfies.
    #[inline]
    pub(super) fn update_correction_history(&mut self, score: Score, bound: Bound, depth: i32, ply: usize) {
        let static_eval = self.stack[ply].static_eval;
        if bound.improves(score, static_eval) && !score::is_decisive(score) {
            let keys = *self.observer.correction_keys();
            self.histories.update_correction(self.position.side(), &keys, score - static_eval, depth);
        }
    }

    /// Bonus for a quiet table move that causes a cutoff in the transposition table.
    pub(super) fn reward_tt_move(&mut self, mv: Move, depth: i32, ply: usize) {
        if self.position.is_pseudo_legal(mv) && !is_capture(&self.position, mv) {
            let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
            let continuation_keys = self.stack.continuation_keys(ply);
            let bonus = history_bonus(depth);
            self.histories.update_quiet(self.position.side(), mv, piece_to, &continuation_keys, bonus);
        }
    }

    /// The quiet move of the opponent that led to this node, with its piece and target.
    #[inline]
    fn prior_quiet_move(&self, ply: usize) -> Option<(Move, PieceTo)> {
        let entry = self.stack.entry_before(ply, 1);
        match entry.piece_to {
            Some(piece_to) if ply > 0 && self.position.last_captured().is_none() => {
                Some((entry.current_move?, piece_to))
            }
            _ => None,
        }
    }

    /// Bonus for the quiet move that led to this node, which failed low.
    pub(super) fn reward_prior_move(&mut self, depth: i32, ply: usize) {
        self.update_prior_move(params::prior_bonus(), depth, ply);
    }

    /// Malus for the quiet move that led to this node, which failed high.
    pub(super) fn penalize_prior_move(&mut self, depth: i32, ply: usize) {
        self.update_prior_move(-params::prior_malus(), depth, ply);
    }

    /// Gives the quiet move that led to this node `percent` of a bonus.
    fn update_prior_move(&mut self, percent: i32, depth: i32, ply: usize) {
        if let Some((mv, piece_to)) = self.prior_quiet_move(ply) {
            let continuation_keys = self.stack.continuation_keys(ply - 1);
            let bonus = history_bonus(depth) * percent / 100;
            self.histories.update_quiet(!self.position.side(), mv, piece_to, &continuation_keys, bonus);
        }
    }

    /// Updates butterfly history of the quiet move that led to this node by the change of the static evaluation.
    #[inline]
    pub(super) fn update_eval_history(&mut self, ply: usize) {
        let (previous, now) = (self.stack.entry_before(ply, 1).static_eval, self.stack[ply].static_eval);
        if params::eval_history() == 0 || previous == score::NONE || now == score::NONE {
            return;
        }
        if let Some((mv, _)) = self.prior_quiet_move(ply) {
            let gain = (-(previous + now) * params::eval_history() / 16)
                .clamp(-params::eval_history_max(), params::eval_history_max());
            self.histories.update_butterfly(!self.position.side(), mv, gain);
        }
    }

    /// Bonus or malus for a quiet move that was searched again after a late move reduction.
    #[inline]
    pub(super) fn update_post_lmr(
        &mut self,
        good: bool,
        side: Color,
        mv: Move,
        piece_to: PieceTo,
        continuation_keys: &ContinuationKeys,
        depth: i32,
    ) {
        if !self.stopped {
            let bonus = history_bonus(depth) * params::post_lmr_history() / 100;
            self.histories.update_quiet(side, mv, piece_to, continuation_keys, if good { bonus } else { -bonus });
        }
    }

    /// Bonus for the best move, malus for the moves tried before it; sets killers and counter move.
    pub(super) fn update_histories(&mut self, best: Move, depth: i32, ply: usize, quiets: &[Move], captures: &[Move]) {
        let side = self.position.side();
        let continuation_keys = self.stack.continuation_keys(ply);
        let bonus = history_bonus(depth);
        let malus = (params::history_malus() * depth).min(params::history_malus_max());
        let piece_to = PieceTo::new(self.position.moved_piece(best), best.to());
        if let Some(victim) = captured_piece(&self.position, best) {
            self.histories.update_capture(piece_to, victim, bonus);
        } else {
            self.histories.update_quiet(side, best, piece_to, &continuation_keys, bonus);
            self.histories.set_counter_move(continuation_keys[0], best);
            let killers = &mut self.stack[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            for &mv in quiets {
                let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
                self.histories.update_quiet(side, mv, piece_to, &continuation_keys, -malus);
            }
        }
        for &mv in captures {
            let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
            if let Some(victim) = self.position.piece_at(mv.to()) {
                self.histories.update_capture(piece_to, victim, -malus);
            }
        }
    }
}

#[inline]
fn history_bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}

#[cfg(test)]
#[path = "tests/history.rs"]
mod tests;

#[cfg(test)]
mod key_tests {
    use super::*;
    use crate::search::testing::{random_element, rng};

    #[test]
    fn correction_keys_follow_the_moves() {
        let mut rng = rng(5);
        let mut position = Position::start();
        let mut observer = SearchObserver::new(&EvalMode::Material, &position);
        for _ in 0..200 {
            let moves: Vec<_> = position.legal_moves().to_vec();
            let Some(mv) = random_element(&mut rng, &moves) else { break };
            position.play_unchecked_observed(mv, &mut observer);
            assert_eq!(*observer.correction_keys(), CorrectionKeys::of(&position).0, "{}", position.fen());
        }
        while position.history_len() > 0 {
            position.undo();
            observer.pop();
        }
        assert_eq!(*observer.correction_keys(), CorrectionKeys::of(&position).0);
    }
}

#[cfg(test)]
mod history_update_tests {
    use super::*;

    #[test]
    fn history_bonus_grows_with_depth_up_to_its_maximum() {
        assert!((0..100).map(history_bonus).is_sorted());
        assert!((1..100).map(history_bonus).all(|bonus| (1..=params::history_bonus_max()).contains(&bonus)));
        assert_eq!(history_bonus(100), params::history_bonus_max());
    }
}
