//! What the judge says: how a game ended, and why, in words that a player understands.

use crate::types::{Color, PieceKind, Square};
use std::fmt;

/// How a game that is over ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    /// Nobody won.
    Draw,
    /// This side lost.
    Loss(Color),
}

impl Ending {
    /// The same ending with the sides exchanged.
    pub const fn flipped(self) -> Ending {
        match self {
            Ending::Draw => Ending::Draw,
            Ending::Loss(color) => Ending::Loss(color.other()),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Draw => f.write_str("draw"),
            Ending::Loss(color) => write!(f, "{color}-loses"),
        }
    }
}

/// Why a game is over, or that it is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reason {
    /// The game goes on.
    Ongoing,
    /// The side to move is in check and has no legal move.
    Mate,
    /// The side to move has no legal move.
    Stalemate,
    /// The loser checked with every move of a repetition.
    PerpetualCheck,
    /// The loser chased one piece with every move of a repetition.
    PerpetualChase {
        /// What was chased.
        victim: PieceKind,
        /// Where it stands now.
        square: Square,
    },
    /// A repetition in which neither side did more than the other.
    Repetition,
    /// Too many moves without a capture.
    NaturalLimit,
    /// Neither side can mate any more.
    Material,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Ongoing => "the game goes on",
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::PerpetualCheck => "perpetual check",
            Reason::PerpetualChase { victim, square } => {
                return write!(f, "perpetual chase of the {} on {square}", victim.name());
            }
            Reason::Repetition => "repetition",
            Reason::NaturalLimit => "natural limit",
            Reason::Material => "material",
        })
    }
}

/// The judge's word on a position with its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Verdict {
    /// How the game ended; `None` while it goes on.
    pub ending: Option<Ending>,
    /// Why.
    pub reason: Reason,
}

impl Verdict {
    /// The game goes on.
    pub const ONGOING: Verdict = Verdict { ending: None, reason: Reason::Ongoing };

    /// A draw for this reason.
    pub const fn draw(reason: Reason) -> Verdict {
        Verdict { ending: Some(Ending::Draw), reason }
    }

    /// This side lost, for this reason.
    pub const fn loss(color: Color, reason: Reason) -> Verdict {
        Verdict { ending: Some(Ending::Loss(color)), reason }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ending {
            None => f.write_str("ongoing"),
            Some(ending) => write!(f, "{ending} {}", self.reason),
        }
    }
}
