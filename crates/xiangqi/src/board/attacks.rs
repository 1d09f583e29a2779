//! Attack tables computed at compile time: steps of the leapers, and slider attacks by line occupancy (bit-ranks and
//! bit-files).
//!
//! How each piece captures, shared by the game's position, the chase rules' board and the tablebase's board.

#![allow(long_running_const_eval)]

use crate::types::{Color, PieceKind, Square};

/// Slider attacks along one line, as bits at mailbox columns (on a rank) or rows (on a file).
#[derive(Clone, Copy, Debug)]
pub struct SliderAttacks {
    /// Squares a rook reaches, including the first blocker on each side.
    pub slide: u16,
    /// The second blocker on each side, which a cannon captures over its screen.
    pub jump: u16,
}

const NO_SLIDER_ATTACKS: SliderAttacks = SliderAttacks { slide: 0, jump: 0 };

const fn slider_attacks(length: i32, from: i32, occupancy: u32) -> SliderAttacks {
    let mut attacks = NO_SLIDER_ATTACKS;
    let mut direction = -1;
    while direction <= 1 {
        let mut blockers = 0;
        let mut at = from + direction;
        while at >= 0 && at < length && blockers < 2 {
            let bit = 1 << (at + 3);
            if blockers == 0 {
                attacks.slide |= bit;
            }
            if occupancy >> at & 1 != 0 {
                if blockers == 1 {
                    attacks.jump |= bit;
                }
                blockers += 1;
            }
            at += direction;
        }
        direction += 2;
    }
    attacks
}

static RANK_ATTACKS: [[SliderAttacks; 512]; 16] = slider_table(9);
static FILE_ATTACKS: [[SliderAttacks; 1024]; 16] = slider_table(10);

/// The attacks along a line of this length, by mailbox column or row and the occupancy of the line.
const fn slider_table<const WORDS: usize>(length: usize) -> [[SliderAttacks; WORDS]; 16] {
    let mut table = [[NO_SLIDER_ATTACKS; WORDS]; 16];
    let mut from = 0;
    while from < length {
        let mut occupancy = 0;
        while occupancy < WORDS {
            table[from + 3][occupancy] = slider_attacks(length as i32, from as i32, occupancy as u32);
            occupancy += 1;
        }
        from += 1;
    }
    table
}

/// Slider attacks from this square along its rank; bits are mailbox columns 3 to 11.
#[inline]
pub fn rank_attacks(square: Square, occupancy: u16) -> SliderAttacks {
    RANK_ATTACKS[square.col()][(occupancy >> 3 & 511) as usize]
}

/// Slider attacks from this square along its file; bits are mailbox rows 3 to 12.
#[inline]
pub fn file_attacks(square: Square, occupancy: u16) -> SliderAttacks {
    FILE_ATTACKS[square.row()][(occupancy >> 3 & 1023) as usize]
}

/// The bits strictly between two coordinates of a line.
#[inline]
pub const fn between(a: usize, b: usize) -> u16 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((1u32 << high) - (2u32 << low)) as u16
}

/// Indexed by `to - from + 256`: the offset of the leg of that horse move, or 0 if it is not a horse move.
static HORSE_LEGS: [i8; 512] = {
    let mut table = [0; 512];
    let mut leg = 0;
    while leg < 4 {
        let step = HORSE_STEPS[leg];
        table[(step.targets[0] + 256) as usize] = step.leg as i8;
        table[(step.targets[1] + 256) as usize] = step.leg as i8;
        leg += 1;
    }
    table
};

/// The square of the leg of a horse move; `None` if this is not a horse move.
#[inline]
pub fn horse_leg(from: Square, to: Square) -> Option<Square> {
    let leg = HORSE_LEGS[((to.0 as usize + 256) - from.0 as usize) & 511];
    if leg == 0 { None } else { Some(from.step(leg as i32)) }
}

/// A horse's leg and the two targets behind it.
#[derive(Clone, Copy)]
pub struct HorseLeg {
    /// The mailbox offset of the leg.
    pub leg: i32,
    /// The mailbox offsets of the two targets.
    pub targets: [i32; 2],
}

/// The four legs of a horse with their targets.
pub const HORSE_STEPS: [HorseLeg; 4] = [
    HorseLeg { leg: -16, targets: [-33, -31] },
    HorseLeg { leg: -1, targets: [-18, 14] },
    HorseLeg { leg: 1, targets: [-14, 18] },
    HorseLeg { leg: 16, targets: [31, 33] },
];

/// Up to four target squares.
#[derive(Clone, Copy)]
pub struct StepTargets {
    len: u8,
    squares: [Square; 4],
}

impl StepTargets {
    const NONE: StepTargets = StepTargets { len: 0, squares: [Square(0); 4] };

    const fn with(mut self, square: Square) -> StepTargets {
        self.squares[self.len as usize] = square;
        self.len += 1;
        self
    }

