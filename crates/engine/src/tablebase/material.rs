//! Material and its name: `KNPKAABB` is king, horse and pawn against king, two advisors and two bishops.
//!
//! Sets of tables that are built together.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;
use xiangqi::{Color, PieceKind, Position, worded_error, words};

/// The kinds other than the king, ordered by strength as in names, with their maximum per side.
pub const KIND_LIMITS: [(PieceKind, u8); 6] = [
    (PieceKind::Rook, 2),
    (PieceKind::Horse, 2),
    (PieceKind::Cannon, 2),
    (PieceKind::Pawn, 5),
    (PieceKind::Advisor, 2),
    (PieceKind::Bishop, 2),
];

/// The number of attackers among `KIND_LIMITS`; the other kinds are guards.
pub const ATTACKER_KINDS: usize = 4;

/// The pieces of one side without its king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct SideMaterial([u8; 6]);

impl SideMaterial {
    /// The number of pieces of a kind; one for the king.
    pub fn count(&self, kind: PieceKind) -> usize {
        match KIND_LIMITS.iter().position(|(other, _)| *other == kind) {
            Some(index) => self.0[index].into(),
            None => 1,
        }
    }

    /// The number of rooks, horses, cannons and pawns.
    pub fn attackers(&self) -> usize {
        self.0[..ATTACKER_KINDS].iter().map(|&count| usize::from(count)).sum()
    }

