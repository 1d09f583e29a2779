//! Explanations of the moves of a repetition, for display.

use super::chase::Chases;
use super::tracked_board::TrackedBoard;
use crate::board::Position;
use crate::types::{Color, Move, Piece, Square};
use std::fmt;

/// What one move of a repetition did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveExplanation {
    /// The side that moved.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// It gave check.
    pub check: bool,
    /// The pieces that it newly chased, with their squares.
    pub newly_chased: Vec<(Piece, Square)>,
    /// What it threatens to play next, where that is a chase.
    pub threats: Vec<Move>,
    /// By rules that give each move a nature: which one, and the reason.
    pub nature: Option<MoveNature>,
    /// The article of the association's own text that gives it this nature, where the text numbers one.
    pub article: Option<&'static str>,
}

/// The nature of a move with its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveNature {
    /// It gives check.
    Check,
    /// It threatens mate.
    Kill,
    /// It threatens to gain a piece that has moved on since.
    Chase,
    /// It threatens to gain material by a series of checks.
    ChaseByChecks,
    /// It threatens to gain material by captures on several squares.
    ChaseByCaptures,
    /// It threatens to gain a piece by an exchange.
    ChaseByExchange {
        /// The victim.
        piece: Piece,
        /// Its square.
        square: Square,
        /// The exchange, as pairs of attacker and victim.
        exchange: Vec<(Piece, Piece)>,
        /// One piece attacks alone.
        alone: bool,
    },
    /// None of these, with a new capture that loses nothing.
    OffersExchange,
    /// None of these: the moved piece can be had.
    OffersPiece,
    /// None of these: it closes a line of the other side.
    Blocks,
    /// None of these: the moved piece attacks another that is protected.
    Follows,
    /// None of these.
    Idle,
}

/// How a piece that is chased is called: `the cannon on b6`.
pub type PieceNaming<'a> = dyn Fn(Piece, Square) -> String + 'a;

pub(super) fn name_by_square(piece: Piece, square: Square) -> String {
    format!("the {} on {square}", piece.kind())
}

impl fmt::Display for MoveNature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text_naming(&name_by_square))
    }
}

impl MoveNature {
    /// The nature in English, with a chased piece called as the caller likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        let text = match self {
            MoveNature::Check => "check",
            MoveNature::Kill => "kill, threatens mate",
            MoveNature::Chase => "chase",
            MoveNature::ChaseByChecks => "chase, gains by checks",
            MoveNature::ChaseByCaptures => "chase, gains by captures on several squares",
            MoveNature::ChaseByExchange { piece, square, exchange, alone } => {
                let captures: Vec<String> =
                    exchange.iter().map(|(by, of)| format!("({} x {})", by.kind(), of.kind())).collect();
                let jointly = if *alone { "" } else { "jointly " };
                return format!("chase, gains {jointly}{} {}", naming(*piece, *square), captures.join(" "));
            }
            MoveNature::OffersExchange => "idle, offers an exchange",
            MoveNature::OffersPiece => "idle, offers a piece",
            MoveNature::Blocks => "idle, blocks",
            MoveNature::Follows => "idle, follows",
            MoveNature::Idle => "idle",
        };
        text.to_string()
    }
}

impl MoveExplanation {
    /// The explanation in English, with chased pieces called as the caller likes; `-` if the move neither checked nor
    /// chased.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        if let Some(nature) = &self.nature {
            return nature.text_naming(naming);
        }
        let check = self.check.then(|| "checks".to_string());
        let chases = self.newly_chased.iter().map(|&(kind, square)| format!("chases {}", naming(kind, square)));
        let done: Vec<String> = check.into_iter().chain(chases).collect();
        if done.is_empty() { "-".to_string() } else { done.join(", ") }
    }
}

/// The explanation in English; `-` if the move neither checked nor chased.
impl fmt::Display for MoveExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text_naming(&name_by_square))
    }
}

/// Explains the last moves, oldest first. `chased` returns the pieces that a move newly chased, given the mover and
/// whether it gave check, and unmakes the move on the board.
pub(super) fn explain_last_moves(
    position: &Position,
    plies: usize,
    chased: impl Fn(&mut TrackedBoard, Move, Color, bool) -> Chases,
) -> Vec<MoveExplanation> {
    let mut tracked = TrackedBoard::of(position);
    let mut mover = !position.side();
    let mut explanations = Vec::with_capacity(plies);
    for back in 0..plies {
        let Some((mv, check)) = position.move_before(back) else { break };
        // The move has been taken back, but it did not move its victims.
        let chases = chased(&mut tracked, mv, mover, check);
        let victims = chases.victims;
        let chased = victims.iter().map(|id| (tracked.piece(id), tracked.square(id))).collect();
        // The piece that moved stands where it came from once more.
        let now = |square: Square| if square == mv.from() { mv.to() } else { square };
        let threats = victims
            .iter()
            .flat_map(|victim| chases.chasers(victim).iter().map(move |chaser| (chaser, victim)))
            .map(|(chaser, victim)| Move::new(now(tracked.square(chaser)), tracked.square(victim)))
            .collect();
        explanations.push(MoveExplanation {
            mover,
            mv,
            check,
            newly_chased: chased,
            threats,
            nature: None,
            article: None,
        });
        mover = !mover;
    }
    explanations.reverse();
    explanations
}
