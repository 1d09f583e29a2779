//! A board on which pieces have identities, for the chase rules.
//!
//! A chased piece may move, so the rules follow pieces, not squares. Each piece gets a number when the board is set up
//! and keeps it while moves without captures are unmade; captures are tried and undone.

use crate::board::{Position, attacks::Occupancy, attacks::horse_leg, mailbox::MAX_SIDE_PIECES};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// The values of mailbox squares without a piece.
const EMPTY: u8 = 0xFF;
const WALL: u8 = 0xFE;

const NO_PIECES: [u8; 256] = {
    let mut board = [WALL; 256];
    let mut square = 0;
    while square < 256 {
        if Square(square as u8).on_board() {
            board[square] = EMPTY;
        }
        square += 1;
    }
    board
};

/// The number of a piece on its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceId(u8);

impl PieceId {
    /// The number as an array index.
    #[inline]
    pub fn index(self) -> usize {
        (self.0 & 31) as usize
    }
}

/// A set of pieces of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceIds(u32);

impl PieceIds {
    /// The empty set.
    pub const NONE: PieceIds = PieceIds(0);
    /// The set of all pieces.
    pub const ALL: PieceIds = PieceIds(u32::MAX);

    /// The set of one piece.
    #[inline]
    pub fn of(id: PieceId) -> PieceIds {
        PieceIds(1 << id.0)
    }

    /// Adds a piece.
    #[inline]
    pub fn insert(&mut self, id: PieceId) {
        self.0 |= 1 << id.0;
    }

    /// True if the piece is in the set.
    #[inline]
    pub fn contains(self, id: PieceId) -> bool {
        self.0 >> id.0 & 1 != 0
    }

    /// The intersection of two sets.
    #[inline]
    pub fn and(self, other: PieceIds) -> PieceIds {
        PieceIds(self.0 & other.0)
    }

    /// The union of two sets.
    #[inline]
    pub fn or(self, other: PieceIds) -> PieceIds {
        PieceIds(self.0 | other.0)
    }

    /// The difference of two sets.
    #[inline]
    pub fn without(self, other: PieceIds) -> PieceIds {
        PieceIds(self.0 & !other.0)
    }

    /// True if the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The only member of a set of one.
    pub fn single(self) -> Option<PieceId> {
        if self.0.is_power_of_two() { Some(PieceId(self.0.trailing_zeros() as u8)) } else { None }
    }

    /// Iterates over the pieces.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = PieceId> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let id = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            Some(PieceId(id))
        })
    }
}

/// A board that keeps the number, kind and square of every piece.
#[derive(Clone)]
pub struct TrackedBoard {
    board: [u8; 256],
    pieces: [Piece; TrackedBoard::MAX_PIECES],
    squares: [Square; TrackedBoard::MAX_PIECES],
    pieces_of_side: [PieceIds; 2],
    chase_pieces: [PieceIds; 2],
    kings: [PieceId; 2],
}

impl TrackedBoard {
    /// The maximum number of pieces.
    pub const MAX_PIECES: usize = 2 * MAX_SIDE_PIECES;

    /// Sets up the board from a position.
    pub fn of(position: &Position) -> TrackedBoard {
        let mut tracked = TrackedBoard {
            board: NO_PIECES,
            pieces: [Piece::new(Color::Red, PieceKind::King); TrackedBoard::MAX_PIECES],
            squares: [Square(0); TrackedBoard::MAX_PIECES],
            pieces_of_side: [PieceIds::NONE; 2],
            chase_pieces: [PieceIds::NONE; 2],
            kings: [PieceId(0); 2],
        };
        let mut next = 0;
        for color in Color::ALL {
            tracked.kings[color] = PieceId(next);
            for (kind, square) in position.pieces(color) {
                tracked.board[square] = next;
                tracked.pieces[next as usize] = Piece::new(color, kind);
                tracked.squares[next as usize] = square;
                tracked.pieces_of_side[color].insert(PieceId(next));
                if !matches!(kind, PieceKind::King | PieceKind::Pawn) {
                    tracked.chase_pieces[color].insert(PieceId(next));
                }
                next += 1;
            }
        }
        tracked
    }

    /// Unmakes a move that captured nothing.
    #[inline]
    pub fn unmake(&mut self, mv: Move) {
        self.shift(mv.to(), mv.from());
    }

    #[inline]
    fn shift(&mut self, from: Square, to: Square) {
        let id = self.board[from];
        self.board[from] = EMPTY;
        self.board[to] = id;
        self.squares[(id & 31) as usize] = to;
    }

    /// The pieces of one side.
    #[inline]
    pub fn pieces_of(&self, color: Color) -> PieceIds {
        self.pieces_of_side[color]
    }

    /// The pieces of one side that may chase: all but its king and its pawns (§3.1).
    #[inline]
    pub fn chase_pieces(&self, color: Color) -> PieceIds {
        self.chase_pieces[color]
    }

