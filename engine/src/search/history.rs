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
use crate::nnue::STRUCTURE_KEYS;
use crate::types::{Color, Key, Move, Piece, Score, Square};
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

const LIMIT: i32 = 16_384;
const SQUARES: usize = 90;
const PIECES: usize = 14;
/// Piece and square, counted densely.
const PIECE_TOS: usize = PIECES * SQUARES;
const CORRECTIONS: usize = 1 << 14;
const CORRECTION_LIMIT: i32 = 8192;
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
fn gravitated(value: i16, bonus: i32, limit: i32) -> i16 {
    let old = i32::from(value);
    (old + bonus - old * bonus.abs() / limit) as i16
}

#[inline]
fn gravitate(value: &mut i16, bonus: i32, limit: i32) {
    *value = gravitated(*value, bonus, limit);
}

/// How good quiet moves are as answers to earlier moves, their own side's and the other's. A lesson is lost where
/// two threads learn the same at the same moment, and nothing else; so relaxed loads and stores suffice.
pub struct ContinuationHistory {
    /// By the piece-to of the earlier move and of this one.
    rows: Box<[[AtomicI16; PIECE_TOS]]>,
}

impl ContinuationHistory {
    pub fn new() -> ContinuationHistory {
        ContinuationHistory {
            rows: (0..PIECE_TOS).map(|_| [const { AtomicI16::new(0) }; PIECE_TOS]).collect(),
        }
    }

    /// A new game begins.
    pub fn forget(&self) {
        self.rows.as_flattened().iter().for_each(|value| value.store(0, Ordering::Relaxed));
    }

    #[inline]
    fn after(&self, earlier: PieceTo, piece_to: PieceTo) -> &AtomicI16 {
        &self.rows[earlier.0 as usize][piece_to.0 as usize]
    }
}

/// The histories of one thread, and its hold on what all share.
pub struct Histories {
    /// What was learned is of another game.
    outdated: bool,
    /// By side, from and to.
    butterfly: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    continuation: Arc<ContinuationHistory>,
    /// By mover and kind of victim.
    captures: Box<[[i16; 8]; PIECE_TOS]>,
    /// The quiet answer that refuted a move.
    counters: Box<[Move; PIECE_TOS]>,
    /// Errors of the static evaluation, by side and by a key of the position's structure.
    corrections: [Box<[[i16; CORRECTIONS]; 2]>; STRUCTURE_KEYS],
}

/// A zeroed array on the heap that never lies on the stack.
fn boxed<T: Clone, const N: usize>(zero: T) -> Box<[T; N]> {
    match vec![zero; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the length is N"),
    }
}

impl Histories {
    /// Nothing learned yet but what all share.
    pub fn new(continuation: &Arc<ContinuationHistory>) -> Histories {
        Histories {
            outdated: false,
            butterfly: boxed([[0; SQUARES]; SQUARES]),
            continuation: Arc::clone(continuation),
            captures: boxed([0; 8]),
            counters: boxed(Move::NONE),
            corrections: std::array::from_fn(|_| boxed([0; CORRECTIONS])),
        }
    }

    /// A new game begins. The work is left to the thread that searches next.
    pub fn outdate(&mut self) {
        self.outdated = true;
    }

    /// A search begins: what was learned in this game fades, what was learned in another is forgotten.
    pub fn freshen(&mut self) {
        if std::mem::take(&mut self.outdated) { self.forget() } else { self.fade() }
    }

    fn forget(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
        self.counters.fill(Move::NONE);
        for correction in &mut self.corrections {
            correction.as_flattened_mut().fill(0);
        }
    }

    fn fade(&mut self) {
        let keep = params::history_decay();
        let fade = |value: &mut i16| *value = (i32::from(*value) * keep / 100) as i16;
        self.butterfly.iter_mut().flatten().flatten().for_each(fade);
    }

    /// What is thought of a quiet move, all histories together.
    #[inline]
    pub fn quiet(&self, side: Color, mv: Move, piece_to: PieceTo, before: &[Option<PieceTo>; 3]) -> i32 {
        let mut sum = i32::from(self.butterfly[side][mv.from().dense()][mv.to().dense()]);
        for earlier in before.iter().flatten() {
            sum += i32::from(self.continuation.after(*earlier, piece_to).load(Ordering::Relaxed));
        }
        sum
    }

    /// Learns about a quiet move, whatever came before it.
    #[inline]
    pub fn update_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        gravitate(&mut self.butterfly[side][mv.from().dense()][mv.to().dense()], bonus, LIMIT);
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
            let value = self.continuation.after(*earlier, piece_to);
            value.store(gravitated(value.load(Ordering::Relaxed), bonus, LIMIT), Ordering::Relaxed);
        }
    }

    /// What is thought of a capture.
    #[inline]
    pub fn capture(&self, piece_to: PieceTo, victim: Piece) -> i32 {
        i32::from(self.captures[piece_to.0 as usize][victim.index() & 7])
    }

    /// Learns about a capture.
    #[inline]
    pub fn update_capture(&mut self, piece_to: PieceTo, victim: Piece, bonus: i32) {
        gravitate(&mut self.captures[piece_to.0 as usize][victim.index() & 7], bonus, LIMIT);
    }

    /// The quiet move that last refuted this piece on this square.
    #[inline]
    pub fn counter(&self, earlier: Option<PieceTo>) -> Move {
        earlier.map_or(Move::NONE, |piece_to| self.counters[piece_to.0 as usize])
    }

    #[inline]
    pub fn set_counter(&mut self, earlier: Option<PieceTo>, mv: Move) {
        if let Some(piece_to) = earlier {
            self.counters[piece_to.0 as usize] = mv;
        }
    }

    /// What to add to the static evaluation of a position with these structure keys.
    #[inline]
    pub fn correction(&self, side: Color, keys: &[Key; STRUCTURE_KEYS]) -> Score {
        let mut sum = 0;
        for (table, key) in self.corrections.iter().zip(keys) {
            sum += i32::from(table[side][*key as usize % CORRECTIONS]);
        }
        sum * params::correction_weight() / (100 * CORRECTION_GRAIN)
    }

    /// Learns that the static evaluation was off by `error` at a node of this depth.
    #[inline]
    pub fn update_correction(&mut self, side: Color, keys: &[Key; STRUCTURE_KEYS], error: Score, depth: i32) {
        let bonus =
            (error * depth * CORRECTION_GRAIN / 256).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (table, key) in self.corrections.iter_mut().zip(keys) {
            gravitate(&mut table[side][*key as usize % CORRECTIONS], bonus, CORRECTION_LIMIT);
        }
    }
}
