//! The positions of a line, with what its moves take; lines, screens, legs, and captures that gain something.

use xiangqi::attacks::horse_leg;
use xiangqi::{Color, Move, PieceKind, Position, Square, engine::piece_value};

/// A line of legal moves, the solver's first.
pub struct Line {
    /// The position before each move, and after the last one.
    positions: Vec<Position>,
    pub moves: Vec<Move>,
    /// What the solver is ahead of the start, after each move.
    balance: Vec<i32>,
    /// The solver's last move mates.
    pub mates: bool,
}

impl Line {
    /// The line up to its first illegal move; nothing if that leaves none.
    pub fn new(start: &Position, moves: &[Move]) -> Option<Line> {
        if start.promotion() {
            return None;
        }
        let mut line =
            Line { positions: vec![start.without_history()], moves: Vec::new(), balance: Vec::new(), mates: false };
        for (ply, &mv) in moves.iter().enumerate() {
            let before = line.last();
            if !before.is_pseudo_legal(mv) || !before.is_legal(mv) {
                break;
            }
            let value = value_on(before, mv.to());
            let after = before.after(&[mv]);
            let ahead = line.balance.last().unwrap_or(&0) + if ply % 2 == 0 { value } else { -value };
            line.positions.push(after);
            line.moves.push(mv);
            line.balance.push(ahead);
        }
        line.mates = line.len() % 2 == 1 && !line.last().has_legal_move();
        (!line.moves.is_empty()).then_some(line)
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn solver(&self) -> Color {
        self.positions[0].side()
    }

    pub fn before(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    pub fn after(&self, ply: usize) -> &Position {
        &self.positions[ply + 1]
    }

    pub fn last(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// What the solver is ahead after a move.
    pub fn balance_after(&self, ply: usize) -> i32 {
        self.balance[ply]
    }

    /// What the solver is ahead at the end.
    pub fn gain(&self) -> i32 {
        self.balance.last().copied().unwrap_or_default()
    }

    /// Whether the line wins: it mates, or gains at least so much from before this move on.
    pub fn wins_from(&self, ply: usize, least: i32) -> bool {
        let before = ply.checked_sub(1).map_or(0, |before| self.balance[before]);
        self.mates || self.gain() - before >= least
    }

    /// Where a piece stands before move `to` that stood on a square after move `from`; nothing if it was taken.
    pub fn follow(&self, square: Square, from: usize, to: usize) -> Option<Square> {
        self.moves[from + 1..to].iter().try_fold(square, |square, mv| match square {
            square if square == mv.from() => Some(mv.to()),
            square if square == mv.to() => None,
            square => Some(square),
        })
    }

    /// The solver's move, at most two of its own later, that takes what stands on a square after a move.
    pub fn capture_of(&self, square: Square, ply: usize) -> Option<usize> {
        let takes = |&later: &usize| self.follow(square, ply, later) == Some(self.moves[later].to());
        (ply + 2..self.len().min(ply + 5)).step_by(2).find(takes)
    }

    /// The same, taken by the piece that stands on `by` after the move.
    pub fn capture_by(&self, by: Square, square: Square, ply: usize) -> Option<usize> {
        let later = self.capture_of(square, ply)?;
        (self.follow(by, ply, later) == Some(self.moves[later].from())).then_some(later)
    }

    /// Whether nothing of the solver follows a move.
    pub fn ends_with(&self, ply: usize) -> bool {
        ply + 2 >= self.len()
    }

    /// The positions in which the solver could go on after its move: as if the other side passed; in check after the reply
    /// of the line, or after every reply where the line has none. Each with the reply.
    pub fn next_turns(&self, ply: usize) -> Vec<(Position, Option<Move>)> {
        let after = self.after(ply);
        if !after.in_check() {
            return vec![(passed(after), None)];
        }
        if let Some(&reply) = self.moves.get(ply + 1) {
            return vec![(self.after(ply + 1).clone(), Some(reply))];
        }
        let turn = |reply: Move| {
            let next = after.after(&[reply]);
            (next, Some(reply))
        };
        after.legal_moves().into_iter().map(turn).collect()
    }

    /// Whether the solver's piece on `by` takes what stands on `square` after the move, with a gain of at least so much,
    /// whatever of [`Line::next_turns`] comes.
    pub fn threatens(&self, ply: usize, by: Square, square: Square, least: i32) -> bool {
        let turns = self.next_turns(ply);
        let is_threat = |(position, reply): &(Position, Option<Move>)| {
            let now = |at: Square| match reply {
                Some(reply) if reply.to() == at => None,
                Some(reply) if reply.from() == at => Some(reply.to()),
                _ => Some(at),
            };
            let (Some(by), Some(square)) = (now(by), now(square)) else { return false };
            gains(position, Move::new(by, square), least)
        };
        !turns.is_empty() && turns.iter().all(is_threat)
    }
}

/// The position with the other side to move; the side to move is not in check.
pub fn passed(position: &Position) -> Position {
    let mut passed = position.clone();
    passed.play_null();
    passed
}

/// The position after a move, without the moves before it.
pub fn played(position: &Position, mv: Move) -> Option<Position> {
    let mut next = position.without_history();
    next.play(mv).ok()?;
    Some(next)
}

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
