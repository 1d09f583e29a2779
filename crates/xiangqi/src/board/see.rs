//! Static exchange evaluation (SEE).
//!
//! Every capture may give or take a cannon's screen, open the line of a rook or cannon, or free a horse's leg, so
//! capturing with the cheapest piece first is not always best. The exchange is therefore searched with all captors of
//! the square under a null window: exact, and nearly always as fast as a swap list because a few captures decide it.

use super::attacks::{self, bishop_eye, file_attacks, horse_leg, rank_attacks};
use super::position::Position;
use crate::types::{Color, Move, Piece, PieceKind, Square, SquareSet};

/// The value of a piece in an exchange.
#[inline]
pub const fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 10_000,
        PieceKind::Advisor => 130,
        PieceKind::Bishop => 120,
        PieceKind::Horse => 400,
        PieceKind::Rook => 850,
        PieceKind::Cannon => 420,
        PieceKind::Pawn => 110,
    }
}

/// After this many captures only the first captor is tried, which bounds the work on crowded squares.
const MAX_CAPTURES_SEARCHED: u32 = 400;

/// The captors to try; no slider is cheaper than a leaper.
#[derive(Clone, Copy)]
enum CaptorRange {
    Leapers,
    /// Cannons and rooks, then the king.
    Sliders,
}

/// The exchange on one square, with the pieces used so far removed from its lines.
struct SeeSearch<'a> {
    position: &'a Position,
    target: Square,
    removed: SquareSet,
    rank_word: u16,
    file_word: u16,
    budget: u32,
}

impl Position {
    /// True if the exchange that this move starts wins at least `threshold` when both sides capture on the target
    /// square as suits them best. Pins are ignored; a king does not capture a protected piece.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let promotes = from == to;
        let gain = if promotes { 0 } else { self.piece_at(to).map_or(0, |victim| piece_value(victim.kind())) };
        let mover = piece_value(if promotes { PieceKind::Pawn } else { self.moved_piece(mv).kind() });
        if gain < threshold {
            return false;
        }
        // Losing the moved piece for nothing still meets the threshold.
        if gain - mover >= threshold {
            return true;
        }
        let mut exchange = SeeSearch {
            position: self,
            target: to,
            removed: SquareSet::EMPTY,
            rank_word: self.rank_occupancy(to.row()) | 1 << to.col(),
            file_word: self.file_occupancy(to.col()) | 1 << to.row(),
            budget: MAX_CAPTURES_SEARCHED,
        };
        exchange.remove_captor(from);
        // The enemy must not win back more than gain - threshold.
        !exchange.can_gain(!self.side(), mover, gain - threshold + 1)
    }
}

impl SeeSearch<'_> {
    /// Removes the piece that captures on the target.
    fn remove_captor(&mut self, from: Square) {
        self.removed.insert(from);
        if from.row() == self.target.row() && from != self.target {
            self.rank_word &= !(1 << from.col());
        } else if from.col() == self.target.col() && from != self.target {
            self.file_word &= !(1 << from.row());
        }
    }

    /// Restores a removed piece.
    fn restore_captor(&mut self, from: Square) {
        self.removed.remove(from);
        if from.row() == self.target.row() {
            self.rank_word |= 1 << from.col();
        } else if from.col() == self.target.col() {
            self.file_word |= 1 << from.row();
        }
    }

    /// True if `side` can win at least `needed` by capturing the piece worth `standing` on the target.
    fn can_gain(&mut self, side: Color, standing: i32, needed: i32) -> bool {
        if needed <= 0 {
            return true; // by not capturing
        }
        if standing < needed {
            return false;
        }
        // Leapers first: most exchanges are decided by a cheap captor.
        for reach in [CaptorRange::Leapers, CaptorRange::Sliders] {
            let mut captors = [Square(0); 24];
            let count = self.captors(side, reach, &mut captors);
            for &from in &captors[..count] {
                let worth = piece_value(self.position.board[from].kind_unchecked());
                if standing - worth >= needed {
                    return true;
                }
                self.remove_captor(from);
                let refuted = self.can_gain(!side, worth, standing - needed + 1);
                self.restore_captor(from);
                if !refuted {
                    return true;
                }
                self.budget = self.budget.saturating_sub(1);
                if self.budget == 0 {
                    return false;
                }
            }
        }
        false
    }

    fn has_piece(&self, square: Square, piece: Piece) -> bool {
        self.position.board[square] == piece && !self.removed.contains(square)
    }

    fn is_empty(&self, square: Square) -> bool {
        self.position.board[square].is_empty() && square != self.target || self.removed.contains(square)
    }

    /// The pieces of `side` that can capture on the target now, cheapest first within the range.
    #[inline]
    fn captors(&self, side: Color, reach: CaptorRange, found: &mut [Square; 24]) -> usize {
        let mut count = 0;
        let add = |square: Square| {
            if count < found.len() {
                found[count] = square;
                count += 1;
            }
        };
        match reach {
            CaptorRange::Leapers => self.leaper_captors(side, add),
            CaptorRange::Sliders => self.slider_captors(side, add),
        }
        count
    }

    /// Pawns, advisors, bishops and horses.
    #[inline]
    fn leaper_captors(&self, side: Color, mut add: impl FnMut(Square)) {
        let target = self.target;
        let pawn = Piece::new(side, PieceKind::Pawn);
        let behind = target.step(-side.forward());
        if self.has_piece(behind, pawn) {
            add(behind);
        }
        if !target.is_home(side) {
            for square in [target.step(-1), target.step(1)] {
                if self.has_piece(square, pawn) {
                    add(square);
                }
            }
        } else {
            let advisor = Piece::new(side, PieceKind::Advisor);
            for &square in attacks::ADVISOR_STEPS[target].squares() {
                if self.has_piece(square, advisor) {
                    add(square);
                }
            }
            let bishop = Piece::new(side, PieceKind::Bishop);
            for &square in attacks::BISHOP_STEPS[target].squares() {
                if self.has_piece(square, bishop) && self.is_empty(bishop_eye(square, target)) {
                    add(square);
                }
            }
        }
        for &horse in self.position.squares(side, PieceKind::Horse) {
            if let Some(leg) = horse_leg(horse, target)
                && self.is_empty(leg)
                && !self.removed.contains(horse)
            {
                add(horse);
            }
        }
    }

    /// Cannons, rooks and last the king.
    #[inline]
    fn slider_captors(&self, side: Color, mut add: impl FnMut(Square)) {
        let target = self.target;
        let along_rank = rank_attacks(target, self.rank_word);
        let along_file = file_attacks(target, self.file_word);
        let mut sliders = |cols: u16, rows: u16, piece: Piece| {
            let mut cols = cols & self.rank_word;
            while cols != 0 {
                let square = Square((target.0 & 0xF0) | cols.trailing_zeros() as u8);
                if self.has_piece(square, piece) {
                    add(square);
                }
                cols &= cols - 1;
            }
            let mut rows = rows & self.file_word;
            while rows != 0 {
                let square = Square((rows.trailing_zeros() as u8) << 4 | (target.0 & 0x0F));
                if self.has_piece(square, piece) {
                    add(square);
                }
                rows &= rows - 1;
            }
        };
        sliders(along_rank.jump, along_file.jump, Piece::new(side, PieceKind::Cannon));
        sliders(along_rank.slide, along_file.slide, Piece::new(side, PieceKind::Rook));
        if target.is_home(side) {
            let king = Piece::new(side, PieceKind::King);
            for &square in attacks::KING_STEPS[target].squares() {
                if self.has_piece(square, king) {
                    add(square);
                }
            }
        }
    }
}
