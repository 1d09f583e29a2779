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

use super::correction_keys::CORRECTION_KEYS;
use super::params;
use crate::nnue::architecture::piece_index;
use crate::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};
use xiangqi::{Color, Move, Piece, Square, zobrist::Key};

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

#[cfg(test)]
#[path = "tests/history.rs"]
mod tests;
