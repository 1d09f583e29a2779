//! The pieces on their squares: a mailbox with piece lists and line occupancy, kept together; and the interface by which
//! the board reports its changes to an evaluation.

use super::attacks::Occupancy;
use super::attacks::between;
use crate::types::{Cell, Color, Piece, PieceKind, Square};
use std::ops::Index;

/// The maximum number of pieces of one side.
pub const MAX_SIDE_PIECES: usize = 16;

/// The squares of all pieces of one kind and side, unordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PieceList {
    squares: [Square; MAX_SIDE_PIECES],
    len: u8,
}

impl PieceList {
    const EMPTY: PieceList = PieceList { squares: [Square(0); MAX_SIDE_PIECES], len: 0 };

    #[inline]
    fn as_slice(&self) -> &[Square] {
        &self.squares[..(self.len as usize).min(MAX_SIDE_PIECES)]
    }
}

#[derive(Clone)]
pub(super) struct Mailbox {
    cells: [Cell; 256],
    /// The slot of each square's piece in its list.
    slots: [u8; 256],
    lists: [PieceList; 32],
    /// Occupancy per side and mailbox row, one bit per column.
    pub(super) rank_words: [[u16; 16]; 2],
    /// Occupancy per side and mailbox column, one bit per row.
    pub(super) file_words: [[u16; 16]; 2],
}

const EMPTY_CELLS: [Cell; 256] = {
    let mut board = [Cell::RIM; 256];
    let mut square = 0;
    while square < 256 {
        if Square(square as u8).on_board() {
            board[square] = Cell::EMPTY;
        }
        square += 1;
    }
    board
};

impl Mailbox {
    pub(super) const EMPTY: Mailbox = Mailbox {
        cells: EMPTY_CELLS,
        slots: [0; 256],
        lists: [PieceList::EMPTY; 32],
        rank_words: [[0; 16]; 2],
        file_words: [[0; 16]; 2],
    };

    #[inline]
    pub(super) fn squares(&self, color: Color, kind: PieceKind) -> &[Square] {
        self.lists[Piece::new(color, kind)].as_slice()
    }

    #[inline]
    pub(super) fn count(&self, color: Color, kind: PieceKind) -> usize {
        self.lists[Piece::new(color, kind)].len as usize
    }

    #[inline]
    pub(super) fn king(&self, color: Color) -> Square {
        self.lists[Piece::new(color, PieceKind::King)].squares[0]
    }

    #[inline]
    pub(super) fn rank_occupancy(&self, row: usize) -> u16 {
        self.rank_words[0][row & 15] | self.rank_words[1][row & 15]
    }

    #[inline]
    pub(super) fn file_occupancy(&self, col: usize) -> u16 {
        self.file_words[0][col & 15] | self.file_words[1][col & 15]
    }

    /// Puts a piece on an empty square, at the end of its list.
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.put_at(piece, square, self.lists[piece].len);
    }

    /// Restores a piece to the list slot that `take` returned.
    #[inline]
    pub(super) fn put_at(&mut self, piece: Piece, square: Square, slot: u8) {
        let list = &mut self.lists[piece];
        let end = list.len as usize & 15;
        if slot as usize != end {
            let displaced = list.squares[slot as usize & 15];
            list.squares[end] = displaced;
            self.slots[displaced] = end as u8;
        }
        list.squares[slot as usize & 15] = square;
        list.len += 1;
        self.slots[square] = slot;
        self.cells[square] = Cell::of(piece);
        self.toggle(piece, square);
    }

    /// Removes a piece from the board and returns its list slot.
    #[inline]
    pub(super) fn take(&mut self, piece: Piece, square: Square) -> u8 {
        let slot = self.slots[square];
        let list = &mut self.lists[piece];
        list.len -= 1;
        let last = list.squares[list.len as usize & 15];
        list.squares[slot as usize & 15] = last;
        self.slots[last] = slot;
        self.cells[square] = Cell::EMPTY;
        self.toggle(piece, square);
        slot
    }

    /// Moves a piece to an empty square.
    #[inline]
    pub(super) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let slot = self.slots[from];
        self.lists[piece].squares[slot as usize & 15] = to;
        self.slots[to] = slot;
        self.cells[from] = Cell::EMPTY;
        self.cells[to] = Cell::of(piece);
        self.toggle(piece, from);
        self.toggle(piece, to);
    }

    /// Flips the square's bit in its rank and file occupancy.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let color = (piece.index() >> 4) & 1;
        self.rank_words[color][square.row()] ^= 1 << square.col();
        self.file_words[color][square.col()] ^= 1 << square.row();
    }

    /// True if lists and occupancy equal what is recomputed from the cells.
    pub(super) fn is_consistent(&self) -> bool {
        let mut fresh = Mailbox::EMPTY;
        for square in Square::all() {
            if let Some(piece) = self.cells[square].piece() {
                fresh.put(piece, square);
            }
        }
        let same_lists = (8..24).filter(|byte| byte & 7 < 7).all(|byte| {
            let mut ours = self.lists[byte].as_slice().to_vec();
            let mut theirs = fresh.lists[byte].as_slice().to_vec();
            ours.sort();
            theirs.sort();
            let slots_fit =
                (0..self.lists[byte].len).all(|slot| self.slots[self.lists[byte].squares[slot as usize]] == slot);
            ours == theirs && slots_fit
        });
        same_lists
            && fresh.cells == self.cells
            && fresh.rank_words == self.rank_words
            && fresh.file_words == self.file_words
    }
}

impl PartialEq for Mailbox {
    fn eq(&self, other: &Mailbox) -> bool {
        self.cells == other.cells
    }
}

impl Index<Square> for Mailbox {
    type Output = Cell;
    #[inline]
    fn index(&self, square: Square) -> &Cell {
        &self.cells[square]
    }
}

impl Occupancy for Mailbox {
    #[inline]
    fn is_free(&self, square: Square) -> bool {
        self.cells[square].is_empty()
    }

    #[inline]
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32> {
        if from.row() == to.row() {
            Some((self.rank_occupancy(from.row()) & between(from.col(), to.col())).count_ones())
        } else if from.col() == to.col() {
            Some((self.file_occupancy(from.col()) & between(from.row(), to.row())).count_ones())
        } else {
            None
        }
    }
}

/// Receives every change of the mailbox while a move is made.
///
/// [`Position::play_unchecked_observed`](super::Position::play_unchecked_observed) calls `begin` once, then one method
/// per changed piece. Unmaking is not reported: an observer keeps a stack with one entry per move and drops the top
/// when the move is unmade. Null moves change no piece, are not reported, and have no entry.
pub trait BoardObserver {
    /// A move is about to be made.
    fn begin(&mut self) {}
    /// A piece was removed: captured, or replaced in a promotion.
    fn removed(&mut self, _piece: Piece, _square: Square) {}
    /// A piece was added: the pawn of a promotion.
    fn added(&mut self, _piece: Piece, _square: Square) {}
    /// A piece moved from one square to another.
    fn moved(&mut self, _piece: Piece, _from: Square, _to: Square) {}
}

/// An observer that ignores all changes.
pub struct NoObserver;

impl BoardObserver for NoObserver {}
