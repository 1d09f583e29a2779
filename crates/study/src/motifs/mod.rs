//! The motifs that a line of moves shows: forks, pins, discovered attacks and the like. Reviews name by them why a piece was
//! lost, tactics have them for themes.
//!
//! A motif is told by the geometry of the line alone, without a search: each is defined at its detector, and each needs that
//! the line goes on as the motif promises (a forked piece is taken, a sacrifice is regained). Whether the line is forced is
//! for others to prove.
//!
//! * `mating_patterns` names mates by their final position;
//! * `line` holds the positions of a line, follows its pieces, and knows lines, screens and captures that gain;
//! * `findings` has the detectors.

mod findings;
mod line;
mod mating_patterns;

use chuhe_support::language::{Phrase, phrase};
use chuhe_support::small_sort::SmallSort;
use line::Line;

pub(crate) use line::{frees, gains, gains_on, majors, passed, pieces_between, played, value_on};
pub use mating_patterns::MatingPattern;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xiangqi::{Move, Position, Square};

/// Defines the motifs but those that are mates with a name: each with its name for programs and the one for players.
macro_rules! motifs {
    ($($(#[$doc:meta])* $motif:ident = $name:literal, $phrase:expr;)*) => {
        /// What a line shows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Motif {
            /// The line mates, and the final position has this name.
            Pattern(MatingPattern),
            $($(#[$doc])* $motif,)*
        }

        impl Motif {
            /// All motifs, the most telling ones first.
            pub fn all() -> impl Iterator<Item = Motif> {
                // A mate by double check is a double check.
                let patterns = MatingPattern::ALL.into_iter().filter(|pattern| *pattern != MatingPattern::DoubleCheck);
                patterns.map(Motif::Pattern).chain([$(Motif::$motif),*])
            }

            /// The name for programs, such as `discovered-check` and `iron-bolt`.
            pub fn name(self) -> &'static str {
                match self {
                    Motif::Pattern(pattern) => pattern.name(),
                    $(Motif::$motif => $name,)*
                }
            }

            /// The name for players.
            pub fn phrase(self) -> Phrase {
                match self {
                    Motif::Pattern(pattern) => pattern.phrase(),
                    $(Motif::$motif => $phrase,)*
                }
            }
        }
    };
}

// In the order of `all`.
motifs! {
    /// 弃子: a rook, a horse or a cannon is given, and it is not taken back at once.
    Sacrifice = "sacrifice", phrase!("sacrifice");
    /// 双将: two pieces check.
    DoubleCheck = "double-check", phrase!("double check");
    /// 抽将: a piece leaves a line, and the piece behind it checks.
    DiscoveredCheck = "discovered-check", phrase!("discovered check");
    /// 捉双: one piece attacks two, or checks and attacks one.
    Fork = "fork", phrase!("fork");
    /// 困子: a piece is attacked and has no safe move.
    TrappedPiece = "trapped-piece", phrase!("trapped piece");
    /// 牵制: a piece may not move, because its king stands behind.
    Pin = "pin", phrase!("pin");
    /// 闪击: a piece moves away, and another one attacks.
    DiscoveredAttack = "discovered-attack", phrase!("discovered attack");
    /// 串打: a piece leaves the line, and the piece behind it is taken.
    Skewer = "skewer", phrase!("skewer");
    /// 去根: the piece that protects another is taken first.
    RemovedDefender = "removed-defender", phrase!("defender taken away");
    /// 引离: the piece that protects another is made to take elsewhere.
    Deflection = "deflection", phrase!("deflection");
    /// 打通: an exchange draws a piece out of a line.
    OpenedLine = "opened-line", phrase!("opened line");
    /// 炮架: a piece becomes the screen of a cannon.
    CannonScreen = "cannon-screen", phrase!("cannon screen");
    /// 防守: a threat is met.
    Defence = "defence", phrase!("defence");
    /// 静着: the first move neither takes nor checks, and wins.
    QuietMove = "quiet-move", phrase!("quiet move");
    /// 吃无根子: an unprotected piece is taken at once.
    HangingPiece = "hanging-piece", phrase!("unprotected piece");
    /// 将死: the line mates.
    Mate = "mate", phrase!("mate");
}

impl Motif {
    /// The motif of this name.
    pub fn from_name(name: &str) -> Option<Motif> {
        Motif::all().find(|motif| motif.name() == name)
    }

    /// How telling it is: 0 is the most.
    fn rank(self) -> usize {
        Motif::all().position(|motif| motif == self).unwrap_or(usize::MAX)
    }
}

impl Serialize for Motif {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Motif {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Motif, D::Error> {
        let name = String::deserialize(from)?;
        Motif::from_name(&name).ok_or_else(|| D::Error::custom("no motif"))
    }
}

/// A motif with its place in the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub motif: Motif,
    /// The index of the move that shows it.
    pub ply: usize,
    /// The squares of the pieces that it is about, in the position after that move: those that are attacked, trapped, pinned,
    /// given or left without a defender; may be empty.
    pub squares: Vec<Square>,
}

/// The motifs of a line, the most telling first, each once. The side to move at the start solves: its are the moves 0, 2, 4 …
/// of the line. A line with an illegal move counts up to it; a line of the variant with promotions shows nothing.
pub fn motifs(start: &Position, line: &[Move]) -> Vec<Motif> {
    let mut found: Vec<Motif> = find_motifs(start, line).into_iter().map(|finding| finding.motif).collect();
    found.dedup();
    found
}

/// The motifs of a line with their places, the most telling first; a motif may occur at several moves.
pub fn find_motifs(start: &Position, line: &[Move]) -> Vec<Finding> {
    let Some(line) = Line::new(start, line) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(motif) = mate(&line) {
        found.push(Finding { motif, ply: line.len() - 1, squares: Vec::new() });
    }
    found.extend(findings::find(&line));
    found.order_by_key(|finding| (finding.motif.rank(), finding.ply));
    found
}

/// The name of the mate at the end of a line.
fn mate(line: &Line) -> Option<Motif> {
    if !line.mates {
        return None;
    }
    Some(match MatingPattern::of(line.last()) {
        Some(MatingPattern::DoubleCheck) | None => Motif::Mate,
        Some(pattern) => Motif::Pattern(pattern),
    })
}
