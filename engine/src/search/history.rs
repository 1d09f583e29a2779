//! The histories: what has been learned about moves, and about the static evaluation.
//!
//! * butterfly history: which quiet moves cause cutoffs, by side, from and to;
//! * continuation history: which quiet moves do so as answers to earlier moves;
//! * capture history: which captures do, by mover, square and victim;
//! * correction history: by how much the static evaluation errs in positions of a structure.
//!
//! Continuation history is learned by all threads together: it is so large that a thread alone, which sees only its
//! part of the tree, is long in filling it, and so seldom do two threads touch the same entry that sharing costs
//! nothing. The rest is each thread's own.

use super::params;
use crate::nnue::CORRECTION_KEYS;
use crate::types::{Color, Key, Move, Piece, Score, Square};
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

const HISTORY_MAX: i32 = 16_384;
const SQUARES: usize = 90;
const PIECES: usize = 14;
/// Piece and square, counted densely.
const PIECE_SQUARES: usize = PIECES * SQUARES;
const CORRECTION_ENTRIES: usize = 1 << 14;
const CORRECTION_MAX: i32 = 8192;
/// A correction entry is in this fraction of a point.
const CORRECTION_GRAIN: i32 = 64;

/// A piece and the square it goes to, as an index into the histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceTo(u16);

impl PieceTo {
    /// This piece on this square.
    #[inline]
    pub fn new(piece: Piece, square: Square) -> PieceTo {
        let kind = (piece.index() & 7) + 7 * (piece.index() >> 4);
        PieceTo((kind * SQUARES + square.dense()) as u16)
    }
}

/// A value moved towards the limit, the less the nearer it is.
#[inline]
fn gravity(value: i16, bonus: i32, limit: i32) -> i16 {
    let old = i32::from(value);
    (old + bonus - old * bonus.abs() / limit) as i16
}

#[inline]
fn apply_gravity(value: &mut i16, bonus: i32, limit: i32) {
    *value = gravity(*value, bonus, limit);
}

/// How good quiet moves are as answers to earlier moves, their own side's and the other's. A lesson is lost where
/// two threads learn the same at the same moment, and nothing else; so relaxed loads and stores suffice.
pub struct ContinuationHistory {
    /// By the piece-to of the earlier move and of this one.
    table: Box<[[AtomicI16; PIECE_SQUARES]]>,
}

impl ContinuationHistory {
    pub fn new() -> ContinuationHistory {
        ContinuationHistory {
            table: (0..PIECE_SQUARES).map(|_| [const { AtomicI16::new(0) }; PIECE_SQUARES]).collect(),
        }
    }

    /// A new game begins.
    pub fn clear(&self) {
        self.table.as_flattened().iter().for_each(|value| value.store(0, Ordering::Relaxed));
    }

    #[inline]
    fn entry(&self, earlier: PieceTo, piece_to: PieceTo) -> &AtomicI16 {
        &self.table[earlier.0 as usize][piece_to.0 as usize]
    }
}

/// The histories of one thread, and its hold on what all share.
pub struct Histories {
    /// What was learned is of another game.
    stale: bool,
    /// By side, from and to.
    butterfly_history: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    continuation_history: Arc<ContinuationHistory>,
    /// By mover and kind of victim.
    capture_history: Box<[[i16; 8]; PIECE_SQUARES]>,
    /// The quiet answer that refuted a move.
    counter_moves: Box<[Move; PIECE_SQUARES]>,
    /// Errors of the static evaluation, by side and by a key of the position's structure.
    correction_history: [Box<[[i16; CORRECTION_ENTRIES]; 2]>; CORRECTION_KEYS],
}

/// A zeroed array on the heap that never lies on the stack.
fn zeroed_box<T: Clone, const N: usize>(zero: T) -> Box<[T; N]> {
    match vec![zero; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the length is N"),
    }
}

impl Histories {
    /// Nothing learned yet but what all share.
    pub fn new(continuation: &Arc<ContinuationHistory>) -> Histories {
        Histories {
            stale: false,
            butterfly_history: zeroed_box([[0; SQUARES]; SQUARES]),
            continuation_history: Arc::clone(continuation),
            capture_history: zeroed_box([0; 8]),
            counter_moves: zeroed_box(Move::NONE),
            correction_history: std::array::from_fn(|_| zeroed_box([0; CORRECTION_ENTRIES])),
        }
    }

