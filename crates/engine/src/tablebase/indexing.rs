//! The indexing of all positions of a material.
//!
//! A position consists of groups: the king group (king and guards) of each side and, for each side and kind, its
//! attackers. The groups are the digits of a mixed-radix number. The second side's king group is the most significant
//! digit, and only one of each two mirror images of it is kept: a position with the other image is mirrored. If the
//! king group is its own mirror image, both images of the position are in the table, with equal values. An index at
//! which two pieces share a square is unused.

use super::material::{ATTACKER_KINDS, KIND_LIMITS, Material, SideMaterial};
use super::placement::{MAX_GROUP_PIECES, Placements, PointSet};
use std::fmt;
use xiangqi::{Color, PieceKind, Position, Square};

/// The maximum number of groups: two king groups, and four attacker groups for each side.
pub const MAX_GROUPS: usize = 10;

/// The pieces of a position, by side and kind; the stronger side is red.
#[derive(Clone, Copy)]
pub struct PiecePlacement {
    counts: [[u8; 7]; 2],
    squares: [[[Square; MAX_GROUP_PIECES]; 7]; 2],
}

impl PiecePlacement {
    /// The placement with the sides exchanged and the ranks turned over.
    pub fn color_flipped(&self) -> PiecePlacement {
        let mut other =
            PiecePlacement { counts: [self.counts[1], self.counts[0]], squares: [self.squares[1], self.squares[0]] };
        for square in other.squares.as_flattened_mut().as_flattened_mut() {
            *square = square.flip();
        }
        other
    }

    /// The empty placement.
    pub const NONE: PiecePlacement =
        PiecePlacement { counts: [[0; 7]; 2], squares: [[[Square::new(0, 0); MAX_GROUP_PIECES]; 7]; 2] };

    /// The pieces of a position and the side to move; `exchanged` if black is the stronger side.
    #[inline]
    pub fn of_position(position: &Position, exchanged: bool) -> (PiecePlacement, Color) {
        let mut pieces = PiecePlacement::NONE;
        for color in Color::ALL {
            let side = if exchanged { !color } else { color };
            for kind in PieceKind::ALL {
                for &square in position.squares(color, kind).iter().take(MAX_GROUP_PIECES) {
                    pieces.push(side, kind, if exchanged { square.flip() } else { square });
                }
            }
        }
        (pieces, if exchanged { !position.side() } else { position.side() })
    }

    /// Adds a piece; a kind may have at most five.
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

/// A digit of the index: a king group, or the attackers of one kind of a side.
pub struct PlacementGroup {
    /// The side of the pieces.
    pub color: Color,
    /// The placements, seen from the owner's side.
    pub placements: Placements,
    /// The board squares of each placement, in the order of the kinds.
    pub squares: Vec<Square>,
    /// The weight of the digit.
    pub stride: usize,
    /// The number of digit values.
    pub base: usize,
    /// The piece number of its first piece.
    pub first: usize,
    /// The steps of a king group, placement after placement; empty for attackers.
    steps: Vec<KingGroupStep>,
    /// The start of each placement's steps.
    starts: Vec<u32>,
}

/// A step of a king or a guard, which is reversible.
#[derive(Clone, Copy)]
pub struct KingGroupStep {
    /// The piece within the group.
    pub piece: u8,
    /// The target square.
    pub to: Square,
    /// The other square that must be empty: the eye of a bishop's step.
    pub eye: Option<Square>,
    /// The placement after the step.
    pub placement: u32,
}

impl PlacementGroup {
    fn new(color: Color, placements: Placements, base: usize, stride: usize, first: usize) -> PlacementGroup {
        let from_own_side = |square: &Square| if color == Color::Red { *square } else { square.flip() };
        let squares = (0..placements.len()).flat_map(|id| placements.squares(id).iter().map(from_own_side)).collect();
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
        let squares = self.placements.squares(placement).to_vec();
        for (piece, &kind) in self.placements.kinds().iter().enumerate() {
            let deltas = match kind {
                PieceKind::King => [-16, -1, 1, 16],
                PieceKind::Advisor => [-17, -15, 15, 17],
                _ => [-34, -30, 30, 34],
            };
            let points = PointSet::of(kind);
            let targets = deltas.into_iter().filter_map(|delta| Some((delta, squares[piece].offset(delta)?)));
            for (delta, to) in targets.filter(|(_, to)| points.contains(*to) && !squares.contains(to)) {
                let mut after = squares.clone();
                after[piece] = to;
                let placement = self.placements.number(&mut after) as u32;
                let eye = if kind == PieceKind::Bishop { squares[piece].offset(delta / 2) } else { None };
                let from_own_side = |square: Square| if self.color == Color::Red { square } else { square.flip() };
                self.steps.push(KingGroupStep {
                    piece: piece as u8,
                    to: from_own_side(to),
                    eye: eye.map(from_own_side),
                    placement,
                });
            }
        }
    }

    /// The steps of a king group from this placement.
    #[inline]
    pub fn steps(&self, placement: usize) -> &[KingGroupStep] {
        &self.steps[self.starts[placement] as usize..self.starts[placement + 1] as usize]
    }

    /// True if an attacker of this group can stand on the square.
    #[inline]
    pub fn admits(&self, square: Square) -> bool {
        self.placements.admits(if self.color == Color::Red { square } else { square.flip() })
    }

