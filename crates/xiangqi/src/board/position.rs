//! The position: a board with a side to move and the moves that led to it; play and undo.
//!
//! The history of a position: earlier keys and moves, and repetitions.
//!
//! The mirrored and the color-flipped position.

use super::checks::CheckInfo;
use super::legality::IllegalMove;
use super::mailbox::{BoardObserver, Mailbox, NoObserver};
use super::zobrist;
use crate::board::zobrist::Key;
use crate::types::{Color, Move, Piece, PieceKind, Square};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The state that a move changes and unmaking restores.
#[derive(Clone)]
pub(super) struct StateInfo {
    pub(super) checks: CheckInfo,
    /// The last move; none at the start and after a null move.
    pub(super) last_move: Option<Move>,
    captured: Option<Piece>,
    /// The slot of the captured piece in its list.
    captured_slot: u8,
    /// Plies since the last capture, saturating at 16 bits.
    pub(super) plies_since_capture: u16,
    /// Plies since the last capture or null move: the limit of the repetition scan.
    pub(super) plies_since_irreversible: u16,
}

/// A position with the history of moves that led to it.
#[derive(Clone)]
pub struct Position {
    pub(super) board: Mailbox,
    side: Color,
    /// True in the promotion variant, where advisors and bishops may turn into pawns at home.
    promotion: bool,
    /// The ply number of the FEN, from its full-move counter.
    first_ply: u32,
    pub(super) key: Key,
    pub(super) state: StateInfo,
    /// The states before each move made.
    pub(super) stack: Vec<StateInfo>,
    /// The keys before each move made, in an array of their own, as the search for repetitions reads many of them.
    pub(super) keys: Vec<Key>,
}

impl Position {
    /// Creates an empty board, to be set up.
    pub(super) fn empty() -> Position {
        Position {
            board: Mailbox::EMPTY,
            side: Color::Red,
            promotion: false,
            first_ply: 0,
            key: 0,
            state: StateInfo {
                checks: CheckInfo::default(),
                last_move: None,
                captured: None,
                captured_slot: 0,
                plies_since_capture: 0,
                plies_since_irreversible: 0,
            },
            stack: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Completes the setup: side, counters and derived state.
    pub(super) fn complete(&mut self, side: Color, quiet_plies: u16, first_ply: u32, promotion: bool) {
        self.side = side;
        self.promotion = promotion;
        self.first_ply = first_ply;
        self.state.plies_since_capture = quiet_plies;
        self.key = self.compute_key();
        self.state.checks = self.board.check_info(self.side);
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square].piece()
    }

    /// The piece that a legal move moves, without a test.
    #[inline]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        self.board[mv.from()].piece().unwrap_or(Piece::new(Color::Red, PieceKind::King))
    }

    /// The squares of all pieces of this side and kind.
    #[inline]
    pub fn squares(&self, color: Color, kind: PieceKind) -> &[Square] {
        self.board.squares(color, kind)
    }

