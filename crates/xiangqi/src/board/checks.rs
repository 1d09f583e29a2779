//! Attackers of a square, checks and pins, and quiet moves that give check.
//!
//! Checks and pins of a king are computed once per position. [`CheckSquares`] answers `gives_check` for all moves of a
//! position from the targets around the enemy king alone, and generates quiet checks directly.

use super::attacks::{
    ADVISOR_STEPS, BISHOP_STEPS, KING_STEPS, between, bishop_eye, file_attacks, horse_leg, pawn_origins, rank_attacks,
};
use super::mailbox::Mailbox;
use super::move_list::{MoveEntry, MoveList, MoveSink};
use super::movegen::QuietGen;
use super::position::Position;
use crate::types::{Color, Move, Piece, PieceKind, Square, SquareSet};

impl Position {
    /// True if the side to move is in check, facing kings included.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.checks.checkers != 0
    }

    /// The number of pieces that give check to the side to move.
    #[inline]
    pub fn checker_count(&self) -> usize {
        self.state.checks.checkers as usize
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> SquareSet {
        self.king_attackers(self.side())
    }

    /// All enemy pieces that attack the king of this side, facing kings included.
    pub fn king_attackers(&self, color: Color) -> SquareSet {
        let king = self.king(color);
        let enemy_king = self.king(!color);
        let mut set = self.attackers_to(king, !color);
        let facing = enemy_king.col() == king.col()
            && self.file_occupancy(king.col()) & between(enemy_king.row(), king.row()) == 0;
        if facing {
            set.insert(enemy_king);
        }
        set
    }

    /// Pieces of either side whose leaving may expose the king of the side to move.
    #[inline]
    pub fn pinned(&self) -> &SquareSet {
        &self.state.checks.pinned
    }

    /// The same for the king of either side, whoever is to move.
    pub fn pinned_of(&self, color: Color) -> SquareSet {
        self.board.check_info(color).pinned
    }

    /// True if a legal move gives check: directly, by discovery, or by removing or becoming a screen.
    ///
    /// For a merely pseudo-legal move, facing kings are not detected.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let king = self.king(!self.side());
        let (from, to) = (mv.from(), mv.to());
        let touches = |square: Square| {
            let near = (square.0 as i32 - king.0 as i32).unsigned_abs();
            square.row() == king.row() || square.col() == king.col() || near == 15 || near == 17
        };
        let possible = touches(from)
            || touches(to)
            || (self.board[from].kind_unchecked() == PieceKind::Horse && horse_leg(to, king).is_some());
        possible && self.king_attacked_after(!self.side(), mv)
    }
}

/// Which moves of one piece give check.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum PieceChecks {
    Never,
    /// Those to these columns of the king's rank and rows of its file.
    Lines(u16, u16),
    /// Those along the king's line, on which the cannon stands, with one piece between.
    CannonLine,
    /// Those that attack the king as a horse or a pawn.
    Horse,
    Pawn,
    /// Each is to be tested: it may give a discovered check, or become a screen.
    Unknown,
}

/// Where a move of each piece would give check to the king of the side not to move.
#[derive(Debug)]
pub struct CheckSquares {
    /// The pieces that may give a discovered check, and the squares before hollow cannons.
    check_info: CheckInfo,
    /// Columns of the king's rank from which a rook attacks it.
    rank_targets: u16,
    /// Rows of the king's file from which a rook attacks it.
    file_targets: u16,
}

impl Position {
    /// Computes the check squares of this position.
    #[doc(hidden)]
    pub fn check_squares(&self) -> CheckSquares {
        let them = !self.side();
        let king = self.king(them);
        CheckSquares {
            check_info: self.board.check_info(them),
            rank_targets: rank_attacks(king, self.rank_occupancy(king.row())).slide,
            file_targets: file_attacks(king, self.file_occupancy(king.col())).slide,
        }
    }

    /// Which moves of the piece on this square give check.
    #[inline]
    #[doc(hidden)]
    pub fn piece_checks(&self, seen: &CheckSquares, from: Square) -> PieceChecks {
        let king = self.king(!self.side());
        if seen.check_info.has_hollow() || seen.check_info.pinned.contains(from) {
            return PieceChecks::Unknown;
        }
        match self.board[from].kind_unchecked() {
            PieceKind::Rook => PieceChecks::Lines(seen.rank_targets, seen.file_targets),
            PieceKind::Cannon if from.row() == king.row() || from.col() == king.col() => PieceChecks::CannonLine,
            PieceKind::Cannon => {
                let (cols, rows) = self.cannon_checks(from, king);
                PieceChecks::Lines(cols, rows)
            }
            PieceKind::Horse => PieceChecks::Horse,
            PieceKind::Pawn => PieceChecks::Pawn,
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => PieceChecks::Never,
        }
    }

