//! The endings that can be practised.

use chuhe_engine::tablebase::Material;
use chuhe_support::language::{Phrase, phrase, tr};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use xiangqi::{Color, PieceKind};

/// The materials of the tables inside the program, each with how many of a thousand quiet positions the attacker wins
/// who is to move. Made by `cargo test -p chuhe-study --test all ending_shares -- --ignored --nocapture`.
const SHARES: &str = include_str!("shares.tsv");
/// From this share on an ending is a technical win; so many draws make it a technical draw.
const GRADE_SHARE: f64 = 0.95;

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

/// The side that the person takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingSide {
    /// With the attacker, who is red, from a won position.
    Attack,
    /// Against him, from a drawn one.
    Defend,
}

impl EndingSide {
    pub const ALL: [EndingSide; 2] = [EndingSide::Attack, EndingSide::Defend];

    /// The colour of the person.
    pub fn color(self) -> Color {
        match self {
            EndingSide::Attack => Color::Red,
            EndingSide::Defend => Color::Black,
        }
    }
}

/// An ending: the pieces of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ending {
    pub material: Material,
    /// The share of quiet positions that the attacker wins who is to move.
    pub share_won: f64,
}

impl Ending {
    /// All endings: rook, horse, cannon and pawn, and of each the weaker defences first.
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

    /// The ending with this id.
    pub fn find(id: &str) -> Option<&'static Ending> {
        Ending::all().iter().find(|ending| ending.id() == id)
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

    /// Its name in the current language: `rook against two advisors`, `单车对双士`.
    pub fn name(&self) -> String {
        let count = |color: Color, kind: PieceKind| self.material.side(color).count(kind);
        let guards = |color: Color| (count(color, PieceKind::Advisor), count(color, PieceKind::Bishop));
        let kinds = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon];
        let kind = kinds.into_iter().find(|&kind| count(Color::Red, kind) > 0).unwrap_or(PieceKind::Pawn);
        let attacker = attacker_name(kind, count(Color::Red, PieceKind::Advisor));
        tr!("{attacker} against {defender}", attacker, defender = defender_name(guards(Color::Black)))
    }
}

fn attacker_name(kind: PieceKind, advisors: usize) -> Phrase {
    match (kind, advisors) {
        (PieceKind::Rook, 0) => phrase!("lone rook"),
        (PieceKind::Rook, 1) => phrase!("rook and advisor"),
        (PieceKind::Rook, _) => phrase!("rook and two advisors"),
        (PieceKind::Horse, 0) => phrase!("lone horse"),
        (PieceKind::Horse, 1) => phrase!("horse and advisor"),
        (PieceKind::Horse, _) => phrase!("horse and two advisors"),
        (PieceKind::Cannon, 0) => phrase!("lone cannon"),
        (PieceKind::Cannon, 1) => phrase!("cannon and advisor"),
        (PieceKind::Cannon, _) => phrase!("cannon and two advisors"),
        (_, 0) => phrase!("lone pawn"),
        (_, 1) => phrase!("pawn and advisor"),
        (_, _) => phrase!("pawn and two advisors"),
    }
}

fn defender_name(guards: (usize, usize)) -> Phrase {
    match guards {
        (0, 0) => phrase!("bare king"),
        (1, 0) => phrase!("one advisor"),
        (0, 1) => phrase!("one bishop"),
        (2, 0) => phrase!("two advisors"),
        (1, 1) => phrase!("advisor and bishop"),
        (0, 2) => phrase!("two bishops"),
        (2, 1) => phrase!("two advisors and a bishop"),
        (1, 2) => phrase!("advisor and two bishops"),
        (_, _) => phrase!("all guards"),
    }
}
