//! The endings that can be practised: those of the tables inside the program, and those of table files.

use super::positions::{EndingSide, share_won};
use chuhe_engine::tablebase::{Material, SideMaterial, Tablebase};
use chuhe_support::language::{Language, tr};
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::OnceLock;
use xiangqi::{Color, Piece, PieceKind};

/// The materials of the tables inside the program, each with how many of a thousand quiet positions the attacker wins
/// who is to move. Made by `cargo test -p chuhe-study --test all ending_shares -- --ignored --nocapture`.
const SHARES: &str = include_str!("shares.tsv");
/// From this share on an ending is a technical win; so many draws make it a technical draw.
const GRADE_SHARE: f64 = 0.95;
/// So many quiet positions of an ending are looked up where its share is not known.
const SAMPLED: usize = 200;
const ATTACKERS: [PieceKind; 4] = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Pawn];

/// How an ending usually ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingGrade {
    /// 例胜: at least 95 % of the quiet positions are won.
    Won,
    /// 例和: at least 95 % are drawn.
    Drawn,
    Mixed,
}

/// An ending: the pieces of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ending {
    pub material: Material,
    /// The share of quiet positions that the attacker wins who is to move.
    pub share_won: f64,
}

impl Ending {
    /// The endings of the tables inside the program: rook, horse, cannon and pawn, and of each the weaker defences first.
    pub fn all() -> &'static [Ending] {
        static ALL: OnceLock<Vec<Ending>> = OnceLock::new();
        ALL.get_or_init(|| {
            let read = |line: &str| {
                let (name, share) = line.split_once('\t')?;
                Some(Ending { material: name.parse().ok()?, share_won: share.parse::<f64>().ok()? / 1000.0 })
            };
            SHARES.lines().filter_map(read).collect()
        })
    }

    /// The endings of table files that are not among those of the program. Left out are those with a capture that leads
    /// to no table, as the result of their moves is not known. How many positions are won is estimated, which takes a
    /// few milliseconds for each.
    pub fn of_files(tables: &Tablebase) -> Vec<Ending> {
        let inside: HashSet<Material> = Ending::all().iter().map(|ending| ending.material).collect();
        let files: HashSet<Material> = tables.materials_on_disk().into_iter().collect();
        let is_known = |material: &Material| inside.contains(material) || files.contains(material);
        let is_complete = |material: &Material| Material::with_successors(&[*material]).iter().all(is_known);
        let mut found: Vec<Material> = files.difference(&inside).copied().filter(is_complete).collect();
        found.order();
        let estimated = found.into_iter().map(|material| {
            let mut random = StdRng::seed_from_u64(material.key());
            share_won(material, tables, SAMPLED, &mut random).map(|share_won| Ending { material, share_won })
        });
        estimated.flatten().collect()
    }

    /// The name of its table, `KRKAABB`.
    pub fn id(&self) -> String {
        self.material.to_string()
    }

    pub fn grade(&self) -> EndingGrade {
        match self.share_won {
            share if share >= GRADE_SHARE => EndingGrade::Won,
            share if share <= 1.0 - GRADE_SHARE => EndingGrade::Drawn,
            _ => EndingGrade::Mixed,
        }
    }

    /// Whether positions can be found for this side.
    pub fn offers(&self, side: EndingSide) -> bool {
        match side {
            EndingSide::Attack => self.share_won >= 0.01,
            EndingSide::Defend => self.share_won <= 0.99,
        }
    }

    /// Its name in the current language: `lone rook against two advisors`, `单车对双士`.
    pub fn name(&self) -> String {
        let [attacker, defender] = Color::ALL.map(|color| side_name(color, &self.material.side(color)));
        tr!("{attacker} against {defender}", attacker, defender)
    }
}

/// The pieces of a side beside the king: `horse and pawn`, `马兵`.
fn side_name(color: Color, side: &SideMaterial) -> String {
    let guards = guards_name(color, side);
    let counts = ATTACKERS.into_iter().map(|kind| (piece_name(color, kind), side.count(kind)));
    let counts: Vec<(String, usize)> = counts.filter(|&(_, count)| count > 0).collect();
    let attackers: Vec<String> = match &counts[..] {
        [] => return guards.unwrap_or_else(|| tr!("bare king")),
        [(piece, 1)] if guards.is_none() => return tr!("lone {piece}", piece),
        counts => counts.iter().map(|(piece, count)| counted(piece, *count)).collect(),
    };
    let (last, first) = match guards {
        Some(guards) => (guards, attackers),
        None => (attackers.last().cloned().unwrap_or_default(), attackers[..attackers.len() - 1].to_vec()),
    };
    let first = first.into_iter().reduce(|one, other| tr!("{one}, {other}", one, other));
    first.map_or(last.clone(), |one| tr!("{one} and {other}", one, other = last))
}

/// The advisors and bishops of a side; `None` without any.
fn guards_name(color: Color, side: &SideMaterial) -> Option<String> {
    let [advisor, bishop] = [PieceKind::Advisor, PieceKind::Bishop].map(|kind| piece_name(color, kind));
    let stand_alone = side.attackers() == 0;
    Some(match (side.count(PieceKind::Advisor), side.count(PieceKind::Bishop)) {
        (0, 0) => return None,
        (1, 0) if stand_alone => tr!("one {piece}", piece = advisor),
        (0, 1) if stand_alone => tr!("one {piece}", piece = bishop),
        (1, 1) if stand_alone => tr!("one {advisor} and one {bishop}", advisor, bishop),
        (1, 1) => tr!("{one} and {other}", one = advisor, other = bishop),
        (2, 1) => tr!("two {advisor}s and a {bishop}", advisor, bishop),
        (1, 2) => tr!("{advisor} and two {bishop}s", advisor, bishop),
        (2, 2) => tr!("all guards"),
        (count, 0) => counted(&advisor, count),
        (_, count) => counted(&bishop, count),
    })
}

fn counted(piece: &str, count: usize) -> String {
    match count {
        1 => piece.to_string(),
        2 => tr!("two {piece}s", piece),
        3 => tr!("three {piece}s", piece),
        4 => tr!("four {piece}s", piece),
        _ => tr!("five {piece}s", piece),
    }
}

/// In Chinese the character on the piece, which depends on the side.
fn piece_name(color: Color, kind: PieceKind) -> String {
    Language::in_script(Language::choose(Piece::new(color, kind).character().to_string(), kind.localized()))
}