    /// True if the piece stands beyond the river.
    #[inline]
    pub fn has_crossed(&self, id: PieceId) -> bool {
        !self.square(id).is_home(self.color(id))
    }

    /// The piece, with its side.
    #[inline]
    pub fn piece(&self, id: PieceId) -> Piece {
        self.pieces[id.index()]
    }

    /// The kind of a piece.
    #[inline]
    pub fn kind(&self, id: PieceId) -> PieceKind {
        self.pieces[id.index()].kind()
    }

    /// The side of a piece.
    #[inline]
    pub fn color(&self, id: PieceId) -> Color {
        self.pieces[id.index()].color()
    }

    /// The square of a piece.
    #[inline]
    pub fn square(&self, id: PieceId) -> Square {
        self.squares[id.index()]
    }

    /// The king of this side.
    #[inline]
    pub fn king(&self, color: Color) -> PieceId {
        self.kings[color]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<PieceId> {
        let entry = self.board[square];
        if entry < TrackedBoard::MAX_PIECES as u8 { Some(PieceId(entry)) } else { None }
    }

    /// True if the piece could capture on this square, its own king's safety ignored.
    #[inline]
    pub fn reaches(&self, id: PieceId, to: Square) -> bool {
        self.can_take(self.kind(id), self.color(id), self.square(id), to)
    }

    /// The pieces that give check to this side, a facing king included.
    #[inline]
    pub fn checkers(&self, color: Color) -> PieceIds {
        let king = self.square(self.king(color));
        let mut checkers = PieceIds::NONE;
        for id in self.pieces_of_side[!color].iter().filter(|&id| self.reaches(id, king)) {
            checkers.insert(id);
        }
        let enemy = self.king(!color);
        if self.square(enemy).col() == king.col() && self.pieces_between(self.square(enemy), king) == Some(0) {
            checkers.insert(enemy);
        }
        checkers
    }

    /// Makes a capture, calls `look` on the board, and undoes the capture.
    #[inline]
    pub fn with_capture<T>(
        &mut self,
        attacker: PieceId,
        victim: PieceId,
        look: impl FnOnce(&mut TrackedBoard) -> T,
    ) -> T {
        let (from, to) = (self.square(attacker), self.square(victim));
        let side = self.color(victim);
        let before = self.pieces_of_side[side];
        let mut gone = PieceIds::NONE;
        gone.insert(victim);
        self.pieces_of_side[side] = before.without(gone);
        self.shift(from, to);
        let seen = look(self);
        self.shift(to, from);
        self.board[to] = victim.0;
        self.pieces_of_side[side] = before;
        seen
    }

    /// Removes a piece, calls `look` on the board, and restores the piece.
    pub fn without_piece<T>(&mut self, id: PieceId, look: impl FnOnce(&TrackedBoard) -> T) -> T {
        let square = self.square(id);
        self.board[square] = EMPTY;
        let seen = look(self);
        self.board[square] = id.0;
        seen
    }

    /// Removes a piece from the board and from its side, calls `look`, and restores both.
    pub fn without_own_piece<T>(&mut self, id: PieceId, look: impl FnOnce(&mut TrackedBoard) -> T) -> T {
        let (square, color) = (self.square(id), self.color(id));
        let before = self.pieces_of_side[color];
        self.pieces_of_side[color] = before.without(PieceIds::of(id));
        self.board[square] = EMPTY;
        let seen = look(self);
        self.board[square] = id.0;
        self.pieces_of_side[color] = before;
        seen
    }

    /// The enemy horse that would check this piece's king if the piece did not hold its leg.
    pub fn pinning_horse(&self, id: PieceId) -> Option<PieceId> {
        let color = self.color(id);
        let king = self.square(self.king(color));
        self.pieces_of_side[!color].iter().find(|&enemy| {
            self.kind(enemy) == PieceKind::Horse && horse_leg(self.square(enemy), king) == Some(self.square(id))
        })
    }

    /// The pieces of one side that enemy horses pin.
    pub fn pinned_by_horse(&self, color: Color) -> PieceIds {
        let king = self.square(self.king(color));
        let mut pinned = PieceIds::NONE;
        for enemy in self.pieces_of_side[!color].iter().filter(|&enemy| self.kind(enemy) == PieceKind::Horse) {
            let leg = horse_leg(self.square(enemy), king).and_then(|leg| self.piece_on(leg));
            if let Some(id) = leg {
                pinned.insert(id);
            }
        }
        pinned
    }
}

impl Occupancy for TrackedBoard {
    #[inline]
    fn is_free(&self, square: Square) -> bool {
        self.board[square] == EMPTY
    }

    #[inline]
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32> {
        let ascending = match (from.row() == to.row(), from.col() == to.col()) {
            (true, _) => 1,
            (_, true) => 16,
            _ => return None,
        };
        let step = if to > from { ascending } else { -ascending };
        let squares = std::iter::successors(Some(from.step(step)), |at| Some(at.step(step)));
        Some(squares.take_while(|at| *at != to).map(|at| u32::from(!self.is_free(at))).sum())
    }
}
