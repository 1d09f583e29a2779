//! The accumulators: the first layer's sums for each perspective, updated lazily.
//!
//! A move only records its changed pieces. An evaluation goes back to the nearest ancestor with computed accumulators
//! and updates incrementally from there. If the king's bucket has changed since, the accumulator is refreshed from the
//! entry of the refresh table for the new bucket.

use super::aligned_vec::AlignedVec;
use super::architecture::{KingBucket, feature_index, piece_index};
use super::network::{Network, QA, QB};
use super::simd::{self, Simd};
use std::sync::Arc;
use xiangqi::{Color, Piece, PieceKind, Position, Square};

/// The pieces changed by a move.
#[derive(Clone, Copy, Default)]
struct DirtyPieces {
    /// Pieces with squares: the moved (or promoted) piece and the captured one.
    removed: [(u8, u8); 2],
    removed_count: u8,
    added: (u8, u8),
}

/// A position of the current line.
#[derive(Clone, Copy, Default)]
struct AccumulatorEntry {
    dirty: DirtyPieces,
    king_buckets: [KingBucket; 2],
    /// By perspective: the accumulator is computed.
    computed: [bool; 2],
}

/// The last accumulator computed for a king bucket, with its board.
struct RefreshEntry {
    board: [u8; 90],
    accumulators: Vec<i16>,
}

/// The value of an empty square in a refresh entry's board.
const EMPTY_SQUARE: u8 = 14;

/// The accumulators of the current line of moves.
pub struct AccumulatorStack {
    network: Arc<Network>,
    entries: Vec<AccumulatorEntry>,
    /// The accumulators of red's and black's perspective, for each entry.
    accumulators: AlignedVec,
    /// By perspective, then king bucket and mirroring.
    refresh_table: [Vec<RefreshEntry>; 2],
}

impl AccumulatorStack {
    /// Creates the stack for a position; nothing is computed yet.
    pub fn new(network: &Arc<Network>, position: &Position) -> AccumulatorStack {
        let entry = || RefreshEntry { board: [EMPTY_SQUARE; 90], accumulators: network.feature_bias.clone() };
        let table = || (0..2 * network.architecture.king_buckets.count()).map(|_| entry()).collect();
        let mut accumulators = AccumulatorStack {
            network: Arc::clone(network),
            entries: Vec::with_capacity(256),
            accumulators: AlignedVec::default(),
            refresh_table: [table(), table()],
        };
        let king_bucket = |color| network.architecture.king_buckets.king_bucket(position.king(color), color);
        accumulators
            .entries
            .push(AccumulatorEntry { king_buckets: Color::ALL.map(king_bucket), ..AccumulatorEntry::default() });
        accumulators
    }

    /// Adds an entry for a move.
    #[inline]
    pub fn push(&mut self) {
        let king_buckets = self.entries[self.entries.len() - 1].king_buckets;
        self.entries.push(AccumulatorEntry { king_buckets, ..AccumulatorEntry::default() });
    }

    /// Removes the entry of the last move.
    #[inline]
    pub fn pop(&mut self) {
        self.entries.pop();
    }

    #[inline]
    fn top_entry(&mut self) -> &mut AccumulatorEntry {
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// Records a piece removed from its square.
    #[inline]
    pub fn removed(&mut self, piece: Piece, square: Square) {
        let dirty = &mut self.top_entry().dirty;
        dirty.removed[usize::from(dirty.removed_count & 1)] = (piece_index(piece) as u8, square.dense() as u8);
        dirty.removed_count += 1;
    }

    /// Records a piece moved to another square, after a capture there.
    #[inline]
    pub fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.removed(piece, from);
        self.added(piece, to);
    }

    /// Records a piece added on a square.
    #[inline]
    pub fn added(&mut self, piece: Piece, square: Square) {
        let buckets = self.network.architecture.king_buckets;
        let top = self.top_entry();
        top.dirty.added = (piece_index(piece) as u8, square.dense() as u8);
        if piece.kind() == PieceKind::King {
            let color = piece.color();
            top.king_buckets[color] = buckets.king_bucket(square, color);
        }
    }

