//! How a game of xiangqi ends: repetition, the natural limit, material.

use crate::board::Position;
use crate::types::{Color, PieceKind};

/// The rule systems a user may choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// AXF/WXF: what international play and most servers use.
    #[default]
    Asian,
    /// The UCCI league host's rule of 2007.
    League,
    /// The Chinese computer-game rule.
    Computer,
    /// Any repetition draws.
    None,
}

/// A rule set with its natural limit: all that a judge must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Which system.
    pub set: RuleSet,
    /// Plies without a capture after which the game is drawn; 0 = never.
    pub natural_limit: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { set: RuleSet::Asian, natural_limit: 120 }
    }
}

/// How a game that is over by rule ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nobody won.
    Draw,
    /// This side lost.
    Loss(Color),
}

impl Rules {
    /// What the search asks at every node `ply` moves below its root: is the game over here by repetition, by
    /// the natural limit or for want of material? A repetition inside the tree is judged at once, one that
    /// reaches back before the root only when the count is full.
    pub fn ending_in_search(&self, position: &mut Position, ply: usize) -> Option<Ending> {
        if self.natural_limit > 0 && position.quiet_plies() >= self.natural_limit && !position.in_check() {
            return Some(Ending::Draw);
        }
        if position.last_captured().is_piece() && !can_anyone_win(position) {
            return Some(Ending::Draw);
        }
        let distance = position.repetition_distance()?;
        if distance > ply && position.occurrences() < 3 {
            return None;
        }
        Some(Ending::Draw)
    }
}

/// False if neither side has a piece that could ever give mate.
pub fn can_anyone_win(position: &Position) -> bool {
    let attackers = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Pawn];
    Color::ALL.into_iter().any(|color| attackers.into_iter().any(|kind| position.count(color, kind) > 0))
}
