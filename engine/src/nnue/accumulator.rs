//! The accumulators: what the first layer of the network gives for either perspective, brought up to date only when an
//! evaluation asks.
//!
//! A move notes what it changed and nothing is summed. An evaluation goes back to the nearest ancestor whose sums are
//! known and adds and subtracts from there. Where the own king has gone to a place that is seen with other rows, sums of
//! the past are of no use: then the board is compared with the one that was last summed for that view (`Memory`).

use super::layout::{View, piece_number, row_of};
use super::network::{Network, QA, QB};
use super::numbers::Numbers;
use super::wide;
use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Square};
use std::sync::Arc;

/// What a move changed.
#[derive(Clone, Copy, Default)]
struct Changes {
    /// Pieces and squares, at most a mover (or what was before a promotion) and a captured piece.
    removed: [(u8, u8); 2],
    removed_count: u8,
    added: (u8, u8),
}

/// A position on the way from the root.
#[derive(Clone, Copy, Default)]
struct Step {
    changes: Changes,
    views: [View; 2],
    /// Whether the sums of a perspective are known.
    ready: [bool; 2],
}

/// The sums last known for a view, and of which board.
struct Remembered {
    board: [u8; 90],
    sums: Vec<i16>,
}

/// A square of a remembered board on which nothing stands.
const EMPTY: u8 = 14;

/// The accumulators along a line of moves.
pub struct Accumulators {
    network: Arc<Network>,
    steps: Vec<Step>,
    /// For each step, the sums of red's perspective and of black's.
    sums: Numbers,
    /// For each perspective, by bucket and mirroring.
    memory: [Vec<Remembered>; 2],
}

impl Accumulators {
    pub fn new(network: &Arc<Network>, position: &Position) -> Accumulators {
        let remembered = || Remembered { board: [EMPTY; 90], sums: network.bias.clone() };
        let memory = || (0..2 * network.layout.kings.buckets()).map(|_| remembered()).collect();
        let mut accumulators = Accumulators {
            network: Arc::clone(network),
            steps: Vec::with_capacity(256),
            sums: Numbers::default(),
            memory: [memory(), memory()],
        };
        let view = |color| network.layout.kings.view(position.king(color), color);
        accumulators.steps.push(Step { views: Color::ALL.map(view), ..Step::default() });
        accumulators
    }

    /// A move is about to be made.
    #[inline]
    pub fn push(&mut self) {
        let views = self.steps[self.steps.len() - 1].views;
        self.steps.push(Step { views, ..Step::default() });
    }

    /// A move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    #[inline]
    fn top(&mut self) -> &mut Step {
        let last = self.steps.len() - 1;
        &mut self.steps[last]
    }

    /// A piece left its square.
    #[inline]
    pub fn removed(&mut self, piece: Piece, square: Square) {
        let changes = &mut self.top().changes;
        changes.removed[usize::from(changes.removed_count & 1)] =
            (piece_number(piece) as u8, square.dense() as u8);
        changes.removed_count += 1;
    }

    /// A piece came to a square.
    #[inline]
    pub fn added(&mut self, piece: Piece, square: Square) {
        let kings = self.network.layout.kings;
        let top = self.top();
        top.changes.added = (piece_number(piece) as u8, square.dense() as u8);
        if piece.kind_unchecked() == PieceKind::King {
            let color = piece.color_unchecked();
            top.views[color] = kings.view(square, color);
        }
    }

