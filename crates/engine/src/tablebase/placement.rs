//! Placements of a group of pieces of one side, numbered from 0, with their mirror images.
//!
//! A group is a king with its guards, or the attackers of one kind. Placements are seen from the owner's side, so that
//! both sides share the numbers; pieces of one kind are interchangeable.

use xiangqi::{PieceKind, Square};

/// The maximum size of a group: five pawns, or a king with four guards.
pub const MAX_GROUP_PIECES: usize = 5;

/// Binomial coefficients C(n, k) for n up to 90 and k up to 5.
static BINOMIALS: [[u32; MAX_GROUP_PIECES + 1]; 91] = {
    let mut table = [[0; MAX_GROUP_PIECES + 1]; 91];
    let mut n = 0;
    while n <= 90 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MAX_GROUP_PIECES && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The squares on which a kind can stand, numbered.
#[derive(Clone)]
pub struct PointSet {
    squares: Vec<Square>,
    numbers: [u8; 256],
}

impl PointSet {
    const NOWHERE: u8 = 255;

    /// The squares of a red piece of this kind.
    pub fn of(kind: PieceKind) -> PointSet {
        let can_stand = |square: &Square| kind.can_stand(square.file(), square.rank());
        let squares: Vec<Square> = Square::all().filter(can_stand).collect();
        let mut numbers = [PointSet::NOWHERE; 256];
        for (number, square) in squares.iter().enumerate() {
            numbers[*square] = number as u8;
        }
        PointSet { squares, numbers }
    }

    /// The number of squares.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// The number of a square; meaningless for squares outside the set.
    #[inline]
    pub fn number(&self, square: Square) -> usize {
        self.numbers[square].into()
    }

    /// True if the square is in the set.
    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        self.numbers[square] != PointSet::NOWHERE
    }
}

/// All placements of a group.
pub struct Placements {
    /// The kinds of the pieces: king, advisors, bishops, or attackers of one kind.
    kinds: Vec<PieceKind>,
    /// The squares of each placement, in the order of the kinds.
    squares: Vec<Square>,
    mirrors: Vec<u32>,
    numbering: PlacementNumbering,
}

/// The way in which a placement is numbered.
enum PlacementNumbering {
    /// The numbers of king, advisors and bishops combined by a table.
    KingGroup(Box<KingGroupNumbers>),
    /// Combinations in colexicographic order.
    AttackerGroup(Box<PointSet>),
}

/// The numbering of a king with its guards.
struct KingGroupNumbers {
    king: PointSet,
    advisors: PointSubsets,
    bishops: PointSubsets,
    /// The index of the first bishop among the pieces.
    split: usize,
    numbers: Vec<u16>,
}

/// Subsets of a point set with a fixed size, numbered and looked up by bit mask.
struct PointSubsets {
    points: PointSet,
    masks: Vec<u8>,
    numbers: [u8; 128],
}

impl PointSubsets {
    fn of(kind: PieceKind, count: usize) -> PointSubsets {
        let points = PointSet::of(kind);
        let fits = |mask: &u8| mask.count_ones() as usize == count;
        let masks: Vec<u8> = (0..1 << points.len()).filter(fits).collect();
        let mut numbers = [0; 128];
        for (number, mask) in masks.iter().enumerate() {
            numbers[usize::from(*mask & 127)] = number as u8;
        }
        PointSubsets { points, masks, numbers }
    }

    #[inline]
    fn number(&self, squares: &[Square]) -> usize {
        let mask = squares.iter().fold(0u8, |mask, &square| mask | 1 << (self.points.number(square) & 7));
        self.numbers[usize::from(mask & 127)].into()
    }

    fn squares(&self, number: usize) -> impl Iterator<Item = Square> + '_ {
        let mask = self.masks[number];
        self.points.squares.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 != 0).map(|(_, s)| *s)
    }
}