    /// The columns of the king's rank and the rows of its file from which a cannon that stands on neither gives check: its
    /// own lines meet them on two squares.
    #[inline]
    fn cannon_checks(&self, from: Square, king: Square) -> (u16, u16) {
        let screens = self.rank_occupancy(king.row()) & between(from.col(), king.col());
        let cols = u16::from(screens.is_power_of_two()) << from.col();
        let screens = self.file_occupancy(king.col()) & between(from.row(), king.row());
        let rows = u16::from(screens.is_power_of_two()) << from.row();
        (cols, rows)
    }

    /// Whether a cannon attacks the king after this move of its own.
    #[inline]
    fn cannon_attacks(&self, mv: Move, king: Square) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let screens = if to.row() == king.row() {
            let others = self.rank_occupancy(king.row()) & !(u16::from(from.row() == king.row()) << from.col());
            others & between(to.col(), king.col())
        } else if to.col() == king.col() {
            let others = self.file_occupancy(king.col()) & !(u16::from(from.col() == king.col()) << from.row());
            others & between(to.row(), king.row())
        } else {
            0
        };
        screens.is_power_of_two()
    }

    /// The same as [`Position::gives_check`], faster for many moves of one piece.
    #[inline]
    #[doc(hidden)]
    pub fn gives_check_as(&self, checks: PieceChecks, seen: &CheckSquares, mv: Move) -> bool {
        let (to, king) = (mv.to(), self.king(!self.side()));
        match checks {
            PieceChecks::Never => false,
            PieceChecks::Lines(cols, rows) => {
                to.row() == king.row() && cols >> to.col() & 1 != 0
                    || to.col() == king.col() && rows >> to.row() & 1 != 0
            }
            PieceChecks::CannonLine => self.cannon_attacks(mv, king),
            PieceChecks::Horse => horse_leg(to, king).is_some_and(|leg| self.board[leg].is_empty()),
            PieceChecks::Pawn => pawn_origins(king, self.side()).contains(&to),
            PieceChecks::Unknown => self.gives_check_with(seen, mv),
        }
    }

    /// The same as [`Position::gives_check`], faster for many moves of one position.
    #[inline]
    #[doc(hidden)]
    pub fn gives_check_with(&self, seen: &CheckSquares, mv: Move) -> bool {
        let us = self.side();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let (on_rank, on_file) = (to.row() == king.row(), to.col() == king.col());
        let kind = self.board[from].kind_unchecked();
        if seen.check_info.pinned.contains(from) {
            return self.king_attacked_after(!us, mv);
        }
        if kind == PieceKind::Cannon && (from.row() == king.row() || from.col() == king.col()) {
            // It gives check along its line alone, and is no screen of its own.
            return self.cannon_attacks(mv, king);
        }
        if seen.check_info.has_hollow() && seen.check_info.is_hollow(to, king) {
            return true;
        }
        match kind {
            PieceKind::Rook => {
                on_rank && seen.rank_targets >> to.col() & 1 != 0 || on_file && seen.file_targets >> to.row() & 1 != 0
            }
            PieceKind::Cannon => self.cannon_attacks(mv, king),
            PieceKind::Horse => horse_leg(to, king).is_some_and(|leg| leg == from || self.board[leg].is_empty()),
            PieceKind::Pawn => pawn_origins(king, us).contains(&to),
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => false,
        }
    }

    /// Appends pseudo-legal quiet moves that give check, ordered like `generate_quiets`.
    #[doc(hidden)]
    pub fn generate_quiet_checks<T: MoveEntry>(&self, list: &mut MoveList<T>) {
        let seen = self.check_squares();
        let start = list.len();
        if seen.check_info.has_hollow() {
            // Every piece that steps before the hollow cannon gives check.
            self.generate_quiets(list);
            return list.retain_from(start, |mv| self.gives_check_with(&seen, mv));
        }
        let us = self.side();
        let king = self.king(!us);
        let is_bound = |from: Square| seen.check_info.pinned.contains(from);
        // Pieces with few moves or a possible discovered check: test each move.
        let each = |from: Square, list: &mut MoveList<T>| {
            let start = list.len();
            self.generate_piece::<QuietGen, _>(from, list);
            let checks = self.piece_checks(&seen, from);
            list.retain_from(start, |mv| self.gives_check_as(checks, &seen, mv));
        };
        for &from in self.squares(us, PieceKind::Rook) {
            if is_bound(from) {
                each(from, list);
                continue;
            }
            let (cols, rows) = self.rook_targets::<QuietGen>(from);
            let (row, col) = (from.row(), from.col());
            let on_rank =
                if row == king.row() { seen.rank_targets } else { (seen.file_targets >> row & 1) << king.col() };
            let on_file =
                if col == king.col() { seen.file_targets } else { (seen.rank_targets >> col & 1) << king.row() };
            list.push_lines(from, cols & on_rank, rows & on_file);
        }
        for &from in self.squares(us, PieceKind::Cannon) {
            if is_bound(from) || from.row() == king.row() || from.col() == king.col() {
                each(from, list);
                continue;
            }
            let (cols, rows) = self.cannon_targets::<QuietGen>(from);
            // On its own rank the cannon meets the king's file, on its own file the king's rank.
            let (check_cols, check_rows) = self.cannon_checks(from, king);
            let on_rank = (check_rows >> from.row() & 1) << king.col();
            let on_file = (check_cols >> from.col() & 1) << king.row();
            list.push_lines(from, cols & on_rank, rows & on_file);
        }
        for kind in [PieceKind::Horse, PieceKind::Pawn] {
            self.squares(us, kind).iter().for_each(|&from| each(from, list));
        }
        for kind in [PieceKind::Bishop, PieceKind::Advisor, PieceKind::King] {
            self.squares(us, kind).iter().filter(|&&from| is_bound(from)).for_each(|&from| each(from, list));
        }
    }
}

