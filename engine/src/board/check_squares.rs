//! Which moves give check, for all moves of a position at once: what is seen from the other king is looked up a single
//! time, so that most moves are answered by a glance at where they go. And the quiet checks, generated straight from there.

use super::attack_tables::{between, file_attacks, horse_leg, rank_attacks};
use super::checks::{CheckInfo, pawn_origins};
use super::movegen::Quiets;
use super::movelist::{MoveList, Sink};
use super::position::Position;
use crate::types::{Move, PieceKind, Square};

/// What the king of the side that is not to move sees.
pub struct CheckSquares {
    /// Pieces whose leaving may open a check to it, and the gaps before hollow cannons.
    info: CheckInfo,
    /// Where a rook would attack it: columns of its rank.
    rank: u16,
    /// Rows of its file.
    file: u16,
}

impl Position {
    /// Looks at the king of the side that is not to move.
    pub fn check_squares(&self) -> CheckSquares {
        let them = !self.side();
        let king = self.king(them);
        CheckSquares {
            info: self.surroundings(them),
            rank: rank_attacks(king, self.rank_occupancy(king.row())).slide,
            file: file_attacks(king, self.file_occupancy(king.col())).slide,
        }
    }

    /// The same as `gives_check`, quicker where many moves are asked about.
    #[inline]
    pub fn gives_check_by(&self, seen: &CheckSquares, mv: Move) -> bool {
        let us = self.side();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let (on_rank, on_file) = (to.row() == king.row(), to.col() == king.col());
        let kind = self.board[from].kind_unchecked();
        let is_cannon_on_line =
            kind == PieceKind::Cannon && (from.row() == king.row() || from.col() == king.col());
        if seen.info.pinned.contains(from) || is_cannon_on_line {
            return self.king_attacked_after(!us, mv);
        }
        if seen.info.has_hollow && seen.info.hollow.contains(to) {
            return true;
        }
        match kind {
            PieceKind::Rook => {
                on_rank && seen.rank >> to.col() & 1 != 0 || on_file && seen.file >> to.row() & 1 != 0
            }
            PieceKind::Cannon => {
                let screens = if on_rank {
                    self.rank_occupancy(king.row()) & between(to.col(), king.col())
                } else if on_file {
                    self.file_occupancy(king.col()) & between(to.row(), king.row())
                } else {
                    0
                };
                screens.is_power_of_two()
            }
            PieceKind::Horse => {
                horse_leg(to, king).is_some_and(|leg| leg == from || self.board[leg].is_none())
            }
            PieceKind::Pawn => pawn_origins(king, us).contains(&to),
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => false,
        }
    }

    /// Appends pseudo-legal quiet moves that give check, in the order of all quiet moves.
    pub fn generate_quiet_checks(&self, list: &mut MoveList) {
        let seen = self.check_squares();
        let start = list.len();
        if seen.info.has_hollow {
            // Whatever steps before the cannon gives check.
            self.generate_quiets(list);
            return list.retain_from(start, |mv| self.gives_check_by(&seen, mv));
        }
        let us = self.side();
        let king = self.king(!us);
        let is_bound = |from: Square| seen.info.pinned.contains(from);
        // Where a piece has no more than a few moves, or may open a line, each is looked at.
        let each = |from: Square, list: &mut MoveList| {
            let start = list.len();
            self.moves_of::<Quiets>(from, list);
            list.retain_from(start, |mv| self.gives_check_by(&seen, mv));
        };
        for &from in self.squares(us, PieceKind::Rook) {
            if is_bound(from) {
                each(from, list);
                continue;
            }
            let (cols, rows) = self.rook_targets::<Quiets>(from);
            let (row, col) = (from.row(), from.col());
            let on_rank = if row == king.row() { seen.rank } else { (seen.file >> row & 1) << king.col() };
            let on_file = if col == king.col() { seen.file } else { (seen.rank >> col & 1) << king.row() };
            list.push_lines(from, cols & on_rank, rows & on_file);
        }
        for &from in self.squares(us, PieceKind::Cannon) {
            if is_bound(from) || from.row() == king.row() || from.col() == king.col() {
                each(from, list);
                continue;
            }
            // The only targets on its lines that the king's lines meet.
            let (cols, rows) = self.cannon_targets::<Quiets>(from);
            let screens = self.file_occupancy(king.col()) & between(from.row(), king.row());
            let on_rank = u16::from(screens.is_power_of_two()) << king.col();
            let screens = self.rank_occupancy(king.row()) & between(from.col(), king.col());
            let on_file = u16::from(screens.is_power_of_two()) << king.row();
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
