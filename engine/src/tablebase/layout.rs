//! The numbering of all positions of one material.
//!
//! A position is the placements of its groups: the court of each side and, for each side and kind, its troop of
//! attackers. The groups are the digits of a number of mixed base. The court of the second side is the slowest, and only
//! one of each two mirror images of it is kept: a position whose second court is the other one is turned over as a
//! whole. Courts that are their own mirror images leave both images of a position in the table, with equal values.
//! Numbers at which two pieces stand on one point mean nothing.

use super::material::{ATTACKERS, Army, KINDS, Material};
use super::placement::{MOST, Placements, Points};
use crate::board::Position;
use crate::types::{Color, PieceKind, Square};

/// The most groups a material can have: two courts and four troops a side.
pub const MOST_GROUPS: usize = 10;

/// The pieces of a position, by side and kind. The stronger side is red.
#[derive(Clone, Copy)]
pub struct Men {
    counts: [[u8; 7]; 2],
    squares: [[[Square; MOST]; 7]; 2],
}

impl Men {
    /// The same with the sides exchanged and the board turned over.
    pub fn exchanged(&self) -> Men {
        let mut other =
            Men { counts: [self.counts[1], self.counts[0]], squares: [self.squares[1], self.squares[0]] };
        for square in other.squares.as_flattened_mut().as_flattened_mut() {
            *square = square.flip();
        }
        other
    }

    pub const NONE: Men = Men { counts: [[0; 7]; 2], squares: [[[Square(0); MOST]; 7]; 2] };

    /// Those of a position of a material, with the side to move; `exchanged` if black is the stronger side.
    #[inline]
    pub fn of_position(position: &Position, exchanged: bool) -> (Men, Color) {
        let mut men = Men::NONE;
        for color in Color::ALL {
            let side = if exchanged { !color } else { color };
            for kind in PieceKind::ALL {
                for &square in position.squares(color, kind).iter().take(MOST) {
                    men.push(side, kind, if exchanged { square.flip() } else { square });
                }
            }
        }
        (men, if exchanged { !position.side() } else { position.side() })
    }

    /// One more; there must not be more of a kind than five.
    #[inline]
    pub fn push(&mut self, color: Color, kind: PieceKind, square: Square) {
        let count = &mut self.counts[color][kind];
        self.squares[color][kind][usize::from(*count)] = square;
        *count += 1;
    }

    #[inline]
    fn squares(&self, color: Color, kind: PieceKind) -> &[Square] {
        &self.squares[color][kind][..usize::from(self.counts[color][kind])]
    }
}

/// One digit of the number: a court or a troop of one side.
pub struct Group {
    pub color: Color,
    /// What it is made of, seen from its owner.
    pub placements: Placements,
    /// The squares of each placement on the board, the pieces in the order of `kinds`.
    pub squares: Vec<Square>,
    /// What the number grows by with each placement.
    pub stride: usize,
    /// How many placements count.
    pub base: usize,
    /// The first of its pieces among all pieces.
    pub first: usize,
    /// The steps of a court from each placement, one after the other; none for a troop.
    steps: Vec<Step>,
    /// Where the steps of each placement begin.
    starts: Vec<u32>,
}

/// A step of a king or a guard; it can be made and taken back alike.
#[derive(Clone, Copy)]
pub struct Step {
    /// Which piece of the group.
    pub piece: u8,
    pub to: Square,
    /// What must be empty beside: the eye of a bishop's step, else `OPEN`.
    pub eye: Square,
    /// The placement after it.
    pub placement: u32,
}

/// A square off the board on which nothing ever stands.
pub const OPEN: Square = Square(255);

impl Group {
    fn new(color: Color, placements: Placements, base: usize, stride: usize, first: usize) -> Group {
        let turn = |square: &Square| if color == Color::Red { *square } else { square.flip() };
        let squares = (0..placements.len()).flat_map(|id| placements.squares(id).iter().map(turn)).collect();
        let mut group =
            Group { color, placements, squares, stride, base, first, steps: Vec::new(), starts: vec![0] };
        if group.placements.kinds().first() == Some(&PieceKind::King) {
            for placement in 0..group.placements.len() {
                group.add_steps(placement);
                group.starts.push(group.steps.len() as u32);
            }
        }
        group
    }

    fn add_steps(&mut self, placement: usize) {
        let court = self.placements.squares(placement).to_vec();
        for (piece, &kind) in self.placements.kinds().iter().enumerate() {
            let deltas = match kind {
                PieceKind::King => [-16, -1, 1, 16],
                PieceKind::Advisor => [-17, -15, 15, 17],
                _ => [-34, -30, 30, 34],
            };
            let points = Points::of(kind);
            let goals = deltas.map(|delta| (delta, court[piece].offset(delta)));
            for (delta, to) in goals.into_iter().filter(|(_, to)| points.contains(*to) && !court.contains(to))
            {
                let mut after = court.clone();
                after[piece] = to;
                let placement = self.placements.number(&mut after) as u32;
                let eye = if kind == PieceKind::Bishop { court[piece].offset(delta / 2) } else { OPEN };
                let turn = |square: Square| {
                    if self.color == Color::Red || square == OPEN { square } else { square.flip() }
                };
                self.steps.push(Step { piece: piece as u8, to: turn(to), eye: turn(eye), placement });
            }
        }
    }

