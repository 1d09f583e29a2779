//! Move generation: all moves, captures, quiet moves, evasions, and counting without listing.

use super::attacks::{self, HORSE_STEPS, bishop_eye, file_attacks, rank_attacks};
use super::move_list::{MoveEntry, MoveList, MoveSink};
use super::position::Position;
use crate::types::{Cell, Color, Move, PieceKind, Square, SquareSet};

/// Counts moves without storing them.
struct MoveCounter(u64);

impl MoveSink for MoveCounter {
    #[inline]
    fn push(&mut self, _from: Square, _to: Square) {
        self.0 += 1;
    }

    #[inline]
    fn push_lines(&mut self, _from: Square, cols: u16, rows: u16) {
        self.0 += (cols as u32 | (rows as u32) << 16).count_ones() as u64;
    }
}

/// The kind of moves to generate; a type parameter, so each generator is compiled separately.
pub(crate) trait GenType {
    /// True if a piece of `us` may land on this square content.
    fn accepts(on: Cell, us: Color) -> bool;
    /// Rook targets among the squares reached, given the occupancy of the own and the other side.
    fn rook_targets_of(slide: u16, own: u16, other: u16) -> u16;
    /// Cannon targets, given the squares reached and those over a screen.
    fn cannon_targets_of(slide: u16, jump: u16, own: u16, other: u16) -> u16;
    /// Whether promotions, which are quiet moves, are generated.
    const PROMOTIONS: bool;
}

/// Generates captures.
pub struct CaptureGen;
/// Generates moves that capture nothing.
pub struct QuietGen;
/// Generates all moves.
pub struct AllGen;

impl GenType for CaptureGen {
    const PROMOTIONS: bool = false;
    #[inline]
    fn accepts(on: Cell, us: Color) -> bool {
        on.is(!us)
    }
    #[inline]
    fn rook_targets_of(slide: u16, _own: u16, other: u16) -> u16 {
        slide & other
    }
    #[inline]
    fn cannon_targets_of(_slide: u16, jump: u16, _own: u16, other: u16) -> u16 {
        jump & other
    }
}

impl GenType for QuietGen {
    const PROMOTIONS: bool = true;
    #[inline]
    fn accepts(on: Cell, _us: Color) -> bool {
        on.is_empty()
    }
    #[inline]
    fn rook_targets_of(slide: u16, own: u16, other: u16) -> u16 {
        slide & !(own | other)
    }
    #[inline]
    fn cannon_targets_of(slide: u16, _jump: u16, own: u16, other: u16) -> u16 {
        slide & !(own | other)
    }
}

impl GenType for AllGen {
    const PROMOTIONS: bool = true;
    #[inline]
    fn accepts(on: Cell, us: Color) -> bool {
        on.admits(us)
    }
    #[inline]
    fn rook_targets_of(slide: u16, own: u16, _other: u16) -> u16 {
        slide & !own
    }
    #[inline]
    fn cannon_targets_of(slide: u16, jump: u16, own: u16, other: u16) -> u16 {
        slide & !(own | other) | jump & other
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate_legal(&mut list);
        list
    }

    /// Appends every legal move.
    pub fn generate_legal<T: MoveEntry>(&self, list: &mut MoveList<T>) {
        if self.in_check() {
            self.generate_evasions(list);
        } else if self.state.checks.has_hollow() {
            let start = list.len();
            self.generate::<AllGen, _>(list);
            list.retain_from(start, |mv| self.is_legal(mv));
        } else {
            self.generate_unpinned::<AllGen, _>(list);
            self.generate_pinned(|mv| list.add(mv));
        }
    }

    /// The number of legal moves, counted without a list.
    pub fn count_legal(&self) -> u64 {
        if self.in_check() || self.state.checks.has_hollow() {
            return self.legal_moves().len() as u64;
        }
        let mut counter = MoveCounter(0);
        self.generate_unpinned::<AllGen, _>(&mut counter);
        self.generate_pinned(|_| counter.0 += 1);
        counter.0
    }