    /// A new game begins. The work is left to the thread that searches next.
    pub fn mark_stale(&mut self) {
        self.stale = true;
    }

    /// A search begins: what was learned in this game fades, what was learned in another is forgotten.
    pub fn prepare(&mut self) {
        if std::mem::take(&mut self.stale) { self.clear() } else { self.decay() }
    }

    fn clear(&mut self) {
        self.butterfly_history.as_flattened_mut().as_flattened_mut().fill(0);
        self.capture_history.as_flattened_mut().fill(0);
        self.counter_moves.fill(Move::NONE);
        for correction in &mut self.correction_history {
            correction.as_flattened_mut().fill(0);
        }
    }

    fn decay(&mut self) {
        let keep = params::history_decay();
        let fade = |value: &mut i16| *value = (i32::from(*value) * keep / 100) as i16;
        self.butterfly_history.iter_mut().flatten().flatten().for_each(fade);
    }

    /// What is thought of a quiet move, all histories together.
    #[inline]
    pub fn quiet_score(&self, side: Color, mv: Move, piece_to: PieceTo, before: &[Option<PieceTo>; 3]) -> i32 {
        let mut sum = i32::from(self.butterfly_history[side][mv.from().dense()][mv.to().dense()]);
        for earlier in before.iter().flatten() {
            sum += i32::from(self.continuation_history.entry(*earlier, piece_to).load(Ordering::Relaxed));
        }
        sum
    }

    /// Learns about a quiet move, whatever came before it.
    #[inline]
    pub fn update_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        apply_gravity(&mut self.butterfly_history[side][mv.from().dense()][mv.to().dense()], bonus, HISTORY_MAX);
    }

    /// Learns about a quiet move.
    #[inline]
    pub fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        piece_to: PieceTo,
        before: &[Option<PieceTo>; 3],
        bonus: i32,
    ) {
        self.update_butterfly(side, mv, bonus);
        for earlier in before.iter().flatten() {
            let value = self.continuation_history.entry(*earlier, piece_to);
            value.store(gravity(value.load(Ordering::Relaxed), bonus, HISTORY_MAX), Ordering::Relaxed);
        }
    }

    /// What is thought of a capture.
    #[inline]
    pub fn capture_score(&self, piece_to: PieceTo, victim: Piece) -> i32 {
        i32::from(self.capture_history[piece_to.0 as usize][victim.index() & 7])
    }

    /// Learns about a capture.
    #[inline]
    pub fn update_capture(&mut self, piece_to: PieceTo, victim: Piece, bonus: i32) {
        apply_gravity(&mut self.capture_history[piece_to.0 as usize][victim.index() & 7], bonus, HISTORY_MAX);
    }

    /// The quiet move that last refuted this piece on this square.
    #[inline]
    pub fn counter_move(&self, earlier: Option<PieceTo>) -> Move {
        earlier.map_or(Move::NONE, |piece_to| self.counter_moves[piece_to.0 as usize])
    }

    #[inline]
    pub fn set_counter_move(&mut self, earlier: Option<PieceTo>, mv: Move) {
        if let Some(piece_to) = earlier {
            self.counter_moves[piece_to.0 as usize] = mv;
        }
    }

    /// What to add to the static evaluation of a position with these structure keys.
    #[inline]
    pub fn correction(&self, side: Color, keys: &[Key; CORRECTION_KEYS]) -> Score {
        let mut sum = 0;
        for (table, key) in self.correction_history.iter().zip(keys) {
            sum += i32::from(table[side][*key as usize % CORRECTION_ENTRIES]);
        }
        sum * params::correction_weight() / (100 * CORRECTION_GRAIN)
    }

    /// Learns that the static evaluation was off by `error` at a node of this depth.
    #[inline]
    pub fn update_correction(&mut self, side: Color, keys: &[Key; CORRECTION_KEYS], error: Score, depth: i32) {
        let bonus = (error * depth * CORRECTION_GRAIN / 256).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        for (table, key) in self.correction_history.iter_mut().zip(keys) {
            apply_gravity(&mut table[side][*key as usize % CORRECTION_ENTRIES], bonus, CORRECTION_MAX);
        }
    }
}
