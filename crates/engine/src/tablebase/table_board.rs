//! A board that steps through the positions of a table and detects checks.

use super::indexing::{MAX_GROUPS, PiecePlacement, PositionIndexing};
use std::ops::Range;
use xiangqi::{Color, PieceKind, Square, attacks::between, engine::Occupancy};

/// The maximum number of pieces of a table.
pub const MAX_PIECES: usize = 16;

pub(super) const EMPTY: u8 = 0;
/// Off the board.
const WALL: u8 = 255;

/// A board with the pieces of one material.
#[derive(Clone)]
pub struct TableBoard<'a> {
    pub(super) indexing: &'a PositionIndexing,
    /// By square: `EMPTY`, `WALL`, or the piece number plus one.
    pub(super) occupants: [u8; 256],
    /// The occupied columns of each mailbox row, and the occupied rows of each column.
    pub(super) rows: [u16; 16],
    pub(super) cols: [u16; 16],
    /// The square of each piece.
    pub(super) squares: [Square; MAX_PIECES],
    pub(super) kinds: [PieceKind; MAX_PIECES],
    pub(super) colors: [Color; MAX_PIECES],
    /// The group of each piece.
    pub(super) group_of_piece: [u8; MAX_PIECES],
    /// The placement of each group, if it is on the board.
    pub(super) group_placements: [Option<u32>; MAX_GROUPS],
    /// The pieces of each side.
    pub(super) pieces_of_side: [Vec<u8>; 2],
    /// The rooks, horses, cannons and pawns of each side.
    attackers: [Vec<u8>; 2],
    kings: [u8; 2],
    /// The index of the position.
    pub(super) index: usize,
}