    /// The network's output for the side to move, in search units.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let bucket = self.network.architecture.output_buckets.for_position(position);
        self.ensure_capacity(self.entries.len() - 1);
        simd::dispatch(
            #[inline(always)]
            |simd| {
                self.update(Color::Red, position);
                self.update(Color::Black, position);
                let hidden = self.network.architecture.hidden;
                let top = (self.entries.len() - 1) * 2 * hidden;
                let (red, black) = self.accumulators[top..top + 2 * hidden].split_at(hidden);
                let (own, other) = if position.side() == Color::Red { (red, black) } else { (black, red) };
                output(simd, &self.network, bucket, own, other)
            },
        )
    }

    /// Computes the accumulator of a perspective for the current position.
    #[inline(always)]
    fn update(&mut self, color: Color, position: &Position) {
        let top = self.entries.len() - 1;
        let mut known = top;
        while !self.entries[known].computed[color] {
            if known == 0 || self.entries[known].king_buckets[color] != self.entries[known - 1].king_buckets[color] {
                return self.refresh(color, position);
            }
            known -= 1;
        }
        for step in known + 1..=top {
            self.update_incremental(color, step);
        }
    }

    /// Computes the accumulator of an entry from that of the entry before.
    #[inline(always)]
    fn update_incremental(&mut self, color: Color, step: usize) {
        let hidden = self.network.architecture.hidden;
        let offset = color as usize * hidden;
        let (past, now) = self.accumulators.split_at_mut(step * 2 * hidden);
        let from = &past[(step - 1) * 2 * hidden + offset..][..hidden];
        let to = &mut now[offset..offset + hidden];
        let AccumulatorEntry { dirty, king_buckets, computed } = &mut self.entries[step];
        let king_bucket = king_buckets[color];
        let network = &*self.network;
        let added = row_of(network, color, king_bucket, dirty.added);
        let first = row_of(network, color, king_bucket, dirty.removed[0]);
        let has_second = dirty.removed_count > 1;
        let second = if has_second { row_of(network, color, king_bucket, dirty.removed[1]) } else { None };
        match (added, first, second, dirty.removed_count) {
            (Some(added), Some(removed), None, 1) => simd::add_sub(to, from, added, removed),
            (Some(added), Some(one), Some(two), _) => simd::add_sub_sub(to, from, added, one, two),
            (added, one, two, _) => {
                // A changed pawn has no feature on its square (promotion variant).
                to.copy_from_slice(from);
                added.into_iter().for_each(|row| simd::add_feature(to, row));
                one.into_iter().chain(two).for_each(|row| simd::sub_feature(to, row));
            }
        }
        computed[color] = true;
    }

    /// Computes the accumulator of a perspective from the refresh table, by the differences between the boards.
    #[cold]
    fn refresh(&mut self, color: Color, position: &Position) {
        let top = self.entries.len() - 1;
        let king_bucket = self.entries[top].king_buckets[color];
        let entry = &mut self.refresh_table[color as usize]
            [usize::from(king_bucket.bucket) * 2 + usize::from(king_bucket.mirrored)];
        for square in Square::all() {
            let piece = position.piece_at(square);
            let now = piece.map_or(EMPTY_SQUARE, |piece| piece_index(piece) as u8);
            let before = std::mem::replace(&mut entry.board[square.dense()], now);
            if now == before {
                continue;
            }
            let row = |piece: u8| {
                let feature = feature_index(color, king_bucket.mirrored, piece.into(), square.dense())?;
                Some(self.network.feature_row(king_bucket.bucket.into(), feature))
            };
            if before != EMPTY_SQUARE
                && let Some(row) = row(before)
            {
                subtract_row(&mut entry.accumulators, row);
            }
            if now != EMPTY_SQUARE
                && let Some(row) = row(now)
            {
                add_row(&mut entry.accumulators, row);
            }
        }
        let hidden = self.network.architecture.hidden;
        let start = (top * 2 + color as usize) * hidden;
        self.accumulators[start..start + hidden].copy_from_slice(&entry.accumulators);
        self.entries[top].computed[color] = true;
    }

    /// Ensures capacity for the accumulators of this entry.
    #[inline]
    fn ensure_capacity(&mut self, step: usize) {
        let needed = (step + 1) * 2 * self.network.architecture.hidden;
        if self.accumulators.len() < needed {
            self.accumulators.grow(needed * 2);
        }
    }
}

/// The accumulator of a perspective computed from scratch.
pub fn full_refresh(network: &Network, position: &Position, color: Color) -> Vec<i16> {
    let king_bucket = network.architecture.king_buckets.king_bucket(position.king(color), color);
    let mut sums = network.feature_bias.clone();
    for side in Color::ALL {
        for (kind, square) in position.pieces(side) {
            let piece = piece_index(Piece::new(side, kind));
            if let Some(feature) = feature_index(color, king_bucket.mirrored, piece, square.dense()) {
                add_row(&mut sums, network.feature_row(king_bucket.bucket.into(), feature));
            }
        }
    }
    sums
}

/// The weights of a piece on a dense square, from this perspective; none where it can never stand.
#[inline(always)]
fn row_of(network: &Network, color: Color, king_bucket: KingBucket, (piece, square): (u8, u8)) -> Option<&[i16]> {
    let feature = feature_index(color, king_bucket.mirrored, piece.into(), square.into())?;
    Some(network.feature_row(king_bucket.bucket.into(), feature))
}

fn add_row(sums: &mut [i16], row: &[i16]) {
    simd::dispatch(
        #[inline(always)]
        |_| simd::add_feature(sums, row),
    );
}

fn subtract_row(sums: &mut [i16], row: &[i16]) {
    simd::dispatch(
        #[inline(always)]
        |_| simd::sub_feature(sums, row),
    );
}

/// The output of an output bucket for the accumulators of both sides, in search units.
pub fn forward(network: &Network, bucket: usize, own: &[i16], other: &[i16]) -> i32 {
    simd::dispatch(
        #[inline(always)]
        |simd| output(simd, network, bucket, own, other),
    )
}

/// The same, inlined into a dispatched loop.
#[inline(always)]
fn output(simd: Simd, network: &Network, bucket: usize, own: &[i16], other: &[i16]) -> i32 {
    let (own_weights, other_weights) = network.output_row(bucket);
    let sum = simd.screlu_dot(own, own_weights).wrapping_add(simd.screlu_dot(other, other_weights));
    let output = i64::from(sum / QA + network.output_bias[bucket]);
    (output * i64::from(network.scale) / i64::from(QA * QB)) as i32
}
