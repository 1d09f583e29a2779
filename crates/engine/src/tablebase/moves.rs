//! Moves of a `TableBoard` as position indices: forward and backward quiet moves, and captures into smaller tables.

use super::indexing::{KingGroupStep, PiecePlacement};
use super::placement::MAX_GROUP_PIECES;
use super::table_board::{EMPTY, TableBoard};
use xiangqi::{Color, PieceKind, Square, attacks::file_attacks, attacks::rank_attacks};

/// The horse moves: offset of the target, of the leg, and of the leg of the reverse move.
const HORSE_MOVES: [(i32, i32, i32); 8] = [
    (-33, -16, -17),
    (-31, -16, -15),
    (-18, -1, -17),
    (14, -1, 15),
    (-14, 1, -15),
    (18, 1, 17),
    (31, 16, 15),
    (33, 16, 17),
];

/// A capture that leaves the own king safe.
pub struct TableCapture {
    /// The number of the captured piece.
    pub victim: usize,
    /// The pieces after the capture.
    pub pieces_after: PiecePlacement,
}

impl TableBoard<'_> {
    /// Visits the index, the moved piece and its other square for every quiet move of this side, legal or not; with
    /// `BACK`, for every quiet move that can have led here. Stops and returns true when `visit` returns true.
    ///
    /// With `BACK`, both images of a position that is its own mirror image are visited.
    #[inline]
    pub fn visit_quiet_moves<const BACK: bool>(
        &self,
        color: Color,
        mut visit: impl FnMut(usize, usize, Square) -> bool,
    ) -> bool {
        let king_group = if color == Color::Black { 0 } else { self.indexing.groups.len() - 1 };
        let group = &self.indexing.groups[king_group];
        for step in group.steps(self.placement(king_group)).iter().filter(|step| self.is_open(step)) {
            let piece = group.first + usize::from(step.piece);
            if self.visit_king_group_step::<BACK>(king_group, step, |number| visit(number, piece, step.to)) {
                return true;
            }
        }
        for (level, group) in self.indexing.groups.iter().enumerate() {
            if group.color != color || level == king_group {
                continue;
            }
            let base = self.index - self.placement(level) * group.stride;
            let pieces = group.first..group.first + group.placements.kinds().len();
            let mut visit_move = |piece: usize, to: Square| {
                let mut squares = [Square::new(0, 0); MAX_GROUP_PIECES];
                for (square, other) in squares.iter_mut().zip(pieces.clone()) {
                    *square = if other == piece { to } else { self.squares[other] };
                }
                visit(base + group.number(&mut squares[..pieces.len()]) * group.stride, piece, to)
            };
            if pieces.clone().any(|piece| self.quiet_targets::<BACK>(piece, |to| visit_move(piece, to))) {
                return true;
            }
        }
        false
    }

    /// The current placement of a group.
    #[inline]
    fn placement(&self, level: usize) -> usize {
        self.group_placements[level].unwrap_or(0) as usize
    }

    #[inline]
    fn is_open(&self, step: &KingGroupStep) -> bool {
        self.occupants[step.to] == EMPTY && step.eye.is_none_or(|eye| self.occupants[eye] == EMPTY)
    }

    #[inline]
    fn visit_king_group_step<const BACK: bool>(
        &self,
        level: usize,
        step: &KingGroupStep,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let group = &self.indexing.groups[level];
        if level > 0 {
            let placement = self.placement(level);
            return visit(self.index - placement * group.stride + step.placement as usize * group.stride);
        }
        // Only one mirror image of this group is kept: the whole board may have to be mirrored.
        let image = self.indexing.king_group_image(step.placement as usize);
        let start = usize::from(image.digit) * group.stride;
        let straight = self.index % group.stride;
        if image.is_mirrored {
            visit(start + self.mirrored_index_of_rest())
        } else {
            visit(start + straight) || BACK && image.is_symmetric && visit(start + self.mirrored_index_of_rest())
        }
    }

    /// The index of the mirrored placements of all groups but the first.
    fn mirrored_index_of_rest(&self) -> usize {
        let groups = self.indexing.groups.iter().zip(&self.group_placements).skip(1);
        groups.map(|(group, placed)| group.placements.mirror(placed.unwrap_or(0) as usize) * group.stride).sum()
    }

    /// Empty squares that an attacker can move to, or with `BACK` can come from.
    #[inline]
    fn quiet_targets<const BACK: bool>(&self, piece: usize, mut visit: impl FnMut(Square) -> bool) -> bool {
        let from = self.squares[piece];
        match self.kinds[piece] {
            PieceKind::Rook | PieceKind::Cannon => {
                let (row, col) = (self.rows[from.row()], self.cols[from.col()]);
                let across = rank_attacks(from, row).slide & !row;
                let along = file_attacks(from, col).slide & !col;
                visit_line_squares(from, across, along, visit)
            }
            PieceKind::Horse => HORSE_MOVES.into_iter().any(|(step, leg, back)| {
                let (Some(to), Some(leg)) = (from.offset(step), from.offset(if BACK { back } else { leg })) else {
                    return false;
                };
                self.occupants[to] == EMPTY && self.occupants[leg] == EMPTY && visit(to)
            }),
            _ => {
                let forward = self.colors[piece].forward();
                let ahead = from.offset(if BACK { -forward } else { forward });
                let stands = |square: Square| {
                    self.occupants[square] == EMPTY
                        && (!BACK || self.indexing.groups[usize::from(self.group_of_piece[piece])].admits(square))
                };
                ahead.is_some_and(|ahead| stands(ahead) && visit(ahead))
                    || !from.is_home(self.colors[piece])
                        && [from.offset(-1), from.offset(1)].into_iter().flatten().any(|to| stands(to) && visit(to))
            }
        }
    }

    /// Visits every capture of this side that leaves its own king safe; stops when `visit` returns true.
    #[inline]
    pub fn visit_captures(&mut self, color: Color, mut visit: impl FnMut(TableCapture) -> bool) {
        for slot in 0..self.pieces_of_side[color].len() {
            let piece = usize::from(self.pieces_of_side[color][slot]);
            let mut targets = [Square::new(0, 0); 8];
            let mut count = 0;
            self.capture_targets(piece, |to| {
                targets[count & 7] = to;
                count += 1;
            });
            for &to in &targets[..count.min(8)] {
                if let Some(capture) = self.legal_capture(piece, to)
                    && visit(capture)
                {
                    return;
                }
            }
        }
    }

    /// The result of a capture, if it leaves the own king safe.
    fn legal_capture(&mut self, piece: usize, to: Square) -> Option<TableCapture> {
        let color = self.colors[piece];
        self.with_capture(piece, to, |board, victim| {
            let safe = board.is_safe(color, victim);
            safe.then(|| TableCapture { victim, pieces_after: board.placement_of_pieces(Some(victim)) })
        })?
    }

    /// True if the piece can legally capture on the square.
    pub(super) fn is_legal_capture(&mut self, piece: usize, to: Square) -> bool {
        let color = self.colors[piece];
        self.with_capture(piece, to, |board, victim| board.is_safe(color, victim)).unwrap_or(false)
    }

    #[inline]
    fn is_safe(&self, color: Color, taken: usize) -> bool {
        !self.kings_face() && !self.in_check(color, Some(taken))
    }

    /// Makes a capture, calls `inspect`, and undoes the capture. Meanwhile the victim stays in the piece lists.
    pub(super) fn with_capture<T>(
        &mut self,
        piece: usize,
        to: Square,
        inspect: impl FnOnce(&mut TableBoard, usize) -> T,
    ) -> Option<T> {
        let victim = self.piece_on(to)?;
        let from = self.squares[piece];
        self.move_piece(piece, to);
        let result = inspect(self, victim);
        self.put_piece(victim, to);
        self.put_piece(piece, from);
        self.squares[piece] = from;
        Some(result)
    }

    /// Squares of enemy pieces that the piece attacks; never the king's square on a legal board.
    #[inline]
    pub(super) fn capture_targets(&self, piece: usize, mut visit: impl FnMut(Square)) {
        let from = self.squares[piece];
        let color = self.colors[piece];
        let mut visit_enemy = |to: Square| {
            if self.piece_on(to).is_some_and(|other| self.colors[other] != color) {
                visit(to);
            }
        };
        match self.kinds[piece] {
            kind @ (PieceKind::Rook | PieceKind::Cannon) => {
                let (row, col) = (self.rows[from.row()], self.cols[from.col()]);
                let (across, along) = (rank_attacks(from, row), file_attacks(from, col));
                let (across, along) = if kind == PieceKind::Rook {
                    (across.slide & row, along.slide & col)
                } else {
                    (across.jump, along.jump)
                };
                visit_line_squares(from, across, along, |to| {
                    visit_enemy(to);
                    false
                });
            }
            PieceKind::Horse => {
                for (step, leg, _) in HORSE_MOVES {
                    if let (Some(leg), Some(to)) = (from.offset(leg), from.offset(step))
                        && self.occupants[leg] == EMPTY
                    {
                        visit_enemy(to);
                    }
                }
            }
            PieceKind::Pawn => {
                from.offset(color.forward()).map(&mut visit_enemy);
                if !from.is_home(color) {
                    [from.offset(-1), from.offset(1)].into_iter().flatten().for_each(visit_enemy);
                }
            }
            _ => {
                let home = usize::from(self.group_of_piece[piece]);
                let group = &self.indexing.groups[home];
                for step in group.steps(self.placement(home)) {
                    if group.first + usize::from(step.piece) == piece
                        && step.eye.is_none_or(|eye| self.occupants[eye] == EMPTY)
                    {
                        visit_enemy(step.to);
                    }
                }
            }
        }
    }
}

/// Visits the squares of a rank and a file, given as bits.
#[inline]
fn visit_line_squares(from: Square, across: u16, along: u16, mut visit: impl FnMut(Square) -> bool) -> bool {
    let mut bits = across;
    while bits != 0 {
        if visit(Square::new(bits.trailing_zeros() as u8 - 3, from.rank())) {
            return true;
        }
        bits &= bits - 1;
    }
    let mut bits = along;
    while bits != 0 {
        if visit(Square::new(from.file(), 12 - bits.trailing_zeros() as u8)) {
            return true;
        }
        bits &= bits - 1;
    }
    false
}