    /// The steps from a placement of a court.
    #[inline]
    pub fn steps(&self, placement: usize) -> &[Step] {
        &self.steps[self.starts[placement] as usize..self.starts[placement + 1] as usize]
    }

    /// Whether a piece of a troop can stand there.
    #[inline]
    pub fn admits(&self, square: Square) -> bool {
        self.placements.admits(if self.color == Color::Red { square } else { square.flip() })
    }

    /// Where its pieces stand on the board.
    #[inline]
    pub fn squares(&self, placement: usize) -> &[Square] {
        let len = self.placements.kinds().len();
        &self.squares[placement * len..][..len]
    }

    /// The number of a placement on these squares of the board, which may be put into another order.
    #[inline]
    pub fn number(&self, squares: &mut [Square]) -> usize {
        if self.color == Color::Black {
            for square in squares.iter_mut() {
                *square = square.flip();
            }
        }
        self.placements.number(squares)
    }
}

/// Every group of a material, and how they make a number together.
pub struct Layout {
    /// What stands on the board.
    pub material: Material,
    /// The groups, the slowest first: the second court, its troops, the first side's troops, the first court.
    pub groups: Vec<Group>,
    /// The placements of the second court that are kept.
    kept: Vec<u16>,
    /// For each placement of the second court, which kept one it is or mirrors.
    halves: Vec<Half>,
    size: usize,
}

/// Where a placement of the second court is found.
#[derive(Clone, Copy)]
pub struct Half {
    pub digit: u16,
    /// It is the mirror image of the one that is kept.
    pub turned: bool,
    /// It is its own mirror image.
    pub itself: bool,
}

impl Layout {
    /// The layout of this material.
    pub fn new(material: Material) -> Layout {
        let court = |color| {
            let army = material.army(color);
            (color, Placements::court(army.count(PieceKind::Advisor), army.count(PieceKind::Bishop)))
        };
        let troops = |color: Color| {
            KINDS[..ATTACKERS].iter().filter_map(move |&(kind, _)| {
                let count = material.army(color).count(kind);
                (count > 0).then(|| (color, Placements::troop(kind, count)))
            })
        };
        let mut parts = vec![court(Color::Black)];
        parts.extend(troops(Color::Black));
        parts.extend(troops(Color::Red));
        parts.push(court(Color::Red));

        let second = &parts[0].1;
        let kept: Vec<u16> =
            (0..second.len()).filter(|&id| id <= second.mirror(id)).map(|id| id as u16).collect();
        let half = |id: usize| {
            let image = second.mirror(id);
            let digit = kept.partition_point(|&other| usize::from(other) < id.min(image)) as u16;
            Half { digit, turned: image < id, itself: image == id }
        };
        let halves = (0..second.len()).map(half).collect();

        let mut stride = 1;
        let mut first = 0;
        let mut groups = Vec::new();
        for (index, (color, placements)) in parts.into_iter().enumerate().rev() {
            let base = if index == 0 { kept.len() } else { placements.len() };
            let pieces = placements.kinds().len();
            groups.push(Group::new(color, placements, base, stride, first));
            stride *= base;
            first += pieces;
        }
        groups.reverse();
        Layout { material, groups, kept, halves, size: stride }
    }

    /// How many numbers a layout of this material has, without making it.
    pub fn positions(material: Material) -> u64 {
        let [red, black] = Color::ALL.map(|color| material.army(color));
        let guards = |army: Army| (army.count(PieceKind::Advisor), army.count(PieceKind::Bishop));
        let court = |(advisors, bishops)| Placements::court(advisors, bishops);
        let second = court(guards(black));
        let kept = (0..second.len()).filter(|&id| id <= second.mirror(id)).count() as u64;
        let troops = [red, black].into_iter().flat_map(|army| {
            KINDS[..ATTACKERS].iter().map(move |&(kind, _)| Placements::ways(kind, army.count(kind)))
        });
        let courts = kept * court(guards(red)).len() as u64;
        troops.fold(courts, u64::saturating_mul)
    }

    /// How many numbers there are for each side to move.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The placement of the second court with this digit.
    #[inline]
    pub fn kept(&self, digit: usize) -> usize {
        self.kept[digit].into()
    }

    /// Where a placement of the second court is found.
    #[inline]
    pub fn half(&self, placement: usize) -> Half {
        self.halves[placement]
    }

    /// The number of a position; the pieces must be those of the material.
    #[inline]
    pub fn number(&self, men: &Men) -> usize {
        let (second, others) = self.groups.split_first().expect("a second court");
        let half = self.half(group_number(second, men));
        let digits = others.iter().map(|group| {
            let number = group_number(group, men);
            group.stride * if half.turned { group.placements.mirror(number) } else { number }
        });
        usize::from(half.digit) * second.stride + digits.sum::<usize>()
    }

    /// How many boards a number stands for: two mirror images, or one of them only.
    #[inline]
    pub fn weight(&self, number: usize) -> u64 {
        let digit = number / self.groups[0].stride;
        if self.half(self.kept(digit)).itself { 1 } else { 2 }
    }
}

#[inline]
fn group_number(group: &Group, men: &Men) -> usize {
    let mut squares = [Square(0); MOST];
    let mut len = 0;
    let kinds = group.placements.kinds();
    let mut last = None;
    for &kind in kinds {
        if last != Some(kind) {
            last = Some(kind);
            for &square in men.squares(group.color, kind) {
                squares[len] = square;
                len += 1;
            }
        }
    }
    group.number(&mut squares[..len])
}
