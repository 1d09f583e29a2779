//! The numbering of all positions of one material.
//!
//! A position is the placements of its groups: the court of each side and, for each side and kind, its troop of
//! attackers. The groups are the digits of a number of mixed base. The court of the second side is the slowest, and only
//! one of each two mirror images of it is kept: a position whose second court is the other one is turned over as a
//! whole. Courts that are their own mirror images leave both images of a position in the table, with equal values.
//! Numbers at which two pieces stand on one point mean nothing.

use super::material::{ATTACKER_KINDS, KIND_LIMITS, Material, SideMaterial};
use super::placement::{MAX_GROUP_PIECES, Placements, PointSet};
use crate::board::Position;
use crate::types::{Color, PieceKind, Square};

/// The most groups a material can have: two courts and four troops a side.
pub const MAX_GROUPS: usize = 10;

/// The pieces of a position, by side and kind. The stronger side is red.
#[derive(Clone, Copy)]
pub struct PiecePlacement {
    counts: [[u8; 7]; 2],
    squares: [[[Square; MAX_GROUP_PIECES]; 7]; 2],
}

impl PiecePlacement {
    /// The same with the sides exchanged and the board turned over.
    pub fn color_flipped(&self) -> PiecePlacement {
        let mut other =
            PiecePlacement { counts: [self.counts[1], self.counts[0]], squares: [self.squares[1], self.squares[0]] };
        for square in other.squares.as_flattened_mut().as_flattened_mut() {
            *square = square.flip();
        }
        other
    }

    pub const NONE: PiecePlacement =
        PiecePlacement { counts: [[0; 7]; 2], squares: [[[Square(0); MAX_GROUP_PIECES]; 7]; 2] };