impl Placements {
    /// The placements of a king with this many advisors and bishops on distinct squares.
    pub fn king_group(advisors: usize, bishops: usize) -> Placements {
        let king = PointSet::of(PieceKind::King);
        let advisor_sets = PointSubsets::of(PieceKind::Advisor, advisors);
        let bishop_sets = PointSubsets::of(PieceKind::Bishop, bishops);
        let mut squares = Vec::new();
        let mut numbers = vec![0; king.len() * advisor_sets.masks.len() * bishop_sets.masks.len()];
        let mut count = 0;
        // The king's square is the most significant, so neighbours in the list are similar.
        for (slot, number) in numbers.iter_mut().enumerate() {
            let (rest, b) = (slot / bishop_sets.masks.len(), slot % bishop_sets.masks.len());
            let (k, a) = (rest / advisor_sets.masks.len(), rest % advisor_sets.masks.len());
            let guards: Vec<Square> = advisor_sets.squares(a).chain(bishop_sets.squares(b)).collect();
            if !guards.contains(&king.squares[k]) {
                *number = count;
                count += 1;
                squares.push(king.squares[k]);
                squares.extend(guards);
            }
        }
        let mut kinds = vec![PieceKind::King];
        kinds.extend(std::iter::repeat_n(PieceKind::Advisor, advisors));
        kinds.extend(std::iter::repeat_n(PieceKind::Bishop, bishops));
        let split = 1 + advisors;
        let (advisors, bishops) = (advisor_sets, bishop_sets);
        let numbering =
            PlacementNumbering::KingGroup(Box::new(KingGroupNumbers { king, advisors, bishops, split, numbers }));
        Placements { kinds, squares, mirrors: Vec::new(), numbering }.with_mirrors()
    }

    /// The number of placements of this many attackers of one kind.
    pub fn attacker_group_count(kind: PieceKind, count: usize) -> u64 {
        BINOMIALS[PointSet::of(kind).len()][count.min(MAX_GROUP_PIECES)].into()
    }

    /// The placements of this many attackers of one kind.
    pub fn attacker_group(kind: PieceKind, count: usize) -> Placements {
        let points = PointSet::of(kind);
        let mut squares = Vec::new();
        let mut chosen: Vec<usize> = (0..count).collect();
        loop {
            squares.extend(chosen.iter().map(|&point| points.squares[point]));
            // The next combination in colexicographic order: advance the first piece that has room.
            let Some(step) = (0..count).find(|&i| {
                let end = if i + 1 < count { chosen[i + 1] } else { points.len() };
                chosen[i] + 1 < end
            }) else {
                break;
            };
            chosen[step] += 1;
            for (i, point) in chosen.iter_mut().enumerate().take(step) {
                *point = i;
            }
        }
        let numbering = PlacementNumbering::AttackerGroup(Box::new(points));
        Placements { kinds: vec![kind; count], squares, mirrors: Vec::new(), numbering }.with_mirrors()
    }

    fn with_mirrors(mut self) -> Placements {
        let mirror = |number: usize| {
            let mut image: Vec<Square> = self.squares(number).iter().map(|square| square.mirror()).collect();
            self.number(&mut image) as u32
        };
        self.mirrors = (0..self.len()).map(mirror).collect();
        self
    }

    /// The number of placements.
    pub fn len(&self) -> usize {
        self.squares.len() / self.kinds.len()
    }

    /// The kinds of the pieces.
    pub fn kinds(&self) -> &[PieceKind] {
        &self.kinds
    }

    /// The squares of a placement, in the order of the kinds.
    pub fn squares(&self, number: usize) -> &[Square] {
        &self.squares[number * self.kinds.len()..][..self.kinds.len()]
    }

    /// The number of the mirrored placement.
    #[inline]
    pub fn mirror(&self, number: usize) -> usize {
        self.mirrors[number] as usize
    }

    /// True if an attacker of this group, seen from its owner, can stand on the square.
    #[inline]
    pub fn admits(&self, square: Square) -> bool {
        match &self.numbering {
            PlacementNumbering::KingGroup(_) => false,
            PlacementNumbering::AttackerGroup(points) => points.contains(square),
        }
    }

    /// The number of the placement with these squares, one for each kind; may reorder them.
    #[inline]
    pub fn number(&self, squares: &mut [Square]) -> usize {
        match &self.numbering {
            PlacementNumbering::KingGroup(court) => {
                let KingGroupNumbers { king, advisors, bishops, split, numbers } = court.as_ref();
                let k = king.number(squares[0]);
                let a = advisors.number(&squares[1..*split]);
                let b = bishops.number(&squares[*split..]);
                numbers[(k * advisors.masks.len() + a) * bishops.masks.len() + b].into()
            }
            PlacementNumbering::AttackerGroup(points) => match squares {
                [one] => points.number(*one),
                [one, two] => pair_index(points.number(*one), points.number(*two)),
                more => {
                    more.sort_unstable_by_key(|square| points.number(*square));
                    let rank = |(i, square): (usize, &Square)| BINOMIALS[points.number(*square)][i + 1];
                    more.iter().enumerate().map(rank).sum::<u32>() as usize
                }
            },
        }
    }
}

/// The number of an unordered pair of points.
#[inline]
fn pair_index(one: usize, two: usize) -> usize {
    let (low, high) = if one < two { (one, two) } else { (two, one) };
    low + high * high.saturating_sub(1) / 2
}