    /// The target squares as a slice.
    #[inline]
    pub fn squares(&self) -> &[Square] {
        &self.squares[..(self.len & 7).min(4) as usize]
    }
}

const ORTHOGONAL: [i32; 4] = [-16, -1, 1, 16];
const DIAGONAL: [i32; 4] = [-17, -15, 15, 17];

/// True for the king's squares: the points of the palaces.
const fn is_king_square(square: Square) -> bool {
    square.in_palace()
}

/// True for an advisor's squares: the corners and centers of the palaces.
pub const fn is_advisor_square(square: Square) -> bool {
    square.in_palace() && {
        let rank = square.rank() % 7;
        (square.file() + rank) % 2 == 1
    }
}

/// True for a bishop's squares: seven points of each half.
pub const fn is_bishop_square(square: Square) -> bool {
    if !square.on_board() {
        return false;
    }
    let rank = if square.rank() < 5 { square.rank() } else { 9 - square.rank() };
    match rank {
        0 | 4 => square.file() == 2 || square.file() == 6,
        2 => square.file().is_multiple_of(4),
        _ => false,
    }
}

const fn step_table(deltas: [i32; 4], kind: u8) -> [StepTargets; 256] {
    let mut table = [StepTargets::NONE; 256];
    let mut from = 0x33;
    while from <= 0xCB {
        let square = Square(from as u8);
        let mut index = 0;
        while index < 4 {
            let to = square.step(deltas[index]);
            let fits = match kind {
                0 => is_king_square(square) && is_king_square(to),
                1 => is_advisor_square(square) && is_advisor_square(to),
                _ => {
                    is_bishop_square(square)
                        && is_bishop_square(to)
                        && square.is_home(Color::Red) == to.is_home(Color::Red)
                }
            };
            if fits {
                table[from] = table[from].with(to);
            }
            index += 1;
        }
        from += 1;
    }
    table
}

/// King steps inside the palace, by square.
pub static KING_STEPS: [StepTargets; 256] = step_table(ORTHOGONAL, 0);
/// Advisor steps inside the palace, by square.
pub static ADVISOR_STEPS: [StepTargets; 256] = step_table(DIAGONAL, 1);
/// Bishop steps, by square; [`bishop_eye`] gives the eye.
pub static BISHOP_STEPS: [StepTargets; 256] = step_table([-34, -30, 30, 34], 2);

/// Pawn steps, by side and square: forward, and sideways beyond the river.
pub static PAWN_STEPS: [[StepTargets; 256]; 2] = [pawn_step_table(Color::Red), pawn_step_table(Color::Black)];

const fn pawn_step_table(color: Color) -> [StepTargets; 256] {
    let mut table = [StepTargets::NONE; 256];
    let mut from = 0x33;
    while from <= 0xCB {
        let square = Square(from as u8);
        if square.on_board() {
            let ahead = square.step(color.forward());
            if ahead.on_board() {
                table[from] = table[from].with(ahead);
            }
            if !square.is_home(color) {
                let mut side = -1;
                while side <= 1 {
                    if square.step(side).on_board() {
                        table[from] = table[from].with(square.step(side));
                    }
                    side += 2;
                }
            }
        }
        from += 1;
    }
    table
}

/// The eye of a bishop step: the point half way.
#[inline]
pub const fn bishop_eye(from: Square, to: Square) -> Square {
    Square(((from.0 as u16 + to.0 as u16) / 2) as u8)
}

/// The occupancy of a board, as piece movement needs it.
pub trait Occupancy {
    /// True if this square of the board is empty.
    fn is_free(&self, square: Square) -> bool;

    /// The number of pieces strictly between two squares of one line; `None` if they share no line.
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32>;

    /// True if a piece of this kind and side could capture on the other square, its king's safety ignored.
    #[inline]
    fn can_take(&self, kind: PieceKind, color: Color, from: Square, to: Square) -> bool {
        let step = i32::from(to.0) - i32::from(from.0);
        match kind {
            PieceKind::Rook => self.pieces_between(from, to) == Some(0),
            PieceKind::Cannon => self.pieces_between(from, to) == Some(1),
            PieceKind::Horse => horse_leg(from, to).is_some_and(|leg| self.is_free(leg)),
            PieceKind::Pawn => step == color.forward() || step.abs() == 1 && !from.is_home(color),
            PieceKind::Advisor => matches!(step.abs(), 15 | 17) && to.in_palace(),
            PieceKind::King => matches!(step.abs(), 1 | 16) && to.in_palace(),
            PieceKind::Bishop => {
                matches!(step.abs(), 30 | 34) && to.is_home(color) && self.is_free(from.step(step / 2))
            }
        }
    }
}

/// The squares from which a pawn of this side would attack a square of the enemy half.
#[inline]
pub(super) fn pawn_origins(target: Square, pawn_color: Color) -> [Square; 3] {
    [target.step(-pawn_color.forward()), target.step(-1), target.step(1)]
}