/// Checks and pins of one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckInfo {
    /// Pieces of either side whose leaving may expose the king.
    pub(super) pinned: SquareSet,
    /// Empty squares between the king and a cannon without a screen: columns of the king's rank, rows of its file.
    hollow_cols: u16,
    hollow_rows: u16,
    /// The number of checkers.
    pub(super) checkers: u8,
    /// One of the checkers.
    pub(super) checker: Option<Square>,
}

impl CheckInfo {
    /// Whether any cannon has no screen before the king.
    #[inline]
    pub(super) fn has_hollow(&self) -> bool {
        self.hollow_cols | self.hollow_rows != 0
    }

    /// Whether a piece on this square would be the screen of such a cannon before the king.
    #[inline]
    pub(super) fn is_hollow(&self, square: Square, king: Square) -> bool {
        square.row() == king.row() && self.hollow_cols >> square.col() & 1 != 0
            || square.col() == king.col() && self.hollow_rows >> square.row() & 1 != 0
    }

    #[inline]
    fn add_checker(&mut self, square: Square) {
        self.checkers += 1;
        self.checker = Some(square);
    }

    /// Adds a rook, or the other king, on the king's line.
    #[inline]
    fn rook_line(&mut self, slider: Square, blockers: u16, square_of: impl Fn(u32) -> Square) {
        if blockers == 0 {
            self.add_checker(slider);
        } else if blockers & (blockers - 1) == 0 {
            self.pinned.insert(square_of(blockers.trailing_zeros()));
        }
    }

    /// Adds a cannon on the king's line that has screens.
    #[inline]
    fn cannon_line(&mut self, slider: Square, blockers: u16, square_of: impl Fn(u32) -> Square) {
        let rest = blockers & (blockers - 1);
        if rest == 0 {
            self.add_checker(slider);
        } else if rest & (rest - 1) == 0 {
            self.pinned.insert(square_of(blockers.trailing_zeros()));
            self.pinned.insert(square_of(rest.trailing_zeros()));
        }
    }
}

/// The square of the same rank in this column.
#[inline]
fn square_on_rank(square: Square, col: u32) -> Square {
    Square((square.0 & 0xF0) | col as u8)
}

/// The square of the same file in this row.
#[inline]
fn square_on_file(square: Square, row: u32) -> Square {
    Square((row as u8) << 4 | (square.0 & 0x0F))
}