impl<'a> TableBoard<'a> {
    /// Creates an empty board.
    pub fn new(indexing: &'a PositionIndexing) -> TableBoard<'a> {
        let mut at = [WALL; 256];
        for square in Square::all() {
            at[square] = EMPTY;
        }
        let mut board = TableBoard {
            indexing,
            occupants: at,
            rows: [0; 16],
            cols: [0; 16],
            squares: [Square::new(0, 0); MAX_PIECES],
            kinds: [PieceKind::King; MAX_PIECES],
            colors: [Color::Red; MAX_PIECES],
            group_of_piece: [0; MAX_PIECES],
            group_placements: [None; MAX_GROUPS],
            pieces_of_side: [Vec::new(), Vec::new()],
            attackers: [Vec::new(), Vec::new()],
            kings: [0; 2],
            index: 0,
        };
        for (home, group) in indexing.groups.iter().enumerate() {
            for (offset, &kind) in group.placements.kinds().iter().enumerate() {
                let piece = group.first + offset;
                board.kinds[piece] = kind;
                board.colors[piece] = group.color;
                board.group_of_piece[piece] = home as u8;
                board.pieces_of_side[group.color].push(piece as u8);
                match kind {
                    PieceKind::King => board.kings[group.color] = piece as u8,
                    PieceKind::Advisor | PieceKind::Bishop => {}
                    _ => board.attackers[group.color].push(piece as u8),
                }
            }
        }
        board
    }

    /// The index of the position.
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The kind of each piece.
    #[inline]
    pub fn kinds(&self) -> [PieceKind; MAX_PIECES] {
        self.kinds
    }

    /// Visits every board of a range of indices on which no two pieces share a square.
    pub fn for_each_board(&mut self, range: Range<usize>, visit: &mut impl FnMut(&mut TableBoard<'a>)) {
        self.clear();
        self.descend(0, 0, &range, visit);
    }

    fn descend(
        &mut self,
        level: usize,
        start: usize,
        range: &Range<usize>,
        visit: &mut impl FnMut(&mut TableBoard<'a>),
    ) {
        let Some(group) = self.indexing.groups.get(level) else {
            self.index = start;
            visit(self);
            return;
        };
        let first = range.start.saturating_sub(start) / group.stride;
        let end = range.end.saturating_sub(start).div_ceil(group.stride).min(group.base);
        for digit in first..end {
            let placement = if level == 0 { self.indexing.kept_king_group(digit) } else { digit };
            if self.place_group(level, placement) {
                self.descend(level + 1, start + digit * group.stride, range, visit);
                self.remove_group(level);
            }
        }
    }

    /// Sets up the position of an index. Returns false, with an empty board, if two pieces share a square.
    pub fn seek(&mut self, index: usize) -> bool {
        let mut rest = index;
        let mut wanted = [0; MAX_GROUPS];
        for (level, group) in self.indexing.groups.iter().enumerate() {
            let digit = rest / group.stride;
            rest -= digit * group.stride;
            wanted[level] = if level == 0 { self.indexing.kept_king_group(digit) } else { digit };
        }
        self.index = index;
        let groups = self.indexing.groups.len();
        for (level, &placement) in wanted[..groups].iter().enumerate() {
            if self.group_placements[level].is_some_and(|now| now != placement as u32) {
                self.remove_group(level);
            }
        }
        for (level, &placement) in wanted[..groups].iter().enumerate() {
            if self.group_placements[level].is_none() && !self.place_group(level, placement) {
                self.clear();
                return false;
            }
        }
        true
    }

    fn clear(&mut self) {
        for level in 0..self.indexing.groups.len() {
            self.remove_group(level);
        }
    }

    /// Places a group, or returns false and changes nothing if a square is occupied.
    #[inline]
    fn place_group(&mut self, level: usize, placement: usize) -> bool {
        let group = &self.indexing.groups[level];
        let squares = group.squares(placement);
        if squares.iter().any(|square| self.occupants[*square] != EMPTY) {
            return false;
        }
        for (offset, &square) in squares.iter().enumerate() {
            let piece = group.first + offset;
            self.squares[piece] = square;
            self.put_piece(piece, square);
        }
        self.group_placements[level] = Some(placement as u32);
        true
    }

    #[inline]
    fn remove_group(&mut self, level: usize) {
        if self.group_placements[level].take().is_some() {
            let group = &self.indexing.groups[level];
            for piece in group.first..group.first + group.placements.kinds().len() {
                self.clear_square(self.squares[piece]);
            }
        }
    }

    #[inline]
    pub(super) fn put_piece(&mut self, piece: usize, square: Square) {
        self.occupants[square] = piece as u8 + 1;
        self.rows[square.row()] |= 1 << square.col();
        self.cols[square.col()] |= 1 << square.row();
    }

    #[inline]
    pub(super) fn clear_square(&mut self, square: Square) {
        self.occupants[square] = EMPTY;
        self.rows[square.row()] &= !(1 << square.col());
        self.cols[square.col()] &= !(1 << square.row());
    }

    /// Moves a piece to an empty square, without updating the index.
    #[inline]
    pub(super) fn move_piece(&mut self, piece: usize, to: Square) {
        self.clear_square(self.squares[piece]);
        self.put_piece(piece, to);
        self.squares[piece] = to;
    }

    /// The piece on a square; `None` for an empty square and the wall.
    #[inline]
    pub(super) fn piece_on(&self, square: Square) -> Option<usize> {
        match self.occupants[square] {
            EMPTY | WALL => None,
            entry => Some(usize::from(entry) - 1),
        }
    }

    /// The square of this side's king.
    #[inline]
    pub(super) fn king(&self, color: Color) -> Square {
        self.squares[usize::from(self.kings[color])]
    }

    /// True if the kings face each other.
    #[inline]
    pub fn kings_face(&self) -> bool {
        let (red, black) = (self.king(Color::Red), self.king(Color::Black));
        red.col() == black.col() && self.cols[red.col()] & between(red.row(), black.row()) == 0
    }

    /// True if an enemy piece other than `taken` attacks the king of this side; facing kings are not included.
    #[inline]
    pub fn in_check(&self, color: Color, taken: Option<usize>) -> bool {
        let king = self.king(color);
        self.attackers[!color]
            .iter()
            .any(|&piece| Some(usize::from(piece)) != taken && self.attacks_square_of(usize::from(piece), king))
    }

    /// True if the piece could capture on this square, its own king's safety ignored.
    #[inline]
    pub(super) fn attacks_square_of(&self, piece: usize, to: Square) -> bool {
        self.can_take(self.kinds[piece], self.colors[piece], self.squares[piece], to)
    }

    /// The placement of the pieces, without one of them.
    #[inline]
    pub(super) fn placement_of_pieces(&self, without: Option<usize>) -> PiecePlacement {
        let mut pieces = PiecePlacement::NONE;
        for color in Color::ALL {
            for &piece in &self.pieces_of_side[color] {
                let piece = usize::from(piece);
                if Some(piece) != without {
                    pieces.push(color, self.kinds[piece], self.squares[piece]);
                }
            }
        }
        pieces
    }
}

impl Occupancy for TableBoard<'_> {
    #[inline]
    fn is_free(&self, square: Square) -> bool {
        self.occupants[square] == EMPTY
    }

    #[inline]
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32> {
        if from.row() == to.row() {
            Some((self.rows[from.row()] & between(from.col(), to.col())).count_ones())
        } else if from.col() == to.col() {
            Some((self.cols[from.col()] & between(from.row(), to.row())).count_ones())
        } else {
            None
        }
    }
}