    /// The network's output for the side to move, in points of the search.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for color in Color::ALL {
            self.bring_up(color, position);
        }
        let network = &*self.network;
        let hidden = network.layout.hidden;
        let head = network.layout.heads.of_position(position);
        let top = (self.steps.len() - 1) * 2 * hidden;
        let (red, black) = self.sums[top..top + 2 * hidden].split_at(hidden);
        let (own, other) = if position.side() == Color::Red { (red, black) } else { (black, red) };
        points(network, head, own, other)
    }

    /// Makes the newest sums of a perspective known.
    #[inline]
    fn bring_up(&mut self, color: Color, position: &Position) {
        let top = self.steps.len() - 1;
        let mut known = top;
        while !self.steps[known].ready[color] {
            if known == 0 || self.steps[known].views[color] != self.steps[known - 1].views[color] {
                return self.refresh(color, position);
            }
            known -= 1;
        }
        for step in known + 1..=top {
            self.advance(color, step);
        }
    }

    /// The sums of a step from those of the step before.
    #[inline]
    fn advance(&mut self, color: Color, step: usize) {
        let hidden = self.network.layout.hidden;
        let offset = color as usize * hidden;
        self.make_room(step);
        let (past, now) = self.sums.split_at_mut(step * 2 * hidden);
        let from = &past[(step - 1) * 2 * hidden + offset..][..hidden];
        let to = &mut now[offset..offset + hidden];
        let Step { changes, views, ready } = &mut self.steps[step];
        let view = views[color];
        let row = |(piece, square): (u8, u8)| {
            let row = row_of(color, view.mirrored, piece.into(), square.into())?;
            Some(self.network.row(view.bucket.into(), row))
        };
        let first = row(changes.removed[0]);
        let second = if changes.removed_count > 1 { row(changes.removed[1]) } else { None };
        match (row(changes.added), first, second, changes.removed_count) {
            (Some(added), Some(removed), None, 1) => move_piece(to, from, added, removed),
            (Some(added), Some(one), Some(two), _) => capture_piece(to, from, added, one, two),
            (added, one, two, _) => {
                // A pawn that stands where the network knows none.
                to.copy_from_slice(from);
                added.into_iter().for_each(|row| add(to, row));
                one.into_iter().chain(two).for_each(|row| subtract(to, row));
            }
        }
        ready[color] = true;
    }

    /// The newest sums of a perspective from the board, by what has changed since it was last summed for this view.
    #[cold]
    fn refresh(&mut self, color: Color, position: &Position) {
        let top = self.steps.len() - 1;
        self.make_room(top);
        let view = self.steps[top].views[color];
        let remembered =
            &mut self.memory[color as usize][usize::from(view.bucket) * 2 + usize::from(view.mirrored)];
        for square in Square::all() {
            let piece = position.piece_at(square);
            let now = if piece.is_none() { EMPTY } else { piece_number(piece) as u8 };
            let before = std::mem::replace(&mut remembered.board[square.dense()], now);
            if now == before {
                continue;
            }
            let row = |piece: u8| {
                let row = row_of(color, view.mirrored, piece.into(), square.dense())?;
                Some(self.network.row(view.bucket.into(), row))
            };
            if before != EMPTY
                && let Some(row) = row(before)
            {
                subtract(&mut remembered.sums, row);
            }
            if now != EMPTY
                && let Some(row) = row(now)
            {
                add(&mut remembered.sums, row);
            }
        }
        let hidden = self.network.layout.hidden;
        let start = (top * 2 + color as usize) * hidden;
        self.sums[start..start + hidden].copy_from_slice(&remembered.sums);
        self.steps[top].ready[color] = true;
    }

    /// Makes room for the sums of this step.
    #[inline]
    fn make_room(&mut self, step: usize) {
        let needed = (step + 1) * 2 * self.network.layout.hidden;
        if self.sums.len() < needed {
            self.sums.grow(needed * 2);
        }
    }
}

/// The sums of a perspective counted afresh, in the plainest way.
pub fn fresh_sums(network: &Network, position: &Position, color: Color) -> Vec<i16> {
    let view = network.layout.kings.view(position.king(color), color);
    let mut sums = network.bias.clone();
    for side in Color::ALL {
        for (kind, square) in position.pieces(side) {
            let piece = piece_number(Piece::new(side, kind));
            if let Some(row) = row_of(color, view.mirrored, piece, square.dense()) {
                add(&mut sums, network.row(view.bucket.into(), row));
            }
        }
    }
    sums
}

/// What a head makes of both sides' sums, in points of the search.
#[inline]
pub fn points(network: &Network, head: usize, own: &[i16], other: &[i16]) -> i32 {
    let (own_weights, other_weights) = network.head(head);
    let sum = wide::run(
        #[inline(always)]
        || weigh(own, own_weights).wrapping_add(weigh(other, other_weights)),
    );
    let output = i64::from(sum / QA + network.head_bias[head]);
    (output * i64::from(network.scale) / i64::from(QA * QB)) as i32
}

/// The squared activations times their weights.
#[inline(always)]
fn weigh(sums: &[i16], weights: &[i16]) -> i32 {
    let mut total = 0i32;
    for (sum, weight) in sums.iter().zip(weights) {
        let active = (*sum).clamp(0, QA as i16);
        // Fits 16 bits, because the weights are small enough.
        let weighted = active.wrapping_mul(*weight);
        total = total.wrapping_add(i32::from(active) * i32::from(weighted));
    }
    total
}

#[inline]
fn move_piece(to: &mut [i16], from: &[i16], added: &[i16], removed: &[i16]) {
    wide::run(
        #[inline(always)]
        || {
            for (((to, from), added), removed) in to.iter_mut().zip(from).zip(added).zip(removed) {
                *to = from.wrapping_add(*added).wrapping_sub(*removed);
            }
        },
    );
}

#[inline]
fn capture_piece(to: &mut [i16], from: &[i16], added: &[i16], one: &[i16], two: &[i16]) {
    wide::run(
        #[inline(always)]
        || {
            for ((((to, from), added), one), two) in to.iter_mut().zip(from).zip(added).zip(one).zip(two) {
                *to = from.wrapping_add(*added).wrapping_sub(*one).wrapping_sub(*two);
            }
        },
    );
}

#[inline]
fn add(sums: &mut [i16], row: &[i16]) {
    wide::run(
        #[inline(always)]
        || sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight)),
    );
}

#[inline]
fn subtract(sums: &mut [i16], row: &[i16]) {
    wide::run(
        #[inline(always)]
        || sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight)),
    );
}