impl Mailbox {
    /// Computes checks and pins of a side's king.
    pub(super) fn check_info(&self, us: Color) -> CheckInfo {
        let them = !us;
        let king = self.king(us);
        let mut info = CheckInfo::default();
        let rank_word = self.rank_occupancy(king.row());
        let file_word = self.file_occupancy(king.col());

        for &rook in self.squares(them, PieceKind::Rook) {
            if rook.row() == king.row() {
                let blockers = rank_word & between(rook.col(), king.col());
                info.rook_line(rook, blockers, |col| square_on_rank(king, col));
            } else if rook.col() == king.col() {
                let blockers = file_word & between(rook.row(), king.row());
                info.rook_line(rook, blockers, |row| square_on_file(king, row));
            }
        }
        for &cannon in self.squares(them, PieceKind::Cannon) {
            if cannon.row() == king.row() {
                let gap = between(cannon.col(), king.col());
                match rank_word & gap {
                    0 => info.hollow_cols |= gap,
                    blockers => info.cannon_line(cannon, blockers, |col| square_on_rank(king, col)),
                }
            } else if cannon.col() == king.col() {
                let gap = between(cannon.row(), king.row());
                match file_word & gap {
                    0 => info.hollow_rows |= gap,
                    blockers => info.cannon_line(cannon, blockers, |row| square_on_file(king, row)),
                }
            }
        }
        let enemy_king = self.king(them);
        if enemy_king.col() == king.col() {
            let blockers = file_word & between(enemy_king.row(), king.row());
            info.rook_line(enemy_king, blockers, |row| square_on_file(king, row));
        }
        for &horse in self.squares(them, PieceKind::Horse) {
            if let Some(leg) = horse_leg(horse, king) {
                if self[leg].is_empty() {
                    info.add_checker(horse);
                } else {
                    info.pinned.insert(leg);
                }
            }
        }
        let pawn = Piece::new(them, PieceKind::Pawn);
        for square in pawn_origins(king, them) {
            if self[square] == pawn {
                info.add_checker(square);
            }
        }
        info
    }
}

impl Position {
    /// The pieces of one side that attack a square, pins ignored.
    ///
    /// The king attacks the adjacent points of its palace, but not along the open file.
    pub fn attackers_to(&self, target: Square, by: Color) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        self.find_attacker(target, by, |square| {
            set.insert(square);
            false
        });
        set
    }

    /// True if some piece of this side attacks the square, pins ignored.
    pub fn is_attacked(&self, target: Square, by: Color) -> bool {
        self.find_attacker(target, by, |_| true)
    }

    /// Calls `stop` for each attacker, cheap ones first; returns true as soon as `stop` does.
    #[inline]
    fn find_attacker(&self, target: Square, by: Color, mut stop: impl FnMut(Square) -> bool) -> bool {
        let pawn = Piece::new(by, PieceKind::Pawn);
        for square in pawn_origins(target, by) {
            // Sideways only beyond the river, where the pawn and the target are in the same half.
            let sideways = square.row() == target.row();
            if self.board[square] == pawn && !(sideways && target.is_home(by)) && stop(square) {
                return true;
            }
        }
        for &horse in self.squares(by, PieceKind::Horse) {
            if let Some(leg) = horse_leg(horse, target)
                && self.board[leg].is_empty()
                && stop(horse)
            {
                return true;
            }
        }
        let rank_word = self.rank_occupancy(target.row());
        let file_word = self.file_occupancy(target.col());
        let blockers = |slider: Square| {
            if slider == target {
                None
            } else if slider.row() == target.row() {
                Some(rank_word & between(slider.col(), target.col()))
            } else if slider.col() == target.col() {
                Some(file_word & between(slider.row(), target.row()))
            } else {
                None
            }
        };
        for &rook in self.squares(by, PieceKind::Rook) {
            if blockers(rook) == Some(0) && stop(rook) {
                return true;
            }
        }
        for &cannon in self.squares(by, PieceKind::Cannon) {
            if let Some(word) = blockers(cannon)
                && word != 0
                && word & (word - 1) == 0
                && stop(cannon)
            {
                return true;
            }
        }
        target.is_home(by) && self.find_home_attacker(target, by, stop)
    }

    /// The same for advisors, bishops and kings, which stay at home.
    #[inline]
    fn find_home_attacker(&self, target: Square, by: Color, mut stop: impl FnMut(Square) -> bool) -> bool {
        let steps = [
            (PieceKind::Advisor, ADVISOR_STEPS[target].squares()),
            (PieceKind::Bishop, BISHOP_STEPS[target].squares()),
            (PieceKind::King, KING_STEPS[target].squares()),
        ];
        steps.into_iter().any(|(kind, squares)| {
            let piece = Piece::new(by, kind);
            let reaches = |square| kind != PieceKind::Bishop || self.board[bishop_eye(square, target)].is_empty();
            squares.iter().any(|&square| self.board[square] == piece && reaches(square) && stop(square))
        })
    }
}
