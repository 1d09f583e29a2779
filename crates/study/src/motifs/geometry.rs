//! Lines, screens, legs, and captures that gain something.

use xiangqi::attacks::horse_leg;
use xiangqi::{Color, Move, PieceKind, Position, Square, engine::piece_value};

/// What a capture must gain to be worth naming: more than a horse for a cannon, less than a horse for two guards.
pub const WORTHWHILE: i32 = 200;

/// The value of what stands on a square.
pub fn value_on(position: &Position, square: Square) -> i32 {
    position.piece_at(square).map_or(0, |piece| piece_value(piece.kind()))
}

/// Whether this capture is legal and gains so much, with what is taken back.
pub fn gains(position: &Position, mv: Move, least: i32) -> bool {
    let is_capture = position.piece_at(mv.to()).is_some_and(|piece| piece.kind() != PieceKind::King);
    is_capture && position.is_pseudo_legal(mv) && position.is_legal(mv) && position.see_ge(mv, least)
}

/// Whether the side to move gains so much by taking what stands on this square, with any of its pieces.
pub fn gains_on(position: &Position, square: Square, least: i32) -> bool {
    let captors = position.attackers_to(square, position.side());
    captors.iter().any(|from| gains(position, Move::new(from, square), least))
}

/// Whether the piece on this square can be taken by the side to move at no loss.
pub fn is_contested(position: &Position, square: Square) -> bool {
    gains_on(position, square, 0)
}

/// The rooks, horses and cannons of a side.
pub fn majors(position: &Position, side: Color) -> Vec<Square> {
    let kinds = [PieceKind::Rook, PieceKind::Cannon, PieceKind::Horse];
    kinds.iter().flat_map(|&kind| position.squares(side, kind)).copied().collect()
}

/// The squares strictly between two; none where they share no rank or file.
pub fn between(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let same_file = from.file() == to.file();
    let (low, high) = match (same_file, from.rank() == to.rank()) {
        (true, false) => (from.rank().min(to.rank()), from.rank().max(to.rank())),
        (false, true) => (from.file().min(to.file()), from.file().max(to.file())),
        _ => (0, 0),
    };
    let at = move |step: u8| if same_file { Square::new(from.file(), step) } else { Square::new(step, from.rank()) };
    (low + 1..high).map(at)
}

/// The pieces strictly between two squares of a line.
pub fn pieces_between(position: &Position, from: Square, to: Square) -> Vec<Square> {
    between(from, to).filter(|&square| position.piece_at(square).is_some()).collect()
}

/// Whether a square lies strictly between two others.
pub fn is_between(square: Square, from: Square, to: Square) -> bool {
    between(from, to).any(|other| other == square)
}

/// Whether what leaves `square` frees the way of the piece on `by` to `target`: a line, or the leg of a horse.
pub fn frees(position: &Position, by: Square, target: Square, square: Square) -> bool {
    match position.piece_at(by).map(|piece| piece.kind()) {
        Some(PieceKind::Horse) => horse_leg(by, target) == Some(square),
        Some(PieceKind::Rook | PieceKind::Cannon) => is_between(square, by, target),
        _ => false,
    }
}

/// The pieces of `by` that check the king of the other side, without the other king.
pub fn checkers(position: &Position, by: Color) -> impl Iterator<Item = Square> {
    let king = position.king(by);
    position.king_attackers(!by).into_iter().filter(move |&square| square != king)
}