    /// The squares of the pieces on the board.
    #[inline]
    pub fn squares(&self, placement: usize) -> &[Square] {
        let len = self.placements.kinds().len();
        &self.squares[placement * len..][..len]
    }

    /// The placement with these squares of the board; may reorder them.
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

/// The groups of a material and the index they form.
pub struct PositionIndexing {
    /// The material.
    pub material: Material,
    /// The groups, most significant first: the second side's king group and attackers, the first side's attackers and
    /// king group.
    pub(super) groups: Vec<PlacementGroup>,
    /// The placements of the second king group that are kept.
    kept_king_groups: Vec<u16>,
    /// For each placement of the second king group, the kept one that it equals or mirrors.
    king_group_images: Vec<KingGroupImage>,
    size: usize,
}

/// The kept form of a placement of the second king group.
#[derive(Clone, Copy)]
pub struct KingGroupImage {
    /// The digit.
    pub digit: u16,
    /// True if the placement is the mirror image of the kept one.
    pub is_mirrored: bool,
    /// True if the placement is its own mirror image.
    pub is_symmetric: bool,
}

impl fmt::Debug for PositionIndexing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionIndexing")
            .field("material", &self.material)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl PositionIndexing {
    /// Creates the indexing of a material.
    pub fn new(material: Material) -> PositionIndexing {
        let king_group = |color| {
            let side = material.side(color);
            (color, Placements::king_group(side.count(PieceKind::Advisor), side.count(PieceKind::Bishop)))
        };
        let attackers = |color: Color| {
            KIND_LIMITS[..ATTACKER_KINDS].iter().filter_map(move |&(kind, _)| {
                let count = material.side(color).count(kind);
                (count > 0).then(|| (color, Placements::attacker_group(kind, count)))
            })
        };
        let mut parts = vec![king_group(Color::Black)];
        parts.extend(attackers(Color::Black));
        parts.extend(attackers(Color::Red));
        parts.push(king_group(Color::Red));

        let second = &parts[0].1;
        let kept: Vec<u16> = (0..second.len()).filter(|&id| id <= second.mirror(id)).map(|id| id as u16).collect();
        let king_group_image = |id: usize| {
            let image = second.mirror(id);
            let digit = kept.partition_point(|&other| usize::from(other) < id.min(image)) as u16;
            KingGroupImage { digit, is_mirrored: image < id, is_symmetric: image == id }
        };
        let king_group_images = (0..second.len()).map(king_group_image).collect();

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
        PositionIndexing { material, groups, kept_king_groups: kept, king_group_images, size: stride }
    }

    /// The number of indices of a material, computed without creating the indexing.
    pub fn index_count(material: Material) -> u64 {
        let [red, black] = Color::ALL.map(|color| material.side(color));
        let guards = |side: SideMaterial| (side.count(PieceKind::Advisor), side.count(PieceKind::Bishop));
        let king_group = |(advisors, bishops)| Placements::king_group(advisors, bishops);
        let second = king_group(guards(black));
        let kept = (0..second.len()).filter(|&id| id <= second.mirror(id)).count() as u64;
        let attackers = [red, black].into_iter().flat_map(|side| {
            KIND_LIMITS[..ATTACKER_KINDS]
                .iter()
                .map(move |&(kind, _)| Placements::attacker_group_count(kind, side.count(kind)))
        });
        let king_groups = kept * king_group(guards(red)).len() as u64;
        attackers.fold(king_groups, u64::saturating_mul)
    }

    /// The number of indices for each side to move.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The placement of the second king group with this digit.
    #[inline]
    pub(super) fn kept_king_group(&self, digit: usize) -> usize {
        self.kept_king_groups[digit].into()
    }

    /// The kept form of a placement of the second king group.
    #[inline]
    pub(super) fn king_group_image(&self, placement: usize) -> KingGroupImage {
        self.king_group_images[placement]
    }

    /// The index of a position; the pieces must be those of the material.
    #[inline]
    pub(super) fn index_of(&self, pieces: &PiecePlacement) -> usize {
        let (second, others) = self.groups.split_first().expect("a second king group");
        let image = self.king_group_image(placement_index(second, pieces));
        let digits = others.iter().map(|group| {
            let number = placement_index(group, pieces);
            group.stride * if image.is_mirrored { group.placements.mirror(number) } else { number }
        });
        usize::from(image.digit) * second.stride + digits.sum::<usize>()
    }

    /// The number of boards that an index stands for: two mirror images, or one.
    #[inline]
    pub(super) fn multiplicity(&self, number: usize) -> u64 {
        let digit = number / self.groups[0].stride;
        if self.king_group_image(self.kept_king_group(digit)).is_symmetric { 1 } else { 2 }
    }
}

#[inline]
fn placement_index(group: &PlacementGroup, pieces: &PiecePlacement) -> usize {
    let mut squares = [Square::new(0, 0); MAX_GROUP_PIECES];
    let mut len = 0;
    let kinds = group.placements.kinds();
    let mut last = None;
    for &kind in kinds {
        if last != Some(kind) {
            last = Some(kind);
            for &square in pieces.squares(group.color, kind) {
                squares[len] = square;
                len += 1;
            }
        }
    }
    group.number(&mut squares[..len])
}