    /// Those of a position of a material, with the side to move; `exchanged` if black is the stronger side.
    #[inline]
    pub fn of_position(position: &Position, exchanged: bool) -> (PiecePlacement, Color) {
        let mut men = PiecePlacement::NONE;
        for color in Color::ALL {
            let side = if exchanged { !color } else { color };
            for kind in PieceKind::ALL {
                for &square in position.squares(color, kind).iter().take(MAX_GROUP_PIECES) {
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
pub struct PlacementGroup {
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
    steps: Vec<CourtStep>,
    /// Where the steps of each placement begin.
    starts: Vec<u32>,
}

/// A step of a king or a guard; it can be made and taken back alike.
#[derive(Clone, Copy)]
pub struct CourtStep {
    /// Which piece of the group.
    pub piece: u8,
    pub to: Square,
    /// What must be empty beside: the eye of a bishop's step, else `ALWAYS_EMPTY`.
    pub eye: Square,
    /// The placement after it.
    pub placement: u32,
}

/// A square off the board on which nothing ever stands.
pub const ALWAYS_EMPTY: Square = Square(255);

impl PlacementGroup {
    fn new(color: Color, placements: Placements, base: usize, stride: usize, first: usize) -> PlacementGroup {
        let turn = |square: &Square| if color == Color::Red { *square } else { square.flip() };
        let squares = (0..placements.len()).flat_map(|id| placements.squares(id).iter().map(turn)).collect();
        let mut group =
            PlacementGroup { color, placements, squares, stride, base, first, steps: Vec::new(), starts: vec![0] };
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
            let points = PointSet::of(kind);
            let goals = deltas.map(|delta| (delta, court[piece].offset(delta)));
            for (delta, to) in goals.into_iter().filter(|(_, to)| points.contains(*to) && !court.contains(to)) {
                let mut after = court.clone();
                after[piece] = to;
                let placement = self.placements.number(&mut after) as u32;
                let eye = if kind == PieceKind::Bishop { court[piece].offset(delta / 2) } else { ALWAYS_EMPTY };
                let turn = |square: Square| {
                    if self.color == Color::Red || square == ALWAYS_EMPTY { square } else { square.flip() }
                };
                self.steps.push(CourtStep { piece: piece as u8, to: turn(to), eye: turn(eye), placement });
            }
        }
    }

    /// The steps from a placement of a court.
    #[inline]
    pub fn steps(&self, placement: usize) -> &[CourtStep] {
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
pub struct PositionIndexing {
    /// What stands on the board.
    pub material: Material,
    /// The groups, the slowest first: the second court, its troops, the first side's troops, the first court.
    pub groups: Vec<PlacementGroup>,
    /// The placements of the second court that are kept.
    kept_courts: Vec<u16>,
    /// For each placement of the second court, which kept one it is or mirrors.
    court_images: Vec<CourtImage>,
    size: usize,
}

/// Where a placement of the second court is found.
#[derive(Clone, Copy)]
pub struct CourtImage {
    pub digit: u16,
    /// It is the mirror image of the one that is kept.
    pub is_mirrored: bool,
    /// It is its own mirror image.
    pub is_symmetric: bool,
}

impl PositionIndexing {
    /// The layout of this material.
    pub fn new(material: Material) -> PositionIndexing {
        let court = |color| {
            let army = material.side(color);
            (color, Placements::king_group(army.count(PieceKind::Advisor), army.count(PieceKind::Bishop)))
        };
        let troops = |color: Color| {
            KIND_LIMITS[..ATTACKER_KINDS].iter().filter_map(move |&(kind, _)| {
                let count = material.side(color).count(kind);
                (count > 0).then(|| (color, Placements::attacker_group(kind, count)))
            })
        };
        let mut parts = vec![court(Color::Black)];
        parts.extend(troops(Color::Black));
        parts.extend(troops(Color::Red));
        parts.push(court(Color::Red));

        let second = &parts[0].1;
        let kept: Vec<u16> = (0..second.len()).filter(|&id| id <= second.mirror(id)).map(|id| id as u16).collect();
        let half = |id: usize| {
            let image = second.mirror(id);
            let digit = kept.partition_point(|&other| usize::from(other) < id.min(image)) as u16;
            CourtImage { digit, is_mirrored: image < id, is_symmetric: image == id }
        };
        let halves = (0..second.len()).map(half).collect();

        let mut stride = 1;
        let mut first = 0;
        let mut groups = Vec::new();
        for (index, (color, placements)) in parts.into_iter().enumerate().rev() {
            let base = if index == 0 { kept.len() } else { placements.len() };
            let pieces = placements.kinds().len();
            groups.push(PlacementGroup::new(color, placements, base, stride, first));
            stride *= base;
            first += pieces;
        }
        groups.reverse();
        PositionIndexing { material, groups, kept_courts: kept, court_images: halves, size: stride }
    }

    /// How many numbers a layout of this material has, without making it.
    pub fn index_count(material: Material) -> u64 {
        let [red, black] = Color::ALL.map(|color| material.side(color));
        let guards = |army: SideMaterial| (army.count(PieceKind::Advisor), army.count(PieceKind::Bishop));
        let court = |(advisors, bishops)| Placements::king_group(advisors, bishops);
        let second = court(guards(black));
        let kept = (0..second.len()).filter(|&id| id <= second.mirror(id)).count() as u64;
        let troops = [red, black].into_iter().flat_map(|army| {
            KIND_LIMITS[..ATTACKER_KINDS]
                .iter()
                .map(move |&(kind, _)| Placements::attacker_group_count(kind, army.count(kind)))
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
    pub fn kept_court(&self, digit: usize) -> usize {
        self.kept_courts[digit].into()
    }

    /// Where a placement of the second court is found.
    #[inline]
    pub fn court_image(&self, placement: usize) -> CourtImage {
        self.court_images[placement]
    }

    /// The number of a position; the pieces must be those of the material.
    #[inline]
    pub fn index_of(&self, men: &PiecePlacement) -> usize {
        let (second, others) = self.groups.split_first().expect("a second court");
        let half = self.court_image(placement_index(second, men));
        let digits = others.iter().map(|group| {
            let number = placement_index(group, men);
            group.stride * if half.is_mirrored { group.placements.mirror(number) } else { number }
        });
        usize::from(half.digit) * second.stride + digits.sum::<usize>()
    }

    /// How many boards a number stands for: two mirror images, or one of them only.
    #[inline]
    pub fn multiplicity(&self, number: usize) -> u64 {
        let digit = number / self.groups[0].stride;
        if self.court_image(self.kept_court(digit)).is_symmetric { 1 } else { 2 }
    }
}

#[inline]
fn placement_index(group: &PlacementGroup, men: &PiecePlacement) -> usize {
    let mut squares = [Square(0); MAX_GROUP_PIECES];
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