    /// The number of pieces, the king included.
    pub fn len(&self) -> usize {
        1 + self.0.iter().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Always false, because there is a king.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn of(position: &Position, color: Color) -> Option<SideMaterial> {
        let mut side = SideMaterial::default();
        for (index, (kind, most)) in KIND_LIMITS.into_iter().enumerate() {
            let count = position.count(color, kind);
            if count > usize::from(most) {
                return None;
            }
            side.0[index] = count as u8;
        }
        Some(side)
    }

    /// Parses letters of `RNCPAB` in any order.
    fn from_letters(letters: &str) -> Option<SideMaterial> {
        let mut side = SideMaterial::default();
        for letter in letters.chars() {
            let index = match letter {
                'R' => 0,
                'N' | 'H' => 1,
                'C' => 2,
                'P' => 3,
                'A' => 4,
                'B' | 'E' => 5,
                _ => return None,
            };
            side.0[index] += 1;
            if side.0[index] > KIND_LIMITS[index].1 {
                return None;
            }
        }
        Some(side)
    }

    fn without(mut self, index: usize) -> Option<SideMaterial> {
        self.0[index] = self.0[index].checked_sub(1)?;
        Some(self)
    }
}

impl fmt::Display for SideMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("K")?;
        for (letter, &count) in "RNCPAB".chars().zip(&self.0) {
            for _ in 0..count {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

/// The pieces of both sides, the stronger side first; in a table it is red.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// By `Color::index`: the stronger side, then the weaker.
    sides: [SideMaterial; 2],
}

/// This text is not the name of a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseMaterialError(pub String);

worded_error!(ParseMaterialError, |error| words!(
    "'{text}' is no material: expected a name such as KNPKAABB, two kings each with what R N C P A B stand beside it",
    text = &error.0
));

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Material, ParseMaterialError> {
        let fail = || ParseMaterialError(text.chars().take(24).collect());
        let upper = text.to_ascii_uppercase();
        let (first, second) = upper.strip_prefix('K').and_then(|rest| rest.split_once('K')).ok_or_else(fail)?;
        let side = |letters| SideMaterial::from_letters(letters).ok_or_else(fail);
        Ok(Material::new(side(first)?, side(second)?).0)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.sides[0], self.sides[1]))
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Material {
    /// Orders two sides; also returns whether they were exchanged.
    fn new(first: SideMaterial, second: SideMaterial) -> (Material, bool) {
        if first >= second {
            (Material { sides: [first, second] }, false)
        } else {
            (Material { sides: [second, first] }, true)
        }
    }

    /// The material of a position, and whether black is the stronger side; `None` if a side has more pieces of a kind
    /// than the set holds.
    #[inline]
    pub fn of(position: &Position) -> Option<(Material, bool)> {
        Some(Material::new(SideMaterial::of(position, Color::Red)?, SideMaterial::of(position, Color::Black)?))
    }

    /// The pieces of a side of the table; red is the stronger.
    pub fn side(&self, color: Color) -> SideMaterial {
        self.sides[color]
    }

    /// The number of pieces, kings included.
    pub fn piece_count(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// True if a side has a rook, a horse, a cannon or a pawn; without one nobody can mate.
    pub fn has_attackers(&self) -> bool {
        self.sides[0].attackers() + self.sides[1].attackers() > 0
    }

    /// A unique number of the material.
    #[inline]
    pub fn key(&self) -> u64 {
        self.sides.iter().flat_map(|side| side.0).fold(0, |key, count| key << 3 | u64::from(count))
    }

    /// The material after the loss of a piece, and whether the sides are exchanged; `None` if there is no such piece.
    pub fn without(&self, color: Color, kind: PieceKind) -> Option<(Material, bool)> {
        let index = KIND_LIMITS.iter().position(|(other, _)| *other == kind)?;
        let mut sides = self.sides;
        sides[color] = sides[color].without(index)?;
        Some(Material::new(sides[0], sides[1]))
    }

    /// The materials after one capture, without duplicates.
    pub fn capture_successors(&self) -> Vec<Material> {
        let mut found: Vec<Material> = Color::ALL
            .into_iter()
            .flat_map(|color| KIND_LIMITS.into_iter().filter_map(move |(kind, _)| self.without(color, kind)))
            .map(|(material, _)| material)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// These materials and all that captures lead to, ordered so that each follows those it needs. Materials without
    /// attackers are left out, because they are drawn.
    pub fn with_successors(wanted: &[Material]) -> Vec<Material> {
        let mut all: Vec<Material> = Vec::new();
        let mut open: Vec<Material> = wanted.to_vec();
        while let Some(material) = open.pop() {
            if material.has_attackers() && !all.contains(&material) {
                all.push(material);
                open.extend(material.capture_successors());
            }
        }
        all.sort_unstable_by_key(|material| (material.piece_count(), Reverse(*material)));
        all
    }
}

/// The named sets of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableSet {
    /// One attacker with up to two advisors against all guards.
    Core,
    /// `Core`, and two attackers against all guards: the practical endings of endgame books.
    Study,
    /// One attacker with any guards against any guards.
    OneAttacker,
    /// One attacker against one, each side with up to two advisors.
    OneAgainstOne,
}

/// This text is not the name of a table set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseTableSetError(pub String);

worded_error!(ParseTableSetError, |error| words!(
    "'{text}' is no set of tables: expected core, study, one or duel",
    text = &error.0
));

impl FromStr for TableSet {
    type Err = ParseTableSetError;

    fn from_str(text: &str) -> Result<TableSet, ParseTableSetError> {
        let named = TableSet::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| ParseTableSetError(text.chars().take(16).collect()))
    }
}

const ADVISORS: [&str; 3] = ["", "A", "AA"];
const GUARDS: [&str; 9] = ["", "A", "B", "AA", "AB", "BB", "AAB", "ABB", "AABB"];

impl TableSet {
    /// All table sets.
    pub const ALL: [TableSet; 4] = [TableSet::Core, TableSet::Study, TableSet::OneAttacker, TableSet::OneAgainstOne];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            TableSet::Core => "core",
            TableSet::Study => "study",
            TableSet::OneAttacker => "one",
            TableSet::OneAgainstOne => "duel",
        }
    }

    /// The materials of the set, without those that captures lead to.
    pub fn materials(self) -> Vec<Material> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |strong: &[&str], own: &[&str], others: &[&str]| {
            for (attackers, own) in strong.iter().flat_map(|a| own.iter().map(move |o| (a, o))) {
                names.extend(others.iter().map(|other| format!("K{attackers}{own}K{other}")));
            }
        };
        match self {
            TableSet::Core => add(&["R", "N", "C", "P"], &ADVISORS, &GUARDS),
            TableSet::Study => {
                add(&["R", "N", "C", "P"], &ADVISORS, &GUARDS);
                add(&["PP", "NP", "NN", "NC", "CP", "CC"], &[""], &GUARDS);
                add(&["CP"], &["A"], &GUARDS);
            }
            TableSet::OneAttacker => add(&["R", "N", "C", "P"], &GUARDS, &GUARDS),
            TableSet::OneAgainstOne => {
                for (strong, weak) in [("R", "RNCP"), ("N", "NCP"), ("C", "CP"), ("P", "P")] {
                    for other in weak.chars() {
                        add(
                            &[strong],
                            &ADVISORS,
                            &ADVISORS.map(|own| format!("{other}{own}")).each_ref().map(String::as_str),
                        );
                    }
                }
            }
        }
        let mut materials: Vec<Material> = names.iter().filter_map(|name| name.parse().ok()).collect();
        materials.sort_unstable();
        materials.dedup();
        materials
    }
}