    /// The number of pieces of this side and kind.
    #[inline]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        self.board.count(color, kind)
    }

    /// The number of pieces of a side.
    #[inline]
    pub fn piece_count(&self, color: Color) -> usize {
        PieceKind::ALL.into_iter().map(|kind| self.count(color, kind)).sum()
    }

    /// The number of rooks, horses and cannons of a side.
    #[inline]
    pub fn major_count(&self, color: Color) -> usize {
        let kinds = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon];
        kinds.into_iter().map(|kind| self.count(color, kind)).sum()
    }

    /// All pieces of one side with their squares.
    pub fn pieces(&self, color: Color) -> impl Iterator<Item = (PieceKind, Square)> + '_ {
        PieceKind::ALL
            .into_iter()
            .flat_map(move |kind| self.squares(color, kind).iter().map(move |&square| (kind, square)))
    }

    /// The square of this side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The occupancy of a rank, by mailbox row; bits are mailbox columns.
    #[inline]
    pub(super) fn rank_occupancy(&self, row: usize) -> u16 {
        self.board.rank_occupancy(row)
    }

    /// The occupancy of a file, by mailbox column; bits are mailbox rows.
    #[inline]
    pub(super) fn file_occupancy(&self, col: usize) -> u16 {
        self.board.file_occupancy(col)
    }

    /// The Zobrist key of board and side to move.
    #[inline]
    pub fn key(&self) -> Key {
        self.key
    }

    /// Plies since the last capture.
    #[inline]
    pub fn plies_since_capture(&self) -> usize {
        self.state.plies_since_capture as usize
    }

    /// The last move; none at the start of the history and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The piece captured by the last move.
    #[inline]
    pub fn last_captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// Reserves space for this many more moves, so that making them does not allocate.
    pub fn reserve(&mut self, moves: usize) {
        self.stack.reserve(moves);
        self.keys.reserve(moves);
    }

    /// The number of moves and null moves that can be taken back.
    #[inline]
    pub fn history_len(&self) -> usize {
        self.stack.len()
    }

    /// True in the promotion variant.
    #[inline]
    pub fn promotion(&self) -> bool {
        self.promotion
    }

    /// The number of plies since the start of the game, from the FEN's counter and the history.
    pub fn game_ply(&self) -> u32 {
        self.first_ply + self.stack.len() as u32
    }

    /// Plays a move after checking that it is legal; the error says why it is not.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.why_illegal(mv) {
            Some(reason) => Err(IllegalMove { mv, reason }),
            None => {
                self.play_unchecked(mv);
                Ok(())
            }
        }
    }

    /// The key of the position after this move, for prefetching before the move is made.
    #[inline]
    pub fn key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.moved_piece(mv);
        let key = self.key ^ zobrist::SIDE_KEY ^ zobrist::piece_key(piece, from);
        if from == to {
            return key ^ zobrist::piece_key(Piece::new(self.side, PieceKind::Pawn), from);
        }
        let key = key ^ zobrist::piece_key(piece, to);
        self.board[to].piece().map_or(key, |captured| key ^ zobrist::piece_key(captured, to))
    }

    /// Plays a move that is known to be legal, such as a generated one. After another move the position is wrong, but
    /// nothing is unsafe.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_unchecked_observed(mv, &mut NoObserver);
    }

    /// The position after these moves, which are known to be legal.
    pub fn after(&self, moves: &[Move]) -> Position {
        let mut position = self.clone();
        moves.iter().for_each(|&mv| position.play_unchecked(mv));
        position
    }

    /// The same as [`Position::play_unchecked`], with the changes reported to an observer.
    #[inline]
    pub fn play_unchecked_observed<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "illegal {mv} in {}", self.fen());
        self.make_pseudo_legal(mv, observer);
    }

    /// Makes a pseudo-legal move, which may leave the own king attacked.
    #[inline]
    pub(super) fn make_pseudo_legal<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_pseudo_legal(mv), "illegal {mv} in {}", self.fen());
        let expected_key = if cfg!(debug_assertions) { self.key_after(mv) } else { 0 };
        let (from, to) = (mv.from(), mv.to());
        let piece = self.moved_piece(mv);
        let us = self.side;
        observer.begin();
        self.stack.push(self.state.clone());
        self.keys.push(self.key);
        let mut key = self.key ^ zobrist::SIDE_KEY;

        if from == to {
            // A promotion: the piece becomes a pawn on its square.
            let pawn = Piece::new(us, PieceKind::Pawn);
            self.state.captured_slot = self.board.take(piece, from);
            self.board.put(pawn, from);
            key ^= zobrist::piece_key(piece, from) ^ zobrist::piece_key(pawn, from);
            observer.removed(piece, from);
            observer.added(pawn, from);
            self.state.captured = None;
            // Irreversible, like a capture: no repetition reaches across it.
            self.state.plies_since_capture = 0;
            self.state.plies_since_irreversible = 0;
        } else {
            self.state.captured = self.board[to].piece();
            if self.state.captured.is_none() {
                self.state.plies_since_capture = self.state.plies_since_capture.saturating_add(1);
                self.state.plies_since_irreversible = self.state.plies_since_irreversible.saturating_add(1);
            } else if let Some(captured) = self.state.captured {
                self.state.captured_slot = self.board.take(captured, to);
                key ^= zobrist::piece_key(captured, to);
                observer.removed(captured, to);
                self.state.plies_since_capture = 0;
                self.state.plies_since_irreversible = 0;
            }
            self.board.shift(piece, from, to);
            key ^= zobrist::piece_key(piece, from) ^ zobrist::piece_key(piece, to);
            observer.moved(piece, from, to);
        }

        debug_assert_eq!(key, expected_key, "key_after {mv}");
        self.side = !us;
        self.key = key;
        self.state.last_move = Some(mv);
        self.state.checks = self.board.check_info(self.side);
        // Checking everything is slow, so check a sample of positions.
        debug_assert!(key & 63 != 0 || self.is_consistent(), "after {mv}: {}", self.fen());
    }

    /// Takes back the last move or null move; does nothing at the start of the history.
    #[inline]
    pub fn undo(&mut self) {
        let (Some(before), Some(key)) = (self.stack.pop(), self.keys.pop()) else { return };
        self.key = key;
        let undone = std::mem::replace(&mut self.state, before);
        self.side = !self.side;
        let Some(mv) = undone.last_move else { return };
        let (from, to) = (mv.from(), mv.to());
        if from == to {
            // A promotion: the square tells whether the pawn was an advisor or a bishop.
            let pawn = Piece::new(self.side, PieceKind::Pawn);
            let kind = if from.in_palace() { PieceKind::Advisor } else { PieceKind::Bishop };
            self.board.take(pawn, from);
            self.board.put_at(Piece::new(self.side, kind), from, undone.captured_slot);
        } else {
            if let Some(piece) = self.board[to].piece() {
                self.board.shift(piece, to, from);
            }
            if let Some(captured) = undone.captured {
                self.board.put_at(captured, to, undone.captured_slot);
            }
        }
    }

    /// Passes the move to the other side; the side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.stack.push(self.state.clone());
        self.keys.push(self.key);
        self.side = !self.side;
        self.key ^= zobrist::SIDE_KEY;
        self.state.last_move = None;
        self.state.captured = None;
        self.state.plies_since_capture = self.state.plies_since_capture.saturating_add(1);
        self.state.plies_since_irreversible = 0;
        self.state.checks = self.board.check_info(self.side);
    }

    /// The same position without the moves that led to it.
    pub fn without_history(&self) -> Position {
        let state = StateInfo { last_move: None, captured: None, plies_since_irreversible: 0, ..self.state.clone() };
        Position {
            board: self.board.clone(),
            first_ply: self.game_ply(),
            state,
            stack: Vec::new(),
            keys: Vec::new(),
            ..*self
        }
    }

    fn compute_key(&self) -> Key {
        let pieces = Color::ALL.into_iter().flat_map(|color| {
            self.pieces(color).map(move |(kind, square)| zobrist::piece_key(Piece::new(color, kind), square))
        });
        let side = if self.side == Color::Black { zobrist::SIDE_KEY } else { 0 };
        pieces.fold(side, |key, piece| key ^ piece)
    }

    /// True if all incremental state equals what is recomputed from the mailbox.
    #[doc(hidden)]
    pub fn is_consistent(&self) -> bool {
        // Which of two checkers is stored depends on the list order, so recompute from our own lists.
        self.board.is_consistent()
            && self.compute_key() == self.key
            && self.board.check_info(self.side) == self.state.checks
    }
}

