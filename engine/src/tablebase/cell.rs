//! What a table knows of one position with one side to move: a byte.
//!
//! Up to `LONGEST` it is the plies to the end of the game, and its parity says who wins: whoever mates does it on a
//! move of his own, so that even numbers are lost and odd ones won for the side to move.

/// A byte of a table.
pub type Cell = u8;

/// The longest distance that a byte holds.
pub const LONGEST: Cell = 248;
/// While a table is made: won for the opponent after one move at least, perhaps after all.
pub const CANDIDATE: Cell = 250;
/// No position: two pieces on one point, facing kings, or the side that just moved is in check.
pub const ILLEGAL: Cell = 251;
/// A draw, unless repeating is forbidden to somebody; then whoever.
pub const DOUBT_BOTH: Cell = 252;
/// A draw, unless repeating is forbidden to the opponent: then a win.
pub const DOUBT_WIN: Cell = 253;
/// A draw, unless repeating is forbidden to the side to move: then a loss.
pub const DOUBT_LOSS: Cell = 254;
/// A draw; while a table is made, not known yet.
pub const DRAW: Cell = 255;

/// True for the plies to a win of the side to move.
#[inline]
pub const fn is_win(cell: Cell) -> bool {
    cell <= LONGEST && cell % 2 == 1
}

/// True for the plies to a loss of the side to move.
#[inline]
pub const fn is_loss(cell: Cell) -> bool {
    cell <= LONGEST && cell.is_multiple_of(2)
}

/// True for draws, doubtful ones included.
#[inline]
pub const fn is_draw(cell: Cell) -> bool {
    cell >= DOUBT_BOTH
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    /// Mates in so many plies.
    Win(u16),
    /// Is mated, or left without a move, in so many plies.
    Loss(u16),
    /// A draw whatever the rules of repetition.
    Draw,
    /// A draw if both may repeat; a rule of repetition may forbid it to somebody.
    Doubtful,
}

impl Value {
    /// What a cell says; `None` if it is no position.
    #[inline]
    pub const fn of(cell: Cell) -> Option<Value> {
        match cell {
            0..=LONGEST if is_win(cell) => Some(Value::Win(cell as u16)),
            0..=LONGEST => Some(Value::Loss(cell as u16)),
            DRAW => Some(Value::Draw),
            DOUBT_BOTH..=DOUBT_LOSS => Some(Value::Doubtful),
            _ => None,
        }
    }
}
