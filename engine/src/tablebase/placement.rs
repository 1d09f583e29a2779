//! Ways to place a few pieces of one side: numbered from 0, both ways, with their mirror images.
//!
//! A court is a king with its guards; a troop is some attackers of one kind. Everything is seen from the side that
//! owns the pieces, so that red and black share the numbers; pieces of one kind are not told apart.

use crate::types::{PieceKind, Square};

/// The most pieces that are placed together: five pawns, or a king with four guards.
pub const MAX_GROUP_PIECES: usize = 5;

/// C(n, k) for n up to 90 and k up to 5.
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

/// The points that some kind can stand on, numbered.
#[derive(Clone)]
pub struct PointSet {
    squares: Vec<Square>,
    numbers: [u8; 256],
}

impl PointSet {
    const NOWHERE: u8 = 255;

    /// Those of a kind of red.
    pub fn of(kind: PieceKind) -> PointSet {
        let can_stand = |square: &Square| kind.can_stand(square.file(), square.rank());
        let squares: Vec<Square> = Square::all().filter(can_stand).collect();
        let mut numbers = [PointSet::NOWHERE; 256];
        for (number, square) in squares.iter().enumerate() {
            numbers[*square] = number as u8;
        }
        PointSet { squares, numbers }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// The number of a point; meaningless for others.
    #[inline]
    pub fn number(&self, square: Square) -> usize {
        self.numbers[square].into()
    }

    /// Whether the square is one of the points.
    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        self.numbers[square] != PointSet::NOWHERE
    }
}

/// All the ways to place the pieces of a court or a troop.
pub struct Placements {
    /// What is placed, the king first, then advisors, then bishops.
    kinds: Vec<PieceKind>,
    /// As many squares for each placement as there are kinds.
    squares: Vec<Square>,
    mirrors: Vec<u32>,
    numbering: PlacementNumbering,
}

/// How a placement finds its number.
enum PlacementNumbering {
    /// King, advisors and bishops each have a number, and the three together one.
    KingGroup(Box<KingGroupNumbers>),
    /// Combinations in colexicographic order.
    AttackerGroup(Box<PointSet>),
}

/// The numbers of the placements of a king with its guards.
struct KingGroupNumbers {
    king: PointSet,
    advisors: PointSubsets,
    bishops: PointSubsets,
    /// The first bishop among the pieces.
    split: usize,
    numbers: Vec<u16>,
}

/// Sets of so many points, numbered; they are looked up as bits.
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
    /// A king with so many advisors and bishops, none on the point of another.
    pub fn king_group(advisors: usize, bishops: usize) -> Placements {
        let king = PointSet::of(PieceKind::King);
        let advisor_sets = PointSubsets::of(PieceKind::Advisor, advisors);
        let bishop_sets = PointSubsets::of(PieceKind::Bishop, bishops);
        let mut squares = Vec::new();
        let mut numbers = vec![0; king.len() * advisor_sets.masks.len() * bishop_sets.masks.len()];
        let mut count = 0;
        // The king slowest: neighbours in the list are alike.
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

    /// In how many ways so many attackers of one kind can be placed.
    pub fn attacker_group_count(kind: PieceKind, count: usize) -> u64 {
        BINOMIALS[PointSet::of(kind).len()][count.min(MAX_GROUP_PIECES)].into()
    }

    /// So many attackers of one kind.
    pub fn attacker_group(kind: PieceKind, count: usize) -> Placements {
        let points = PointSet::of(kind);
        let mut squares = Vec::new();
        let mut chosen: Vec<usize> = (0..count).collect();
        loop {
            squares.extend(chosen.iter().map(|&point| points.squares[point]));
            // The next combination in colexicographic order: the first that can step without meeting the next.
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

    /// How many placements there are.
    pub fn len(&self) -> usize {
        self.squares.len() / self.kinds.len()
    }

    pub fn kinds(&self) -> &[PieceKind] {
        &self.kinds
    }

    /// Where the pieces stand, in the order of the kinds.
    pub fn squares(&self, number: usize) -> &[Square] {
        &self.squares[number * self.kinds.len()..][..self.kinds.len()]
    }

    /// The number of the left-right mirror image.
    #[inline]
    pub fn mirror(&self, number: usize) -> usize {
        self.mirrors[number] as usize
    }

    /// Whether a piece of a troop, seen from its owner, can stand there.
    #[inline]
    pub fn admits(&self, square: Square) -> bool {
        match &self.numbering {
            PlacementNumbering::KingGroup(_) => false,
            PlacementNumbering::AttackerGroup(points) => points.contains(square),
        }
    }

    /// The number of a placement; the squares, one for each kind, may be put into another order.
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