/// Positions are equal if the pieces, the side to move and the variant are; counters and history do not count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key == other.key
            && self.board == other.board
            && self.side == other.side
            && self.promotion == other.promotion
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key, self.promotion).hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Position {
    /// The key of the position `plies` ago (0 is now); `None` beyond the history.
    #[inline]
    pub fn key_before(&self, plies: usize) -> Option<Key> {
        match plies {
            0 => Some(self.key),
            _ => self.keys.get(self.keys.len().checked_sub(plies)?).copied(),
        }
    }

    /// The move made `plies` moves ago (0 is the last one) and whether it gave check; `None` beyond the history.
    #[inline]
    pub fn move_before(&self, plies: usize) -> Option<(Move, bool)> {
        let after = match plies {
            0 => &self.state,
            _ => self.stack.get(self.stack.len().checked_sub(plies)?)?,
        };
        after.last_move.map(|mv| (mv, after.checks.checkers != 0))
    }

    /// The keys of the positions 4, 6, 8 … plies ago, back to the last capture or null move.
    #[inline]
    fn keys_that_may_repeat(&self) -> impl Iterator<Item = Key> {
        let begin = self.keys.len().saturating_sub(self.state.plies_since_irreversible as usize);
        self.keys[begin..].iter().rev().skip(3).step_by(2).copied()
    }

    /// The distance in plies to the latest earlier occurrence of this position since the last capture.
    #[inline]
    pub fn repetition_distance(&self) -> Option<usize> {
        let found = self.keys_that_may_repeat().position(|key| key == self.key)?;
        Some(4 + 2 * found)
    }

    /// The number of occurrences of this position since the last capture, including this one.
    pub fn occurrence_count(&self) -> usize {
        1 + self.keys_that_may_repeat().filter(|&key| key == self.key).count()
    }
}

impl Position {
    /// The left-right mirror image, without history.
    pub fn mirrored(&self) -> Position {
        self.transformed(Square::mirror, |color| color)
    }

    /// The same position with the sides exchanged and the board turned over, without history.
    pub fn color_flipped(&self) -> Position {
        self.transformed(Square::flip, |color| !color)
    }

    fn transformed(&self, square_map: impl Fn(Square) -> Square, color_map: impl Fn(Color) -> Color) -> Position {
        let mut image = Position::empty();
        for color in Color::ALL {
            for (kind, square) in self.pieces(color) {
                image.board.put(Piece::new(color_map(color), kind), square_map(square));
            }
        }
        let side = color_map(self.side());
        let first_ply = self.game_ply() / 2 * 2 + side as u32;
        image.complete(side, self.state.plies_since_capture, first_ply, self.promotion());
        image
    }
}