    /// True if the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut list = MoveList::new();
        let us = self.side();
        if self.in_check() {
            // Try the king first: it answers most checks.
            self.generate_from(self.king(us), &mut list);
            if list.iter().copied().any(|mv| self.is_legal(mv)) {
                return true;
            }
            list.clear();
            self.generate_evasions(&mut list);
            return !list.is_empty();
        }
        let mut can_move = |&square: &Square| {
            list.clear();
            self.generate_from(square, &mut list);
            list.iter().copied().any(|mv| self.is_legal(mv))
        };
        PieceKind::ALL.into_iter().rev().any(|kind| self.squares(us, kind).iter().any(&mut can_move))
    }

    /// Appends pseudo-legal captures; test them with [`Position::is_legal`].
    pub fn generate_captures<T: MoveEntry>(&self, list: &mut MoveList<T>) {
        self.generate::<CaptureGen, _>(list);
    }

    /// Appends pseudo-legal quiet moves; test them with [`Position::is_legal`].
    pub fn generate_quiets<T: MoveEntry>(&self, list: &mut MoveList<T>) {
        self.generate::<QuietGen, _>(list);
    }

    /// Appends the legal moves of a side in check.
    pub fn generate_evasions<T: MoveEntry>(&self, list: &mut MoveList<T>) {
        let start = list.len();
        debug_assert!(self.in_check());
        self.generate::<AllGen, _>(list);
        let (answers, screen) = self.evasion_targets();
        let king = self.king(self.side());
        let checks = &self.state.checks;
        list.retain_from(start, |mv| {
            let (from, to) = (mv.from(), mv.to());
            if from == king || screen == Some(from) || screen == Some(to) {
                return self.is_legal(mv);
            }
            // An answer to the only check, by a piece whose leaving exposes nothing, is legal, unless it becomes a screen.
            let is_answer = answers.contains(to);
            let is_free = checks.checkers == 1 && !checks.pinned.contains(from) && !checks.has_hollow();
            is_answer && (is_free || self.is_legal(mv))
        });
    }

    /// The squares where another piece than the king can answer the first checker, and the screen of a checking cannon,
    /// which may leave.
    fn evasion_targets(&self) -> (SquareSet, Option<Square>) {
        let king = self.king(self.side());
        let mut answers = SquareSet::EMPTY;
        let mut screen = None;
        let Some(checker) = self.state.checks.checker else { return (answers, screen) };
        answers.insert(checker);
        match self.board[checker].kind_unchecked() {
            PieceKind::Horse => answers.insert(attacks::horse_leg(checker, king).unwrap_or(checker)),
            PieceKind::Pawn => {}
            _ => {
                let step: i32 = match (checker.row() == king.row(), checker > king) {
                    (true, true) => 1,
                    (true, false) => -1,
                    (false, true) => 16,
                    (false, false) => -16,
                };
                let mut square = king.step(step);
                while square != checker {
                    answers.insert(square);
                    if !self.board[square].is_empty() {
                        screen = Some(square);
                    }
                    square = square.step(step);
                }
            }
        }
        (answers, screen)
    }

    /// Pseudo-legal moves of all pieces.
    fn generate<W: GenType, T: MoveEntry>(&self, list: &mut MoveList<T>) {
        self.generate_except::<W, _>(&SquareSet::EMPTY, list);
        self.king_moves::<W, _>(self.king(self.side()), list);
    }

    /// Moves that cannot expose the king: those of unpinned pieces other than the king.
    fn generate_unpinned<W: GenType, S: MoveSink>(&self, sink: &mut S) {
        self.generate_except::<W, S>(&self.state.checks.pinned, sink);
    }

    /// Legal moves of the king and of pinned pieces, each tested.
    fn generate_pinned(&self, mut found: impl FnMut(Move)) {
        let us = self.side();
        let king = self.king(us);
        for &to in attacks::KING_STEPS[king].squares() {
            if self.board[to].admits(us) {
                let mv = Move::new(king, to);
                if !self.king_attacked_after(us, mv) {
                    found(mv);
                }
            }
        }
        if self.state.checks.pinned.is_empty() {
            return;
        }
        for from in self.state.checks.pinned.iter() {
            if self.board[from].is(us) {
                let mut list = MoveList::new();
                self.generate_from(from, &mut list);
                for mv in list.iter().copied().filter(|&mv| !self.king_attacked_after(us, mv)) {
                    found(mv);
                }
            }
        }
    }

    /// Appends all pseudo-legal moves of one piece of the side to move.
    pub fn generate_from<T: MoveEntry>(&self, from: Square, list: &mut MoveList<T>) {
        self.generate_piece::<AllGen, _>(from, list);
    }

    /// Appends the pseudo-legal moves of this type of one piece of the side to move.
    pub(super) fn generate_piece<W: GenType, S: MoveSink>(&self, from: Square, list: &mut S) {
        match self.board[from].kind_unchecked() {
            PieceKind::King => self.king_moves::<W, _>(from, list),
            PieceKind::Advisor => self.advisor_moves::<W, _>(from, list),
            PieceKind::Bishop => self.bishop_moves::<W, _>(from, list),
            PieceKind::Horse => self.horse_moves::<W, _>(from, list),
            PieceKind::Rook => self.rook_moves::<W, _>(from, list),
            PieceKind::Cannon => self.cannon_moves::<W, _>(from, list),
            PieceKind::Pawn => self.pawn_moves::<W, _>(from, list),
        }
    }

    /// Moves of all pieces but the king and those on `skipped`, strong and mobile pieces first.
    #[inline]
    fn generate_except<W: GenType, S: MoveSink>(&self, skipped: &SquareSet, sink: &mut S) {
        let us = self.side();
        let free = |kind| self.squares(us, kind).iter().filter(|&&from| !skipped.contains(from));
        for &from in free(PieceKind::Rook) {
            self.rook_moves::<W, S>(from, sink);
        }
        for &from in free(PieceKind::Cannon) {
            self.cannon_moves::<W, S>(from, sink);
        }
        for &from in free(PieceKind::Horse) {
            self.horse_moves::<W, S>(from, sink);
        }
        for &from in free(PieceKind::Pawn) {
            self.pawn_moves::<W, S>(from, sink);
        }
        for &from in free(PieceKind::Bishop) {
            self.bishop_moves::<W, S>(from, sink);
        }
        for &from in free(PieceKind::Advisor) {
            self.advisor_moves::<W, S>(from, sink);
        }
    }

    #[inline]
    fn king_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let us = self.side();
        for &to in attacks::KING_STEPS[from].squares() {
            if W::accepts(self.board[to], us) {
                sink.push(from, to);
            }
        }
    }

    #[inline]
    fn rook_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let (cols, rows) = self.rook_targets::<W>(from);
        sink.push_lines(from, cols, rows);
    }

    /// Rook targets: columns of the rank and rows of the file.
    #[inline]
    pub(super) fn rook_targets<W: GenType>(&self, from: Square) -> (u16, u16) {
        let (us, them) = (self.side(), !self.side());
        let (row, col) = (from.row(), from.col());
        let (own, other) = (self.board.rank_words[us][row], self.board.rank_words[them][row]);
        let cols = W::rook_targets_of(rank_attacks(from, own | other).slide, own, other);
        let (own, other) = (self.board.file_words[us][col], self.board.file_words[them][col]);
        let rows = W::rook_targets_of(file_attacks(from, own | other).slide, own, other);
        (cols, rows)
    }

    #[inline]
    fn cannon_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let (cols, rows) = self.cannon_targets::<W>(from);
        sink.push_lines(from, cols, rows);
    }

    /// Cannon targets: columns of the rank and rows of the file.
    #[inline]
    pub(super) fn cannon_targets<W: GenType>(&self, from: Square) -> (u16, u16) {
        let (us, them) = (self.side(), !self.side());
        let (row, col) = (from.row(), from.col());
        let (own, other) = (self.board.rank_words[us][row], self.board.rank_words[them][row]);
        let along = rank_attacks(from, own | other);
        let cols = W::cannon_targets_of(along.slide, along.jump, own, other);
        let (own, other) = (self.board.file_words[us][col], self.board.file_words[them][col]);
        let along = file_attacks(from, own | other);
        let rows = W::cannon_targets_of(along.slide, along.jump, own, other);
        (cols, rows)
    }

    #[inline]
    fn horse_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let us = self.side();
        for step in HORSE_STEPS {
            if self.board[from.step(step.leg)].is_empty() {
                for delta in step.targets {
                    let to = from.step(delta);
                    if W::accepts(self.board[to], us) {
                        sink.push(from, to);
                    }
                }
            }
        }
    }

    #[inline]
    fn pawn_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let us = self.side();
        for &to in attacks::PAWN_STEPS[us][from].squares() {
            if W::accepts(self.board[to], us) {
                sink.push(from, to);
            }
        }
    }

    #[inline]
    fn bishop_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let us = self.side();
        for &to in attacks::BISHOP_STEPS[from].squares() {
            if W::accepts(self.board[to], us) && self.board[bishop_eye(from, to)].is_empty() {
                sink.push(from, to);
            }
        }
        self.promotion_move::<W, S>(from, sink);
    }

    #[inline]
    fn advisor_moves<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        let us = self.side();
        for &to in attacks::ADVISOR_STEPS[from].squares() {
            if W::accepts(self.board[to], us) {
                sink.push(from, to);
            }
        }
        self.promotion_move::<W, S>(from, sink);
    }

    #[inline]
    fn promotion_move<W: GenType, S: MoveSink>(&self, from: Square, sink: &mut S) {
        if W::PROMOTIONS && self.promotion() && self.may_promote(from) {
            sink.push(from, from);
        }
    }
}
